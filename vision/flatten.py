"""Redraw a board as if the camera hung straight above it. Pure: pixels and a pose in, pixels out."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Pixels
from vision.box import ART_PX_PER_MM
from vision.pose import BoardPose

GRID_PX = 16  # the lens bends a board so little that its map may be interpolated


def map_of(
    pose: BoardPose, left_top_mm: tuple[float, float], size_px: tuple[int, int], px_per_mm: float
) -> NDArray[np.float32]:
    """Return (height, width, 2): where each pixel of the flat picture lies in the picture as stored."""
    width, height = size_px
    # Knots in the middles of squares that reach a whole square beyond the picture on every side.
    columns, rows = (-(-side // GRID_PX) + 2 for side in size_px)
    x, y = np.meshgrid((np.arange(columns) - 0.5) * GRID_PX, (np.arange(rows) - 0.5) * GRID_PX)
    mm = np.stack([x.ravel(), y.ravel()], axis=1)
    spots = pose.project(mm / px_per_mm + np.asarray(left_top_mm))
    knots = spots.reshape(rows, columns, 2).astype(np.float32)
    full = cv2.resize(knots, (columns * GRID_PX, rows * GRID_PX), interpolation=cv2.INTER_LINEAR)
    return np.asarray(full[GRID_PX : GRID_PX + height, GRID_PX : GRID_PX + width], np.float32)


def redraw(pixels: Pixels, flat_map: NDArray[np.float32]) -> Pixels:
    """Return what a picture shows where ``map_of`` says, black beyond its edge."""
    return np.asarray(cv2.remap(pixels, flat_map, None, cv2.INTER_LINEAR), np.uint8)  # type: ignore[call-overload]


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
    flat_map = map_of(pose, (-margin_mm, -margin_mm), (width, height), px_per_mm)
    return redraw(pixels, flat_map), _inside(flat_map, (pixels.shape[1], pixels.shape[0]))


def _inside(flat_map: NDArray[np.float32], size_px: tuple[int, int]) -> NDArray[np.bool_]:
    """Return which spots of a map (height, width, 2) lie inside a picture (width, height)."""
    low, high = np.zeros(2), np.array(size_px) - 1.0
    # What has its edges inside lies inside.
    edges = np.concatenate([flat_map[0], flat_map[-1], flat_map[:, 0], flat_map[:, -1]])
    if (edges >= low).all() and (edges <= high).all():
        return np.ones(flat_map.shape[:2], bool)
    return np.asarray(cv2.inRange(flat_map, low, high) > 0)
