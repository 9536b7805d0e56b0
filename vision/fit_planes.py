"""Fit the planes of several boards together with what their picture shares, such as the bend of the lens.

Pure numpy. Gauss-Newton on a bordered system: each board's own parameters are projected out, what is
shared is solved, then each board follows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.pose import Lens, Points, apply

Values = NDArray[np.float64]
Misses: TypeAlias = Callable[[Values, Values], Values]
"""From a board's own parameters and the shared ones, several of each (k, n), to what is missed (k, q)."""

Key = TypeVar("Key")

USUAL_BEND, BEND_SPREAD = -0.012, 0.015  # a mild barrel
ART_NOISE_PX = 0.35
TINY = 1e-6
ROUNDS = 8

_SCALE = np.array([1, 1, 100, 1, 1, 100, 1e-3, 1e-3])
_Block: TypeAlias = tuple[Values, Values, Values]
"""A board's own columns, the shared columns, the misses."""


def packed(plane: NDArray[np.float64]) -> Values:
    """Return a homography as eight numbers of like size."""
    return np.asarray((plane / plane[2, 2]).ravel()[:8] / _SCALE)


def unpacked(values: Values) -> NDArray[np.float64]:
    """Return homographies (..., 3, 3) from eight numbers each (..., 8)."""
    whole = np.ones((*values.shape[:-1], 9))
    whole[..., :8] = values * _SCALE
    return whole.reshape(*values.shape[:-1], 3, 3)


def fit_together(
    states: Sequence[Values],
    misses: Sequence[Misses],
    *,
    usual: Sequence[float],
    spread: Sequence[float],
    limits: Sequence[tuple[float, float]],
    noise: float,
) -> tuple[list[Values], Values]:
    """Return the parameters of each board, and the shared ones, that miss least.

    What is shared is pulled to what is ``usual``: little in a picture may tell it. Derivatives are
    numerical.
    """
    own = list(states)
    shared: Values = np.zeros(len(usual), np.float64)
    low, high = np.array(limits).T
    for _ in range(ROUNDS):
        blocks = [_linearise(state, shared, miss) for state, miss in zip(own, misses, strict=True)]
        steps, shared_step = _solve(blocks, shared, np.array(usual), np.array(spread), noise)
        own = [np.asarray(state + step, np.float64) for state, step in zip(own, steps, strict=True)]
        shared = np.asarray(np.clip(shared + shared_step, low, high), np.float64)
        if max(float(np.abs(step).max()) for step in steps) < 1e-3 and np.abs(shared_step).max() < 1e-4:
            break
    return [np.asarray(state, np.float64) for state in own], np.asarray(shared, np.float64)


def _linearise(state: Values, shared: Values, miss: Misses) -> _Block:
    """Return by how much a board misses, and how that changes: all little steps in one go."""
    steps = TINY * np.eye(len(state) + len(shared) + 1)[1:]
    tried = np.vstack([np.zeros_like(steps[:1]), steps])[:, 1:]
    off = miss(state + tried[:, : len(state)], shared + tried[:, len(state) :])
    slopes = (off[1:] - off[0]).T / TINY
    return slopes[:, : len(state)], slopes[:, len(state) :], off[0]


def _solve(
    blocks: Sequence[_Block], shared: Values, usual: Values, spread: Values, noise: float
) -> tuple[list[Values], Values]:
    left = np.diag(1 / np.square(spread))
    right = (shared - usual) / np.square(spread)
    parts = []
    for own, common, miss in blocks:
        q, r = np.linalg.qr(own)
        rest = common - q @ (q.T @ common)
        left = left + rest.T @ rest / noise**2
        right = right + rest.T @ (miss - q @ (q.T @ miss)) / noise**2
        parts.append((q, r))
    shared_step = -np.linalg.solve(left, right)
    steps = [
        -np.linalg.solve(r, q.T @ (miss + common @ shared_step))
        for (q, r), (_, common, miss) in zip(parts, blocks, strict=True)
    ]
    return [np.asarray(step, np.float64) for step in steps], np.asarray(shared_step, np.float64)


def fit_points(
    spots: Mapping[Key, tuple[Points, Points]], lens: Lens, planes: Mapping[Key, NDArray[np.float64]]
) -> tuple[Lens, dict[Key, NDArray[np.float64]]]:
    """Fit planes and the bend of the lens to points of boards (mm) and where they are seen (stored px)."""
    keys = list(spots)

    def missed(key: Key) -> Misses:
        mm, px = spots[key]

        def miss(state: Values, shared: Values) -> Values:
            seen = lens.bent(apply(unpacked(state), mm), shared[:, :1, None])
            return (seen - px).reshape(len(state), -1)

        return miss

    states, shared = fit_together(
        [packed(planes[key]) for key in keys],
        [missed(key) for key in keys],
        usual=[USUAL_BEND],
        spread=[BEND_SPREAD],
        limits=[(-0.3, 0.3)],
        noise=ART_NOISE_PX,
    )
    fitted = {key: unpacked(state) for key, state in zip(keys, states, strict=True)}
    return replace(lens, bend=float(shared[0])), fitted
