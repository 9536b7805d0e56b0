"""Where around a board something as round and coloured as an order may lie.

What lies there races the bare table: a spot is promising where the rings of some order explain
what is seen much better than the colour of the table around it does. (Held against its own variance
alone, the rim of a token promises more than its middle.)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.light import Colours
from vision.matching import Templates, over

SEEK_MM = 4.0  # a pixel
BLANK = 60.0  # variance that noise has
PROMISING = 0.85  # share of what speaks against bare table that rings may leave unexplained
FREE_SHARE = 0.93  # of a spot that must be table and inside the picture
PATCH_PX = 3  # of table looked at on each side of a spot
BEYOND_PX = 2.2  # from the rim of an order to the middle of that patch: its shadow lies between
SIDES = 8
HALF = 0.5  # of a patch that must be table
UNSEEN = np.float32(1e9)
MOST_SPOTS = 12
APART_MM = 14.0

Spot = tuple[float, float]
"""A place on a plane, mm."""


@dataclass(frozen=True, slots=True, eq=False)
class Promise:
    """A promising spot (mm from the top left of what was searched), and the table's colour around it."""

    spot: Spot
    table: NDArray[np.float32]


def find_spots(picture: Colours, free: NDArray[np.float32], rings: Templates) -> list[Promise]:
    """Return promising spots, best first, on a picture of ``SEEK_MM`` a pixel.

    ``free`` (h, w) is the share of each pixel, 0 to 1, that may be bare table or a loose piece.
    """
    side = rings.side_hw[0]
    rows, columns = picture.shape[0] - side + 1, picture.shape[1] - side + 1
    if rows < 1 or columns < 1:
        return []
    disc = rings.masks[0].reshape(rings.side_hw)
    sides = _held_against_table(picture, free, disc)
    bare = _second_least(sides.misses)
    best = rings.least_misfit_all_over(picture)
    marks = np.where(bare < UNSEEN, (best + BLANK) / (bare + BLANK), np.inf)
    marks[over(free, disc) < FREE_SHARE * disc.sum()] = np.inf
    return [
        Promise(((column + side / 2) * SEEK_MM, (row + side / 2) * SEEK_MM), sides.table_at(row, column))
        for row, column in _lowest(marks)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Sides:
    """How far each window's disc misses the colour of the table on each side of it, and those colours.

    ``misses`` (n, rows, columns) are mean squares a pixel. The side that is second best counts: bare
    table beside a stack of cards is like the table on its other sides, an order is like none of them
    but perhaps another order.
    """

    misses: NDArray[np.float32]
    tables: Sequence[NDArray[np.float32]]  # n of (3, rows, columns)

    def table_at(self, row: int, column: int) -> NDArray[np.float32]:
        """Return the colour of the table on the side that counts."""
        return self.tables[int(np.argsort(self.misses[:, row, column])[1])][:, row, column]


def _held_against_table(picture: Colours, free: NDArray[np.float32], disc: NDArray[np.float32]) -> _Sides:
    """Hold every window against the table on ``SIDES`` sides of it."""
    n = float(disc.sum())
    planes = np.ascontiguousarray(picture.transpose(2, 0, 1))
    level = np.stack([over(plane, disc) for plane in planes]) / n
    square = over((planes * planes).sum(axis=0), disc) / n
    away = math.sqrt(n / math.pi) + BEYOND_PX
    far = math.ceil(away)
    colours, known = _seen_table(picture, free, far)
    rows, columns = square.shape
    misses, tables = [], []
    for turn in np.arange(SIDES) * 2 * math.pi / SIDES:
        top = far + disc.shape[0] // 2 + round(away * math.sin(turn))
        left = far + disc.shape[1] // 2 + round(away * math.cos(turn))
        there = (slice(top, top + rows), slice(left, left + columns))
        table = colours[:, *there]
        miss = square + (table * (table - 2 * level)).sum(axis=0)
        misses.append(np.where(known[there] > HALF, miss, UNSEEN))
        tables.append(table)
    return _Sides(np.stack(misses), tables)


def _second_least(misses: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the second least of each pixel, of (n, rows, columns)."""
    least, second = np.minimum(misses[0], misses[1]), np.maximum(misses[0], misses[1])
    for miss in misses[2:]:
        second = np.minimum(second, np.maximum(least, miss))
        least = np.minimum(least, miss)
    return np.asarray(second, np.float32)


def _seen_table(
    picture: Colours, free: NDArray[np.float32], wider_px: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the table's colour (3, h, w) about each pixel and how much of it is seen, with an edge."""
    edge = (wider_px,) * 4
    weighted = np.dstack([picture * free[..., None], free])
    wide = cv2.copyMakeBorder(weighted, *edge, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0))
    soft = np.asarray(cv2.blur(wide, (PATCH_PX, PATCH_PX)), np.float32)
    known = np.ascontiguousarray(soft[..., 3])
    colours = soft[..., :3].transpose(2, 0, 1) / np.maximum(known, 1e-3)
    return np.ascontiguousarray(colours, np.float32), known


def _lowest(marks: NDArray[np.float32]) -> Iterator[tuple[int, int]]:
    """Give the rows and columns of the lowest marks, each the lowest within ``APART_MM``."""
    left = marks.copy()
    reach = math.ceil(APART_MM / SEEK_MM)
    for _ in range(MOST_SPOTS):
        row, column = divmod(int(left.argmin()), left.shape[1])
        if left[row, column] > PROMISING:
            return
        yield row, column
        left[max(row - reach, 0) : row + reach + 1, max(column - reach, 0) : column + reach + 1] = np.inf
