"""A pinhole camera with a lens over the table: millimetres to pixels and back.

Table: x right, y down, z towards the table, the table at z = 0. Pixels as stored.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Lens:
    """Where a camera hangs and how it sees.

    ``aim_mm`` is the point of the table in the middle of the picture, ``px_per_mm`` the
    scale there. ``k1`` is the first radial coefficient of the lens.
    """

    size_wh: tuple[int, int]
    aim_mm: tuple[float, float]
    px_per_mm: float
    height_mm: float = 1000.0
    tilt_deg: float = 4.0
    yaw_deg: float = 0.0
    k1: float = -0.05

    @property
    def focal_px(self) -> float:
        return self.px_per_mm * self.height_mm

    def _axes(self) -> tuple[Floats, Floats]:
        """Return the turn of the camera, and its place in millimetres."""
        tilt, yaw = math.radians(self.tilt_deg), math.radians(self.yaw_deg)
        about_x = np.array(
            [[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]]
        )
        about_z = np.array([[math.cos(yaw), -math.sin(yaw), 0], [math.sin(yaw), math.cos(yaw), 0], [0, 0, 1]])
        turn = about_x @ about_z
        place = np.array([*self.aim_mm, 0.0]) - turn.T @ np.array([0.0, 0.0, self.height_mm])
        return turn, place

    def to_px(self, points_mm: Floats) -> Floats:
        """Project points of the table, (n, 2), to pixels, (n, 2)."""
        return self.above(np.column_stack([points_mm, np.zeros(len(points_mm))]))

    def above(self, points_mm: Floats) -> Floats:
        """Project points over the table, (n, 3) with z upwards, to pixels, (n, 2)."""
        turn, place = self._axes()
        seen = (points_mm * (1.0, 1.0, -1.0) - place) @ turn.T
        flat = seen[:, :2] / seen[:, 2:]
        bent = flat * (1 + self.k1 * (flat**2).sum(axis=1, keepdims=True))
        return np.asarray(bent * self.focal_px + np.array(self.size_wh) / 2)

    def to_mm(self, points_px: Floats) -> Floats:
        """Find the points of the table, (n, 2), that pixels, (n, 2), show."""
        turn, place = self._axes()
        bent = (points_px - np.array(self.size_wh) / 2) / self.focal_px
        flat = bent.copy()
        for _ in range(6):  # the lens is weak: six rounds are exact to a thousandth of a pixel
            flat = bent / (1 + self.k1 * (flat**2).sum(axis=1, keepdims=True))
        rays = np.column_stack([flat, np.ones(len(flat))]) @ turn
        reach = -place[2] / rays[:, 2:]
        return np.asarray((place + reach * rays)[:, :2])

    def view_mm(self) -> tuple[float, float, float, float]:
        """Return what part of the table is seen: left, top, right, bottom in millimetres."""
        width, height = self.size_wh
        edge = [(x, y) for x in (0, width / 2, width) for y in (0, height / 2, height)]
        seen = self.to_mm(np.array(edge, float))
        (left, top), (right, bottom) = seen.min(axis=0), seen.max(axis=0)
        return float(left), float(top), float(right), float(bottom)

    def maps(
        self, corner_mm: tuple[float, float], px_per_mm: float
    ) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
        """Return the maps for ``cv2.remap`` from a flat picture of the table to this camera's.

        Every eighth pixel is computed; between them the map is straight to a hundredth of a pixel.
        """
        width, height = self.size_wh
        across, down = np.meshgrid(*(np.arange(side // 8 + 2) * 8 + 0.5 for side in (width, height)))
        seen = self.to_mm(np.column_stack([across.ravel(), down.ravel()]))
        coarse = ((seen - np.array(corner_mm)) * px_per_mm - 0.5).astype(np.float32).reshape(*across.shape, 2)
        eighth = np.array([[0.125, 0.0, 0.0], [0.0, 0.125, 0.0]])
        flat = cv2.warpAffine(coarse, eighth, self.size_wh, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        first, second = cv2.convertMaps(flat[..., 0], flat[..., 1], cv2.CV_16SC2)
        return np.asarray(first, np.int16), np.asarray(second, np.uint16)
