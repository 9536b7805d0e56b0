"""Whom and what an event changes: a picture from before it says nothing about these places."""

from __future__ import annotations

from companion.board import Place, SpaceId
from companion.game import Seat
from companion.games.monster_graveyard import events as e
from companion.games.monster_graveyard.components import (
    MONSTER_SPACES,
    SEATS,
    UPGRADE_SPACES,
    mat_of,
    monster_place,
    part_places,
)

OF_TABLE = (e.TableSet, e.PhaseChosen, e.PhaseEnded, e.TurnBegun, e.GameOver, e.TakenOver)
"""Events after which every seat has something else to do."""


def touched(event: e.Event) -> tuple[Seat | Place, ...]:
    """Return the seat of an event and the places it changes; every seat for an event of the table."""
    if isinstance(event, OF_TABLE):
        return SEATS
    if isinstance(event, e.RoundEnded):
        return SEATS if event.clears else ()
    seat = getattr(event, "seat", None)
    return () if seat is None else (seat, *_of_seat(seat, event))


def _of_seat(seat: Seat, event: e.Event) -> tuple[Place, ...]:
    match event:
        case e.Reanimated():
            return (*part_places(seat), *_of_monster(seat, event.monster))
        case e.Experimented() | e.Terrorized() | e.MonsterSet() | e.MonsterLost() | e.Boosted():
            return _of_monster(seat, event.monster)
        case e.UpgradePlayed() | e.UpgradeDropped():
            return tuple(Place(mat_of(seat), SpaceId(f"upgrade{n}")) for n in range(1, UPGRADE_SPACES + 1))
        case _:
            return ()


def _of_monster(seat: Seat, number: int) -> tuple[Place, ...]:
    """Return where a monster lies; those for which a mat has no room lie beside it."""
    return (monster_place(seat, number),) if number <= MONSTER_SPACES else ()
