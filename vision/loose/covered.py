"""What covers a card: the line beyond which nothing of it shows.

Whatever lies on a card (another card, a sleeve, a hand) hides one side of it. So the card must show whole
on one side of a line and not at all on the other; a card that is merely like it shows on both.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.loose.deck import Pattern

ANGLES, STEPS = 24, 14
SHOWN, NOT_SHOWN = 0.78, 0.35  # correlation of patterns on either side of the line
LEAST_TOLD = 0.15  # of the card's pattern that must be left


def open_side(blocks: tuple[Pattern, Pattern, Pattern], part: Pattern) -> Pattern | None:
    """Return what of ``part`` (h, w) can be seen beside the cover, None when no line explains the look.

    ``blocks`` as of ``Comparison.blocks``. The line that leaves most of the card wins.
    """
    height, width = blocks[0].shape
    weights = cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA)
    both, here, there = ((m * weights).ravel() for m in blocks)
    sides = _sides(height, width)
    sums = sides @ np.stack([both, here, there], axis=1)
    total = np.array([both.sum(), here.sum(), there.sum()])
    shown, rest = _alike(sums), _alike(total - sums)
    told = sums[:, 2] / max(total[2], 1e-6)
    fits = (shown > SHOWN) & (rest < NOT_SHOWN) & (told > LEAST_TOLD)
    if not fits.any():
        return None
    best = int(np.where(fits, told, -1.0).argmax())
    side = cv2.resize(sides[best].reshape(height, width), part.shape[::-1], interpolation=cv2.INTER_NEAREST)
    return np.asarray(side * part, np.float32)


def _alike(sums: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(sums[:, 0] / np.sqrt(sums[:, 1] * sums[:, 2] + 1e-3), np.float32)


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
