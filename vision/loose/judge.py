"""How likely a card lies where it was laid, and why an answer stays open.

Two unlike evidences are asked: the pattern (how alike, what of it is odd, its lead over all other cards)
and the colours. What they are worth comes from practice views made when the box was taught
(``TaughtBox.judgement["loose"]``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.ports import Obstacle
from vision.hinges import Hinges
from vision.loose.laid import Likeness

SURE, LIKELY = 0.9, 0.5
HARDLY = 0.85  # at most, where something that nobody named is held to cover more of a card than shows
HINGES = Hinges(
    (
        (0.5, 0.6, 0.68, 0.75, 0.81, 0.86, 0.9),
        (0.02, 0.05, 0.08, 0.12, 0.18, 0.25),
        (0.04, 0.08, 0.12, 0.17, 0.25),
        (0.3, 0.5, 0.65, 0.8, 0.9),
        (0.15, 0.25, 0.35, 0.5),
        (0.02, 0.15, 0.3, 0.45),
    ),
    (0.05, 0.04, 0.05, 0.1, 0.1, 0.1),
    (0, 2, 3, 4),
)
CLOSE_CALL = 0.15  # lead over the card that is next alike
ALIKE_ENOUGH = 0.6
HARDLY_SEEN = 0.4


def features_of(likeness: Likeness) -> NDArray[np.float64]:
    """Return what a chance rests on; HINGES tells which of it speaks for a card."""
    seen = likeness
    return np.array([seen.alike, seen.odd, seen.lead, seen.painted, seen.told, seen.guessed])


class CardJudge:
    """Weighs likenesses with what practice taught; without practice nothing is sure."""

    def __init__(self, weights: Sequence[float]) -> None:
        self._weights = tuple(weights)

    def weigh(self, likeness: Likeness) -> float:
        """Return the chance that the card lies there, never sure if more is held for covered than shows."""
        if not self._weights:
            return 0.0
        chance = HINGES.chance(self._weights, features_of(likeness))
        return chance if likeness.guessed <= likeness.told else min(chance, HARDLY)


def why_open(likeness: Likeness, glare: float) -> Obstacle:
    """Return what most likely kept a card from being named; ``glare`` is the share burnt out to white."""
    if glare > 0.25:
        return Obstacle.GLARE
    if likeness.alike > ALIKE_ENOUGH and likeness.lead < CLOSE_CALL:
        return Obstacle.TWO_CANDIDATES
    if likeness.seen < HARDLY_SEEN:
        return Obstacle.COVERED
    return Obstacle.NOT_TAUGHT
