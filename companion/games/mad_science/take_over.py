"""Offer to take a table over as it stands: creatures as they are read, or a position line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.board import SpaceId
from companion.game import Choice, Count, Field, Line, Option, Pick, Seat, Weight
from companion.games.mad_science.components import BODY, HAND, SEATS, Kind, adaptor_of
from companion.games.mad_science.position import position
from companion.games.mad_science.rules.build import fits
from companion.games.mad_science.rules.setup import LEAST_SEATS
from companion.games.mad_science.sheets import MOST_LIFE
from companion.games.mad_science.sight import Spaces, creatures_seen
from companion.games.mad_science.state import (
    Creature,
    Phase,
    Stage,
    State,
    Turn,
    printed_life,
    untold,
)
from companion.games.mad_science.words import card_name, say, seat_name
from companion.ports import Reading


def take_over(state: State, reading: Reading | None) -> tuple[Choice, ...]:
    """Return a form filled from a reading of at least two creatures, and one for a position line."""
    if state.phase is not Phase.OPEN:
        return ()
    line = Line("position", say("field.position"))
    by_line = Choice(say("choice.take_over_line"), {"do": "take_over"}, (line,), Weight.QUIET)
    creatures = {} if reading is None else _creatures(state, reading)
    if reading is None or len(creatures) < LEAST_SEATS or not state.box.experiments:
        return (by_line,)
    return (_form(state, reading, creatures), by_line)


def _creatures(state: State, reading: Reading) -> dict[Seat, Creature]:
    """Return the creatures of a picture, each in the zone of its seat."""
    empty = replace(state, creatures=dict.fromkeys(SEATS, Creature()))
    seen = creatures_seen(empty, reading)
    found = {seat: _creature(state, spaces) for seat, spaces in seen.items() if BODY in spaces}
    return {seat: found[seat] for seat in SEATS if seat in found}


def _creature(state: State, spaces: Spaces) -> Creature:
    """Put a creature together; what lies face down or is not named is left for hands to put right."""
    box = state.box
    adaptors = {kind: spaces[adaptor_of(kind)].reads for kind in Kind if adaptor_of(kind) in spaces}
    on = next((kind for kind, reads in adaptors.items() if reads in box.adaptors), None)
    parts = {
        kind: str(spaces[SpaceId(kind)].reads)
        for kind in Kind
        if SpaceId(kind) in spaces and spaces[SpaceId(kind)].reads in box.parts
    }
    one = Creature(str(spaces[BODY].reads), parts, str(adaptors[on]) if on else "", on)
    one = replace(one, is_adaptor_used=on in parts and not fits(state, one, box.parts[parts[on]]))
    if not one.is_complete or untold(box, one):
        return replace(one, hand=HAND)
    return replace(one, is_built=True, life=printed_life(box, one))


def _form(state: State, reading: Reading, creatures: Mapping[Seat, Creature]) -> Choice:
    """Return the form: the creatures are as they lie, their LIFE is proposed, the rest is told."""
    shown = [str(piece.reads) for piece in reading.loose if piece.reads in state.box.experiments]
    experiment = shown[0] if shown else next(iter(state.box.experiments))
    used = sum(one.hand + len(one.parts) + bool(one.adaptor) for one in creatures.values())
    there = replace(
        state,
        phase=Phase.PLAY,
        round=1,
        creatures=dict(creatures),
        order=tuple(creatures),
        turn=Turn(next(iter(creatures)), Stage.PLAY),
        experiment=experiment,
        experiment_life=state.box.experiments[experiment].life or 1,
        is_bonus_given=any(one.is_built for one in creatures.values()),
        pile=max(0, state.box.pile - used),
    )
    command = {"do": "take_over", "position": position(there)}
    return Choice(say("choice.take_over"), command, tuple(_fields(state, there)), Weight.QUIET)


def _fields(state: State, there: State) -> Iterator[Field]:
    box = state.box
    experiments = tuple(Option(card, card_name(box, card)) for card in box.experiments)
    yield Pick("experiment", say("experiment"), experiments, value=there.experiment)
    yield Count("experiment_life", say("field.experiment_life"), 1, MOST_LIFE, there.experiment_life)
    seats = tuple(Option(seat, seat_name(seat)) for seat in there.creatures)
    yield Pick("turn", say("field.turn"), seats, value=there.order[0])
    for seat, one in there.creatures.items():
        if one.fights:
            yield Count(f"life_{seat}", say("field.life_of", seat=seat_name(seat)), 0, MOST_LIFE, one.life)
