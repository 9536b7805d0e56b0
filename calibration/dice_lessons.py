"""Teaches the nets that read dice from composed pictures: numpy only, the same weights from the same seed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from calibration.dice_scenes import STACKED, ComposedDie, ComposedScene
from companion.ports import Pixels
from vision.dice_net import Layer, Net, Values, halved, softmax, unfolded
from vision.dice_views import (
    FINDER_FACE_PX,
    FINDER_PX,
    LEANS_DEG,
    READER_FACE_PX,
    READER_PX,
    cut_out,
)

BATCH = 96
_LEARNING_RATE, _DECAYS = 1.5e-3, (0.9, 0.999)
FINDER_MARGIN_PX = 16  # what a view for the finder shows around its window, for the light


class Lesson(NamedTuple):
    """Views (n, side, side, 3) and what each shows."""

    views: NDArray[Any]
    answers: NDArray[np.int64]


def reader_views(scene: ComposedScene, chance: Generator) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """Give views of the faces of a scene, and of what is no top face, as the reader meets them."""

    def view(centre: NDArray[np.float64], side: float) -> NDArray[np.uint8]:
        return reader_view(scene.pixels, centre, side, chance)

    for die in scene.dice:
        if die.label < 0:
            continue
        centre, side = middle_of(die)
        off = chance.normal(0, 0.06, 2) * side
        for _ in range(2):
            aside = chance.normal(0, 0.06, 2) * side
            yield view(centre + aside, side * float(np.exp(chance.normal(0, 0.12)))), die.label
        for other in die.other_centres_px:
            if chance.random() < 0.25:
                yield view(other, side * float(chance.uniform(0.6, 1.1))), 0
        if chance.random() < 0.4:  # as large as a pip, somewhere on the face
            spot = centre + chance.uniform(-0.35, 0.35, 2) * side
            yield view(spot, side * float(chance.uniform(0.12, 0.4))), 0
        if chance.random() < 0.35:
            way = chance.uniform(0, 2 * math.pi)
            shift = np.array((math.cos(way), math.sin(way))) * side * chance.uniform(0.5, 1.1)
            yield view(centre + shift, side * float(chance.uniform(0.7, 1.4))), 0
        if chance.random() < 0.25:
            scale = float(chance.choice([chance.uniform(0.35, 0.6), chance.uniform(1.7, 3.0)]))
            yield view(centre + off, side * scale), 0
    for _ in range(2):
        spot, side = chance.uniform(10, scene.pixels.shape[0] - 10, 2), float(chance.uniform(8, 40))
        if is_apart(spot, side, scene.dice):
            yield view(spot, side), 0


def posture_views(scene: ComposedScene, chance: Generator) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """Give views of faces with how far they look away from the camera, or that they lie on another die."""
    for die in scene.dice:
        if die.label > 0:
            centre, side = middle_of(die)
            off = chance.normal(0, 0.05, 2) * side
            size = side * float(np.exp(chance.normal(0, 0.08)))
            lean = int(np.abs(np.array(LEANS_DEG) - die.askew_deg).argmin())
            posture = len(LEANS_DEG) if die.label == STACKED else lean
            yield reader_view(scene.pixels, centre + off, size, chance), posture


def finder_views(scene: ComposedScene, chance: Generator) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """Give views of top faces in the middle, and of all else, as the finder meets them."""

    def view(centre: NDArray[np.float64], side: float) -> NDArray[np.uint8]:
        return finder_view(scene.pixels, centre, side, chance)

    for die in scene.dice:
        if die.label < 0:
            continue
        centre, side = middle_of(die)
        off = chance.uniform(-0.15, 0.15, 2) * side
        yield view(centre + off, side * float(2 ** chance.uniform(-0.22, 0.22))), 1
        way = chance.uniform(0, 2 * math.pi)
        shift = np.array((math.cos(way), math.sin(way))) * side * chance.uniform(0.4, 1.3)
        if is_apart(centre + shift, side * 0.7, scene.dice):
            yield view(centre + shift, side * float(chance.uniform(0.6, 1.6))), 0
        scale = float(chance.choice([chance.uniform(0.3, 0.58), chance.uniform(1.7, 3.2)]))
        yield view(centre + off, side * scale), 0
    for _ in range(5):
        spot, side = chance.uniform(4, scene.pixels.shape[0] - 4, 2), float(chance.uniform(10, 45))
        if is_apart(spot, side, scene.dice):
            yield view(spot, side), 0


def reader_view(
    pixels: Pixels, centre: NDArray[np.float64], face_px: float, chance: Generator
) -> NDArray[np.uint8]:
    """Cut out what the reader sees of a place, turned at random."""
    at = (float(centre[0]), float(centre[1]))
    span = face_px * READER_PX / READER_FACE_PX
    return cut_out(pixels, at, span, READER_PX, float(chance.uniform(0, 360)))


def finder_view(
    pixels: Pixels, centre: NDArray[np.float64], face_px: float, chance: Generator
) -> NDArray[np.uint8]:
    """Cut out what the finder sees of a place, turned at random, with a margin around it."""
    size = FINDER_PX + 2 * FINDER_MARGIN_PX
    at = (float(centre[0]), float(centre[1]))
    return cut_out(pixels, at, face_px * size / FINDER_FACE_PX, size, float(chance.uniform(0, 360)))


def middle_of(die: ComposedDie) -> tuple[NDArray[np.float64], float]:
    """Return the middle of a top face and the side of the square that is as large."""
    x, y = die.corners_px[:, 0], die.corners_px[:, 1]
    area = abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2
    return die.corners_px.mean(0), math.sqrt(area)


def is_apart(spot: NDArray[np.float64], side: float, dice: Sequence[ComposedDie]) -> bool:
    """Tell whether a spot is no die's middle at that size."""
    for die in dice:
        centre, own = middle_of(die)
        if np.hypot(*(centre - spot)) < 0.4 * own and 0.6 < side / own < 1.7:
            return False
    return True


