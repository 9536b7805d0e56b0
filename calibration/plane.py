"""A flat thing in a photo, seen from straight above: the homography, its scale, the picture. Pure."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Pixels
from vision.pose import apply

Matrix = NDArray[np.float64]
UNIT = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
_TO_MIDDLE = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.0, 0.0, 1.0]])


def scale_at(to_photo: Matrix, spot_mm: tuple[float, float], reach_mm: float = 5.0) -> float:
    """Return how many pixels a millimetre has about a point of the plane."""
    corners = apply(to_photo, np.asarray(spot_mm, float) + reach_mm * UNIT).astype(np.float32)
    return math.sqrt(max(cv2.contourArea(corners), 1e-6)) / (2 * reach_mm)


def flat_picture(photo: Pixels, to_photo: Matrix, size_mm: tuple[float, float], px_per_mm: float) -> Pixels:
    """Redraw a part of a plane (from nought to ``size_mm``) at a scale.

    ``to_photo`` leads from mm to pixels of the photo. What the smaller picture cannot show must not
    alias, so a much finer photo is softened first.
    """
    seen = scale_at(to_photo, (size_mm[0] / 2, size_mm[1] / 2))
    soft = photo if seen <= 1.3 * px_per_mm else cv2.GaussianBlur(photo, (0, 0), 0.4 * seen / px_per_mm)
    size = (round(size_mm[0] * px_per_mm), round(size_mm[1] * px_per_mm))
    to_mm = np.diag([1 / px_per_mm, 1 / px_per_mm, 1.0]) @ _TO_MIDDLE
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    whole = np.linalg.inv(_TO_MIDDLE) @ to_photo @ to_mm
    return np.asarray(cv2.warpPerspective(soft, whole, size, flags=flags), np.uint8)
