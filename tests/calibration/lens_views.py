"""Views of the lens sheet as a lens draws them that bends lines by a known amount."""

from __future__ import annotations

import itertools

import cv2
import numpy as np

from calibration.sheets import CHARUCO_SQUARE_MM, CHARUCO_SQUARES, lens_board
from hardware.cameras.lens import LensProfile

SIZE = (960, 540)
TRUE = LensProfile(SIZE, (760.0, 764.0), (488.0, 262.0), (-0.24, 0.06, 0.0, 0.0))
SHEET_MM = np.array([count * CHARUCO_SQUARE_MM for count in CHARUCO_SQUARES])
SHEET_PX_PER_MM = 4.0
SHEET = cv2.cvtColor(
    lens_board().generateImage(tuple(int(mm * SHEET_PX_PER_MM) for mm in SHEET_MM)), cv2.COLOR_GRAY2BGR
)


def photo(
    turn: tuple[float, float, float], at_mm: tuple[float, float, float], blur: float = 0.0
) -> np.ndarray:
    """Return the sheet as the true lens draws it, turned (radians) and with its middle at a place (mm)."""
    every = np.stack(np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1])), -1).reshape(-1, 1, 2).astype(float)
    rays = cv2.undistortPoints(every, TRUE.matrix(SIZE), np.array(TRUE.distortion)).reshape(-1, 2)
    rotation = cv2.Rodrigues(np.array(turn))[0]
    origin = np.array(at_mm) - rotation @ np.append(SHEET_MM / 2, 0)
    # A ray (x, y, 1) meets the sheet where rotation @ (u, v, 0) + origin is a multiple of it.
    plane = np.linalg.inv(np.stack([rotation[:, 0], rotation[:, 1], origin], axis=1))
    u, v, w = plane @ np.concatenate([rays, np.ones((len(rays), 1))], axis=1).T
    onto = (np.stack([u / w, v / w], -1) * SHEET_PX_PER_MM - 0.5).reshape(SIZE[1], SIZE[0], 2)
    drawn = cv2.remap(SHEET, onto.astype(np.float32), None, cv2.INTER_AREA, borderValue=(150, 160, 165))
    return cv2.GaussianBlur(drawn, (0, 0), blur) if blur else drawn


def twelve_views() -> list[np.ndarray]:
    """Return views in all parts of the picture, tilted to all sides."""
    places = list(itertools.product((-120.0, 0.0, 120.0), (-65.0, 65.0)))
    tilts = [(0.5, 0.0, 0.0), (-0.5, 0.0, 0.1), (0.0, 0.5, 0.0), (0.0, -0.5, -0.1)]
    views = [photo((0.0, 0.0, 0.05 * i), (x, y, 430.0)) for i, (x, y) in enumerate(places)]
    views += [photo(tilt, (20.0 * i, 10.0, 380.0)) for i, tilt in enumerate(tilts)]
    return views + [photo((0.3, 0.3 * side, 0.4), (40.0 * side, 0.0, 340.0)) for side in (-1, 1)]
