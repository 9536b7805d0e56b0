"""Pictures of dice that nobody had to photograph: composed at random, with what each die shows.

For teaching the nets that read dice, and for nothing else; every choice is by the seed.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.ports import Pixels
from hardware.simulated.art.dice import DieLook, LaidDie, Lamp, Points, Project, draw_dice, faces_of

SIDE_PX = 256
COCKED, STACKED, CLASSES = 7, 8, 9


class ComposedDie(NamedTuple):
    """A die in a composed picture: its class, its top face (4, 2), and other faces in sight (n, 2).

    ``askew_deg`` is how far its top face looks away from the camera.
    """

    label: int
    corners_px: Points
    other_centres_px: Points
    askew_deg: float


class ComposedScene(NamedTuple):
    pixels: Pixels
    dice: tuple[ComposedDie, ...]


def compose(chance: Generator, *, stacked: float = 0.07) -> ComposedScene:
    """Compose one picture, SIDE_PX square; ``stacked`` is the share of dice with another upon them."""
    pixels = _ground(chance)
    for _ in range(int(chance.integers(0, 5))):
        _lookalike(pixels, chance)
    edge_px = float(chance.uniform(17, 36))
    project = _view(chance, edge_px)
    dice, labels = _throw(chance, stacked)
    towards = (*chance.uniform(-0.8, 0.8, 2), chance.uniform(0.5, 1.0))
    lamp = Lamp(towards, float(chance.uniform(0.35, 0.9)), float(chance.uniform(0, 0.75)))
    draw_dice(pixels, project, dice, lamp)
    seen = []
    for die, label in zip(dice, labels, strict=True):
        top, *others = faces_of(die, project)
        middles = np.array([face.corners_px.mean(0) for face in others]).reshape(-1, 2)
        seen.append(ComposedDie(label, top.corners_px, middles, _askew_deg(top.corners_px)))
    return ComposedScene(_photographed(pixels, chance), tuple(seen))


def _askew_deg(corners_px: Points) -> float:
    """Return how far a square looks away from the camera: one way it is shorter than the other."""
    along = (corners_px[1] - corners_px[0] + corners_px[2] - corners_px[3]) / 2
    across = (corners_px[3] - corners_px[0] + corners_px[2] - corners_px[1]) / 2
    long, short = np.linalg.svd(np.stack([along, across]), compute_uv=False)
    return math.degrees(math.acos(min(1.0, short / long)))


def _view(chance: Generator, edge_px: float) -> Project:
    tilt = abs(float(chance.normal(0, 0.28))) if chance.random() < 0.9 else float(chance.uniform(0, 0.85))
    way = float(chance.uniform(0, 2 * math.pi))
    axis = np.array([math.cos(way), math.sin(way), 0.0]) * min(tilt, 0.85)
    rotation = np.asarray(cv2.Rodrigues(axis)[0], np.float64)
    far = float(chance.uniform(8, 40))

    def project(points: Points) -> Points:
        seen = points @ rotation.T
        return np.asarray(seen[:, :2] * (edge_px / (1 - seen[:, 2:] / far)) + SIDE_PX / 2)

    return project


def _throw(chance: Generator, stacked: float) -> tuple[list[LaidDie], list[int]]:
    """Lay dice of edge one or so, now and then leaning or one upon another."""
    dice: list[LaidDie] = []
    labels: list[int] = []
    base = _look(chance)
    is_crowd = chance.random() < 0.4
    for _ in range(int(chance.integers(1, 10))):
        edge = float(chance.uniform(0.8, 1.25))
        reach = 1.4 if is_crowd else 3.4
        for _ in range(12):
            x, y = chance.uniform(-reach, reach, 2)
            if all(
                math.hypot(x - d.centre_mm[0], y - d.centre_mm[1]) > (edge + d.edge_mm) * 0.62 for d in dice
            ):
                break
        else:
            continue
        look = base if chance.random() < 0.4 else _look(chance)
        value, turn = int(chance.integers(1, 7)), float(chance.uniform(0, 360))
        kind = chance.random()
        lean = float(chance.uniform(13, 42)) if kind < 0.08 else 0.0
        lift = (
            edge / 2
            if not lean
            else edge * 0.5 * (math.cos(math.radians(lean)) + math.sin(math.radians(lean)))
        )
        die = LaidDie(
            value,
            (x, y, lift),
            edge,
            turn,
            lean,
            float(chance.uniform(0, 360)),
            int(chance.integers(4)),
            look,
        )
        dice.append(die)
        labels.append(COCKED if lean else value)
        if 0.08 <= kind < 0.08 + stacked:
            labels[-1] = -1  # covered: neither an answer nor an empty place
            upper = float(edge * chance.uniform(0.85, 1.1))
            dx, dy = chance.uniform(-0.28, 0.28, 2) * edge
            on_top = LaidDie(
                int(chance.integers(1, 7)), (x + dx, y + dy, edge + upper / 2), upper,
                float(chance.uniform(0, 360)), spin=int(chance.integers(4)),
                look=base if chance.random() < 0.5 else _look(chance),
            )  # fmt: skip
            dice.append(on_top)
            labels.append(STACKED)
    return dice, labels


def _look(chance: Generator) -> DieLook:
    style = chance.random()
    if style < 0.3:  # ivory, white, yellowed
        body = np.array([200, 225, 235]) + chance.normal(0, 22, 3)
        pip = chance.choice([(25, 25, 25), (30, 30, 170), (150, 50, 30)], p=[0.7, 0.15, 0.15]).astype(float)
    else:
        body = _hue(chance)
        pip = np.full(3, float(chance.choice([20, 235], p=[0.35, 0.65])))
        if chance.random() < 0.3:
            pip = _hue(chance)
    pip = pip + chance.normal(0, 10, 3)
    body = np.clip(body, 5, 250)
    for _ in range(20):  # pips that nobody could see teach nothing
        if np.abs(pip - body).max() > 45:
            break
        pip = _hue(chance)
    swirl = tuple(_hue(chance, near=body)) if chance.random() < 0.35 else None
    return DieLook(
        tuple(body), tuple(np.clip(pip, 0, 255)), float(chance.uniform(0.04, 0.26)),
        float(chance.uniform(0.065, 0.12)), float(chance.uniform(0.21, 0.29)), swirl,
        float(chance.uniform(0.2, 0.95)) if chance.random() < 0.35 else 0.0,
        float(chance.choice([1.0, 1.6], p=[0.85, 0.15])),
        float(chance.uniform(0.1, 0.6)) if chance.random() < 0.35 else 0.0,
    )  # fmt: skip


def _hue(chance: Generator, near: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    hsv = np.array([[[chance.integers(180), chance.integers(60, 256), chance.integers(25, 250)]]], np.uint8)
    mixed = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float64)
    if near is None:
        return np.asarray(mixed)
    return np.asarray(np.clip(near + (mixed - near) * chance.uniform(0.2, 0.7), 0, 255))


def _ground(chance: Generator) -> Pixels:
    base = (
        _hue(chance)
        if chance.random() < 0.35
        else np.full(3, chance.uniform(10, 240)) + chance.normal(0, 8, 3)
    )
    ground = np.full((SIDE_PX, SIDE_PX, 3), base, np.float32)
    tone = np.ones((SIDE_PX, SIDE_PX), np.float32)
    for _ in range(int(chance.integers(0, 4))):  # cloth, felt, wood: rough at some scale, often along one way
        rows, columns = (max(2, int(SIDE_PX / 1.35 ** chance.uniform(0, 13))) for _ in range(2))
        rough = chance.normal(0, chance.uniform(0.02, 0.16), (rows, columns)).astype(np.float32)
        tone += np.asarray(cv2.resize(rough, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC))
    if chance.random() < 0.35:  # leather, towels, carpet: grain as large as pips
        for _ in range(2):
            cells = max(4, int(SIDE_PX / 1.35 ** chance.uniform(1, 8)))
            rough = chance.normal(0, chance.uniform(0.05, 0.35), (cells, cells)).astype(np.float32)
            tone += np.asarray(cv2.resize(rough, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC))
    if chance.random() < 0.5:
        way = chance.uniform(-1, 1, 2)
        ramp = np.linspace(-1, 1, SIDE_PX, dtype=np.float32)
        tone += (ramp[None, :] * way[0] + ramp[:, None] * way[1]).astype(np.float32) * 0.3
    if chance.random() < 0.2:  # the edge of a shadow or of a tray
        mask = np.zeros_like(tone)
        corners = chance.uniform(-0.3, 1.3, (4, 2)) * SIDE_PX
        cv2.fillConvexPoly(mask, cv2.convexHull(corners.astype(np.int32)), 1.0)
        tone *= 1 - chance.uniform(0.1, 0.7) * cv2.GaussianBlur(mask, (0, 0), float(chance.uniform(0.5, 8)))
    return np.asarray(np.clip(ground * tone[..., None], 0, 255), np.uint8)


class _Thing(NamedTuple):
    """Something flat that is drawn on the ground: where, how large, in which two colours."""

    pixels: Pixels
    at: NDArray[np.int64]
    size: float
    shade: list[float]
    mark: list[float]

    @property
    def centre(self) -> tuple[int, int]:
        return int(self.at[0]), int(self.at[1])

    def dot(self, spot: NDArray[np.float64], radius: float) -> None:
        where = (int(spot[0]), int(spot[1]))
        cv2.circle(self.pixels, where, max(1, int(radius)), self.mark, -1, cv2.LINE_AA)


def _lookalike(pixels: Pixels, chance: Generator) -> None:
    """Draw what is no die: discs, cards, letters, squares, dots without a body, buttons, dominoes."""
    at, size = chance.integers(10, SIDE_PX - 10, 2), float(chance.uniform(5, 50))
    shade, mark = _hue(chance).tolist(), _hue(chance).tolist()
    if chance.random() < 0.4:
        shade, mark = [235.0, 240.0, 240.0], [20.0, 20.0, 20.0]
    draw = (_disc, _square, _letters, _card, _dots, _strokes)[int(chance.integers(6))]
    draw(_Thing(pixels, at, size, shade, mark), chance)


def _disc(thing: _Thing, chance: Generator) -> None:
    cv2.circle(thing.pixels, thing.centre, int(thing.size * 0.6), thing.shade, -1, cv2.LINE_AA)
    if chance.random() < 0.6:
        holes = int(chance.integers(1, 6))
        for turn in np.arange(holes) * 2 * math.pi / holes:
            way = np.array((math.cos(turn), math.sin(turn)))
            thing.dot(thing.at + way * thing.size * 0.25, thing.size * 0.09)


def _square(thing: _Thing, chance: Generator) -> None:
    _quad(thing, thing.size * float(chance.uniform(0.8, 2.5)), chance)


def _quad(thing: _Thing, width: float, chance: Generator) -> NDArray[np.float32]:
    turn = float(chance.uniform(0, 90))
    box = cv2.boxPoints(((float(thing.at[0]), float(thing.at[1])), (width, thing.size), turn))
    cv2.fillConvexPoly(thing.pixels, np.round(box).astype(np.int32), thing.shade, cv2.LINE_AA)
    return np.asarray(box, np.float32)


def _letters(thing: _Thing, chance: Generator) -> None:
    text = "".join(chance.choice(list("ABEGIMORSTabegiors0123456789:.%&"), int(chance.integers(1, 8))))
    font, thick = int(chance.integers(0, 5)), 1 + int(thing.size / 18)
    cv2.putText(thing.pixels, text, thing.centre, font, thing.size / 40 + 0.2, thing.mark, thick, cv2.LINE_AA)


def _card(thing: _Thing, chance: Generator) -> None:
    """A flat card or domino with dots as dice have them, wider spaced or beside each other."""
    box = _quad(thing, thing.size * float(chance.choice([1.0, 1.9, 2.8])), chance)
    along, across = (box[1] - box[0]), (box[2] - box[1])
    for a, b in chance.uniform(0.12, 0.88, (int(chance.integers(1, 9)), 2)).round(1):
        thing.dot(np.asarray(box[0] + along * a + across * b, np.float64), thing.size * 0.1)


def _dots(thing: _Thing, chance: Generator) -> None:
    for spot in chance.normal(0, thing.size * 0.5, (int(chance.integers(1, 9)), 2)) + thing.at:
        thing.dot(spot, float(chance.integers(1, 5)))


def _strokes(thing: _Thing, chance: Generator) -> None:
    ends = chance.normal(0, thing.size, (int(chance.integers(2, 7)), 2)) + thing.at
    is_closed, thick = bool(chance.random() < 0.5), int(chance.integers(1, 4))
    cv2.polylines(thing.pixels, [ends.astype(np.int32)], is_closed, thing.mark, thick, cv2.LINE_AA)


def _photographed(pixels: Pixels, chance: Generator) -> Pixels:
    """Let light, lens, sensor and JPEG have their way."""
    seen = pixels.astype(np.float32)
    seen *= (chance.uniform(0.55, 1.25) * (1 + chance.normal(0, 0.1, 3))).astype(np.float32)
    if chance.random() < 0.5:
        seen = np.asarray(255 * (np.clip(seen, 0, 255) / 255) ** float(chance.uniform(0.7, 1.4)), np.float32)
    blur = float(chance.uniform(0, 1.3))
    if blur > 0.3:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), blur), np.float32)
    if chance.random() < 0.3:  # a phone sharpens
        soft = cv2.GaussianBlur(seen, (0, 0), 1.5)
        seen += (seen - soft) * float(chance.uniform(0.3, 1.2))
    noisy = seen + chance.normal(0, chance.uniform(0.5, 7), seen.shape)
    flat = np.clip(noisy, 0, 255).astype(np.uint8)
    if chance.random() < 0.7:
        _, coded = cv2.imencode(".jpg", flat, [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(45, 96))])
        flat = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return flat
