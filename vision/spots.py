"""Where around a board something as round and coloured as an order may lie.

What lies there races the bare table: a spot is promising where the rings of some order explain
what is seen much better than the colour of the table around it does. (Held against its own variance
alone, the rim of a token promises more than its middle.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.light import Colours
from vision.matching import Templates

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
    bare, table = _held_against_table(picture, free, disc)
    best = rings.misfits_all_over(picture).min(axis=1).reshape(rows, columns)
    marks = (best + BLANK) / (bare + BLANK)
    marks[_over(free, disc) < FREE_SHARE * disc.sum()] = np.inf
    return _lowest(marks, table, side)


def _held_against_table(
    picture: Colours, free: NDArray[np.float32], disc: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return how far each window's disc misses the colour of the table beside it, and that colour.

    Misses are mean squares a pixel. The table is looked at on eight sides, and the side that is
    second best counts: bare table beside a stack of cards is like the table on its other sides, an
    order is like none of them but perhaps another order.
    """
    n = float(disc.sum())
    level = np.dstack([_over(plane, disc) for plane in cv2.split(picture)]) / n
    square = _over(np.asarray((picture * picture).sum(axis=2), np.float32), disc) / n
    away = math.sqrt(n / math.pi) + BEYOND_PX
    far = math.ceil(away)
    colours, known = _seen_table(picture, free, far)
    rows, columns = square.shape
    misses, tables = [], []
    for turn in np.arange(SIDES) * 2 * math.pi / SIDES:
        top = far + disc.shape[0] // 2 + round(away * math.sin(turn))
        left = far + disc.shape[1] // 2 + round(away * math.cos(turn))
        there = (slice(top, top + rows), slice(left, left + columns))
        miss = square + (colours[there] * (colours[there] - 2 * level)).sum(axis=2)
        misses.append(np.where(known[there] > HALF, miss, UNSEEN))
        tables.append(colours[there])
    order = np.argsort(np.stack(misses), axis=0)[1:2]
    bare = np.take_along_axis(np.stack(misses), order, axis=0)[0]
    colour = np.take_along_axis(np.stack(tables), order[..., None], axis=0)[0]
    return np.asarray(np.where(bare < UNSEEN, bare, 0.0), np.float32), np.asarray(colour, np.float32)


def _seen_table(
    picture: Colours, free: NDArray[np.float32], wider_px: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the colour of the table about each pixel, and how much of it is seen; wider by ``wider_px``."""
    edge = (wider_px,) * 4
    weighted = np.dstack([picture * free[..., None], free])
    wide = cv2.copyMakeBorder(weighted, *edge, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0))
    soft = np.asarray(cv2.blur(wide, (PATCH_PX, PATCH_PX)), np.float32)
    colours = soft[..., :3] / np.maximum(soft[..., 3:], 1e-3)
    return np.asarray(colours, np.float32), soft[..., 3]


def _over(
    plane: NDArray[np.float32] | cv2.typing.MatLike, kernel: NDArray[np.float32]
) -> NDArray[np.float32]:
    return np.asarray(cv2.matchTemplate(np.asarray(plane, np.float32), kernel, cv2.TM_CCORR), np.float32)


def _lowest(marks: NDArray[np.float32], table: NDArray[np.float32], side: int) -> list[Promise]:
    """Return the lowest marks, each the lowest within ``APART_MM``."""
    left, found = marks.copy(), list[Promise]()
    reach = math.ceil(APART_MM / SEEK_MM)
    while len(found) < MOST_SPOTS:
        row, column = divmod(int(left.argmin()), left.shape[1])
        if left[row, column] > PROMISING:
            break
        spot = ((column + side / 2) * SEEK_MM, (row + side / 2) * SEEK_MM)
        found.append(Promise(spot, table[row, column]))
        left[max(row - reach, 0) : row + reach + 1, max(column - reach, 0) : column + reach + 1] = np.inf
    return found
