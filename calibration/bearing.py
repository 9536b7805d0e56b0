"""How much strain reading a box bears: tried on practice views when the box is taught.

The same laid boards are photographed ever darker, less sharp, from farther away and in more coloured
light, until the eyes are no longer sure of what they were sure of in good light. The last step at
which they were is what ``TaughtBox.bearing`` keeps: beyond it the live eyes warn, one step ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.confidence import flat_pose
from calibration.practice import Canvas, boards_to_practise, lay
from companion.board import BoardId
from companion.ports import HIDDEN, Pixels
from vision.box import ART_PX_PER_MM, TaughtBox
from vision.judge import judge_board
from vision.light import BLUR_LEVELS_PX
from vision.sight import BoardSight, sight_of
from vision.spaces import look_at_spaces
from vision.strain import BLURRED, DIM, FAR, TINTED, glimpse
from vision.wardrobe import Wardrobe

SEED = 23
BOARDS = 3
STILL_SURE = 0.95  # of the spaces that were sure in good light
NOISE = (
    6.0  # grey levels at any light, between that of a fair camera and a poor one: a dark picture drowns in it
)
SHARPEST_PX = 0.4


@dataclass(frozen=True, slots=True)
class Strained:
    """A photo taken under one strain; the others are as in a good picture."""

    light: float = 0.8
    px_per_mm: float = 1.8
    blur_px: float = SHARPEST_PX
    tint: float = 0.0


LADDERS: Mapping[str, Sequence[Strained]] = {
    DIM: [Strained(light=light) for light in (0.5, 0.4, 0.32, 0.26, 0.2, 0.16, 0.13)],
    FAR: [Strained(px_per_mm=scale) for scale in (1.4, 1.2, 1.0, 0.85, 0.7, 0.6, 0.5)],
    BLURRED: [Strained(blur_px=blur) for blur in (*BLUR_LEVELS_PX[1:], 4.5, 6.0)],
    TINTED: [Strained(tint=tint) for tint in (0.3, 0.5, 0.7, 0.9, 1.2, 1.5, 2.0)],
}
"""Seven steps each, from what every box bears to what hardly any does."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of one step: the share of spaces that were sure, and what the eyes measured of the strain."""

    sure: float
    measures: Mapping[str, float]


def learn_bearing(box: TaughtBox, *, tell: Callable[[str], None] = lambda _: None) -> dict[str, float]:
    """Try and return ``TaughtBox.bearing``; empty for a box without spaces to read."""
    rng = np.random.default_rng(SEED)
    wardrobe = Wardrobe(box)
    shares = boards_to_practise(box)
    most_spaces = sorted(shares, key=lambda board: (-len(box.layouts[board].spaces), board))[:BOARDS]
    laid = [(board, lay(box, board, rng)[1]) for board in most_spaces]
    if not laid:
        return {}
    good = _try(laid, Strained(), wardrobe)
    bearing = {}
    for name, ladder in LADDERS.items():
        tried = last_bearable(ladder, lambda step: _try(laid, step, wardrobe), STILL_SURE * good.sure)
        bearing[name] = round(tried.measures[name] if tried else good.measures[name], 3)
    tell("reading bears " + ", ".join(f"{name} {value:.2f}" for name, value in bearing.items()))
    return bearing


def last_bearable(
    ladder: Sequence[Strained], attempt: Callable[[Strained], Tried], enough: float
) -> Tried | None:
    """Find the last step at which enough is sure, by halving; None if not even the first is."""
    low, high, best = 0, len(ladder), None
    while low < high:
        middle = (low + high) // 2
        tried = attempt(ladder[middle])
        if tried.sure >= enough:
            low, best = middle + 1, tried
        else:
            high = middle
    return best


def _try(laid: Sequence[tuple[BoardId, Canvas]], step: Strained, wardrobe: Wardrobe) -> Tried:
    sure, spaces, seen = 0, 0, []
    for board, canvas in laid:
        flat = photograph(canvas, step)
        pose = flat_pose(wardrobe.box.layouts[board])
        sight = sight_of(flat, np.ones(flat.shape[:2], bool), pose, wardrobe)
        if sight is None:
            return Tried(0.0, {})
        read = judge_board(look_at_spaces(sight, wardrobe), sight, wardrobe.box)
        shown = [reading for reading in read.values() if reading.reads != HIDDEN]
        sure += sum(reading.sure for reading in shown)
        spaces += len(shown)
        seen.append(_measures(flat, sight, step, wardrobe))
    mean = {name: float(np.mean([one[name] for one in seen])) for name in LADDERS}
    return Tried(sure / max(spaces, 1), mean)


def _measures(flat: Pixels, sight: BoardSight, step: Strained, wardrobe: Wardrobe) -> dict[str, float]:
    """Return what the live eyes will measure of such a picture; a flat one fills its own picture."""
    pose = flat_pose(sight.layout, px_per_mm=ART_PX_PER_MM)
    blur_px = BLUR_LEVELS_PX[sight.light.blur]
    seen = glimpse(flat, pose, sight.layout, wardrobe.ground(sight.pose.board), blur_px=blur_px)
    assert seen is not None
    return {DIM: seen.light, TINTED: seen.tint, BLURRED: blur_px, FAR: step.px_per_mm}


def photograph(canvas: Canvas, step: Strained) -> Pixels:
    """Photograph a flat scene under a strain; the picture is at the scale of all art again."""
    rng = np.random.default_rng(SEED)
    height, width = canvas.shape[:2]
    gain = step.light * np.exp(step.tint * np.array([-0.5, 0.0, 0.5]))
    lit = np.clip(canvas * gain.astype(np.float32), 0, 255)
    scale = step.px_per_mm / ART_PX_PER_MM
    soft = cv2.GaussianBlur(lit, (0, 0), max(step.blur_px, SHARPEST_PX / scale))
    small = cv2.resize(soft, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    seen = small + rng.standard_normal(small.shape, np.float32) * NOISE
    photo = np.clip(seen, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(photo, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
