"""What must hold after every event of every game: the promises of Making Monsters to its table."""

from __future__ import annotations

import json
from dataclasses import replace

from companion.games.making_monsters.components import TOKEN_COUNTS, Order
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.events import Event
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.parts import in_order, plus
from companion.games.making_monsters.reports import TotalSet
from companion.games.making_monsters.rules.depth import least_supply
from companion.games.making_monsters.rules.priority import first_before
from companion.games.making_monsters.rules.taking_over import in_play
from companion.games.making_monsters.state import Phase, Stage, State


def without_chores(state: State) -> State:
    return replace(state, chores=(), chores_given=0)


def check_event(before: State, event: Event, after: State) -> None:
    """Check what an event did to the pieces, the score, the records and the position."""
    check_pieces(after)
    for seat, lab in before.labs.items():
        is_corrected = isinstance(event, TotalSet) and event.seat == seat
        assert is_corrected or after.labs[seat].score >= lab.score, "a score falls by a correction only"
    kind, version, body = GAME.codec.event_out(event)
    assert GAME.codec.event_in(kind, version, json.loads(json.dumps(body))) == event
    line = GAME.position(after)
    assert "\n" not in line
    assert GAME.from_position(line, after.box.catalogue) == without_chores(after)


def check_pieces(state: State) -> None:
    """MM-94: every kind of token, the cards and the tiles add up to the box."""
    if state.phase is Phase.OPEN:
        return
    assert in_order(plus(in_play(state), state.supply)) == in_order(TOKEN_COUNTS)
    assert all(count > 0 for lab in state.labs.values() for count in lab.bag.values())
    for lab in state.labs.values():
        assert lab.is_followed or not (lab.bag or lab.parts or lab.overflow or lab.leftovers), (
            "invented tokens"
        )
        assert not lab.is_followed or not (lab.held or lab.untold or lab.done), (
            "a followed seat reports nothing"
        )
    least = least_supply(state)
    assert all(0 <= least.get(kind, 0) <= count for kind, count in state.supply.items())
    cards = [card for lab in state.labs.values() for card in (*lab.cards.values(), *lab.pile)]
    assert len(set(cards)) == len(cards)
    unnamed = sum(lab.unnamed for lab in state.labs.values())
    assert min(lab.unnamed for lab in state.labs.values()) >= 0
    assert state.deck + len(state.discards) + len(cards) + unnamed == len(state.box.deck)
    tiles = len(state.carts) + state.stack + state.tiles_out
    assert tiles + sum(len(lab.tiles) for lab in state.labs.values()) == state.box.tile_count


def check_rest(state: State) -> None:
    """Check what must hold when everything that follows by itself has followed."""
    check_prompts(state)
    check_secrets(state)


def check_prompts(state: State) -> None:
    """Whoever is waited for is asked, with at most one loud answer; the game never stands still."""
    prompts = GAME.prompts(state)
    asked = {prompt.seat for prompt in prompts if prompt.tone != "wait" and prompt.choices}
    for seat in state.waited_for():
        waits_its_turn = (
            state.labs[seat].stage in (Stage.ADD, Stage.LESTER, Stage.COUPON)
            and first_before(state, seat) != seat
        )
        assert seat in asked or waits_its_turn or not (state.deck + len(state.discards)), seat
    assert asked or state.phase is Phase.OVER
    for prompt in prompts:
        assert sum(choice.weight == "primary" for choice in prompt.choices) <= 1, prompt.key


def check_secrets(state: State) -> None:
    """No view but the own changes with an order before the reveal, or a decision before all are shown."""
    for seat, lab in state.labs.items():
        others = [None, *(other for other in state.labs if other != seat)]
        for twin in secret_twins(state, lab):
            hidden = replace(state, labs={**state.labs, seat: twin})
            for other in others:
                assert GAME.view(state, other) == GAME.view(hidden, other), f"{other} sees a secret of {seat}"


def secret_twins(state: State, lab: object) -> list[object]:
    if state.phase in (Phase.ORDER, Phase.REVEAL) and lab.stage is Stage.LAID:
        return [replace(lab, order=order) for order in (None, *Order) if order != lab.order]
    if lab.stage is Stage.DECIDED:
        twins = [replace(lab, reanimates=not lab.reanimates)]
        if lab.depth is Depth.SCORE:
            twins.append(replace(lab, points_told=(lab.points_told or 0) + 7, rot_told=3 - lab.rot_told))
        return twins
    return []
