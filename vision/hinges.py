"""What a chance rests on, bent where practice shows that it matters: hinges that speak against an answer.

With weights of one sign a chance can only fall where a feature gets worse, also where no practice view
ever came. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class Hinges:
    """``knots`` of each feature, what a unit of each is, and which ``grow`` in favour of an answer."""

    def __init__(self, knots: Sequence[Sequence[float]], units: Sequence[float], grow: Sequence[int]) -> None:
        self._of = np.array([i for i, own in enumerate(knots) for _ in own])
        self._knots = np.array([knot for own in knots for knot in own])
        self._way = np.where(np.isin(self._of, grow), -1.0, 1.0)
        self._units = np.array(units)[self._of]

    def expand(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (n, m) from (n, k) features: a constant, then one column a hinge."""
        beyond = np.maximum((features[:, self._of] - self._knots) * self._way, 0.0)
        return np.column_stack([np.ones(len(features)), -beyond / self._units])

    def chance(self, weights: Sequence[float], features: NDArray[np.float64]) -> float:
        """Return the chance, 0 to 1, that an answer with these features (k,) is right."""
        z = float(self.expand(features[None])[0] @ np.asarray(weights))
        return 1 / (1 + math.exp(-max(min(z, 30.0), -30.0)))
