"""From readings to what they mean: the lamp that was laid, or what nothing explains."""

from __future__ import annotations

from companion.board import EMPTY, PieceKind
from companion.game import Proposal, Puzzled, Sighting, SpaceSeen
from companion.ports import HIDDEN, Reading
from lamp_garden.garden import BEDS, LAMPS, lamp_of, place_of
from lamp_garden.rules import RECORDS, Light, State, say
from lamp_garden.shown import bed_name


def sighted(state: State, reading: Reading) -> tuple[Sighting, ...]:
    """Explain a reading: one lamp of the seat on turn is a proposal, anything else a puzzle."""
    seat = state.on_turn
    if seat is None:
        return ()
    changed = _changes(state, reading)
    if not changed:
        return ()
    (first, *more) = changed
    is_own = first.was == EMPTY and first.seen.reads not in {lamp for lamp in LAMPS if lamp != lamp_of(seat)}
    if more or not is_own:
        return (Puzzled(seat, say("saw.odd", count=len(changed)), changed),)
    command = RECORDS.command_out(Light(seat, first.place.space))
    is_lamp = first.seen.reads == lamp_of(seat)
    return (
        Proposal(
            seat,
            say("saw.lit", bed=bed_name(first.place.space)),
            command if is_lamp else None,
            changed,
            is_sure=is_lamp and first.seen.sure,
        ),
    )


def _changes(state: State, reading: Reading) -> tuple[SpaceSeen, ...]:
    """Return the beds that read otherwise than the state says; hidden ones are left out."""
    found = []
    for bed in BEDS:
        seen = reading.at(place_of(bed))
        owner = state.lamps.get(bed)
        was: PieceKind = EMPTY if owner is None else lamp_of(owner)
        if seen is not None and seen.reads not in (HIDDEN, was):
            may_be = dict.fromkeys((*seen.others, *LAMPS, EMPTY))
            found.append(SpaceSeen(place_of(bed), was, seen, tuple(may_be)))
    return tuple(found)
