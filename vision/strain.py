"""What makes a board hard to read, before it cannot be read. Pure: pixels and measures in, values out.

A glimpse is one look at a board at four millimetres a pixel: enough to tell light, gloss and colour,
at a hundredth of the price of a reading. How much strain a reading bears was tried when the box was
taught (``calibration.bearing``), on pictures of its own boards and pieces.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import BoardLayout
from companion.ports import Caution, Pixels, Strain
from vision.box import ART_PX_PER_MM, TaughtBox
from vision.flatten import flatten
from vision.light import BLOCK_PX, Ground
from vision.pose import BoardPose
from vision.reasons import COLOURLESS, GLARE_SHARE, WHITE

COARSE_PX_PER_MM = ART_PX_PER_MM / BLOCK_PX
BLACK = 4.0  # grey levels: what a black board still gives
PAPER = 225.0  # grey levels: art as bright as this may be white in a good picture, too
DULL = 6.0  # grey levels of colour; art with less cannot tell a grey camera
LEAST_BLOCKS = 30

# What no practice shows: an extent of something else than light, focus and distance.
BURNT = 0.10  # of the bare board
MIRRORED = 0.05  # of the spaces of a board
COLOUR_LEFT = 0.25  # of the art's colour; the palest camera of the practice views leaves half of it
UNSURE = 0.10  # of the spaces that can be seen, and
UNSURE_SPACES = 3
MOST_CUT_OFF = 0.5  # of the spaces of a board; with more outside it is a neighbour's, seen by chance
AHEAD = 1.25  # of what a box bears: warn while reading still does
EASE = 1.15  # what was said is withdrawn only when it is better than the limit by so much

DIM, FAR, BLURRED, TINTED = "dim", "far", "blurred", "tinted"
"""Names in ``TaughtBox.bearing``: the least light (1: as the scans), the least px per mm, the most blur
(Gaussian sigma, px of ART_PX_PER_MM), the most tint (log ratio between the channels farthest apart)."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """How one board is seen. Shares are from 0 to 1.

    ``light``: brightness by that of the art. ``tint``: log ratio of the strongest channel to the weakest.
    ``burnt``: share of the bare board that is white and should not be. ``mirrored``: share of spaces
    under gloss. ``colour``: colour left, by that of the art. ``cut_off``: share of spaces outside the
    picture. ``blur_px``: None when it was not measured here yet.
    """

    light: float
    tint: float
    burnt: float
    mirrored: float
    colour: float
    cut_off: float
    px_per_mm: float
    blur_px: float | None = None


@dataclass(frozen=True, slots=True)
class Doubts:
    """How many spaces of a board were read, and how many of them not surely."""

    unsure: int
    spaces: int


def glimpse(
    pixels: Pixels, pose: BoardPose, layout: BoardLayout, ground: Ground, *, blur_px: float | None
) -> Glimpse | None:
    """Look at a board coarsely; None when too little of it is to be seen."""
    flat, inside = flatten(pixels, pose, px_per_mm=COARSE_PX_PER_MM)
    height, width = ground.block_bare.shape
    flat, inside = flat[:height, :width], inside[:height, :width]
    shown = ground.block_bare[: flat.shape[0], : flat.shape[1]] & inside
    if shown.sum() < LEAST_BLOCKS:
        return None
    seen = flat[shown].astype(np.float64)
    art = ground.block_art[: flat.shape[0], : flat.shape[1]][shown].astype(np.float64)
    gains = np.median(np.log((seen + BLACK) / (art + BLACK)), axis=0)
    burnt = _is_white(flat[shown]) & (art.mean(axis=1) < PAPER)
    spots = _spots(layout)
    spaces = max(len(spots), 1)
    at = pose.project(np.array([space.centre_mm for space in layout.spaces.values()], float).reshape(-1, 2))
    outside = ((at < 0) | (at >= (pixels.shape[1], pixels.shape[0]))).any(axis=1)
    return Glimpse(
        light=float(np.median((seen.mean(axis=1) + BLACK) / (art.mean(axis=1) + BLACK))),
        tint=float(gains.max() - gains.min()),
        burnt=float(burnt.mean()),
        mirrored=sum(_is_white(flat[spot]).mean() > GLARE_SHARE for spot in spots) / spaces,
        colour=_colour_left(seen / np.exp(gains), art),
        cut_off=float(outside.sum()) / max(len(layout.spaces), 1),
        px_per_mm=pose.px_per_mm,
        blur_px=blur_px,
    )


def token_mm(box: TaughtBox) -> float:
    """Return how wide the smallest token is, as a disc of its area."""
    areas = [cv2.contourArea(t.outline_mm.astype(np.float32)) for t in box.tokens.values()]
    return 2 * math.sqrt(min(areas, default=0.0) / math.pi)


def strains(
    seen: Glimpse, doubts: Doubts, bearing: Mapping[str, float], *, said: Collection[Strain], token_mm: float
) -> tuple[Caution, ...]:
    """Return what strains the reading of a board; what was ``said`` before is so until clearly mended."""

    def beyond(strain: Strain, measure: float, limit: float) -> bool:
        return measure > (limit / EASE if strain in said else limit)

    def short_of(strain: Strain, measure: float, limit: float) -> bool:
        return measure < (limit * EASE if strain in said else limit)

    found = {
        Strain.CUT_OFF: 0 < seen.cut_off <= MOST_CUT_OFF,
        Strain.GREY: short_of(Strain.GREY, seen.colour, COLOUR_LEFT),
        Strain.DIM: short_of(Strain.DIM, seen.light, bearing.get(DIM, 0.0) * AHEAD),
        Strain.BURNT_OUT: beyond(Strain.BURNT_OUT, seen.burnt, BURNT),
        Strain.FAR: short_of(Strain.FAR, seen.px_per_mm, bearing.get(FAR, 0.0) * AHEAD),
        Strain.BLURRED: beyond(Strain.BLURRED, seen.blur_px or 0.0, bearing.get(BLURRED, math.inf)),
        Strain.TINTED: beyond(Strain.TINTED, seen.tint, bearing.get(TINTED, math.inf) / AHEAD),
    }
    # Light that burns out the whole board is not a lamp's mirror, nor has a grey picture a tint.
    found[Strain.GLARE] = not found[Strain.BURNT_OUT] and beyond(Strain.GLARE, seen.mirrored, MIRRORED)
    found[Strain.TINTED] &= not found[Strain.GREY]
    share = doubts.unsure / max(doubts.spaces, 1)
    is_unsure = doubts.unsure >= UNSURE_SPACES and beyond(Strain.UNSURE, share, UNSURE)
    found[Strain.UNSURE] = is_unsure and not any(found.values())
    numbers = {
        Strain.FAR: (
            math.floor(seen.px_per_mm * token_mm),
            math.ceil(bearing.get(FAR, 0.0) * AHEAD * token_mm),
        ),
        Strain.UNSURE: (doubts.unsure, doubts.spaces),
    }
    return tuple(Caution(s, None, *numbers.get(s, (0, 0))) for s in Strain if found.get(s))


def _is_white(colours: Pixels) -> NDArray[np.bool_]:
    """Tell where a picture is burnt out to white, as ``reasons.glare_share`` has it."""
    return np.asarray((colours.min(axis=-1) > WHITE - COLOURLESS) & (colours.max(axis=-1) >= WHITE))


def _spots(layout: BoardLayout) -> list[tuple[slice, slice]]:
    """Return where each space lies in the coarse picture."""
    spots = []
    for space in layout.spaces.values():
        outline = np.asarray(space.outline_mm) * COARSE_PX_PER_MM
        (x0, y0), (x1, y1) = np.maximum(outline.min(0), 0).astype(int), np.ceil(outline.max(0)).astype(int)
        if x1 > x0 and y1 > y0:
            spots.append((slice(y0, y1), slice(x0, x1)))
    return spots


def _colour_left(seen: NDArray[np.float64], art: NDArray[np.float64]) -> float:
    """Return how much of the art's colours is in the picture, 1: all."""
    colours = [values - values.mean(axis=1, keepdims=True) for values in (seen, art)]
    ours, theirs = (values - values.mean(axis=0) for values in colours)
    strength = float((theirs**2).sum())
    if strength < DULL**2 * len(art):
        return 1.0
    return float((ours * theirs).sum() / strength)
