"""Whom and what an event changes: a picture from before it says nothing about these places."""

from __future__ import annotations

from collections.abc import Iterable

from companion.board import Place, SpaceId
from companion.game import Seat
from companion.games.mad_science import events as e
from companion.games.mad_science.components import BODY, SEATS, Kind, adaptor_of, zone_of

ALL_SPACES = (BODY, *(SpaceId(kind) for kind in Kind), *(adaptor_of(kind) for kind in Kind))
OF_TABLE = (e.OddsShown, e.OptionsChosen, e.HeapShuffled, e.ExperimentUp, e.ConflictUp, e.GameOver)
"""What changes nothing that lies before a seat."""


def touched(event: e.Event) -> tuple[Seat | Place, ...]:
    """Return the seat of an event and the spaces of its zone that it changes."""
    if isinstance(event, OF_TABLE):
        return ()
    match event:
        case e.CatalogueTold():
            return () if event.seat is None else (event.seat,)
        case e.LifeSet():
            return (Seat(event.who),) if event.who in SEATS else ()
        case e.BreakBegun():
            return (*SEATS, *(place for seat in SEATS for place in _zone(seat, ALL_SPACES)))
        case _:
            seat = getattr(event, "seat", None)
            return SEATS if seat is None else (seat, *_zone(seat, _spaces(event)))


def _zone(seat: Seat, spaces: Iterable[SpaceId]) -> tuple[Place, ...]:
    return tuple(Place(zone_of(seat), space) for space in spaces)


def _spaces(event: e.Event) -> tuple[SpaceId, ...]:
    match event:
        case e.BodyDealt():
            return (BODY,)
        case e.AdaptorPlayed(on=kind):
            return (adaptor_of(kind),)
        case e.PartPlayed(kind=kind) | e.PartDropped(kind=kind):
            return (SpaceId(kind),)
        case e.PartLost() | e.PartsBack() | e.AdaptorLost() | e.AdaptorBack() | e.TurnLost():
            return ALL_SPACES
        case _:
            return ()
