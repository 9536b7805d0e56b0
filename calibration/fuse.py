"""Several views of one piece become one picture: laid over one another, the middle of each pixel.

A lamp's gloss, a speck or a shadow lies elsewhere in every view, the print in the same place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Pixels

COARSE_PX = 48
TURNS = 36
ROUNDS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-4)
LEAST_ALIKE = 0.5


def fused(views: Sequence[Pixels], *, turns: bool) -> Pixels:
    """Return one picture of a piece, as the sharpest view lies. ``turns``: views may be turned anyhow.

    Views of which two cannot be told apart by their middle are not mixed: the sharpest stands.
    """
    sharpest = max(views, key=sharpness)
    laid = [sharpest]
    for view in views:
        if view is not sharpest:
            moved = laid_over(view, sharpest, turns=turns)
            if moved is not None:
                laid.append(moved)
    if len(laid) < 3:
        return sharpest
    return np.asarray(np.median(np.stack(laid), axis=0), np.uint8)


def sharpness(view: Pixels) -> float:
    """Return how much detail a view has."""
    return float(cv2.Laplacian(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), cv2.CV_32F).std())


def laid_over(view: Pixels, onto: Pixels, *, turns: bool) -> Pixels | None:
    """Return a view moved and turned so that it lies over another; None if it shows something else."""
    if view.shape != onto.shape:
        view = np.asarray(cv2.resize(view, onto.shape[1::-1], interpolation=cv2.INTER_AREA), np.uint8)
    start = _best_turn(view, onto) if turns else 0.0
    warp = _spin(onto.shape[:2], start)
    seen, wanted = (cv2.cvtColor(one, cv2.COLOR_BGR2GRAY) for one in (view, onto))
    mask = disc(onto.shape[:2])
    try:
        alike, found = cv2.findTransformECC(wanted, seen, warp, cv2.MOTION_EUCLIDEAN, ROUNDS, mask, 5)
    except cv2.error:  # nothing to hold on to
        return None
    if alike < LEAST_ALIKE:
        return None
    size = (onto.shape[1], onto.shape[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(view, found, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def disc(shape_hw: tuple[int, int]) -> NDArray[np.uint8]:
    """Return 1 in the ellipse that fills a picture but for its edge; beyond it lies no piece."""
    mask = np.zeros(shape_hw, np.uint8)
    height, width = shape_hw
    axes = (max(1, round(width * 0.42)), max(1, round(height * 0.42)))
    cv2.ellipse(mask, (width // 2, height // 2), axes, 0, 0, 360, 1, -1)
    return mask


def _spin(shape_hw: tuple[int, ...], turn_deg: float) -> NDArray[np.float32]:
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    x, y = (shape_hw[1] - 1) / 2, (shape_hw[0] - 1) / 2
    return np.array([[cos, -sin, x - cos * x + sin * y], [sin, cos, y - sin * x - cos * y]], np.float32)


def _best_turn(view: Pixels, onto: Pixels) -> float:
    """Return by about how much a view is turned against another."""
    small, wanted = (
        cv2.resize(one, (COARSE_PX, COARSE_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
        for one in (view, onto)
    )
    mask = disc((COARSE_PX, COARSE_PX)).astype(bool)
    goal = wanted[mask] - wanted[mask].mean(axis=0)
    marks = []
    for k in range(TURNS):
        warp = _spin((COARSE_PX, COARSE_PX), 360.0 * k / TURNS)
        spun = cv2.warpAffine(
            small, warp, (COARSE_PX, COARSE_PX), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        )
        seen = spun[mask] - spun[mask].mean(axis=0)
        marks.append(float((seen * goal).sum() / (np.linalg.norm(seen) + 1e-6)))
    return 360.0 * int(np.argmax(marks)) / TURNS
