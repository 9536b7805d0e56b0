"""A sheet of paper to draw on, in millimetres, and the colours of the night shift.

Colours are blue-green-red. A sheet is drawn at twice its resolution and shrunk at the
end: that is what makes edges soft.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Pixels

Colour = tuple[int, int, int]
Point = tuple[float, float]

_SHIFT = 4  # cv2 draws with sixteenths of a pixel
FONT = cv2.FONT_HERSHEY_TRIPLEX
_FONT_CAP_PX = 21.0  # height of a capital of the font at scale 1


def colour(code: str) -> Colour:
    """Read ``#RRGGBB``."""
    return (int(code[5:7], 16), int(code[3:5], 16), int(code[1:3], 16))


PAPER = colour("#EFE4CF")
LABEL = colour("#FBF5E6")
TAG = colour("#E9D19F")
INK = colour("#2B1A2F")
NIGHT = colour("#19111D")
FORMALIN = colour("#1D5C50")
GLASS = colour("#9FD4B8")
BLOOD = colour("#8E2430")
WHITE = colour("#FFFFFF")
SCANNER_LID = colour("#ECEBE6")

SEATS = {
    "red": colour("#B8301F"),
    "blue": colour("#1F55A8"),
    "green": colour("#3F7A2C"),
    "yellow": colour("#E0A81C"),
}
ORDERS = {"red": colour("#B8301F"), "yellow": colour("#F0B91F"), "blue": colour("#1F55A8")}


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Mix two colours; ``share`` (0 to 1) is how much of the other."""
    return (
        round(one[0] + (other[0] - one[0]) * share),
        round(one[1] + (other[1] - one[1]) * share),
        round(one[2] + (other[2] - one[2]) * share),
    )


def hue(degrees: float, saturation: float = 0.6, value: float = 0.8) -> Colour:
    """Return a colour by hue (0 to 360), saturation and value (0 to 1)."""
    hsv = np.array([[[round(degrees / 2) % 180, saturation * 255, value * 255]]], np.uint8)
    blue, green, red = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return (int(blue), int(green), int(red))


class Sheet:
    """A sheet of ``size_mm``; ``finished`` gives its pixels at ``px_per_mm``."""

    def __init__(self, size_mm: Point, px_per_mm: float, ground: Colour, *, sharpness: int = 2) -> None:
        self.size_mm = size_mm
        self._size_wh = (round(size_mm[0] * px_per_mm), round(size_mm[1] * px_per_mm))
        self._scale = px_per_mm * sharpness
        shape = (self._size_wh[1] * sharpness, self._size_wh[0] * sharpness, 3)
        self.pixels: Pixels = np.empty(shape, np.uint8)
        self.pixels[:] = ground

    def finished(self) -> Pixels:
        """Return the drawing at its own resolution, (height, width, 3)."""
        if self.pixels.shape[1::-1] == self._size_wh:
            return self.pixels
        shrunk = cv2.resize(self.pixels, self._size_wh, interpolation=cv2.INTER_AREA)
        return np.asarray(shrunk, np.uint8)

    def _px(self, points_mm: Sequence[Point]) -> NDArray[np.int32]:
        px = np.asarray(points_mm, float) * self._scale - 0.5
        return np.round(px * (1 << _SHIFT)).astype(np.int32)

    def _width(self, width_mm: float) -> int:
        return max(1, round(width_mm * self._scale))

    def shape(
        self,
        points_mm: Sequence[Point],
        fill: Colour | None,
        line: Colour | None = None,
        *,
        width_mm: float = 0.6,
    ) -> None:
        """Draw a closed outline, filled and rimmed."""
        points = self._px(points_mm)
        if fill is not None:
            cv2.fillPoly(self.pixels, [points], fill, cv2.LINE_AA, _SHIFT)
        if line is not None:
            cv2.polylines(self.pixels, [points], True, line, self._width(width_mm), cv2.LINE_AA, _SHIFT)

    def stroke(self, points_mm: Sequence[Point], line: Colour, width_mm: float = 0.6) -> None:
        """Draw an open line through the points."""
        width = self._width(width_mm)
        cv2.polylines(self.pixels, [self._px(points_mm)], False, line, width, cv2.LINE_AA, _SHIFT)

    def disc(
        self,
        centre: Point,
        radius_mm: float,
        fill: Colour | None,
        line: Colour | None = None,
        *,
        width_mm: float = 0.6,
    ) -> None:
        """Draw a circle."""
        self.oval(centre, (radius_mm, radius_mm), fill, line, width_mm=width_mm)

    def oval(
        self,
        centre: Point,
        radii_mm: Point,
        fill: Colour | None,
        line: Colour | None = None,
        *,
        width_mm: float = 0.6,
        turn_deg: float = 0.0,
    ) -> None:
        """Draw an ellipse."""
        self.shape(ring(centre, radii_mm, turn_deg), fill, line, width_mm=width_mm)

    def box(
        self,
        corner: Point,
        size_mm: Point,
        fill: Colour | None,
        line: Colour | None = None,
        *,
        width_mm: float = 0.6,
        radius_mm: float = 0.0,
    ) -> None:
        """Draw a rectangle with round corners from its top left."""
        self.shape(rounded(corner, size_mm, radius_mm), fill, line, width_mm=width_mm)

    def write(
        self,
        text: str,
        centre: Point,
        capital_mm: float,
        ink: Colour,
        *,
        halo: Colour | None = None,
        fits_mm: float | None = None,
    ) -> None:
        """Write a line, its capitals ``capital_mm`` high, shrunk to ``fits_mm`` in width; centred."""
        scale = capital_mm * self._scale / _FONT_CAP_PX
        thick = max(1, round(scale * 1.6))
        (width, _), _ = cv2.getTextSize(text, FONT, scale, thick)
        if fits_mm is not None and width > fits_mm * self._scale:
            scale *= fits_mm * self._scale / width
            thick = max(1, round(scale * 1.6))
            (width, _), _ = cv2.getTextSize(text, FONT, scale, thick)
        x = round(centre[0] * self._scale - width / 2)
        y = round(centre[1] * self._scale + scale * _FONT_CAP_PX / 2)
        if halo is not None:
            cv2.putText(self.pixels, text, (x, y), FONT, scale, halo, thick + round(scale * 7), cv2.LINE_AA)
        cv2.putText(self.pixels, text, (x, y), FONT, scale, ink, thick, cv2.LINE_AA)

    def stick(self, picture: Pixels, centre: Point) -> None:
        """Stick a finished picture of the same scale on a sheet of sharpness 1."""
        height, width = picture.shape[:2]
        left, top = round(centre[0] * self._scale - width / 2), round(centre[1] * self._scale - height / 2)
        self.pixels[top : top + height, left : left + width] = picture

    def grain(self, strength: float, seed: int) -> None:
        """Roughen the paper a little: ``strength`` in grey levels."""
        rng = np.random.default_rng(seed)
        height, width = self.pixels.shape[:2]
        small = rng.normal(0.0, strength, (max(2, height // 3), max(2, width // 3), 1)).astype(np.float32)
        noise = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)[:, :, None]
        self.pixels = np.clip(self.pixels + noise, 0, 255).astype(np.uint8)


def ring(centre: Point, radii_mm: Point, turn_deg: float = 0.0, points: int = 48) -> list[Point]:
    """Return the outline of an ellipse."""
    turn = math.radians(turn_deg)
    cos, sin = math.cos(turn), math.sin(turn)
    outline = []
    for step in range(points):
        angle = math.tau * step / points
        x, y = radii_mm[0] * math.cos(angle), radii_mm[1] * math.sin(angle)
        outline.append((centre[0] + x * cos - y * sin, centre[1] + x * sin + y * cos))
    return outline


def rounded(corner: Point, size_mm: Point, radius_mm: float) -> list[Point]:
    """Return the outline of a rectangle with round corners."""
    x, y = corner
    width, height = size_mm
    if radius_mm <= 0:
        return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    outline = []
    middles: tuple[Point, ...] = ((width - radius_mm, radius_mm), (width - radius_mm, height - radius_mm))
    middles += ((radius_mm, height - radius_mm), (radius_mm, radius_mm))
    for quarter, (mx, my) in enumerate(middles):
        for step in range(7):
            angle = math.radians(-90 + quarter * 90 + step * 15)
            outline.append((x + mx + radius_mm * math.cos(angle), y + my + radius_mm * math.sin(angle)))
    return outline


def star(
    centre: Point, outer_mm: float, inner_mm: float, points: int, turn_deg: float = -90.0
) -> list[Point]:
    """Return the outline of a star."""
    outline = []
    for step in range(points * 2):
        radius = outer_mm if step % 2 == 0 else inner_mm
        angle = math.radians(turn_deg) + math.pi * step / points
        outline.append((centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)))
    return outline


def placed(points: Sequence[Point], centre: Point, size_mm: float, turn_deg: float = 0.0) -> list[Point]:
    """Carry points drawn in a unit square around (0, 0) to a place and a size."""
    turn = math.radians(turn_deg)
    cos, sin = math.cos(turn) * size_mm, math.sin(turn) * size_mm
    return [(centre[0] + x * cos - y * sin, centre[1] + x * sin + y * cos) for x, y in points]
