"""Six-sided dice in space: rounded bodies, pips on every face, gloss, and the shadow that they throw.

Drawn through any projection, so that a simulated table and views composed for teaching share them.
Millimetres of the table: x to the right, y down the picture, z up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Pixels

Points = NDArray[np.float64]
Project = Callable[[Points], Points]
"""Carries points of the table, (n, 3) in mm, to the picture, (n, 2) in px."""

_FINE = 4  # drawn so many times finer than the picture, against jagged edges
_FINE_MOST_PX = 720
# Body axes of each face: where it looks, and the two ways along it; opposite faces add up to seven.
_NORMALS = {1: (0, 0, 1), 6: (0, 0, -1), 2: (0, 1, 0), 5: (0, -1, 0), 3: (1, 0, 0), 4: (-1, 0, 0)}
_CORNER, _SIDE = ((-1, -1), (1, 1), (-1, 1), (1, -1)), ((-1, 0), (1, 0))
PIPS = {1: ((0, 0),), 2: _CORNER[:2], 3: ((0, 0), *_CORNER[:2]), 4: _CORNER, 5: ((0, 0), *_CORNER)}
PIPS[6] = (*_CORNER, *_SIDE)
_ROUND = [(math.cos(t), math.sin(t)) for t in np.linspace(0, 2 * math.pi, 20, endpoint=False)]


@dataclass(frozen=True, slots=True)
class DieLook:
    """How a die is made. Colours are blue-green-red; the rest are shares of its edge."""

    body: tuple[float, float, float] = (235.0, 240.0, 240.0)
    pip: tuple[float, float, float] = (25.0, 25.0, 25.0)
    rounding: float = 0.14
    pip_radius: float = 0.09
    spread: float = 0.25  # from the middle of a face to the pips at its corners
    swirl: tuple[float, float, float] | None = None
    gloss: float = 0.0
    lone_pip: float = 1.0  # how much larger the pip of the one is
    hollow: float = 0.0  # how light the rim of a sunken pip shines


@dataclass(frozen=True, slots=True)
class LaidDie:
    """A die as it lies: its middle on the table, turned, leaning by ``lean_deg``."""

    value: int
    centre_mm: tuple[float, float, float]
    edge_mm: float = 16.0
    turn_deg: float = 0.0
    lean_deg: float = 0.0
    lean_way_deg: float = 0.0
    spin: int = 0  # which of the four side faces looks where
    look: DieLook = DieLook()


@dataclass(frozen=True, slots=True)
class Lamp:
    """Where light comes from, and the share that comes from everywhere."""

    towards: tuple[float, float, float] = (-0.45, -0.6, 0.66)
    ambient: float = 0.55
    shadow: float = 0.45


class DrawnFace(NamedTuple):
    """A face that can be seen: its value and its corners in the picture, (4, 2)."""

    value: int
    corners_px: Points
    up: float


def standing(x_mm: float, y_mm: float, edge_mm: float) -> tuple[float, float, float]:
    """Return the middle of a die that stands flat on the table."""
    return (x_mm, y_mm, edge_mm / 2)


def draw_dice(pixels: Pixels, project: Project, dice: Sequence[LaidDie], lamp: Lamp = Lamp()) -> None:
    """Draw dice and their shadows in place, the lowest first."""
    for die in dice:
        _draw_shadow(pixels, project, die, lamp)
    for die in sorted(dice, key=lambda each: (each.centre_mm[2], _nearness(each, project))):
        _draw_body(pixels, project, die, lamp)


def _nearness(die: LaidDie, project: Project) -> float:
    """Return how near the camera a die stands: what is tall leans away from it in the picture."""
    foot = np.array(die.centre_mm)
    at, above = project(np.array([foot, foot + np.array((0.0, 0.0, die.edge_mm))]))
    lean = above - at
    return float(-(lean @ at) / max(float(np.linalg.norm(lean)), 1e-6))


def faces_of(die: LaidDie, project: Project) -> list[DrawnFace]:
    """Return the faces of a die that the picture shows, the one that looks up most first."""
    axes = _axes(die)
    found = []
    for value, normal, along, across in _sides():
        out, u, v = axes @ normal, axes @ along, axes @ across
        middle = np.array(die.centre_mm) + out * die.edge_mm / 2
        square = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        corners = project(np.array([middle + (a * u + b * v) * die.edge_mm / 2 for a, b in square]))
        if _area(corners) > 0:
            found.append(DrawnFace(value, corners, float(out[2])))
    return sorted(found, key=lambda face: -face.up)


def _sides() -> Iterator[tuple[int, Points, Points, Points]]:
    for value, normal in _NORMALS.items():
        out = np.array(normal, float)
        along = np.array((0.0, 0.0, 1.0) if abs(out[2]) < 0.5 else (1.0, 0.0, 0.0))
        yield value, out, along, np.cross(out, along)


def _axes(die: LaidDie) -> Points:
    """Return the rotation from body to table, (3, 3)."""
    normal = np.array(_NORMALS[die.value], float)
    up = np.array((0.0, 0.0, 1.0))
    cross, cos = np.cross(normal, up), float(normal @ up)
    if cos < -0.5:
        lift = np.diag((1.0, -1.0, -1.0))
    else:
        skew = np.array(((0, -cross[2], cross[1]), (cross[2], 0, -cross[0]), (-cross[1], cross[0], 0)))
        lift = np.eye(3) + skew + skew @ skew / (1 + cos)
    spun = _about((0, 0, 1), die.turn_deg + 90.0 * die.spin) @ lift
    way = math.radians(die.lean_way_deg)
    return _about((math.cos(way), math.sin(way), 0), die.lean_deg) @ spun


def _about(axis: Sequence[float], angle_deg: float) -> Points:
    rotation, _ = cv2.Rodrigues(np.array(axis, float) * math.radians(angle_deg))
    return np.asarray(rotation, np.float64)


def _area(corners: Points) -> float:
    x, y = corners[:, 0], corners[:, 1]
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def _surface(die: LaidDie) -> Points:
    """Return points all over the rounded corners, in mm."""
    radius = die.look.rounding * die.edge_mm
    inner = die.edge_mm / 2 - radius
    ways = np.array([(a, b, c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1) if a or b or c])
    signs = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    ball = ways / np.linalg.norm(ways, axis=1, keepdims=True) * radius
    body = (signs[:, None] * inner + ball[None]).reshape(-1, 3)
    return np.asarray(body @ _axes(die).T + np.array(die.centre_mm))


def _draw_shadow(pixels: Pixels, project: Project, die: LaidDie, lamp: Lamp) -> None:
    surface = _surface(die)
    towards = np.array(lamp.towards)
    fallen = surface - towards / max(towards[2], 0.2) * surface[:, 2:]
    hull = cv2.convexHull(project(fallen).astype(np.float32))[:, 0]
    soft = max(0.6, float(np.ptp(hull[:, 0])) * 0.05)
    window = _window(hull, pixels.shape[:2], soft * 3)
    if window is None:
        return
    left, top, right, bottom = window
    mask = np.zeros((bottom - top, right - left), np.float32)
    cv2.fillConvexPoly(mask, np.round((hull - (left, top)) * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), soft), np.float32)
    patch = pixels[top:bottom, left:right]
    patch[:] = (patch * (1 - lamp.shadow * mask[..., None])).astype(np.uint8)


def _draw_body(pixels: Pixels, project: Project, die: LaidDie, lamp: Lamp) -> None:
    hull = cv2.convexHull(project(_surface(die)).astype(np.float32))[:, 0]
    window = _window(hull, pixels.shape[:2], 2.0)
    if window is None:
        return
    left, top, right, bottom = window
    fine = max(1, min(_FINE, _FINE_MOST_PX // max(right - left, bottom - top)))
    size_wh = ((right - left) * fine, (bottom - top) * fine)

    def to_fine(points: Points) -> Points:
        return np.asarray((points - (left, top) + 0.5) * fine - 0.5)

    canvas = _Canvas(size_wh, die, lamp, lambda at: to_fine(project(at)))
    canvas.paint(to_fine(np.asarray(hull, np.float64)))
    small = (right - left, bottom - top)
    art = np.asarray(cv2.resize(canvas.art, small, interpolation=cv2.INTER_AREA), np.float32)
    alpha = np.asarray(cv2.resize(canvas.mask, small, interpolation=cv2.INTER_AREA), np.float32)[..., None]
    patch = pixels[top:bottom, left:right]
    patch[:] = np.clip(patch * (1 - alpha) + art * alpha, 0, 255).astype(np.uint8)


def _window(hull: NDArray[Any], shape_hw: tuple[int, int], margin: float) -> tuple[int, int, int, int] | None:
    low, high = np.floor(hull.min(0) - margin).astype(int), np.ceil(hull.max(0) + margin).astype(int)
    left, top = max(0, int(low[0])), max(0, int(low[1]))
    right, bottom = min(shape_hw[1], int(high[0]) + 1), min(shape_hw[0], int(high[1]) + 1)
    return None if right - left < 2 or bottom - top < 2 else (left, top, right, bottom)


class _Canvas:
    """One die drawn finely: its art, (height, width, 3), and its mask from 0 to 1."""

    def __init__(self, size_wh: tuple[int, int], die: LaidDie, lamp: Lamp, project: Project) -> None:
        self.mask = np.zeros(size_wh[::-1], np.float32)
        self.art = np.zeros((*size_wh[::-1], 3), np.float32)
        self._die, self._lamp, self._project = die, lamp, project
        self._axes = _axes(die)

    def paint(self, hull: Points) -> None:
        self._fill(self.mask, hull, 1.0)
        look, reach = self._die.look, math.sqrt(max(_area(hull), 1.0))
        body = self._body()
        tone = np.full(self.mask.shape, self._lamp.ambient + (1 - self._lamp.ambient) * 0.35, np.float32)
        visible = [side for side in _sides() if _area(self._square(*side[1:], 0.5)) > 0]
        flat = 0.5 - look.rounding * 0.75
        for _, normal, along, across in visible:
            self._fill(tone, self._square(normal, along, across, flat), self._tone(normal))
        tone = np.asarray(cv2.GaussianBlur(tone, (0, 0), max(0.6, reach * look.rounding * 0.22)), np.float32)
        self.art = body * tone[..., None]
        for value, normal, along, across in visible:
            self._pips(value, normal, along, across)
        if look.gloss > 0:
            self._shine(reach)

    def _body(self) -> NDArray[np.float32]:
        look = self._die.look
        body = np.full(self.art.shape, look.body, np.float32)
        if look.swirl is None:
            return body
        chance = np.random.default_rng(self._die.value * 97 + int(self._die.turn_deg * 10) % 9973)
        rough = chance.normal(0, 1, (6, 6)).astype(np.float32)
        size = self.mask.shape[::-1]
        share = np.clip(cv2.resize(rough, size, interpolation=cv2.INTER_CUBIC) + 0.4, 0, 1)[..., None]
        return np.asarray(body * (1 - share) + np.array(look.swirl, np.float32) * share, np.float32)

    def _tone(self, normal: Points) -> float:
        facing = float(self._axes @ normal @ np.array(self._lamp.towards))
        return self._lamp.ambient + (1 - self._lamp.ambient) * max(0.0, facing) * 1.3

    def _square(self, normal: Points, along: Points, across: Points, half: float) -> Points:
        corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        return self._on_face(normal, along, across, [(a * half, b * half) for a, b in corners])

    def _on_face(
        self, normal: Points, along: Points, across: Points, spots: Sequence[tuple[float, float]]
    ) -> Points:
        """Carry spots of a face, in shares of the edge from its middle, to the fine picture."""
        edge = self._die.edge_mm
        body = np.array([normal / 2 + a * along + b * across for a, b in spots]) * edge
        return self._project(body @ self._axes.T + np.array(self._die.centre_mm))

    def _pips(self, value: int, normal: Points, along: Points, across: Points) -> None:
        look, tone = self._die.look, self._tone(normal)
        radius = look.pip_radius * (look.lone_pip if value == 1 else 1.0)
        fill = np.array(look.pip, np.float64) * (0.25 + 0.75 * tone)
        for a, b in PIPS[value]:
            centre = (a * look.spread, b * look.spread)
            ring = [(centre[0] + x * radius, centre[1] + y * radius) for x, y in _ROUND]
            outline = self._on_face(normal, along, across, ring)
            self._fill(self.art, outline, fill)
            if look.hollow > 0:
                middle = outline.mean(0)
                away = np.array(self._lamp.towards[:2]) * -0.3 * np.ptp(outline, axis=0)
                shine = fill + (np.array(look.body) - fill) * look.hollow
                self._fill(self.art, middle + (outline - middle) * 0.35 + away, shine)

    def _shine(self, reach: float) -> None:
        """Let the lamp mirror along an edge of the top face and on a spot of it."""
        chance = np.random.default_rng(int(self._die.turn_deg * 100) % 99991 + self._die.value)
        light = np.zeros(self.mask.shape, np.float32)
        top = self._square(*self._upmost(), 0.5 - self._die.look.rounding * 0.5)
        first = int(chance.integers(4))
        ends = np.round(top[[first, (first + 1) % 4]] * 16).astype(np.int32)
        thick = max(1, round(reach * self._die.look.rounding * 0.35))
        cv2.line(light, ends[0].tolist(), ends[1].tolist(), 1.0, thick, cv2.LINE_AA, 4)
        if chance.random() < 0.5:
            share = chance.uniform(0.1, 0.9, 2)
            spot = top[0] + (top[1] - top[0]) * share[0] + (top[3] - top[0]) * share[1]
            axes = tuple(int(reach * x) + 1 for x in chance.uniform(0.03, 0.14, 2))
            where = (int(spot[0]), int(spot[1]))
            cv2.ellipse(light, where, axes, float(chance.uniform(0, 180)), 0, 360, 1.0, -1, cv2.LINE_AA)
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), max(0.6, reach * 0.02)), np.float32)
        self.art += (250.0 - self.art) * (light * self._die.look.gloss)[..., None]

    def _upmost(self) -> tuple[Points, Points, Points]:
        return max((side[1:] for side in _sides()), key=lambda side: float((self._axes @ side[0])[2]))

    @staticmethod
    def _fill(canvas: NDArray[np.float32], outline: Points, fill: float | Points) -> None:
        points = np.round(outline * 16).astype(np.int32)
        shade = float(fill) if isinstance(fill, float) else [float(each) for each in fill]
        cv2.fillPoly(canvas, [points], shade, cv2.LINE_AA, 4)
