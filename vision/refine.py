"""Lay a roughly found board exactly, by its own art.

Three tags leave a board's fourth corner to extrapolation, some pixels off. Small patches of the
art where no piece lies are looked for near where they should be; those that are found (a hand
hides some) and the tags that were seen correct the plane.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Pixels
from vision.box import ART_PX_PER_MM
from vision.flatten import flatten
from vision.light import Ground
from vision.pose import BoardPose, Points, apply

WIDE_PX, NARROW_PX = 10, 4  # how far art is looked for: a rough pose, a good one
DRIFT_SPREAD_PX = 2.0
LIKE_ENOUGH = 0.6
INLIER_MM = 0.8
FEWEST = 10


def refine_on_art(pixels: Pixels, pose: BoardPose, ground: Ground) -> BoardPose:
    """Return the pose corrected by the board's art; the same pose when too little of it is found."""
    flat, _ = flatten(pixels, pose)
    grey = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8)
    own, seen = _find_landmarks(grey, ground, WIDE_PX)
    if len(own) < FEWEST:
        return pose
    found, kept = cv2.findHomography(art_mm(own), art_mm(seen), cv2.RANSAC, INLIER_MM)
    if found is None or kept.sum() < max(FEWEST, 0.4 * len(own)):
        return pose
    correction = np.asarray(found, np.float64)
    return replace(pose, plane=pose.plane @ correction) if _is_small(correction, pose) else pose


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """The patches of art found about a pose and agreeing: where on the board, and where in the picture.

    ``share`` is theirs of all patches that lie inside the picture.
    """

    own_mm: Points
    seen_px: Points
    share: float

    @property
    def count(self) -> int:
        return len(self.own_mm)


def lay_art(grey: NDArray[np.uint8], pose: BoardPose, ground: Ground, search_px: int) -> Laid:
    """Look for the patches of a board's art about where a pose puts them (``search_px`` at art scale)."""
    own, seen, asked = [], [], 0
    marks = np.array(ground.landmarks, float).reshape(-1, 2)
    middles = pose.project(art_mm(marks))
    rights, downs = (pose.project(art_mm(marks + step)) - middles for step in ([1.0, 0.0], [0.0, 1.0]))
    for k, patch in enumerate(ground.landmark_art):
        reach = patch.shape[0] // 2 + search_px
        to_picture = np.column_stack([rights[k], downs[k], middles[k] - reach * (rights[k] + downs[k])])
        if not _is_inside(to_picture, 2 * reach, grey.shape):
            continue
        asked += 1
        region = cv2.warpAffine(
            grey, to_picture, (2 * reach + 1, 2 * reach + 1), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        )
        spot = _find_patch(np.asarray(region, np.uint8), patch, search_px)
        if spot is not None:
            own.append(marks[k])
            seen.append(marks[k] + spot)
    return _agreeing(np.array(own).reshape(-1, 2), np.array(seen).reshape(-1, 2), pose, asked)


def _is_inside(to_picture: NDArray[np.float64], side: int, shape_hw: tuple[int, ...]) -> bool:
    corners = to_picture @ np.array([[0, side, side, 0], [0, 0, side, side], [1, 1, 1, 1]], float)
    return bool(corners.min() >= 0 and (corners.max(axis=1) <= (shape_hw[1] - 1, shape_hw[0] - 1)).all())


def _agreeing(own: Points, seen: Points, pose: BoardPose, asked: int) -> Laid:
    """Keep the patches that agree on one small correction of the pose."""
    nothing = Laid(np.zeros((0, 2)), np.zeros((0, 2)), 0.0)
    if len(own) < FEWEST:
        return nothing
    found, kept = cv2.findHomography(art_mm(own), art_mm(seen), cv2.RANSAC, INLIER_MM)
    if found is None or not _is_small(np.asarray(found, np.float64), pose):
        return nothing
    good = kept.ravel().astype(bool)
    return Laid(art_mm(own[good]), pose.project(art_mm(seen[good])), float(good.sum() / asked))


def _find_patch(region: NDArray[np.uint8], patch: NDArray[np.uint8], search_px: int) -> Points | None:
    """Return how far off a patch is found, to parts of a pixel; None if nothing is like it."""
    likeness = np.asarray(cv2.matchTemplate(region, patch, cv2.TM_CCOEFF_NORMED), np.float32)
    _, best, _, (bx, by) = cv2.minMaxLoc(likeness)
    if best < LIKE_ENOUGH or not (0 < bx < 2 * search_px and 0 < by < 2 * search_px):
        return None
    dx = _summit(likeness[by, bx - 1 : bx + 2])
    dy = _summit(likeness[by - 1 : by + 2, bx])
    return np.array([bx + dx - search_px, by + dy - search_px])


def drift_of(grey: NDArray[np.uint8], ground: Ground) -> NDArray[np.float64]:
    """Return the 2x3 matrix from where art should be in a flattened board to where it is (both px).

    Print is never quite where the layout says: a board's art stretches by a few tenths of a
    millimetre. No drift when too little of the art is found.
    """
    none = np.array([[1.0, 0, 0], [0, 1.0, 0]])
    own, seen = _find_landmarks(grey, ground, NARROW_PX)
    if len(own) < FEWEST:
        return none
    off = seen - own
    near = np.linalg.norm(off - np.median(off, axis=0), axis=1) < DRIFT_SPREAD_PX
    if near.sum() < FEWEST:
        return none
    design = np.column_stack([own[near], np.ones(int(near.sum()))])
    middle = own[near].mean(axis=0)
    # A weak pull towards a plain shift: a corner without landmarks must not fly off.
    pull = np.diag([1.0, 1.0, 0.0]) * 20.0 * 100.0**2
    centred = design - np.append(middle, 0)
    fit = np.linalg.solve(centred.T @ centred + pull, centred.T @ off[near])
    turn = np.eye(2) + fit[:2].T
    return np.column_stack([turn, fit[2] - fit[:2].T @ middle])


def art_mm(spots_px: Points) -> Points:
    """Return board points (mm) from pixels of its art."""
    return np.asarray((spots_px + 0.5) / ART_PX_PER_MM)


def _find_landmarks(
    grey: NDArray[np.uint8], ground: Ground, search_px: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the landmarks found again: where they should be and where they are, (n, 2) px."""
    expected, found = [], []
    for (x, y), patch in zip(ground.landmarks, ground.landmark_art, strict=True):
        reach = patch.shape[0] // 2 + search_px
        if not (reach <= x < grey.shape[1] - reach and reach <= y < grey.shape[0] - reach):
            continue
        region = grey[y - reach : y + reach + 1, x - reach : x + reach + 1]
        spot = _find_patch(region, patch, search_px)
        if spot is not None:
            expected.append((x, y))
            found.append((x + spot[0], y + spot[1]))
    return np.array(expected, float).reshape(-1, 2), np.array(found, float).reshape(-1, 2)


def _summit(three: NDArray[np.float32]) -> float:
    """Return the top of a parabola through three values, from the middle one."""
    a, b, c = (float(v) for v in three)
    bend = a - 2 * b + c
    return 0.0 if abs(bend) < 1e-9 else max(-0.5, min(0.5, 0.5 * (a - c) / bend))


def _is_small(correction: NDArray[np.float64], pose: BoardPose) -> bool:
    width, height = pose.size_mm
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    moved = np.linalg.norm(apply(np.asarray(correction, float), corners) - corners, axis=1)
    return bool(moved.max() < 2 * WIDE_PX / ART_PX_PER_MM)
