"""What must hold after every event of every game: the promises of Mad Science to its table."""

from __future__ import annotations

import json

from companion.games.mad_science.components import HAND
from companion.games.mad_science.events import Event
from companion.games.mad_science.game import GAME
from companion.games.mad_science.state import Phase, Stage, State, life_of


def check_event(after: State, event: Event) -> None:
    """Check what an event did to the cards, the LIFE, the records and the position."""
    check_cards(after)
    check_life(after)
    kind, version, body = GAME.codec.event_out(event)
    assert GAME.codec.event_in(kind, version, json.loads(json.dumps(body))) == event
    line = GAME.position(after)
    assert "\n" not in line
    assert GAME.from_position(line, after.box.catalogue) == after


def check_cards(state: State) -> None:
    """Every card of the Pile of Parts is somewhere, and none is there more often than the box has it."""
    if state.phase is Phase.OPEN:
        return
    creatures = state.creatures.values()
    laid = [card for one in creatures for card in (*one.parts.values(), one.adaptor) if card]
    hands = sum(one.hand for one in creatures)
    assert state.pile >= 0
    assert state.pile + len(state.heap) + hands + len(laid) == state.box.pile
    for card in laid:
        assert laid.count(card) + state.heap.count(card) <= state.box.copies(card)
    for one in creatures:
        assert 0 <= one.hand <= HAND + (state.turn.stage is Stage.DISCARD)
        assert set(one.lost) <= set(one.parts)
        assert set(one.dropped) <= set(one.standing)
        assert all(state.box.parts[card].kind is kind for kind, card in one.parts.items())


def check_life(state: State) -> None:
    assert state.experiment_life is None or state.experiment_life >= 0
    for seat, one in state.creatures.items():
        assert life_of(state, seat) >= 0
        assert not one.is_out or (one.life == 0 and not one.standing)
        assert one.life is not None or not one.is_built


def check_rest(state: State) -> None:
    """Check what must hold when everything that follows by itself has followed."""
    assert state.turn.stage not in (Stage.NOTHING, Stage.ARRIVE) or state.phase in (Phase.OPEN, Phase.OVER)
    prompts = GAME.prompts(state)
    asked = {prompt.seat for prompt in prompts if prompt.tone != "wait" and prompt.choices}
    assert asked or state.phase is Phase.OVER, "the table stands still"
    assert set(state.waited_for()) <= asked
    for prompt in prompts:
        assert sum(choice.weight == "primary" for choice in prompt.choices) <= 1, prompt.key
    check_secrets(state)


def check_secrets(state: State) -> None:
    """Of a hand nothing but its size is in any view: nobody but its owner knows a card of it."""
    laid = {card for one in state.creatures.values() for card in (*one.parts.values(), one.adaptor)}
    for seat in (None, *state.creatures):
        facts = GAME.view(state, seat).facts
        json.dumps(facts)
        for one in facts["creatures"].values():
            assert isinstance(one["hand"], int)
            assert {*one["parts"].values(), one["adaptor"]} <= laid
