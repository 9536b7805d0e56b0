"""Outlines of cards in a picture: four straight sides of a patch, or one corner of it with a whole side.

Where cards overlap, no patch has four sides, but every corner that shows tells where a card may lie.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art_index import Grey
from vision.loose.deck import Deck
from vision.loose.laid import Scene, is_card_shaped
from vision.pose import Points

SMALLEST_AREA_PX, LARGEST_SHARE = 1200, 0.9
CORNER_SHARE = 0.02  # of the outline: what a side may be bent by
MOST_CORNERS, MOST_SIDES = 14, 6
SHORTEST_PX = 12
CUT_SHARE = 0.12  # of a side at either end: cards have rounded corners
RIGHT_ANGLE = 0.45  # cosine: as far from upright as a corner may be seen
TOLD_APART = 1.15  # of one side over the other: less may be a card seen aslant, long side first
TWIN = 0.05  # of a card's width


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """Corners of what may be a card, clockwise, a short side first. ``is_whole``: all four sides were seen.

    ``seen`` counts the ways of cutting the picture apart that show all four.
    """

    corners: Points
    is_whole: bool
    seen: int = 0


def outlines_in(scene: Scene, deck: Deck) -> list[Outline]:
    """Return what may be cards, whole ones first, no two of them at the same place."""
    found: list[Outline] = []
    grey = np.asarray(cv2.GaussianBlur(scene.grey, (0, 0), 1.0), np.uint8)
    for mask in _masks(scene, grey):
        own: list[Outline] = []
        for patch in _patches(mask):
            own += _of_patch(patch, scene.size_wh, deck)
        found += _no_twins(sorted(own, key=lambda outline: not outline.is_whole))
    return _no_twins(sorted(found, key=lambda outline: not outline.is_whole))


def _patches(mask: NDArray[np.uint8]) -> Iterator[NDArray[np.int32]]:
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(opened, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        if SMALLEST_AREA_PX < cv2.contourArea(contour) < LARGEST_SHARE * mask.size:
            yield np.asarray(contour[:, 0], np.int32)


def _masks(scene: Scene, grey: Grey) -> Iterator[NDArray[np.uint8]]:
    """Cut the picture apart by lightness, by colour and along its edges."""
    level, _ = cv2.threshold(grey, 0, 255, cv2.THRESH_OTSU)
    for above in (level - 25, level, level + 30):
        yield (grey > above).astype(np.uint8)
    yield (grey < level - 25).astype(np.uint8)
    for window in (51, 151):
        side = min(window, min(grey.shape) // 2 * 2 - 1)
        yield np.asarray(
            cv2.adaptiveThreshold(grey, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, side, -8), np.uint8
        )
    vivid = cv2.GaussianBlur(cv2.cvtColor(scene.pixels, cv2.COLOR_BGR2HSV)[..., 1], (0, 0), 1.0)
    level, _ = cv2.threshold(vivid, 0, 255, cv2.THRESH_OTSU)
    yield (vivid > level).astype(np.uint8)
    edges = cv2.dilate(cv2.Canny(grey, 40, 110), np.ones((3, 3), np.uint8))
    yield (edges == 0).astype(np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    at: Points
    way: Points
    length: float


def _of_patch(contour: NDArray[np.int32], size_wh: tuple[int, int], deck: Deck) -> Iterator[Outline]:
    around = cv2.arcLength(contour, True)
    corners = np.asarray(cv2.approxPolyDP(contour, CORNER_SHARE * around, True)[:, 0], np.int32)
    if not 3 <= len(corners) <= MOST_CORNERS:
        return
    sides = _sides(contour, corners, size_wh)
    longest = sorted(sorted(sides, key=lambda k: -sides[k].length)[:MOST_SIDES])
    for four in itertools.combinations(longest, 4):
        crossings = [_crossing(sides[a], sides[b]) for a, b in zip(four, (*four[1:], four[0]), strict=True)]
        if all(crossing is not None for crossing in crossings):
            yield from _shaped(np.array(crossings), size_wh, deck, is_whole=True)
    count = len(corners)
    for one, other in ((k, (k + step) % count) for k in longest for step in (1, 2)):
        if other in sides and other != one:
            corner = _crossing(sides[one], sides[other])
            if corner is not None:
                yield from _at_corner(corner, corners[one], corners[(other + 1) % count], size_wh, deck)


def _at_corner(
    corner: Points, before: Points, after: Points, size_wh: tuple[int, int], deck: Deck
) -> Iterator[Outline]:
    """Complete a card from one corner; either of its sides may be seen whole, and be the short one."""
    one, other = before - corner, after - corner
    lengths = float(np.linalg.norm(one)), float(np.linalg.norm(other))
    if min(lengths) < SHORTEST_PX or abs(float(one @ other)) > RIGHT_ANGLE * lengths[0] * lengths[1]:
        return
    one, other = one / lengths[0], other / lengths[1]
    ratio = deck.side_ratio
    for a, b in (
        (lengths[0], lengths[0] * ratio),
        (lengths[0], lengths[0] / ratio),
        (lengths[1] * ratio, lengths[1]),
        (lengths[1] / ratio, lengths[1]),
    ):
        outline = np.array([corner, corner + a * one, corner + a * one + b * other, corner + b * other])
        yield from _shaped(outline, size_wh, deck, is_whole=False)


def _sides(
    contour: NDArray[np.int32], corners: NDArray[np.int32], size_wh: tuple[int, int]
) -> dict[int, _Side]:
    """Return the straight sides by the corner they begin at; the edge of the picture is none."""
    starts = [int(np.abs(contour - corner).sum(axis=1).argmin()) for corner in corners]
    sides = {}
    for k, corner in enumerate(corners):
        begin, end = starts[k], starts[(k + 1) % len(starts)]
        run = contour[begin:end] if end > begin else np.concatenate([contour[begin:], contour[:end]])
        length = float(np.linalg.norm(corners[(k + 1) % len(corners)] - corner))
        if len(run) < 8 or length < SHORTEST_PX:
            continue
        cut = max(1, int(CUT_SHARE * len(run)))
        run = run[cut:-cut]
        free = ((run > 2) & (run < np.array(size_wh) - 3)).all(axis=1)
        if free.mean() < 0.5 or free.sum() < 2:
            continue
        x_way, y_way, x, y = cv2.fitLine(run[free].astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        sides[k] = _Side(np.array([x, y], float), np.array([x_way, y_way], float), length)
    return sides


def _crossing(one: _Side, other: _Side) -> Points | None:
    ways = np.stack([one.way, -other.way], axis=1)
    if abs(float(np.linalg.det(ways))) < 1e-2:
        return None
    return np.asarray(one.at + np.linalg.solve(ways, other.at - one.at)[0] * one.way, float)


def _shaped(corners: Points, size_wh: tuple[int, int], deck: Deck, *, is_whole: bool) -> Iterator[Outline]:
    """Give an outline if it may be a card's, clockwise; either way when its short side cannot be told."""
    arms = np.roll(corners, -1, axis=0) - corners
    if float(arms[0, 0] * arms[1, 1] - arms[0, 1] * arms[1, 0]) < 0:
        corners = corners[::-1]
    lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    across, along = float(lengths[[0, 2]].sum()), float(lengths[[1, 3]].sum())
    if across > along:
        corners, across, along = np.roll(corners, -1, axis=0), along, across
    ways = [corners]
    if along < TOLD_APART * across:
        ways.append(np.roll(corners, -1, axis=0))
    for way in ways:
        if is_card_shaped(way, deck, size_wh):
            yield Outline(np.asarray(way, float), is_whole, int(is_whole))


def _no_twins(outlines: Sequence[Outline]) -> list[Outline]:
    """Return outlines without those that lie on earlier ones; these were seen so much more often."""
    if not outlines:
        return []
    every = np.stack([outline.corners for outline in outlines])
    kept: list[int] = []
    seen = [outline.seen for outline in outlines]
    for k, corners in enumerate(every):
        if kept:
            others = every[kept]
            near = TWIN * np.linalg.norm(corners[0] - corners[1])
            apart = np.abs(others - corners).max(axis=(1, 2))
            turned = np.abs(np.roll(others, 2, axis=1) - corners).max(axis=(1, 2))
            nearest = np.minimum(apart, turned)
            if nearest.min() <= near:
                seen[kept[int(nearest.argmin())]] += seen[k]
                continue
        kept.append(k)
    return [replace(outlines[k], seen=seen[k]) for k in kept]
