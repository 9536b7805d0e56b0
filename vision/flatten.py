"""Redraw a board as if the camera hung straight above it. Pure: pixels and a pose in, pixels out."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Pixels
from vision.box import ART_PX_PER_MM
from vision.pose import BoardPose

GRID_PX = 16  # the lens bends a board so little that its map may be interpolated


def maps_of(
    pose: BoardPose, left_top_mm: tuple[float, float], size_px: tuple[int, int], px_per_mm: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return for each pixel of the flat picture where it lies in the picture as stored."""
    width, height = size_px
    columns, rows = width // GRID_PX + 2, height // GRID_PX + 2
    x, y = np.meshgrid(np.arange(columns) * GRID_PX, np.arange(rows) * GRID_PX)
    mm = np.stack([x.ravel(), y.ravel()], axis=1) + 0.5
    spots = pose.project(mm / px_per_mm + np.asarray(left_top_mm))
    knots = spots.reshape(rows, columns, 2).astype(np.float32)
    # Pixel (i, j) of the flat picture lies at knot (i / GRID_PX, j / GRID_PX).
    grow = np.array([[1 / GRID_PX, 0, 0], [0, 1 / GRID_PX, 0]], np.float32)
    full = cv2.warpAffine(knots, grow, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return np.ascontiguousarray(full[..., 0]), np.ascontiguousarray(full[..., 1])


def flatten(
    pixels: Pixels,
    pose: BoardPose,
    *,
    margin_mm: float = 0.0,
    px_per_mm: float = ART_PX_PER_MM,
) -> tuple[Pixels, NDArray[np.bool_]]:
    """Return the board (height, width, 3) at ``px_per_mm``, and which of it lies inside the picture.

    ``margin_mm`` shows that much of the table around it.
    """
    width, height = (round((side + 2 * margin_mm) * px_per_mm) for side in pose.size_mm)
    map_x, map_y = maps_of(pose, (-margin_mm, -margin_mm), (width, height), px_per_mm)
    flat = cv2.remap(pixels, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(flat, np.uint8), _inside(map_x, pixels.shape[1]) & _inside(map_y, pixels.shape[0])


def _inside(spots: NDArray[np.float32], length_px: int) -> NDArray[np.bool_]:
    low, high, _, _ = cv2.minMaxLoc(spots)
    if low >= 0 and high <= length_px - 1:
        return np.ones(spots.shape, bool)
    return np.asarray((spots >= 0) & (spots <= length_px - 1))