class _Trained:
    """A layer while it learns: its numbers, and their running means (Adam)."""

    def __init__(self, layer: Layer) -> None:
        self.side, _, self.given, self.out = layer.weights.shape
        self.halves, self.is_last = layer.halves, layer.is_last
        self.values = [layer.weights.reshape(-1, self.out).copy(), layer.bias.copy()]
        self._means = [np.zeros_like(v) for v in self.values]
        self._squares = [np.zeros_like(v) for v in self.values]
        self._kept: tuple[NDArray[np.float32], ...] = ()

    def forward(self, x: Values) -> Values:
        n, height, width, _ = x.shape
        h, w = height - self.side + 1, width - self.side + 1
        columns = unfolded(x, self.side)
        y = (columns @ self.values[0] + self.values[1]).reshape(n, h, w, self.out)
        if not self.is_last:
            np.maximum(y, 0, out=y)
        result = halved(y) if self.halves else y
        self._kept = (x, columns, y, result)
        return result

    def backward(self, slope: Values, *, is_first: bool) -> tuple[Values, list[Values]]:
        x, columns, y, result = self._kept
        n, h, w, _ = y.shape
        if self.halves:
            full = np.zeros_like(y)
            for i in (0, 1):
                for j in (0, 1):
                    cells = (slice(None), slice(i, h // 2 * 2, 2), slice(j, w // 2 * 2, 2))
                    np.multiply(slope, y[cells] == result, out=full[cells])
            slope = full
        if not self.is_last:
            slope = slope * (y > 0)
        flat = slope.reshape(-1, self.out)
        slopes = [columns.T @ flat, flat.sum(0)]
        if is_first:
            return x, slopes
        back = (flat @ self.values[0].T).reshape(n, h, w, self.side, self.side, self.given)
        before = np.zeros_like(x)
        for i in range(self.side):
            for j in range(self.side):
                before[:, i : i + h, j : j + w] += back[:, :, :, i, j]
        return before, slopes

    def step(self, slopes: list[Values], rate: float, number: int) -> None:
        size = rate * math.sqrt(1 - _DECAYS[1] ** number) / (1 - _DECAYS[0] ** number)
        for place, slope in enumerate(slopes):
            self._means[place] += (1 - _DECAYS[0]) * (slope - self._means[place])
            self._squares[place] += (1 - _DECAYS[1]) * (slope * slope - self._squares[place])
            self.values[place] -= size * self._means[place] / (np.sqrt(self._squares[place]) + 1e-7)

    def finished(self) -> Layer:
        shape = (self.side, self.side, self.given, self.out)
        return Layer(self.values[0].reshape(shape), self.values[1], is_last=self.is_last, halves=self.halves)


Shape = Sequence[tuple[int, int, bool]]
"""Of each layer: the side of its windows, what it gives out, whether it halves."""

FINDER_SHAPE: Shape = ((3, 12, True), (3, 24, True), (3, 32, False), (5, 48, False), (1, 2, False))
READER_SHAPE: Shape = (
    (3, 16, True), (3, 32, True), (3, 48, False), (3, 48, False), (6, 64, False), (1, 9, False),
)  # fmt: skip


def with_new_end(net: Net, out: int, seed: int) -> Net:
    """Return a net that sees as another does and has yet to learn what it is asked."""
    kept = [(layer.weights.shape[0], layer.weights.shape[3], layer.halves) for layer in net.layers[:-2]]
    side = net.layers[-2].weights.shape[0]
    fresh = untaught((*kept, (side, 24, False), (1, out, False)), seed)
    return Net((*net.layers[:-2], *fresh.layers[-2:]))


def untaught(shape: Shape, seed: int) -> Net:
    """Return a net of a shape that knows nothing yet."""
    chance = np.random.default_rng(seed)
    layers, given = [], 3
    for place, (side, out, halves) in enumerate(shape):
        is_last = place == len(shape) - 1
        spread = math.sqrt((1.0 if is_last else 2.0) / (side * side * given))
        weights = chance.normal(0, spread, (side, side, given, out)).astype(np.float32)
        layers.append(Layer(weights, np.zeros(out, np.float32), is_last=is_last, halves=halves))
        given = out
    return Net(tuple(layers))


Prepare = Callable[[NDArray[Any]], Values]
"""Turns views into what a net is shown."""


def teach(
    net: Net, lesson: Lesson, prepare: Prepare, *, rounds: int, seed: int, told: Callable[[str], None]
) -> Net:
    """Teach a net further, from what it knows; it sees every view once a round."""
    chance = np.random.default_rng(seed)
    layers = [_Trained(layer) for layer in net.layers]
    steps, number = rounds * (len(lesson.answers) // BATCH), 0
    for lap in range(rounds):
        order = chance.permutation(len(lesson.answers))
        loss = right = 0.0
        for first in range(0, len(order) - BATCH + 1, BATCH):
            chosen = order[first : first + BATCH]
            answers = lesson.answers[chosen]
            chances = _shown(layers, prepare(_turned(lesson.views[chosen], chance)))
            picked = chances[np.arange(BATCH), answers]
            loss -= float(np.log(np.maximum(picked, 1e-9)).sum())
            right += float((chances.argmax(1) == answers).sum())
            number += 1
            rate = _LEARNING_RATE * _pace(number / steps)
            _correct(layers, chances, answers, rate, number)
        seen = len(order) // BATCH * BATCH
        told(f"round {lap + 1} of {rounds}: loss {loss / seen:.4f}, right {right / seen:.4f}")
    return Net(tuple(layer.finished() for layer in layers))


def _shown(layers: Sequence[_Trained], x: Values) -> Values:
    for layer in layers:
        x = layer.forward(x)
    return softmax(x[:, 0, 0])


def _correct(
    layers: Sequence[_Trained], chances: Values, answers: NDArray[np.int64], rate: float, number: int
) -> None:
    """Move all layers a little towards the answers."""
    wanted = np.zeros_like(chances)
    wanted[np.arange(len(answers)), answers] = 1.0
    slope: Values = np.asarray((chances - wanted) / len(answers), np.float32)[:, None, None, :]
    for place in range(len(layers) - 1, -1, -1):
        slope, slopes = layers[place].backward(slope, is_first=place == 0)
        layers[place].step(slopes, rate, number)


def _pace(done: float) -> float:
    """Return how large steps are, of the largest: they grow at first and fade towards the end of a lesson."""
    return min(1.0, done / 0.05) * (0.51 + 0.49 * math.cos(math.pi * done))


def _turned(views: NDArray[Any], chance: Generator) -> NDArray[Any]:
    """Mirror a batch, turn it by quarters and swap its colours at random: a die stays what it is."""
    views = np.rot90(views, int(chance.integers(4)), (1, 2))
    if chance.random() < 0.5:
        views = views[:, :, ::-1]
    return np.asarray(views[..., chance.permutation(3)])
