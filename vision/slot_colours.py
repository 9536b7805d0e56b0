"""Which pieces of plain colours lie on the spaces of a printed board, as one laid board taught them.

For pieces without any art, such as wooden ones. Two unlike evidences: the colour in the middle of a space, in
the light that the bare board around it is seen in, and whether what is printed there can still be seen.
Nothing here knows a colour by name. Works on flat boards (``flatten.flatten``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import EMPTY, PieceKind
from companion.ports import Obstacle, Pixels
from vision.box import ART_PX_PER_MM, Outline

Lab = NDArray[np.float32]

INNER, SEEN, FREE = 0.62, 1.25, 1.5
"""Of an outline: where the colour is read; where the print is looked for; beyond which the board is bare."""

LIGHT_MM = 10.0  # over which lamps and shadows change
LIGHT_SHRINK = 4  # light is smooth
LIGHT_ROUNDS, ODD_LIGHT = 4, 0.15  # a log gain so far off the others is not the lamp's
BLACK = 6.0  # grey levels: below, gains mean nothing
FINE_PX, NEAR_PX = 1.0, 3
FAINT = 6.0  # grey levels: a print that varies less is hardly seen
LIGHTNESS, PRINT_COLOURS = 0.6, 1.5  # what lightness counts in a colour, and colours in a print
NEAREST = 5  # taught spaces of a colour that speak for it
PRINT_SAYS, HALF_SEEN = 20.0, 0.5  # levels of LAB that a print seen whole is worth
CLEAR, GRAIN = 1.6, 3.0  # the next must be so many times as far; levels of LAB that tell nothing


@dataclass(frozen=True, slots=True, eq=False)
class SlotLooks:
    """What is seen on each space.

    ``colours`` (n, 3) LAB, ``off`` (n,) how far from the bare print's colours, in levels of LAB, and
    ``print_seen`` (n,), -1 to 1, how alike what lies there and the bare print are.
    """

    colours: Lab
    off: NDArray[np.float32]
    print_seen: NDArray[np.float32]


class SlotTold(NamedTuple):
    """What lies on a space, EMPTY for nothing, None if that is open; how many times as far the next is."""

    reads: PieceKind | None
    lead: float
    obstacle: Obstacle | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SlotColours:
    """The colours of taught pieces, each as it looked on the spaces where it lay, (n, 3) LAB."""

    kinds: Mapping[PieceKind, Lab]

    @classmethod
    def of(cls, looks: SlotLooks, lying: Sequence[PieceKind]) -> SlotColours:
        """Learn from a board with what lies on each space. Raises ValueError if nothing does."""
        names = np.array(lying, object)
        kinds = {kind: looks.colours[names == kind] for kind in sorted(set(lying) - {EMPTY})}
        if not kinds:
            raise ValueError("No piece lies on this board; lay some of every colour.")
        return cls(kinds)

    def tell(self, looks: SlotLooks) -> Sequence[SlotTold]:
        """Tell what lies on each space."""
        seen_more = PRINT_SAYS * (looks.print_seen - HALF_SEEN)
        away = [_nearest(looks.colours, own) + np.maximum(seen_more, 0) for own in self.kinds.values()]
        far = np.stack([*away, looks.off + np.maximum(-seen_more, 0)], axis=1) + GRAIN
        names = (*self.kinds, EMPTY)
        order = np.argsort(far, axis=1)
        told = []
        for row, (first, second) in enumerate(order[:, :2].tolist()):
            lead = float(far[row, second] / far[row, first])
            is_clear = lead > CLEAR
            told.append(
                SlotTold(
                    names[first] if is_clear else None, lead, None if is_clear else Obstacle.TWO_CANDIDATES
                )
            )
        return told


def see_slots(flat: Pixels, art: Pixels, outlines_mm: Sequence[Outline]) -> SlotLooks:
    """Look at the spaces of a flat board beside its bare ``art``, both ART_PX_PER_MM and of one size."""
    outlines = [np.asarray(outline, float) * ART_PX_PER_MM for outline in outlines_mm]
    lit = _as_lit(flat, art, outlines)
    seen, bare = _lab(lit), _lab(art.astype(np.float32))
    prints = [_lab(np.asarray(cv2.GaussianBlur(one, (0, 0), FINE_PX), np.float32)) for one in (flat, art)]
    colours, off, alike = [], [], []
    weights = np.array((LIGHTNESS, 1, 1), np.float32)
    for outline in outlines:
        y, x = _inside(outline, INNER, flat.shape[:2])
        colours.append(np.median(seen[y, x], axis=0))
        off.append(np.median(np.linalg.norm((seen[y, x] - bare[y, x]) * weights, axis=1)))
        alike.append(_print_seen(prints[0], prints[1], _inside(outline, SEEN, flat.shape[:2])))
    return SlotLooks(*(np.array(each, np.float32) for each in (colours, off, alike)))


def _nearest(colours: Lab, own: Lab) -> NDArray[np.float32]:
    """Return how far colours (n, 3) are from a kind's nearest looks (m, 3), (n,)."""
    apart = (colours[:, None] - own[None]) * np.array((LIGHTNESS, 1, 1), np.float32)
    return np.asarray(np.sort(np.linalg.norm(apart, axis=2), axis=1)[:, :NEAREST].mean(axis=1), np.float32)


