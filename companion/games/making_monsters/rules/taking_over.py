"""Take a table over as it stands: a position line, and what a person fills in besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.game import Seat, Sentence
from companion.games.making_monsters.components import (
    CARD_SPACES,
    CART_SPOTS,
    HELD,
    REJECTS,
    SEATS,
    SORT_SPACES,
    STARTING_BAG,
    TOKEN_COUNTS,
    Order,
    Token,
)
from companion.games.making_monsters.events import Event, TakenOver
from companion.games.making_monsters.moves import TakeOver
from companion.games.making_monsters.options import settled, unknown
from companion.games.making_monsters.parts import Parts, counted, minus, plus, total
from companion.games.making_monsters.position import from_position, heap_in, position
from companion.games.making_monsters.printed import UNKNOWN_TILE
from companion.games.making_monsters.rules.order import supers
from companion.games.making_monsters.rules.setup import longest_track
from companion.games.making_monsters.rules.upgrades import tile_spaces
from companion.games.making_monsters.state import Lab, Phase, Stage, State, holds, slots
from companion.games.making_monsters.words import broken, heap, say

MIDDLE_PHASES = (Phase.ORDER, Phase.DELIVERIES, Phase.FAIR)
"""Where a table may be taken over by what is seen; a position line can stand in any phase."""

STAGES = {Phase.ORDER: Stage.ORDER, Phase.DELIVERIES: Stage.DRAW, Phase.FAIR: Stage.DRAW}


def take_over(state: State, command: TakeOver) -> tuple[Event, ...]:
    if state.phase is not Phase.OPEN:
        raise broken("already_set_up", "Setup")
    try:
        there = from_position(command.position, state.box)
        bags = {seat: heap_in(text) for seat, text in command.bags.items() if text.strip()}
    except ValueError as wrong:
        raise broken("position", "Setup", why=str(wrong)) from wrong
    strange = unknown(command.options)
    if strange:
        raise broken("no_such_option", "Setup", option=strange)
    there = _filled_in(there, command, bags)
    wrong_with = why_impossible(there)
    if wrong_with is not None:
        raise broken("impossible", "Components", why=wrong_with)
    return (TakenOver(position(there)),)


def _filled_in(there: State, command: TakeOver, bags: dict[Seat, dict[Token, int]]) -> State:
    """Return the position with everything that the command says besides."""
    there = replace(there, options=settled(there.box, {**there.options, **command.options}))
    if not (command.seats or command.phase or command.scores or command.bags or command.orders):
        return there
    seats = command.seats or tuple(there.labs)
    labs = {seat: there.labs.get(seat, Lab()) for seat in SEATS if seat in seats}
    for seat, lab in labs.items():
        if command.scores.get(seat):
            labs[seat] = replace(lab, earned={"before": command.scores[seat]})
    labs = {seat: replace(lab, bag=bags.get(seat) or guessed_bag(lab)) for seat, lab in labs.items()}
    phase = Phase(command.phase) if command.phase in set(MIDDLE_PHASES) else there.phase
    labs = _staged(there, labs, phase, command)
    track = command.track if command.track >= 0 else there.track
    there = replace(
        there,
        labs=labs,
        phase=phase,
        round=command.round or there.round or 1,
        track=track,
        track_length=max(track, there.track_length),
        bags_guessed=set(bags) != set(labs),
    )
    return with_the_rest(there)


def _staged(there: State, labs: dict[Seat, Lab], phase: Phase, command: TakeOver) -> dict[Seat, Lab]:
    stage = STAGES.get(phase)
    if stage is None:
        return labs
    labs = {seat: replace(lab, stage=stage) for seat, lab in labs.items()}
    if phase is Phase.DELIVERIES:
        orders = {seat: Order(str(command.orders.get(seat, "blue")).split("_")[0]) for seat in labs}
        told = {seat for seat, text in command.orders.items() if str(text).endswith("_super")}
        lifted = told if command.orders else set(supers(there, orders))
        labs = {seat: replace(lab, order=orders[seat], is_super=seat in lifted) for seat, lab in labs.items()}
    return labs


def guessed_bag(lab: Lab) -> dict[Token, int]:
    """Return what a bag holds if nothing was ever won: the starting bag less what lies in the lab."""
    return minus(STARTING_BAG, counted((*lab.parts.values(), *lab.overflow)))


def in_play(state: State) -> Parts:
    """Count the tokens outside the supply: bags, labs, track, removed."""
    heap_now = plus(state.removed, {Token.ROT: state.track})
    for lab in state.labs.values():
        for more in (lab.bag, lab.held, counted(lab.parts.values()), counted(lab.overflow)):
            heap_now = plus(heap_now, more)
    return heap_now


def with_the_rest(state: State) -> State:
    """Return the state with supply, deck and stacks holding whatever is nowhere else."""
    laid = sum(len(lab.cards) + len(lab.pile) + lab.unnamed for lab in state.labs.values())
    tiles = len(state.carts) + sum(len(lab.tiles) for lab in state.labs.values()) + state.tiles_out
    return replace(
        state,
        supply=minus(TOKEN_COUNTS, in_play(state)),
        deck=len(state.box.deck) - laid - len(state.discards),
        stack=max(0, state.box.tile_count - tiles),
    )


def why_impossible(state: State) -> Sentence | None:
    """Return what contradicts the box in a position; None if it is possible."""
    over = minus(in_play(state), TOKEN_COUNTS)
    if over:
        return say("why.too_many_tokens", parts=heap(over))
    if total(plus(in_play(state), state.supply)) != total(TOKEN_COUNTS):
        return say("why.tokens_missing", count=total(TOKEN_COUNTS))
    if not 2 <= len(state.labs) <= 4:
        return say("why.seats")
    if state.track > longest_track(state.box, len(state.labs)):
        return say("why.track")
    return _why_cards_impossible(state) or _why_labs_impossible(state)


def _why_cards_impossible(state: State) -> Sentence | None:
    cards = [card for lab in state.labs.values() for card in (*lab.cards.values(), *lab.pile)]
    unnamed = sum(lab.unnamed for lab in state.labs.values())
    count = state.deck + len(state.discards) + len(cards) + unnamed
    if len(cards) != len(set(cards)) or not set(cards) <= state.box.deck:
        return say("why.cards")
    if state.deck < 0 or count != len(state.box.deck):
        return say("why.card_count", count=len(state.box.deck))
    tiles = len(state.carts) + state.stack + state.tiles_out
    tiles += sum(len(lab.tiles) for lab in state.labs.values())
    if min(state.stack, state.tiles_out) < 0 or tiles != state.box.tile_count:
        return say("why.tile_count", count=state.box.tile_count)
    return None


def _why_labs_impossible(state: State) -> Sentence | None:
    tiles = set(state.carts.values()) | {tile for lab in state.labs.values() for tile in lab.tiles.values()}
    if not (tiles <= {*state.box.tiles, UNKNOWN_TILE} and set(state.carts) <= set(CART_SPOTS)):
        return say("why.tiles")
    return next(filter(None, (why_lab_impossible(state, lab) for lab in state.labs.values())), None)


def why_lab_impossible(state: State, lab: Lab) -> Sentence | None:
    """Return what cannot lie in a lab; None if all of it can."""
    if not set(lab.tiles.values()) <= {*state.box.tiles, UNKNOWN_TILE}:
        return say("why.tiles")
    known = slots(state.box, lab)
    aside = (*SORT_SPACES, *holds(lab, *HELD))
    if not all(_may_lie(known, aside, space, kind) for space, kind in lab.parts.items()):
        return say("why.parts")
    on_spaces = {space for space in lab.tiles if not space.startswith("beside")}
    if not (set(lab.cards) <= set(CARD_SPACES) and on_spaces <= set(tile_spaces(state, lab))):
        return say("why.parts")
    return None


def _may_lie(known: Mapping[str, Token], aside: tuple[str, ...], space: str, kind: Token) -> bool:
    if space in known:
        return kind in (known[space], Token.MUTATION)
    return space in REJECTS or (space in aside and kind is not Token.ROT)


def taken_over(state: State, event: TakenOver) -> State:
    return replace(from_position(event.position, state.box), chores_given=state.chores_given)
