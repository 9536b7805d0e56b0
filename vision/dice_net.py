"""A small convolutional network, numpy only: runs over one patch or over a whole picture alike.

Layers without padding, so that what was learnt on patches holds wherever a picture is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float32]

_FLOATS_AT_ONCE = 1 << 22  # floats of unfolded windows held at a time: 16 MB


@dataclass(frozen=True, slots=True)
class Layer:
    """A convolution: ``weights`` (side, side, in, out), ``bias`` (out,), and what follows it."""

    weights: Values
    bias: Values
    is_last: bool = False
    halves: bool = False  # the largest of every 2 x 2 is kept

    def over(self, given: Values) -> Values:
        """Carry (n, height, width, in) through the layer."""
        side, _, _, out = self.weights.shape
        flat = self.weights.reshape(-1, out)
        count, height, width = given.shape[0], given.shape[1] - side + 1, given.shape[2] - side + 1
        result = np.empty((count, height, width, out), np.float32)
        rows = max(1, _FLOATS_AT_ONCE // (count * width * flat.shape[0]))
        for top in range(0, height, rows):
            low = min(top + rows, height)
            columns = unfolded(given[:, top : low + side - 1], side)
            np.add((columns @ flat).reshape(count, low - top, width, out), self.bias, out=result[:, top:low])
        if not self.is_last:
            np.maximum(result, 0, out=result)
        return halved(result) if self.halves else result


def unfolded(given: Values, side: int) -> Values:
    """Return every window of (n, height, width, channels) as a row, (windows, side * side * channels)."""
    count, height, width, channels = given.shape
    height, width = height - side + 1, width - side + 1
    columns = np.empty((count, height, width, side * side, channels), np.float32)
    for i in range(side):
        for j in range(side):
            columns[..., i * side + j, :] = given[:, i : i + height, j : j + width]
    return columns.reshape(-1, side * side * channels)


def halved(given: Values) -> Values:
    """Keep the largest of every 2 x 2; an odd row or column at the end is dropped."""
    even = given[:, : given.shape[1] // 2 * 2, : given.shape[2] // 2 * 2]
    rows = np.maximum(even[:, ::2], even[:, 1::2])
    return np.asarray(np.maximum(rows[:, :, ::2], rows[:, :, 1::2]))


@dataclass(frozen=True, slots=True)
class Net:
    """Layers one after another."""

    layers: tuple[Layer, ...]

    def scores(self, given: Values) -> Values:
        """Return the raw scores, (n, height, width, classes), of pictures (n, height, width, channels)."""
        for layer in self.layers:
            given = layer.over(given)
        return given

    def chances(self, given: Values) -> Values:
        """Return the chance of each class, from 0 to 1."""
        return softmax(self.scores(given))


def softmax(scores: Values) -> Values:
    """Turn scores into chances along the last axis."""
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    return np.asarray(raised / raised.sum(-1, keepdims=True))


def save_nets(path: Path, nets: dict[str, Net]) -> None:
    """Write nets as half-precision numbers."""
    kept: dict[str, NDArray[np.float16]] = {}
    for name, net in nets.items():
        for number, layer in enumerate(net.layers):
            head = f"{name}.{number}.{int(layer.halves)}"
            kept[f"{head}.weights"] = layer.weights.astype(np.float16)
            kept[f"{head}.bias"] = layer.bias.astype(np.float16)
    np.savez_compressed(path, **kept)  # type: ignore[arg-type]


def load_nets(path: Path) -> dict[str, Net]:
    """Read nets that ``save_nets`` wrote."""
    with np.load(path) as kept:
        found = {key: kept[key].astype(np.float32) for key in kept.files}
    heads: dict[str, list[Sequence[str]]] = {}
    for key in found:
        name, number, halves, part = key.split(".")
        if part == "weights":
            heads.setdefault(name, []).append((number, halves))
    nets = {}
    for name, layers in heads.items():
        ordered = sorted(layers, key=lambda each: int(each[0]))
        nets[name] = Net(
            tuple(
                Layer(
                    found[f"{name}.{number}.{halves}.weights"],
                    found[f"{name}.{number}.{halves}.bias"],
                    is_last=place == len(ordered) - 1,
                    halves=halves == "1",
                )
                for place, (number, halves) in enumerate(ordered)
            )
        )
    return nets
