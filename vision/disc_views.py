"""What one round piece looks like, whichever way it lies: its relief or print around the middle, its colours.

A *relief* says which way lines run at each place of a disc, seen from its middle, so that a turned disc has
the same relief moved along; whether a line is brighter or darker than what is beside it does not count, for
on metal that is the lamp's doing. Imports OpenCV and numpy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Pixels

SIDE_PX = 180  # pictures are brought to this size; a disc fills most of it
ANGLES, RINGS = 96, 24
WAVES = 26  # of the relief around a disc, from 1 to the waves round: what is finer is noise
RADII = (0.08, 0.96)  # of the rim's: the hub has no angle, and the rim mixes with the table
SOFT_PX, AROUND_PX, LINES_PX = 1.5, 10.0, 1.5
_FAR_PX, _FARTHER_PX, _LARGE = 3, 5, 0.04
NUDGES = (
    (0, 0, 1.0),
    *(
        (right, down, 1.0)
        for right in (-_FAR_PX, 0, _FAR_PX)
        for down in (-_FAR_PX, 0, _FAR_PX)
        if right or down
    ),
    *(
        (right, down, 1.0)
        for right, down in ((_FARTHER_PX, 0), (-_FARTHER_PX, 0), (0, _FARTHER_PX), (0, -_FARTHER_PX))
    ),
    (0, 0, 1 - _LARGE),
    (0, 0, 1 + _LARGE),
)
"""By what a rim may have been found wrong: right and down in pixels, times as large."""

RIM_OFF_PX, RIM_STEP_PX = 10, 2
RIM_PX = (74, 96)
RIM_SEEN = 0.6  # of a rim must be in the picture
ONE = 0.3  # of 120 photos cropped to a coin all have .47 and more, of photos of several none more than .12
INNER_RINGS, OUTER_RING = ((0.0, 0.3), (0.3, 0.6)), (0.76, 0.95)
BURNT, DARKEST = 97.0, 15.0  # in LAB lightness
PALE = 60.0  # lightness that tints are told at

Relief = NDArray[np.complex64]
"""(WAVES, 2 * RINGS): how the lines of each ring wave around the disc."""


@dataclass(frozen=True, slots=True, eq=False)
class DiscView:
    """One look at a disc: ``reliefs`` (nudges, WAVES, 2 * RINGS), the rim as found first; ``tint`` (4,).

    The tint is two numbers of colour, green to red and blue to yellow, of the whole, then twice how those
    of the inside differ from those near the rim: a lamp shifts the first, hardly the second.
    """

    reliefs: NDArray[np.complex64]
    tint: NDArray[np.float32]


def view_of(pixels: Pixels) -> DiscView:
    """Look at a picture (height, width, 3) of one disc that fills it but for a margin of a tenth at most."""
    shown = _shown(pixels)
    x, y, radius, _ = rim_of(shown)
    lines = _lines_of(shown)
    reliefs = [_relief(lines, (x + right, y + down), radius * large) for right, down, large in NUDGES]
    return DiscView(np.stack(reliefs), _tint(shown, (x, y), radius))


def shows_one(pixels: Pixels) -> bool:
    """Tell whether a picture is cropped to one disc: edges run along a circle that fills it."""
    return rim_of(_shown(pixels)).level > ONE


def _shown(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.resize(pixels, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), np.uint8)


class Rim(NamedTuple):
    """A circle, pixels, and how steep edges across it are, less those along it: 1 the steepest there are."""

    x: float
    y: float
    radius: float
    level: float


def rim_of(shown: Pixels) -> Rim:
    """Return the circle that most of a picture's edges run along."""
    lab = cv2.GaussianBlur(cv2.cvtColor(shown, cv2.COLOR_BGR2LAB).astype(np.float32), (0, 0), 2.0)
    right, down = cv2.Sobel(lab, cv2.CV_32F, 1, 0), cv2.Sobel(lab, cv2.CV_32F, 0, 1)
    strong = float(np.percentile(np.sqrt((right**2 + down**2).sum(axis=2)), 95))
    angles = np.arange(0, 2 * np.pi, 2 * np.pi / 72)
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    middle, last = (SIDE_PX - 1) / 2, SIDE_PX - 1
    offs = np.arange(-RIM_OFF_PX, RIM_OFF_PX + 1, RIM_STEP_PX)
    best, found = -np.inf, (middle, middle, middle)
    for radius in range(*RIM_PX, RIM_STEP_PX):
        at = np.stack(np.meshgrid(offs, offs), -1).reshape(-1, 1, 2) + middle
        x, y = at[..., 0] + radius * cos[:, 0], at[..., 1] + radius * sin[:, 0]
        inside = (x > 0) & (y > 0) & (x < last) & (y < last)
        column, row = np.clip(x, 0, last).astype(int), np.clip(y, 0, last).astype(int)
        gx, gy = right[row, column], down[row, column]
        across = np.minimum(np.abs(gx * cos + gy * sin).sum(axis=2), strong)
        along = np.abs(gy * cos - gx * sin).sum(axis=2)
        count = np.maximum(inside.sum(axis=1), 1)
        levels = ((across - along) * inside).sum(axis=1) / count
        levels[inside.mean(axis=1) < RIM_SEEN] = -np.inf
        if levels.max() > best:
            best = float(levels.max())
            x0, y0 = at[int(levels.argmax()), 0]
            found = (float(x0), float(y0), float(radius))
    return Rim(*found, best / max(strong, 1e-6))


