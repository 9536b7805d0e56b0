"""What is in the box: the seats, their lamps, and the garden in millimetres."""

from __future__ import annotations

from math import cos, pi, sin

from companion.board import BoardId, BoardLayout, PieceKind, Place, Space, SpaceId, SpaceKind, Tag
from companion.game import Box, Seat, Wire

SEATS = (Seat("red"), Seat("blue"), Seat("green"))
FEWEST = 2
COLUMNS, ROWS = 4, 3
BEDS = tuple(SpaceId(f"bed{number}") for number in range(1, COLUMNS * ROWS + 1))

GARDEN = BoardId("garden")
SIZE_MM = (260.0, 200.0)
LAMP_MM = 22.0
BED_RADIUS_MM = 13.0
TAG_INSET_MM = 13.0
FIRST_TAG = 60
"""Numbers of the corner markers, away from those of other boxes."""


def lamp_of(seat: Seat) -> PieceKind:
    return PieceKind(f"lamp_{seat}")


NOTHING_PRINTED: Wire = {}
"""The catalogue of a box that prints nothing that a rule asks for."""

LAMPS = {lamp_of(seat): seat for seat in SEATS}


def place_of(bed: SpaceId) -> Place:
    return Place(GARDEN, bed)


def beside(bed: SpaceId) -> tuple[SpaceId, ...]:
    """Return the beds left and right of one, above and below."""
    row, column = divmod(BEDS.index(bed), COLUMNS)
    around = ((row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column))
    return tuple(BEDS[r * COLUMNS + c] for r, c in around if 0 <= r < ROWS and 0 <= c < COLUMNS)


def _bed(number: int) -> Space:
    row, column = divmod(number, COLUMNS)
    x, y = 55.0 + 50.0 * column, 50.0 + 50.0 * row
    turns = (2 * pi * step / 24 for step in range(24))
    ring = tuple((x + BED_RADIUS_MM * cos(turn), y + BED_RADIUS_MM * sin(turn)) for turn in turns)
    return Space(BEDS[number], SpaceKind.TOKEN, (x, y), ring)


def _layout() -> BoardLayout:
    (w, h), inset = SIZE_MM, TAG_INSET_MM
    corners = ((inset, inset), (w - inset, inset), (w - inset, h - inset), (inset, h - inset))
    tags = tuple(Tag(FIRST_TAG + at, corner) for at, corner in enumerate(corners))
    return BoardLayout(GARDEN, SIZE_MM, {bed: _bed(at) for at, bed in enumerate(BEDS)}, tags)


BOX = Box((_layout(),), {lamp: len(BEDS) // FEWEST for lamp in LAMPS})
