"""The arm that reaches into a picture: a sleeve of the seat's coat, a cuff, a pinching hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from companion.ports import Pixels
from hardware.simulated.art.sheet import (
    INK,
    LABEL,
    SEATS,
    WHITE,
    Colour,
    Point,
    Sheet,
    colour,
    hue,
    mix,
    ring,
)

_ARM_MM = (140.0, 620.0)
_TIP_MM = (70.0, 14.0)
_PX_PER_MM = 2.0
_SKINS = ("#E3B08F", "#8D5A3C", "#C98A62", "#F0C8A8")


@dataclass(frozen=True, slots=True)
class Pose:
    """Where the fingertips are in the picture, and whence the arm comes.

    ``from_deg``: 0 from below, 90 from the left, 180 from above, 270 from the right.
    """

    tip_px: tuple[float, float]
    from_deg: float


class Arms:
    """The arms of all seats, drawn once each."""

    def __init__(self, players: tuple[str, ...]) -> None:
        self._drawn = {seat: _drawn(seat, number) for number, seat in enumerate(players)}

    def over(self, picture: Pixels, seat: str, pose: Pose, px_per_mm: float) -> Pixels:
        """Return the picture with the seat's arm in it, and the shadow of the arm."""
        pixels, alpha = self._drawn[seat]
        size = (picture.shape[1], picture.shape[0])
        affine = _affine(pose, px_per_mm)
        mask = cv2.warpAffine(alpha, affine, size)
        shadow = affine.copy()
        shadow[:, 2] += 9.0 * px_per_mm, 13.0 * px_per_mm
        dark = cv2.warpAffine(cv2.blur(alpha, (25, 25)), shadow, size)
        light = cv2.cvtColor(255 - np.asarray(dark, np.uint8) // 2, cv2.COLOR_GRAY2BGR)
        below = cv2.multiply(picture, light, scale=1 / 255.0)
        art = cv2.warpAffine(pixels, affine, size, borderMode=cv2.BORDER_REPLICATE)
        cover = cv2.cvtColor(mask, cv2.COLOR_GRAY2BGR)
        below = cv2.multiply(below, 255 - cover, scale=1 / 255.0)
        return np.asarray(cv2.add(below, cv2.multiply(art, cover, scale=1 / 255.0)), np.uint8)


def _affine(pose: Pose, px_per_mm: float) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    zoom = px_per_mm / _PX_PER_MM
    turn = math.radians(pose.from_deg)
    cos, sin = math.cos(turn) * zoom, math.sin(turn) * zoom
    tip = (_TIP_MM[0] * _PX_PER_MM, _TIP_MM[1] * _PX_PER_MM)
    x, y = pose.tip_px
    return np.array(
        [[cos, -sin, x - cos * tip[0] + sin * tip[1]], [sin, cos, y - sin * tip[0] - cos * tip[1]]],
        np.float64,
    )


def _drawn(seat: str, number: int) -> tuple[Pixels, Pixels]:
    """Draw an arm that points upwards; return its pixels and its alpha."""
    skin = colour(_SKINS[number % len(_SKINS)])
    art = Sheet(_ARM_MM, _PX_PER_MM, INK)
    cuff = SEATS.get(seat, hue(47.0 * number))
    _arm(art, _Inks(skin, mix(skin, INK, 0.35), cuff, mix(LABEL, INK, 0.12)))
    cut = Sheet(_ARM_MM, _PX_PER_MM, (0, 0, 0))
    _arm(cut, _Inks(WHITE, WHITE, WHITE, WHITE))
    return art.finished(), np.ascontiguousarray(cut.finished()[:, :, 0])


@dataclass(frozen=True, slots=True)
class _Inks:
    skin: Colour
    fold: Colour
    cuff: Colour
    coat: Colour


def _arm(sheet: Sheet, inks: _Inks) -> None:
    is_cut = inks.skin == WHITE
    rim = WHITE if is_cut else INK
    sleeve: list[Point] = [(34.0, 150.0), (104.0, 150.0), (122.0, 640.0), (14.0, 640.0)]
    sheet.shape([(48.0, 92.0), (92.0, 92.0), (96.0, 160.0), (44.0, 160.0)], inks.skin, rim, width_mm=1.6)
    _each_finger(lambda a, b, width: sheet.stroke([a, b], rim, width + 2.6))
    sheet.shape(ring((70.0, 78.0), (27.0, 30.0)), inks.skin, rim, width_mm=1.6)
    _each_finger(lambda a, b, width: sheet.stroke([a, b], inks.skin, width))
    sheet.shape(ring((70.0, 80.0), (24.0, 26.0)), inks.skin)
    for top, x, low in ((30.0, 73.0, 60.0), (42.0, 82.5, 66.0)):
        sheet.stroke([(x, top), (x - 0.5, low)], rim, 1.6)  # between the fingers
    for x in (66.0, 77.5, 87.0):
        sheet.stroke([(x - 2.0, 50.0), (x + 2.0, 50.5)], inks.fold, 1.0)
    sheet.stroke([(50.0, 74.0), (57.0, 84.0), (56.0, 96.0)], inks.fold, 1.2)  # the ball of the thumb
    sheet.shape(sleeve, inks.coat, rim, width_mm=2.0)
    sheet.shape([(32.0, 148.0), (106.0, 148.0), (108.0, 172.0), (30.0, 172.0)], inks.cuff, rim, width_mm=1.6)
    for y in (230.0, 330.0, 430.0):
        sheet.stroke([(44.0, y), (70.0, y + 12.0), (92.0, y + 4.0)], mix(inks.coat, rim, 0.35), 1.4)


def _each_finger(draw: Callable[[Point, Point, float], None]) -> None:
    draw((64.0, 60.0), (69.0, 17.0), 11.0)
    draw((77.0, 60.0), (77.0, 24.0), 11.0)
    draw((89.0, 66.0), (87.0, 38.0), 10.0)
    draw((50.0, 76.0), (64.0, 22.0), 12.0)
