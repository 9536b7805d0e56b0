"""Which kind of round piece it is, as some photos of each kind taught it: coins, chips, printed discs.

A disc is compared with every photo that was taught, at any turn. What many photos share, of whatever kind,
tells little; what sets a photo apart tells much: reliefs are whitened by what was taught (as in Hariharan,
Malik and Ramanan 2012). Colours count against a kind, up to a price, since a lamp changes them. An answer
must be more alike than any taught photo is to another kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.ports import Obstacle, Pixels
from vision.disc_views import DiscView, best_turns, view_of

FEWEST_PHOTOS = 3  # of a kind
NEAREST = 2  # photos of a kind that speak for it: one alone may be a stain alike
EVEN = 0.2  # of the mean spread: how far whitening goes
TINT_PRICE, MOST_TINT = 0.002, 40.0
LEAST_ALIKE = 0.145
"""Below it nothing is named: pieces of two kinds with the same sign come up to it (measured on coins)."""


class DiscTold(NamedTuple):
    """What a look at a disc says: its kind, None if open, and then why; how alike it is, 1 the same."""

    kind: str | None
    obstacle: Obstacle | None
    alike: float


@dataclass(frozen=True, eq=False)
class DiscSet:
    """What was taught, photo by photo: ``kinds``, reliefs (n, WAVES, d) and tints (n, 4)."""

    kinds: tuple[str, ...]
    reliefs: NDArray[np.complex64]
    tints: NDArray[np.float32]

    @classmethod
    def of(cls, photos: Mapping[str, Sequence[Pixels]]) -> DiscSet:
        """Learn from photos, each of one disc. Raises ValueError for too few of a kind."""
        few = [kind for kind, shown in photos.items() if len(shown) < FEWEST_PHOTOS]
        if few or not photos:
            raise ValueError(
                f"Each kind needs at least {FEWEST_PHOTOS} photos; too few of: {', '.join(few) or 'all'}."
            )
        views = [(kind, view_of(pixels)) for kind, shown in photos.items() for pixels in shown]
        return cls.of_views(views)

    @classmethod
    def of_views(cls, views: Sequence[tuple[str, DiscView]]) -> DiscSet:
        """Learn from views of named kinds."""
        return cls(
            tuple(kind for kind, _ in views),
            np.stack([view.reliefs[0] for _, view in views]),
            np.stack([view.tint for _, view in views]),
        )

    def tell(self, view: DiscView) -> DiscTold:
        """Tell which kind a disc is."""
        alike = best_turns(self._white(view.reliefs), self._examples).max(axis=0)
        scores = self._scores(alike, view.tint, np.ones(len(self.kinds), bool))
        kind = max(scores, key=lambda name: scores[name])
        if scores[kind] > self._levels[kind]:
            return DiscTold(kind, None, scores[kind])
        is_close = scores[kind] > LEAST_ALIKE
        return DiscTold(None, Obstacle.TWO_CANDIDATES if is_close else Obstacle.NOT_TAUGHT, scores[kind])

    def alike(self) -> Sequence[tuple[str, str]]:
        """Return pairs of kinds that look so alike in some photos that answers will often stay open."""
        close = {(min(pair), max(pair)) for pair, score in self._strangers if score > LEAST_ALIKE}
        return tuple(sorted(close))

    @cached_property
    def _whitening(self) -> NDArray[np.complex64]:
        spread = np.einsum("nkd,nke->kde", self.reliefs, np.conj(self.reliefs)) / len(self.reliefs)
        size = spread.shape[1]
        even = EVEN * np.einsum("kdd->k", spread).real / size
        values, ways = np.linalg.eigh(spread + even[:, None, None] * np.eye(size))
        return np.asarray((ways / np.sqrt(values)[:, None]) @ np.conj(ways.transpose(0, 2, 1)), np.complex64)

    @cached_property
    def _examples(self) -> NDArray[np.complex64]:
        return self._white(self.reliefs)

    def _white(self, reliefs: NDArray[np.complex64]) -> NDArray[np.complex64]:
        white = (reliefs.transpose(1, 0, 2) @ self._whitening.transpose(0, 2, 1)).transpose(1, 0, 2)
        length = np.sqrt(np.square(np.abs(white)).sum(axis=(1, 2), keepdims=True))
        return np.asarray(white / np.maximum(length, 1e-9), np.complex64)

    def _scores(
        self, alike: NDArray[np.float32], tint: NDArray[np.float32], chosen: NDArray[np.bool_]
    ) -> dict[str, float]:
        """Return how alike each kind is, by the nearest of its chosen photos."""
        off = np.linalg.norm(self.tints - tint, axis=1)
        names = np.array(self.kinds)
        scores = {}
        for kind in dict.fromkeys(self.kinds):
            own = chosen & (names == kind)
            near = float(np.sort(alike[own])[-NEAREST:].mean())
            price = TINT_PRICE * min(float(np.sort(off[own])[:NEAREST].mean()), MOST_TINT)
            scores[kind] = near - price
        return scores

    @cached_property
    def _strangers(self) -> Sequence[tuple[tuple[str, str], float]]:
        """Return how alike each taught photo is to each other kind: (that kind, its own), score."""
        alike = best_turns(self._examples, self._examples)
        every = np.ones(len(self.kinds), bool)
        found = []
        for row, kind in enumerate(self.kinds):
            scores = self._scores(alike[row], self.tints[row], every)
            found += [((other, kind), score) for other, score in scores.items() if other != kind]
        return found

    @cached_property
    def _levels(self) -> dict[str, float]:
        levels = dict.fromkeys(self.kinds, LEAST_ALIKE)
        for (kind, _), score in self._strangers:
            levels[kind] = max(levels[kind], score)
        return levels
