"""Dice that lie on the spaces of boards: which space, which die of the box's set, what looks up.

Steady over several looks, like all else that lies on a table. What the dice mean, a game says.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.board import BoardId, BoardLayout, Place
from companion.ports import DieReading, Obstacle, Pixels
from vision.dice import DiceEyes
from vision.pose import BoardPose

EDGE_MM = (9.0, 24.0)  # of dice that are sold with games, a little around it
AROUND_MM = 20.0  # a die on the rim of a board leans beyond it in the picture
NEEDED = 2  # agreeing looks; each reads a die from many sides already
MOST_LOOKS = 5
SAME_SHARE = 0.5  # of a face: a die seen so near an earlier one is that one


def read_on_boards(
    pixels: Pixels, poses: Sequence[BoardPose], layouts: Mapping[BoardId, BoardLayout], eyes: DiceEyes
) -> tuple[DieReading, ...]:
    """Return the dice on the boards of a picture, each with the space it lies on, if any."""
    found: list[DieReading] = []
    for pose in poses:
        left, top, right, bottom = _window(pose, pixels.shape[:2])
        if right - left < 2 or bottom - top < 2:
            continue
        scale = pose.px_per_mm
        faces_px = (EDGE_MM[0] * scale, EDGE_MM[1] * scale)
        for die in eyes.read(pixels[top:bottom, left:right], faces_px=faces_px):
            moved = _shifted(die, left, top)
            if all(not _is_same(moved, other) for other in found):
                found.append(replace(moved, place=_place_of(moved, pose, layouts[pose.board])))
    return tuple(found)


def _window(pose: BoardPose, shape_hw: tuple[int, int]) -> tuple[int, int, int, int]:
    corners = np.array(pose.corners_px)
    margin = AROUND_MM * pose.px_per_mm
    low, high = corners.min(0) - margin, corners.max(0) + margin
    return (
        max(0, int(low[0])),
        max(0, int(low[1])),
        min(shape_hw[1], math.ceil(high[0])),
        min(shape_hw[0], math.ceil(high[1])),
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
        self._looks: list[tuple[DieReading, ...]] | None = [] if has_set else None
        self._has_set = has_set
        self._told: tuple[tuple[object, ...], ...] = ()

    @property
    def is_due(self) -> bool:
        """Tell whether another look is wanted."""
        return self._looks is not None

    def disturb(self) -> None:
        """Say that something changed: all dice are looked at anew."""
        if self._has_set:
            self._looks = []

    def take_in(self, dice: tuple[DieReading, ...]) -> None:
        """Take in what one look saw."""
        if self._looks is None:
            return
        self._looks.append(dice)
        agreed = len(self._looks) >= NEEDED and _agree(*self._looks[-NEEDED:])
        if agreed or len(self._looks) >= MOST_LOOKS:
            self.dice = dice if agreed else tuple(_doubted(die) for die in dice)
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
