"""How a board lies in a camera's picture: how much of it is inside, and where to move it. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from vision.pose import BoardPose

MARGIN = 0.01  # of the picture's width: as close to the edge as a board should lie
NEARLY_ALL = 0.995
STEP_MM = 10.0  # nobody moves a board by less


@dataclass(frozen=True, slots=True)
class Fit:
    """``inside`` is the share of a board in the picture; ``move_mm`` is to the right and down in it.

    ``is_too_large``: it does not fit at all; then ``rise`` is how much farther away the camera
    should be (1.2: a fifth farther).
    """

    inside: float
    move_mm: tuple[float, float] = (0.0, 0.0)
    is_too_large: bool = False
    rise: float = 1.0

    @property
    def is_good(self) -> bool:
        return self.inside >= NEARLY_ALL


def fit_of(pose: BoardPose, picture_wh: tuple[int, int]) -> Fit:
    """Return how a board lies in a picture of that size."""
    corners = np.asarray(pose.corners_px, np.float32)
    width, height = picture_wh
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen, _ = cv2.intersectConvexConvex(corners, frame)
    inside = float(seen) / max(cv2.contourArea(corners), 1e-6)
    if inside >= NEARLY_ALL:
        return Fit(inside)
    margin = MARGIN * width
    low, high = corners.min(axis=0), corners.max(axis=0)
    room = np.array([width, height]) - 2 * margin
    if (high - low > room).any():
        return Fit(inside, is_too_large=True, rise=round(float(((high - low) / room).max()) + 0.05, 1))
    off = np.maximum(margin - low, 0) - np.maximum(high - (np.array([width, height]) - margin), 0)
    mm = off / max(pose.px_per_mm, 1e-6)
    x, y = (math.copysign(math.ceil(abs(v) / STEP_MM) * STEP_MM, v) if abs(v) > 1 else 0.0 for v in mm)
    return Fit(inside, (x, y))
