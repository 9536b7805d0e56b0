"""Where round pieces lie in a photo that shows several. Imports OpenCV and numpy.

A circle counts if most of its rim is an edge. Circles within circles are what is printed on a piece: the
outer one stays.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from companion.ports import Pixels

LOOKED_PX = 900  # the long side of what is looked at: rims are coarse
RADII = (0.025, 0.48)  # of the short side
ROUND = 0.72  # of a perfect circle, as OpenCV counts it
EDGE = 220.0  # steepness of a rim; the weaker of two edges of a gradient is half of it
AROUND = 1.1  # kept around a piece, as ``disc_views`` wants it
LIKE_SIZE = 2.6  # pieces of one photo differ by no more in radius
APART = 0.92  # of the sum of two radii: pieces lie beside one another


class Disc(NamedTuple):
    """A round piece in a photo, pixels."""

    x: float
    y: float
    radius: float


def find_discs(pixels: Pixels) -> tuple[Disc, ...]:
    """Return the round pieces of a photo (height, width, 3), row by row."""
    share = min(1.0, LOOKED_PX / max(pixels.shape[:2]))
    small = cv2.resize(pixels, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    short = min(small.shape[:2])
    circles: list[Disc] = []
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.5), cv2.COLOR_BGR2LAB)
    for plane in cv2.split(lab):
        found = cv2.HoughCircles(
            np.ascontiguousarray(plane),
            cv2.HOUGH_GRADIENT_ALT,
            1.5,
            2 * RADII[0] * short,
            param1=EDGE,
            param2=ROUND,
            minRadius=round(RADII[0] * short),
            maxRadius=round(RADII[1] * short),
        )
        if found is not None:
            circles += [Disc(*map(float, one[:3])) for one in found.reshape(-1, found.shape[-1])]
    outer = _outermost(circles)
    rows_px = 2 * float(np.median([one.radius for one in outer])) if outer else 1.0
    in_order = sorted(outer, key=lambda one: (one.y // rows_px, one.x))
    return tuple(Disc(*(value / share for value in one)) for one in in_order)


def _outermost(circles: list[Disc]) -> list[Disc]:
    """Return the largest of circles that lie in one another, and of those the ones of about one size."""
    kept: list[Disc] = []
    for one in sorted(circles, key=lambda one: -one.radius):
        if all(np.hypot(one.x - k.x, one.y - k.y) > APART * (one.radius + k.radius) for k in kept):
            kept.append(one)
    usual = float(np.median([one.radius for one in kept])) if kept else 0.0
    return [one for one in kept if usual / LIKE_SIZE < one.radius < usual * LIKE_SIZE]


def cropped(pixels: Pixels, disc: Disc) -> Pixels:
    """Return the part of a photo that shows a piece, square; what lies beyond the photo repeats its edge."""
    reach = max(4, round(disc.radius * AROUND))
    x, y = round(disc.x), round(disc.y)
    wide = cv2.copyMakeBorder(pixels, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(wide[y : y + 2 * reach, x : x + 2 * reach])
