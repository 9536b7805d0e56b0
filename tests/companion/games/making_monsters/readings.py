"""Readings for the tests, as eyes would give them: a state as it lies there, then changed space by space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.board import EMPTY, BoardId, PieceKind, Place, SpaceId
from companion.games.making_monsters.components import CARD_SPACES, UPGRADE_SPACES, lab_of
from companion.games.making_monsters.sight_tokens import token_spaces
from companion.games.making_monsters.state import State
from companion.ports import BoardReading, LoosePiece, Reading, SpaceReading

SURE = 0.98


def space(reads: str, *, sure: bool = True, others: tuple[str, ...] = ()) -> SpaceReading:
    kinds = tuple(PieceKind(other) for other in others)
    return SpaceReading(PieceKind(reads), SURE if sure else 0.5, sure, kinds)


def board(name: str, spaces: Mapping[str, SpaceReading]) -> BoardReading:
    named = {SpaceId(space_id): seen for space_id, seen in spaces.items()}
    return BoardReading(BoardId(name), "tags", (), 0.0, named)


def reading(state: State, **changed: Mapping[str, str | SpaceReading]) -> Reading:
    """Return what eyes read when every lab lies as the state says, but for the changed spaces of seats."""
    boards = {}
    for seat, lab in state.labs.items():
        lying = {**lab.cards, **lab.parts, **lab.tiles}
        names = (*token_spaces(state, lab), *CARD_SPACES, *UPGRADE_SPACES)
        spaces = {name: space(lying.get(name, EMPTY)) for name in names}
        for name, seen in changed.get(seat, {}).items():
            spaces[name] = space(seen) if isinstance(seen, str) else seen
        boards[lab_of(seat)] = board(lab_of(seat), spaces)
    return Reading("camera", 1, 0, boards)


def with_loose(seen: Reading, **near: str) -> Reading:
    """Return the reading with one loose piece beside each named seat's lab."""
    pieces = tuple(
        LoosePiece(PieceKind(kind), (0.0, 0.0), 0.0, SURE, True, BoardId(f"lab_{seat}"))
        for seat, kind in near.items()
    )
    return replace(seen, loose=pieces)


def with_board(seen: Reading, name: str, spaces: Mapping[str, str]) -> Reading:
    more = board(name, {space_id: space(reads) for space_id, reads in spaces.items()})
    return replace(seen, boards={**seen.boards, BoardId(name): more})


def place(name: str) -> Place:
    return Place.parse(name)
