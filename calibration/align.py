"""Lay a scan on its layout: scans of a board or card lie a little beside and a little turned.

The layout says where the outlines of spaces run; the scan shows edges there. The turn and shift
that put most edge under the outlines win. Pure numpy and OpenCV, no files.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Pixels

MAX_SHIFT_MM = 3.0
MAX_TURN_DEG = 1.6
LINE_BLUR_MM = 0.8
STEP_MM = 0.5  # samples along an outline


@dataclass(frozen=True, slots=True)
class Placement:
    """How a scan lies: ``scan_mm = turn(layout_mm - middle) + middle + shift``."""

    turn_deg: float
    shift_mm: tuple[float, float]
    middle_mm: tuple[float, float]

    def matrix(self, px_per_mm: float) -> NDArray[np.float64]:
        """Return the 2x3 matrix from layout mm to scan pixels (pixel centres at whole numbers)."""
        cos, sin = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        spin = np.array([[cos, -sin], [sin, cos]])
        middle = np.array(self.middle_mm)
        offset = middle + np.array(self.shift_mm) - spin @ middle
        return np.asarray(np.column_stack([spin, offset]) * px_per_mm - np.array([[0, 0, 0.5], [0, 0, 0.5]]))


def place_scan(
    scan: Pixels,
    px_per_mm: float,
    outlines: Sequence[NDArray[np.float64]],
    size_mm: tuple[float, float],
) -> Placement:
    """Find how a scan lies below the outlines (polygons in mm). No outlines: as it is."""
    middle = (size_mm[0] / 2, size_mm[1] / 2)
    placement = Placement(0.0, (0.0, 0.0), middle)
    if not outlines:
        return placement
    points = np.concatenate([_samples(np.asarray(o, float)) for o in outlines])
    reach = max(math.dist(middle, p) for p in points)
    # A drawn line has an edge on either side: blurred less than this, one of them would win.
    edges = _edges(scan, px_per_mm, LINE_BLUR_MM)
    span_mm, step_mm = MAX_SHIFT_MM, 0.5
    while step_mm > 0.04:
        turn_step = math.degrees(step_mm / reach)
        turns = np.arange(-span_mm / step_mm, span_mm / step_mm + 0.5) * turn_step
        turns = turns[np.abs(turns + placement.turn_deg) <= MAX_TURN_DEG] + placement.turn_deg
        shifts = np.arange(-span_mm, span_mm + step_mm / 2, step_mm)
        placement = _best(edges, px_per_mm, points, placement, turns=turns, shifts=shifts)
        span_mm, step_mm = step_mm * 1.5, step_mm / 3
    return placement


def straighten(
    scan: Pixels, px_per_mm: float, placement: Placement, size_mm: tuple[float, float], out_px_per_mm: float
) -> Pixels:
    """Redraw a scan so that it lies on its layout, at ``out_px_per_mm``."""
    width, height = (round(side * out_px_per_mm) for side in size_mm)
    soft = scan
    if px_per_mm > 1.3 * out_px_per_mm:  # what the smaller picture cannot show must not alias
        soft = np.asarray(cv2.GaussianBlur(scan, (0, 0), 0.45 * px_per_mm / out_px_per_mm), np.uint8)
    to_scan = placement.matrix(px_per_mm)
    own = np.array(
        [[1 / out_px_per_mm, 0, 0.5 / out_px_per_mm], [0, 1 / out_px_per_mm, 0.5 / out_px_per_mm], [0, 0, 1]]
    )
    return np.asarray(
        cv2.warpAffine(
            soft,
            to_scan @ own,
            (width, height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )


def _samples(outline: NDArray[np.float64]) -> NDArray[np.float64]:
    points = []
    for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        count = max(1, round(float(np.linalg.norm(b - a)) / STEP_MM))
        points.append(a + (b - a) * (np.arange(count) / count)[:, None])
    return np.concatenate(points)


def _edges(scan: Pixels, px_per_mm: float, blur_mm: float) -> NDArray[np.float32]:
    """Return the edge strength, levelled so that a strong edge does not outvote ten weak ones."""
    soft = cv2.GaussianBlur(scan.astype(np.float32), (0, 0), max(0.15 * px_per_mm, 0.6))
    dx, dy = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    strength = np.sqrt((dx * dx + dy * dy).sum(axis=2))
    level = float(np.percentile(strength, 90)) + 1e-6
    capped = np.minimum(strength / level, 1.0)
    return np.asarray(cv2.GaussianBlur(capped, (0, 0), blur_mm * px_per_mm), np.float32)


def _best(
    edges: NDArray[np.float32],
    px_per_mm: float,
    points: NDArray[np.float64],
    start: Placement,
    *,
    turns: NDArray[np.float64],
    shifts: NDArray[np.float64],
) -> Placement:
    """Try turns and shifts about a start; return where most edge lies under the points."""
    height, width = edges.shape
    best, answer, flat = -1.0, start, edges.ravel()
    for turn in turns:
        placement = Placement(float(turn), start.shift_mm, start.middle_mm)
        matrix = placement.matrix(px_per_mm)
        base = points @ matrix[:, :2].T + matrix[:, 2]
        columns, rows = (
            np.clip(np.rint(base[:, axis] + shifts[:, None] * px_per_mm), 0, most).astype(np.intp)
            for axis, most in enumerate((width - 1, height - 1))
        )
        marks = flat[rows[:, None] * width + columns[None]].mean(axis=2)
        down, right = divmod(int(marks.argmax()), len(shifts))
        if marks[down, right] > best:
            best = float(marks[down, right])
            shift = (start.shift_mm[0] + float(shifts[right]), start.shift_mm[1] + float(shifts[down]))
            answer = replace(placement, shift_mm=shift)
    return answer
