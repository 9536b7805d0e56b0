"""Lay a roughly found board exactly, by its own art.

Three tags leave a board's fourth corner to extrapolation, some pixels off. Small patches of the
art where no piece lies are looked for near where they should be; those that are found (a hand
hides some) and the tags that were seen correct the plane.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Pixels
from vision.box import ART_PX_PER_MM
from vision.flatten import flatten
from vision.light import Ground
from vision.pose import BoardPose, apply

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
    found, kept = cv2.findHomography(_mm(own), _mm(seen), cv2.RANSAC, INLIER_MM)
    if found is None or kept.sum() < max(FEWEST, 0.4 * len(own)):
        return pose
    correction = np.asarray(found, np.float64)
    return replace(pose, plane=pose.plane @ correction) if _is_small(correction, pose) else pose


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


def _mm(spots_px: NDArray[np.float64]) -> NDArray[np.float64]:
    return (spots_px + 0.5) / ART_PX_PER_MM


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
        likeness = np.asarray(cv2.matchTemplate(region, patch, cv2.TM_CCOEFF_NORMED), np.float32)
        _, best, _, (bx, by) = cv2.minMaxLoc(likeness)
        if best < LIKE_ENOUGH or not (0 < bx < 2 * search_px and 0 < by < 2 * search_px):
            continue
        dx = _summit(likeness[by, bx - 1 : bx + 2])
        dy = _summit(likeness[by - 1 : by + 2, bx])
        expected.append((x, y))
        found.append((x + bx + dx - search_px, y + by + dy - search_px))
    return np.array(expected, float).reshape(-1, 2), np.array(found, float).reshape(-1, 2)


def _summit(three: NDArray[np.float32]) -> float:
    """Return the top of a parabola through three values, from the middle one."""
    a, b, c = (float(v) for v in three)
    bend = a - 2 * b + c
    return 0.0 if abs(bend) < 1e-9 else float(np.clip(0.5 * (a - c) / bend, -0.5, 0.5))


def _is_small(correction: NDArray[np.float64], pose: BoardPose) -> bool:
    width, height = pose.size_mm
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    moved = np.linalg.norm(apply(np.asarray(correction, float), corners) - corners, axis=1)
    return bool(moved.max() < 2 * WIDE_PX / ART_PX_PER_MM)
