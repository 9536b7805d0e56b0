"""Is the picture settled, is something moving, is an arm in it: at a cost near nothing.

Looks at a picture 320 px wide, knows no boards and no pieces. Imports OpenCV and numpy.
Masks are (height, width) bool in that small picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Pixels

Mask = NDArray[np.bool_]

SMALL_WIDTH_PX = 320
STILL_FRAMES = 4  # at 5 frames a second: a hand that pauses for less has not left
MOVING_PX = 12  # fewer restless pixels of some 57,600 (or colours of them) are a fly or a reflection
NOISE_SIGMAS = 7.0  # of the difference after a 3 x 3 mean; at 5 one dark frame in a hundred was restless
LEAST_DIFFERENCE = 7.0  # grey levels; JPEG blocks of a still picture breathe by up to 3
EDGE_SHARE = 0.25  # of the contrast within a pixel: what JPEG and a tremble change at edges
DRIFT = 2.5  # times the noise: the typical pixel moved, so it was the light
MOST_NOISE = 8.0
LEAST_SHARE = 0.035  # of the brightness: what a light step leaves over where the picture is bright
ARM_AREA_SHARE = 0.003  # of the picture; the tip of a finger at a seat
ARM_MOST_SHARE = 0.5  # more is another scene, such as a table that was cleared
ARM_GAP_PX = 7  # a sleeve of the table's colour cuts an arm in two
EDGE_PX = 2
BUMP_EXPLAINS = 0.7  # of the change around the boards; a nudged board leaves the table where it was
PATIENCE_FRAMES = 150  # half a minute without the slightest motion: that is no arm but a bag


class Stillness(StrEnum):
    """What the gate says of a frame."""

    EMPTY = "empty"  # nothing seen for long enough yet
    MOVING = "moving"
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class Glance:
    """One frame through the gate.

    ``changed`` is set on the frame on which the picture settles and tells what differs
    from the last settled picture, the arm apart; None on all other frames. ``arm`` is
    what an arm covers, ``shade`` where only its shadow falls; both None when there is none.
    """

    state: Stillness
    changed: Mask | None = None
    arm: Mask | None = None
    shade: Mask | None = None

    @property
    def has_just_settled(self) -> bool:
        return self.changed is not None


def shrink(pixels: Pixels) -> Pixels:
    """Return the picture at 320 px width, blue-green-red, soft: each pixel is the mean of 18 samples.

    A mean over everything would cost seven times as much and take little more noise away.
    """
    height, width = pixels.shape[:2]
    size_wh = (SMALL_WIDTH_PX, max(2, round(height * SMALL_WIDTH_PX / width)))
    half = max(1, width // (2 * SMALL_WIDTH_PX))
    one = cv2.resize(pixels, size_wh, interpolation=cv2.INTER_NEAREST)
    other = cv2.resize(pixels[half:, half:], size_wh, interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.blur(cv2.addWeighted(one, 0.5, other, 0.5, 0.0), (3, 3)), dtype=np.uint8)


def edges(picture: Pixels) -> Pixels:
    """Return what may differ at edges though nothing moved, (height, width, 3) uint8."""
    nearby = np.ones((3, 3), np.uint8)
    contrast = cv2.subtract(cv2.dilate(picture, nearby), cv2.erode(picture, nearby))
    return np.asarray(cv2.convertScaleAbs(contrast, alpha=EDGE_SHARE), dtype=np.uint8)


def light_between(before: Pixels, now: Pixels) -> NDArray[np.float64]:
    """Return by how much the light of each colour grew, (3,): the median over tiles of the picture.

    Half of the picture may have changed without moving it.
    """
    tiles_before = cv2.resize(before, (32, 18), interpolation=cv2.INTER_AREA).astype(np.float64)
    tiles_now = cv2.resize(now, (32, 18), interpolation=cv2.INTER_AREA).astype(np.float64)
    ratio = (tiles_now + 2.0) / (tiles_before + 2.0)  # + 2: black stays near 1
    return np.asarray(np.median(ratio, axis=(0, 1)))


def relit(picture: Pixels, light: NDArray[np.float64]) -> Pixels:
    """Return a small picture as it would be under the light that ``light_between`` gave."""
    table = np.clip(np.arange(256.0)[:, None] * light + 0.5, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, table[None]), dtype=np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Carry:
    """A board that moved: (3, 3) from old pixels of the small picture to new, and where it lies now."""

    old_to_new: NDArray[np.float64]
    where: Mask


class Gate:
    """Tells frame by frame whether it is worth looking. One for each camera."""

    def __init__(self) -> None:
        self._anchor: Pixels | None = None  # the first frame of the present stillness
        self._edges: Pixels  # of the anchor: what may differ there
        self._settled: Pixels | None = None  # the last settled picture; under an arm, what lay there before
        self._before: Pixels | None = None  # the settled picture before that, in today's light
        self._now: Pixels | None = None
        self._still_frames = 0
        self._noise = 1.0
        self._arm: Mask | None = None
        self._shade: Mask | None = None

    @property
    def size_wh(self) -> tuple[int, int]:
        """Return the size of the small picture. Only after the first frame."""
        assert self._now is not None
        return self._now.shape[1], self._now.shape[0]

    def glance(self, pixels: Pixels) -> Glance:
        """Take in the next frame."""
        last, now = self._now, shrink(pixels)
        self._now = now
        if last is None or last.shape != now.shape:
            self._begin(now)
            return Glance(Stillness.EMPTY)
        self._learn_noise(last, now)
        if not self._is_still(now):
            self._take_anchor(now)
            self._still_frames = 1
            self._arm = self._shade = None
            return Glance(Stillness.EMPTY if self._settled is None else Stillness.MOVING)
        self._still_frames += 1
        if self._still_frames < STILL_FRAMES:
            return Glance(Stillness.EMPTY if self._settled is None else Stillness.MOVING)
        if self._still_frames == STILL_FRAMES:
            return self._settle(now)
        if self._arm is not None and self._still_frames >= PATIENCE_FRAMES:
            changed, self._arm, self._shade, self._settled = self._arm, None, None, now
            return Glance(Stillness.SETTLED, changed)
        return Glance(Stillness.SETTLED, None, self._arm, self._shade)

    def moved(self, carries: Sequence[Carry]) -> Glance:
        """Say how boards moved, on the frame that settled: the last settled picture moves along.

        What lies around them moves with the first of them if that explains it better: then it
        was the camera. The present picture is compared once more.
        """
        assert self._now is not None and self._before is not None
        before, now = self._before, self._now
        around = ~np.logical_or.reduce([carry.where for carry in carries])
        bumped = _carried(before, carries[0].old_to_new, now)
        differs, differs_bumped = self._differs(before, now)[around], self._differs(bumped, now)[around]
        settled = bumped if differs_bumped.sum() < BUMP_EXPLAINS * differs.sum() else before
        for carry in carries:
            own = _carried(before, carry.old_to_new, now)
            settled = np.where(carry.where[..., None], own, settled)
        self._settled = settled
        return self._settle(now)

    def _begin(self, now: Pixels) -> None:
        self._take_anchor(now)
        self._settled, self._still_frames = None, 1
        self._arm = self._shade = None

    def _is_still(self, now: Pixels) -> bool:
        assert self._anchor is not None
        apart = cv2.absdiff(self._anchor, now)
        if float(np.median(apart[::12, ::12])) <= DRIFT * self._noise:
            beyond_edges = cv2.subtract(apart, self._edges)
            _, restless = cv2.threshold(beyond_edges, self._limit(), 1, cv2.THRESH_BINARY)
            if cv2.countNonZero(restless.reshape(now.shape[0], -1)) < MOVING_PX:
                return True
        light = light_between(self._anchor, now)
        lit = relit(self._anchor, light)
        if np.count_nonzero(self._differs(lit, now)) >= MOVING_PX:
            return False
        self._take_anchor(now)  # the lamp was turned, nothing moved
        if self._settled is not None:
            self._settled = relit(self._settled, light)
        return True

    def _take_anchor(self, now: Pixels) -> None:
        self._anchor = now
        self._edges = edges(now)

    def _limit(self) -> float:
        return max(LEAST_DIFFERENCE, NOISE_SIGMAS * self._noise)

    def _learn_noise(self, before: Pixels, now: Pixels) -> None:
        """Learn from the typical pixels of two frames in a row: most of a restless picture rests, too."""
        apart = cv2.absdiff(before, now)
        some = apart[::12, ::12]
        rustle = float(some[some <= 3 * np.median(some) + 2].mean())
        self._noise += 0.2 * (min(rustle, 3 * self._noise, MOST_NOISE) - self._noise)

    def _differs(self, before: Pixels, now: Pixels) -> Mask:
        tolerance = cv2.add(
            edges(before),
            cv2.convertScaleAbs(before, alpha=LEAST_SHARE),
        )
        beyond = cv2.subtract(cv2.absdiff(before, now), tolerance)
        worst = cv2.max(cv2.max(beyond[..., 0], beyond[..., 1]), beyond[..., 2])
        return np.asarray(worst > self._limit(), dtype=np.bool_)

    def _settle(self, now: Pixels) -> Glance:
        if self._settled is None:
            self._settled = self._before = now
            return Glance(Stillness.SETTLED, np.ones(now.shape[:2], dtype=np.bool_))
        before = relit(self._settled, light_between(self._settled, now))
        self._before = before
        differs = self._differs(before, now)
        zone = arm_zone(differs)
        if zone is None:
            self._arm = self._shade = None
            self._settled = now
            return Glance(Stillness.SETTLED, differs)
        shade = zone & only_darker(before, now)
        self._arm, self._shade = zone & ~shade, shade
        self._settled = np.where(zone[..., None], before, now).astype(np.uint8)
        return Glance(Stillness.SETTLED, differs & ~zone, self._arm, self._shade)


def _carried(before: Pixels, old_to_new: NDArray[np.float64], now: Pixels) -> Pixels:
    """Return a small picture moved along; what comes from beyond its edge is taken from ``now``."""
    size_wh = (now.shape[1], now.shape[0])
    carried = cv2.warpPerspective(before, old_to_new, size_wh)
    inside = cv2.warpPerspective(np.full(before.shape[:2], 255, np.uint8), old_to_new, size_wh) == 255
    return np.where(inside[..., None], carried, now).astype(np.uint8)


def arm_zone(differs: Mask) -> Mask | None:
    """Return the parts of a change that reach the picture's edge and are big enough for an arm."""
    kernel = np.ones((ARM_GAP_PX, ARM_GAP_PX), np.uint8)
    closed = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_CLOSE, kernel)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    height, width = differs.shape
    zone = np.zeros_like(differs)
    for label in range(1, count):
        left, top, wide, high, area = (int(value) for value in stats[label])
        at_edge = (
            left < EDGE_PX or top < EDGE_PX or left + wide > width - EDGE_PX or top + high > height - EDGE_PX
        )
        if at_edge and area >= ARM_AREA_SHARE * height * width:
            zone |= labels == label
    return zone if 0 < zone.mean() <= ARM_MOST_SHARE else None


def only_darker(before: Pixels, now: Pixels) -> Mask:
    """Return where a shadow explains the change: darker by one factor in all three colours."""
    ratio = (cv2.blur(now, (5, 5)).astype(np.float32) + 4.0) / (
        cv2.blur(before, (5, 5)).astype(np.float32) + 4.0
    )
    highest, lowest = ratio.max(axis=2), ratio.min(axis=2)
    return np.asarray((highest < 1.05) & (lowest > 0.45) & (highest - lowest < 0.12), dtype=np.bool_)