def _lines_of(shown: Pixels) -> NDArray[np.float32]:
    """Return (side, side, 2): which way lines run, as twice their angle, as strong as they are there."""
    grey = cv2.GaussianBlur(cv2.cvtColor(shown, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), SOFT_PX)
    mean = cv2.GaussianBlur(grey, (0, 0), AROUND_PX)
    spread = np.sqrt(np.maximum(cv2.GaussianBlur(grey * grey, (0, 0), AROUND_PX) - mean * mean, 4.0))
    even = (grey - mean) / spread
    right, down = (cv2.Sobel(even, cv2.CV_32F, *way, scale=0.125) for way in ((1, 0), (0, 1)))
    steep = np.hypot(right, down) + 1e-3
    lines = np.stack([(right**2 - down**2) / steep, 2 * right * down / steep], axis=-1)
    return np.asarray(cv2.GaussianBlur(lines, (0, 0), LINES_PX), np.float32)


def _relief(lines: NDArray[np.float32], middle: tuple[float, float], radius: float) -> Relief:
    angles = np.arange(ANGLES) * (2 * np.pi / ANGLES)
    rings = np.linspace(*RADII, RINGS)[:, None] * radius
    x = (middle[0] + rings * np.cos(angles)).astype(np.float32)
    y = (middle[1] + rings * np.sin(angles)).astype(np.float32)
    seen = cv2.remap(lines, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cos, sin = np.cos(2 * angles), np.sin(2 * angles)
    outward = seen[..., 0] * cos + seen[..., 1] * sin
    slanted = seen[..., 1] * cos - seen[..., 0] * sin
    waves = np.fft.rfft(np.concatenate([outward, slanted]), axis=1)
    return np.asarray(waves.T[1 : WAVES + 1], np.complex64)


def _tint(shown: Pixels, middle: tuple[float, float], radius: float) -> NDArray[np.float32]:
    lab: NDArray[Any] = cv2.cvtColor(shown.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    y, x = np.mgrid[:SIDE_PX, :SIDE_PX]
    away = np.hypot(x - middle[0], y - middle[1]) / radius
    medians = []
    for low, high in (*INNER_RINGS, OUTER_RING):
        seen = lab[(away >= low) & (away < high)]
        fair = seen[seen[:, 0] < BURNT]
        level, *tint = np.median(fair if len(fair) else seen, axis=0)
        medians.append(np.array(tint) * PALE / max(float(level), DARKEST))
    inside = np.mean(medians[:-1], axis=0)
    return np.concatenate([np.mean(medians, axis=0), 2 * (inside - medians[-1])]).astype(np.float32)


def best_turns(of: NDArray[np.complex64], others: NDArray[np.complex64]) -> NDArray[np.float32]:
    """Return how alike reliefs (n, WAVES, d) and others (m, WAVES, d) of length one are at best, (n, m)."""
    waves = of.transpose(1, 0, 2) @ np.conj(others).transpose(1, 2, 0)
    turned = np.fft.irfft(np.pad(waves, ((1, 0), (0, 0), (0, 0))), n=2 * ANGLES, axis=0)
    return np.asarray(turned.max(axis=0) * ANGLES, np.float32)