def _as_lit(flat: Pixels, art: Pixels, outlines: Sequence[Outline]) -> NDArray[np.float32]:
    """Return a flat board in the light of its art: by what is bare around the spaces, odd spots left out."""
    free = np.ones(flat.shape[:2], np.float32)
    for outline in outlines:
        free[_inside(outline, FREE, flat.shape[:2])] = 0
    size_wh = (flat.shape[1] // LIGHT_SHRINK, flat.shape[0] // LIGHT_SHRINK)
    soft = [cv2.resize(one, size_wh, interpolation=cv2.INTER_AREA).astype(np.float32) for one in (flat, art)]
    free = np.asarray(cv2.resize(free, size_wh, interpolation=cv2.INTER_AREA) > 0.99, np.float32)
    ratio, sigma = np.log((soft[0] + BLACK) / (soft[1] + BLACK)), LIGHT_MM * ART_PX_PER_MM / LIGHT_SHRINK
    weights, gain = free, np.zeros_like(ratio)
    for _ in range(LIGHT_ROUNDS):
        total = cv2.GaussianBlur(weights, (0, 0), sigma)[..., None] + 1e-4
        gain = cv2.GaussianBlur(ratio * weights[..., None], (0, 0), sigma) / total
        weights = free / (1 + np.square(np.abs(ratio - gain).max(axis=2) / ODD_LIGHT))
    whole = cv2.resize(gain, (flat.shape[1], flat.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip((flat + BLACK) / np.exp(whole) - BLACK, 0, 255), np.float32)


def _lab(pixels: NDArray[np.float32]) -> Lab:
    return np.asarray(cv2.cvtColor(pixels / np.float32(255), cv2.COLOR_BGR2LAB), np.float32)


def _inside(
    outline: Outline, share: float, shape_hw: tuple[int, ...]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return rows and columns of the pixels inside an outline (px) that is made so many times as large."""
    middle = outline.mean(axis=0)
    points = np.round(middle + (outline - middle) * share).astype(np.int32)
    low, high = points.min(axis=0), points.max(axis=0)
    mask = np.zeros((high[1] - low[1] + 1, high[0] - low[0] + 1), np.uint8)
    cv2.fillPoly(mask, [points - low], (1,))
    rows, columns = np.nonzero(mask)
    y, x = rows + low[1], columns + low[0]
    fits = (y >= 0) & (x >= 0) & (y < shape_hw[0]) & (x < shape_hw[1])
    return y[fits], x[fits]


def _print_seen(seen: Lab, bare: Lab, spots: tuple[NDArray[np.intp], NDArray[np.intp]]) -> float:
    """Return how alike two boards are at some spots, with some pixels of play."""
    y, x = spots
    wanted = _pattern(bare[y, x])
    height, width = seen.shape[:2]
    plays = [(dy, dx) for dy in range(-NEAR_PX, NEAR_PX + 1) for dx in range(-NEAR_PX, NEAR_PX + 1)]
    return max(
        float((wanted * _pattern(seen[np.clip(y + dy, 0, height - 1), np.clip(x + dx, 0, width - 1)])).sum())
        for dy, dx in plays
    )


def _pattern(spots: Lab) -> Lab:
    """Return colours (n, 3) without their mean, of length one or, where there is hardly a print, less."""
    varied = (spots - spots.mean(axis=0)) * np.array((1, PRINT_COLOURS, PRINT_COLOURS), np.float32)
    return np.asarray(varied / np.sqrt(np.square(varied).sum() + FAINT**2 * len(varied)), np.float32)
