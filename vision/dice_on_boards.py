"""Dice that lie on the spaces of boards: which space, which die of the box's set, what looks up.

Steady over several looks, like all else that lies on a table. What the dice mean, a game says.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import BoardId, BoardLayout, Place
from companion.ports import DieReading, Obstacle, Pixels
from vision.dice import DiceEyes
from vision.pose import BoardPose

EDGE_MM = (9.0, 24.0)  # of dice that are sold with games, a little around it
AROUND_MM = 20.0  # a die on the rim of a board leans beyond it in the picture
NEEDED = 2  # agreeing looks; each reads a die from many sides already
MOST_LOOKS = 5
SAME_SHARE = 0.5  # of a face: a die seen so near an earlier one is that one

Region = tuple[float, float, float, float]
"""A part of a picture, in pixels: left, top, right, bottom."""


def read_on_boards(
    pixels: Pixels,
    poses: Sequence[BoardPose],
    layouts: Mapping[BoardId, BoardLayout],
    eyes: DiceEyes,
    *,
    within: Region | None = None,
) -> tuple[DieReading, ...]:
    """Return the dice of the box on the boards of a picture, each with the space it lies on, if any.

    ``within``: those alone whose middle lies there; the rest of the picture is not looked at.
    """
    found: list[DieReading] = []
    for pose in poses:
        left, top, right, bottom = _window(pose, pixels.shape[:2], within)
        if right - left < 2 or bottom - top < 2:
            continue
        scale = pose.px_per_mm
        faces_px = (EDGE_MM[0] * scale, EDGE_MM[1] * scale)
        for die in eyes.read(pixels[top:bottom, left:right], faces_px=faces_px):
            moved = _shifted(die, left, top)
            if (
                _may_be_of_the_box(die)
                and _is_within(moved, within)
                and all(not _is_same(moved, other) for other in found)
            ):
                found.append(replace(moved, place=_place_of(moved, pose, layouts[pose.board])))
    return tuple(found)


def _window(pose: BoardPose, shape_hw: tuple[int, int], within: Region | None) -> tuple[int, int, int, int]:
    corners = np.array(pose.corners_px)
    margin = AROUND_MM * pose.px_per_mm
    low, high = corners.min(0) - margin, corners.max(0) + margin
    if within is not None:
        low = np.maximum(low, np.array(within[:2]) - margin)
        high = np.minimum(high, np.array(within[2:]) + margin)
    return (
        max(0, int(low[0])),
        max(0, int(low[1])),
        min(shape_hw[1], math.ceil(high[0])),
        min(shape_hw[0], math.ceil(high[1])),
    )


def _may_be_of_the_box(die: DieReading) -> bool:
    """Tell whether a die is clear, or has the colours of a taught one: print passes for a die at times."""
    return die.sure or die.kind is not None


def _is_within(die: DieReading, window: Region | None) -> bool:
    if window is None:
        return True
    x, y = die.centre_px
    return window[0] <= x <= window[2] and window[1] <= y <= window[3]


def region_around(mask: NDArray[np.bool_], shape_hw: tuple[int, ...], poses: Iterable[BoardPose]) -> Region:
    """Return what of a picture to look at for dice where a small mask of it says that it changed."""
    scale = shape_hw[1] / mask.shape[1]
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    margin = EDGE_MM[1] * max((pose.px_per_mm for pose in poses), default=1.0)
    return (
        float(columns[0] * scale - margin),
        float(rows[0] * scale - margin),
        float((columns[-1] + 1) * scale + margin),
        float((rows[-1] + 1) * scale + margin),
    )


def _shifted(die: DieReading, left: int, top: int) -> DieReading:
    centre = (die.centre_px[0] + left, die.centre_px[1] + top)
    return replace(die, centre_px=centre, corners_px=tuple((x + left, y + top) for x, y in die.corners_px))


def _place_of(die: DieReading, pose: BoardPose, layout: BoardLayout) -> Place | None:
    """Return the smallest space under a die's middle."""
    x, y = (float(each) for each in pose.locate(np.array([die.centre_px]))[0])
    under = []
    for space in layout.spaces.values():
        outline = np.array(space.outline_mm, np.float32)
        if len(outline) >= 3 and cv2.pointPolygonTest(outline, (x, y), measureDist=False) >= 0:
            under.append((float(cv2.contourArea(outline)), space.id))
    return Place(layout.id, min(under)[1]) if under else None


def _is_same(one: DieReading, other: DieReading) -> bool:
    (ax, ay), (bx, by) = one.corners_px[:2]
    return math.dist(one.centre_px, other.centre_px) < SAME_SHARE * math.hypot(bx - ax, by - ay)


class LyingDice:
    """The dice of one camera, steady over looks; memory of what was told last."""

    def __init__(self, *, has_set: bool) -> None:
        self.dice: tuple[DieReading, ...] = ()
        self.within: Region | None = None
        """Where to look: what lies elsewhere lay still. None: everywhere."""

        self._looks: list[tuple[DieReading, ...]] | None = [] if has_set else None
        self._has_set = has_set
        self._told: tuple[tuple[object, ...], ...] = ()

    @property
    def is_due(self) -> bool:
        """Tell whether another look is wanted."""
        return self._looks is not None

    def disturb(self, within: Region | None = None) -> None:
        """Say that something changed within a window, or anywhere: dice there are looked at anew."""
        if not self._has_set:
            return
        if within is None or (self.is_due and self.within is None):
            self.within = None
        elif self.is_due and self.within is not None:
            (left, top, right, bottom), (x0, y0, x1, y1) = self.within, within
            self.within = (min(left, x0), min(top, y0), max(right, x1), max(bottom, y1))
        else:
            self.within = within
        self._looks = []

    def take_in(self, dice: tuple[DieReading, ...]) -> None:
        """Take in what one look saw within the window; dice elsewhere are as they were."""
        if self._looks is None:
            return
        still = () if self.within is None else (d for d in self.dice if not _is_within(d, self.within))
        self._looks.append((*still, *dice))
        agreed = len(self._looks) >= NEEDED and _agree(*self._looks[-NEEDED:])
        if agreed or len(self._looks) >= MOST_LOOKS:
            last = self._looks[-1]
            self.dice = last if agreed else tuple(_doubted(die) for die in last)
            self._looks = None

    def has_news(self) -> bool:
        """Tell whether other dice lie there than were told last."""
        return not self.is_due and self._keys() != self._told

    def tell(self) -> None:
        if not self.is_due:
            self._told = self._keys()

    def _keys(self) -> tuple[tuple[object, ...], ...]:
        told = ((str(d.place), str(d.kind), str(d.value), d.sure) for d in self.dice)
        return tuple(sorted(told))


def _agree(*looks: tuple[DieReading, ...]) -> bool:
    first, *others = looks
    return all(len(first) == len(other) and all(_pairs(first, other)) for other in others)


def _pairs(one: tuple[DieReading, ...], other: tuple[DieReading, ...]) -> Iterator[bool]:
    """Tell of each die whether the other look saw it alike."""
    for die in one:
        yield any(
            _is_same(die, twin) and (die.value, die.kind, die.sure) == (twin.value, twin.kind, twin.sure)
            for twin in other
        )


def _doubted(die: DieReading) -> DieReading:
    return replace(die, sure=False, obstacle=die.obstacle or Obstacle.TWO_CANDIDATES)
