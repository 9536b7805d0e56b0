"""Whom and what an event changes: a picture from before it says nothing about these places."""

from __future__ import annotations

from collections.abc import Iterable

from companion.board import BoardId, Place, SpaceId
from companion.game import Seat
from companion.games.making_monsters import events as e
from companion.games.making_monsters import reports as r
from companion.games.making_monsters.components import (
    CARD_SPACES,
    CENTRAL,
    REJECTS,
    SEATS,
    SORT_SPACES,
    UPGRADE_SPACES,
    hold_of,
    lab_of,
    under,
)
from companion.games.making_monsters.moves import OVERFLOW, PILE

MOST_PARTS = 6
TILE_SPACES = (*UPGRADE_SPACES, *(hold_of(space, n) for space in UPGRADE_SPACES for n in (1, 2)))
TOKEN_SPACES = (
    *(f"{card}.part{part}" for card in CARD_SPACES for part in range(MOST_PARTS)),
    *SORT_SPACES,
    *REJECTS,
    *TILE_SPACES,
)


def touched(event: e.Event) -> tuple[Seat | Place, ...]:
    """Return the seat of an event and the spaces it changes; every seat for an event of the table."""
    match event:
        case e.OddsShown():
            return ()
        case e.TilesNamed():
            return tuple(Place.parse(name) for name in event.tiles)
        case e.CatalogueTold():
            return () if event.seat is None else (event.seat,)
        case e.RefreshBegun():
            return (*SEATS, *_places(CENTRAL, event.refilled))
        case e.PrepBegun():
            return (*SEATS, *(place for seat in SEATS for place in _lab(seat, (*TOKEN_SPACES, *CARD_SPACES))))
        case _:
            seat = getattr(event, "seat", None)
            return SEATS if seat is None else (seat, *_of_seat(seat, event))


def _of_seat(seat: Seat, event: e.Event) -> Iterable[Place]:
    match event:
        case e.Delivered():
            moved = [space for move in event.moves for space in move]
            return _lab(seat, [*(space for _, space in event.placements), *moved])
        case e.PartsMoved():
            return _lab(seat, [space for move in event.moves for space in move])
        case e.CardPlaced() | e.CardKept() | e.RotReturned():
            return _lab(seat, (event.space,))
        case e.TileTaken():
            return (*_lab(seat, (event.space,)), *_places(CENTRAL, (event.spot,)))
        case e.Cleared() | e.FairScored() | e.FiveChosen() | r.Resumed() | r.DepthSet():
            return _lab(seat, (*TOKEN_SPACES, *CARD_SPACES))
        case _:
            return ()


def _lab(seat: Seat, spaces: Iterable[str]) -> tuple[Place, ...]:
    """Return places of a lab; what lies beside it is no place, a token on a tile touches the tile, too."""
    on_board = [space for space in spaces if space not in (OVERFLOW, PILE)]
    return _places(lab_of(seat), dict.fromkeys(at for space in on_board for at in (space, under(space))))


def _places(board: BoardId, spaces: Iterable[str]) -> tuple[Place, ...]:
    return tuple(Place(board, SpaceId(space)) for space in spaces)
