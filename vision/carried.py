"""Which pieces a board took along when it moved: a turn or a bump moves no pieces.

Pure: two pictures and two poses in, the places that look the same out. Pictures are compared
in millimetres of the board, so that a turned board is compared with itself.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from companion.board import Place
from companion.ports import Pixels
from vision.flatten import flatten
from vision.pose import BoardPose, Points

PX_PER_MM = 1.5
BLUR_PX = 1.0
PLAY_PX = 3  # pieces have thickness, and a pose has half a millimetre of play
SAME = 0.87  # of a turned disc's tiles and piles the same ones reach .88 to .98, others at most .75
LIGHT_PLAY = 0.3  # how far a space may be lit otherwise than the board as a whole


def still_there(
    before: tuple[Pixels, BoardPose], now: tuple[Pixels, BoardPose], outlines_mm: Mapping[Place, Points]
) -> set[Place]:
    """Return the places of a board that look as they did before it moved."""
    (old, old_inside), (new, new_inside) = _flat(*before), _flat(*now)
    found: dict[Place, np.ndarray] = {}
    for place, outline in outlines_mm.items():
        low = np.floor(outline.min(axis=0) * PX_PER_MM).astype(int)
        high = np.ceil(outline.max(axis=0) * PX_PER_MM).astype(int)
        own, around = _cut(low, high), _cut(low - PLAY_PX, high + PLAY_PX)
        if min(*(low - PLAY_PX), *(np.array(new.shape[1::-1]) - high - PLAY_PX)) < 0:
            continue
        if not (old_inside[own].all() and new_inside[around].all()):
            continue
        if cv2.matchTemplate(new[around], old[own], cv2.TM_CCOEFF_NORMED).max() >= SAME:
            found[place] = _brightness(new[own]) / _brightness(old[own])
    usual = np.median(list(found.values()), axis=0) if found else np.ones(3)
    return {place for place, light in found.items() if np.all(np.abs(light / usual - 1) < LIGHT_PLAY)}


def _flat(pixels: Pixels, pose: BoardPose) -> tuple[Pixels, np.ndarray]:
    flat, inside = flatten(pixels, pose, px_per_mm=PX_PER_MM)
    return np.asarray(cv2.GaussianBlur(flat, (0, 0), BLUR_PX), dtype=np.uint8), inside


def _cut(low: np.ndarray, high: np.ndarray) -> tuple[slice, slice]:
    return slice(low[1], high[1]), slice(low[0], high[0])


def _brightness(patch: Pixels) -> np.ndarray:
    return np.asarray(patch.reshape(-1, 3).mean(axis=0) + 4.0)
