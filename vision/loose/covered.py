"""What covers a card: the line beyond which nothing of it shows.

Whatever lies on a card (another card, a sleeve, a hand) hides one side of it. So the card must show whole
on one side of a line and not at all on the other; a card that is merely like it shows on both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.loose.deck import COARSE, Pattern

ANGLES, STEPS = 24, 14
SHOWN, NOT_SHOWN = 0.78, 0.35  # correlation of patterns on either side of the line
FAINTLY_SHOWN, PARTED = 0.3, 0.15  # before a card is laid exactly
LEAST_TOLD = 0.15  # of the card's pattern that must be left

Blocks = tuple[Pattern, Pattern, Pattern]


def open_side(blocks: Blocks, part: Pattern) -> Pattern | None:
    """Return what of ``part`` (h, w) can be seen beside the cover, None when no line explains the look.

    ``blocks`` as of ``Comparison.blocks``. The line that leaves most of the card wins.
    """
    lines = _Lines.of(blocks, part)
    fits = (lines.shown > SHOWN) & (lines.rest < NOT_SHOWN) & (lines.told > LEAST_TOLD)
    return _side(lines, int(np.where(fits, lines.told, -1.0).argmax()), part) if fits.any() else None


def likelier_side(blocks: Blocks, part: Pattern) -> Pattern:
    """Return what of ``part`` may be seen of a card that is not laid exactly yet: all of it, or one side."""
    lines = _Lines.of(blocks, part)
    parted = np.where(lines.shown > FAINTLY_SHOWN, np.sqrt(lines.told) * (lines.shown - lines.rest), 0.0)
    parted[lines.told < LEAST_TOLD] = 0.0
    best = int(parted.argmax())
    return _side(lines, best, part) if parted[best] > PARTED else part


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """All lines: how alike the patterns are on either side; how much of the card's the first side tells."""

    sides: NDArray[np.float32]
    shown: NDArray[np.float32]
    rest: NDArray[np.float32]
    told: NDArray[np.float32]

    @classmethod
    def of(cls, blocks: Blocks, part: Pattern) -> _Lines:
        height, width = blocks[0].shape
        weights = cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA)
        both, here, there = ((m * weights).ravel() for m in blocks)
        sides = _sides(height, width)
        sums = sides @ np.stack([both, here, there], axis=1)
        total = np.array([both.sum(), here.sum(), there.sum()])
        told = np.asarray(sums[:, 2] / max(float(total[2]), 1e-6), np.float32)
        return cls(sides, _alike(sums), _alike(total - sums), told)


def _side(lines: _Lines, best: int, part: Pattern) -> Pattern:
    small = lines.sides[best].reshape(part.shape[0] // COARSE, part.shape[1] // COARSE)
    side = cv2.resize(small, part.shape[::-1], interpolation=cv2.INTER_NEAREST)
    return np.asarray(side * part, np.float32)


def _alike(sums: NDArray[np.float32]) -> NDArray[np.float32]:
    power = np.maximum(sums[:, 1] * sums[:, 2], 0.0)  # what is left of a sum may be a little below nought
    return np.asarray(sums[:, 0] / np.sqrt(power + 1e-3), np.float32)


@lru_cache(maxsize=4)
def _sides(height: int, width: int) -> NDArray[np.float32]:
    """Return (lines, h * w): 1 on the one side of lines of every turn and place, 0 on the other."""
    y, x = np.mgrid[:height, :width].astype(np.float32)
    x, y = (x - (width - 1) / 2).ravel(), (y - (height - 1) / 2).ravel()
    sides = []
    for angle in np.arange(ANGLES) * 2 * np.pi / ANGLES:
        off = x * np.cos(angle) + y * np.sin(angle)
        levels = np.linspace(off.min(), off.max(), STEPS + 2)[1:-1]
        sides += [(off < level).astype(np.float32) for level in levels]
    return np.stack(sides)
