"""Names and millimetres: what is printed on a board and where.

Lives on the ground floor. Imports nothing but the standard library, does no I/O.
All lengths are millimetres in the board's own frame: origin at the top left of the
printed art, x to the right, y down. Angles are degrees, clockwise as seen from above.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

BoardId = NewType("BoardId", str)
"""A board on the table, such as ``lab_red`` or ``central``."""

SpaceId = NewType("SpaceId", str)
"""A space, unique on its board, such as ``reject2`` or ``card4.part1``."""

PieceKind = NewType("PieceKind", str)
"""What a piece is, such as ``limb``, ``card_46``, ``med_school`` or ``card_back``."""

EMPTY = PieceKind("empty")
"""What an empty space reads; never the name of a piece."""


class Lie(StrEnum):
    """How the pieces of a box lie on the table."""

    BOARDS = "boards"  # on spaces printed on boards
    MATS = "mats"  # cards on the places of a mat before each seat
    LOOSE = "loose"  # cards anywhere in a zone before each seat


class SpaceKind(StrEnum):
    """What a space is made to hold."""

    TOKEN = "token"
    CARD = "card"
    TILE = "tile"
    PILE = "pile"  # loose tokens in a heap: empty or not, never counted by eye
    STACK = "stack"  # tiles or cards face down
    TRACK = "track"  # a step of a track that markers share


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """One space of one board; written ``lab_red/card4.part1``."""

    board: BoardId
    space: SpaceId

    def __str__(self) -> str:
        return f"{self.board}/{self.space}"

    @classmethod
    def parse(cls, text: str) -> Place:
        """Read a place back from ``board/space``. Raises ValueError if there is no ``/``."""
        board, slash, space = text.partition("/")
        if not (board and slash and space):
            raise ValueError(f"{text!r} is no place; write it as board/space, such as lab_red/reject2.")
        return cls(BoardId(board), SpaceId(space))


@dataclass(frozen=True, slots=True)
class Space:
    """A printed space. ``outline_mm`` goes clockwise; ``up_deg`` is where a piece's top points."""

    id: SpaceId
    kind: SpaceKind
    centre_mm: tuple[float, float]
    outline_mm: tuple[tuple[float, float], ...]
    up_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Tag:
    """A printed corner marker of a board: its number and the place of its centre."""

    number: int
    centre_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """A board: its size, its spaces and the markers stuck on it.

    ``is_round`` boards lie inside the square ``size_mm``.
    """

    id: BoardId
    size_mm: tuple[float, float]
    spaces: Mapping[SpaceId, Space]
    tags: tuple[Tag, ...] = ()
    is_round: bool = False


@dataclass(frozen=True, slots=True)
class Lying:
    """A card at a place: face up or down, and the dice that are set upon it, each with what looks up."""

    kind: PieceKind
    is_up: bool = True
    dice: tuple[tuple[PieceKind, int], ...] = ()
