"""Outlines of pieces: found, made simple, and moved to where the ground of a sheet ends. Pure; mm, y down."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.laying_sheets import CORNER_MM

ALONG_MM = 1.6
LOYALTY = (
    0.6  # of a step, for each mm^2 away from the frame, or degree^2; less lets shadows and neighbours pull
)
LEAST_TOLD = 0.1  # of a side; with less nothing is known of it
FRAME_MM, SETTLE_MM, SETTLE_DEG = 1.5, 2.4, 2.5  # how far beside where it seems to lie, or where its frame is


def simplified(outline: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return an outline that was seen as a circle if it is nearly one, else with fewer points."""
    radii = np.linalg.norm(outline, axis=1)
    if radii.std() < 0.045 * radii.mean():
        area = cv2.contourArea(outline.astype(np.float32))
        angles = np.linspace(0, 2 * math.pi, 40, endpoint=False)
        return math.sqrt(area / math.pi) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    hull = cv2.approxPolyDP(outline.astype(np.float32).reshape(-1, 1, 2), 0.4, True)
    return np.asarray(hull.reshape(-1, 2), float)


def square(size_mm: tuple[float, float]) -> NDArray[np.float64]:
    w, h = size_mm[0] / 2, size_mm[1] / 2
    return np.array([[-w, -h], [w, -h], [w, h], [-w, h]], float)


def settle(
    covered: NDArray[np.float32],
    can_tell: NDArray[np.float32],
    px_per_mm: float,
    outline: NDArray[np.float64],
    centre: tuple[float, float],
) -> tuple[tuple[float, float], float]:
    """Move an outline to where the ground ends along it: covered just inside, bare just outside.

    ``can_tell`` is where the ground tells anything at all. A round outline does not turn.
    """
    radii = np.linalg.norm(outline, axis=1)
    is_round = len(outline) > 8 and bool(radii.std() < 0.03 * radii.mean())
    points, normals = _along(outline)
    if len(outline) == 4:  # the frames' corners are marked there
        kept = np.abs(points[:, None] - outline[None]).max(axis=2).min(axis=1) > CORNER_MM
        points, normals = points[kept], normals[kept]
    sides = _sides(normals)
    is_free = len(outline) != 4
    rims = np.stack([points + off * normals for off in (-1.4, -0.6, 0.6, 1.0)])
    best, at, turn = -math.inf, np.array(centre, float), 0.0
    span, step, turns = SETTLE_MM if is_free else FRAME_MM, 0.5, np.array([0.0])
    if not is_round:
        turns = np.arange(-SETTLE_DEG, SETTLE_DEG + 0.1, 0.625)
    while step > 0.05:
        shifts = np.arange(-span, span + step / 2, step)
        grid = np.stack(np.meshgrid(shifts, shifts), -1).reshape(-1, 2) + at
        start_turn = turn
        for one in turns:
            tried = start_turn + float(one)
            spun = rims @ _spin(tried)
            steps = _steps((covered, can_tell), (grid[:, None, None] + spun[None]) * px_per_mm, sides)
            # A neighbour that touches says nothing about a side; where a frame is, pieces lie about.
            off = np.square(grid - centre).sum(axis=1) + tried**2
            marks = np.maximum(steps, 0).sum(axis=1) - LOYALTY * off * (not is_free)
            k = int(marks.argmax())
            if marks[k] > best + 1e-6:
                best, at, turn = float(marks[k]), grid[k], tried
        span, step, turns = step * 1.2, step / 2.5, turns / 5
    return (float(at[0]), float(at[1])), turn


def _spin(turn_deg: float) -> NDArray[np.float64]:
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return np.array([[cos, sin], [-sin, cos]])


def _steps(
    maps: tuple[NDArray[np.float32], NDArray[np.float32]],
    spots_px: NDArray[np.float64],
    sides: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Return how much more is covered inside than outside, (grid, sides), of rims (grid, 4, points, 2)."""
    count, rims = spots_px.shape[:2]
    spots = (spots_px - 0.5).astype(np.float32)
    x, y = (spots[..., axis].reshape(count, -1) for axis in (0, 1))
    covered, told = (cv2.remap(one, x, y, cv2.INTER_LINEAR).reshape(count, rims, -1) @ sides for one in maps)
    levels = covered / np.maximum(told, LEAST_TOLD)
    return np.asarray(levels[:, 0] + levels[:, 1] - levels[:, 2] - levels[:, 3], np.float32)


def _sides(normals: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return (n, 4): which points look right, down, left and up, as shares that make means."""
    angles = np.arctan2(normals[:, 1], normals[:, 0])
    quarter = np.rint(angles / (math.pi / 2)).astype(int) % 4
    shares = (quarter[:, None] == np.arange(4)).astype(np.float32)
    return np.asarray(shares / np.maximum(shares.sum(axis=0), 1), np.float32)


def _along(outline: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return points along an outline about ALONG_MM apart and the directions out of it there."""
    points, normals = [], []
    clockwise = cv2.contourArea(outline.astype(np.float32), True) > 0
    for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        length = float(np.linalg.norm(b - a))
        count = max(1, round(length / ALONG_MM))
        way = (b - a) / max(length, 1e-9)
        out = np.array([way[1], -way[0]]) * (1 if clockwise else -1)
        points.append(a + (b - a) * ((np.arange(count) + 0.5) / count)[:, None])
        normals.append(np.repeat(out[None], count, axis=0))
    return np.concatenate(points), np.concatenate(normals)


def outline_mask(
    shape_hw: tuple[int, int], outline_mm: NDArray[np.float64], px_per_mm: float
) -> NDArray[np.uint8]:
    """Return 1 inside an outline about the middle of a picture."""
    mask = np.zeros(shape_hw, np.uint8)
    middle = (np.array(shape_hw[::-1]) - 1) / 2
    cv2.fillPoly(mask, [np.rint((outline_mm * px_per_mm + middle) * 16).astype(np.int32)], 1, shift=4)
    return mask
