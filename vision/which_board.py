"""Tell boards of like art apart: by what differs between them, under a light that nobody knows.

The labs of four players may differ by the colour of a wall or by a crest. What they share tells the
light, what differs tells the board; boards of one picture are named together, each at most once.
Nothing is guessed: where two ways of naming them fit about equally well, they stay unnamed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import BoardId
from companion.ports import Pixels
from vision.box import ART_PX_PER_MM
from vision.flatten import flatten
from vision.light import Ground
from vision.pose import BoardPose

PX_PER_MM = 0.5
REDUCED_PX = 640
SOFT_PX = 0.8
DIFFERS, AGREES = 0.15, 0.1  # in the logarithm of a ratio of colours
FEWEST_PX = 20  # that differ and are seen: a crest of 9 mm
MOST_OFF = 1.0  # a hand or a card is no reason to doubt more than this
DETAIL_WEIGHT = 0.5  # a blurred picture has less of it
DARKEST, BRIGHTEST = 8.0, 250.0
USUAL_LIGHT = 0.8  # beyond it in a ratio of colours, no lamp of a living room
COLOURFUL = 0.1  # spread of colours that a board must have to tell how strong they are
FAINT = 0.4  # of the art's colours; below it what differs is too little to go by
CLEAR = 1.2  # so many times worse must the second way to name the boards fit ...
CLEAR_BY = 0.04  # ... and by so much

Tint = NDArray[np.float32]
"""(h, w, 3): logarithms of blue to green and of red to green, and lightness less its surroundings."""


@dataclass(frozen=True, slots=True, eq=False)
class Likenesses:
    """The boards of one family as they look at PX_PER_MM, and where two of them differ."""

    members: tuple[BoardId, ...]
    tints: NDArray[np.float32]  # (members, h, w, 3)
    differs: NDArray[np.bool_]  # (h, w)
    agrees: NDArray[np.bool_]

    @classmethod
    def of(cls, members: tuple[BoardId, ...], grounds: Mapping[BoardId, Ground]) -> Likenesses:
        tints = np.stack([tint_of(_reduced(grounds[m].art)) for m in members])
        bare = np.all([_reduced(grounds[m].bare.astype(np.uint8)) > 0 for m in members], axis=0)
        range_of = tints.max(axis=0) - tints.min(axis=0)
        furthest = range_of.max(axis=2)
        return cls(members, tints, bare & (furthest > DIFFERS), bare & (furthest < AGREES))


def _reduced(art: NDArray[np.uint8]) -> NDArray[np.uint8]:
    share = PX_PER_MM / ART_PX_PER_MM
    return np.asarray(cv2.resize(art, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)


def tint_of(picture: Pixels) -> Tint:
    """Return the colour of a picture apart from how bright the light is."""
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), SOFT_PX), np.float32) + 6.0
    blue, green, red = np.log(soft[..., 0]), np.log(soft[..., 1]), np.log(soft[..., 2])
    light = (blue + green + red) / 3
    detail = light - cv2.GaussianBlur(light, (0, 0), 4.0)
    return np.stack([blue - green, red - green, DETAIL_WEIGHT * detail], axis=-1)


def misfits(pixels: Pixels, pose: BoardPose, likenesses: Likenesses) -> NDArray[np.float64] | None:
    """Return how badly each member fits what is seen at a pose; None if what differs is not seen.

    ``pixels`` may be a reduced picture, if the pose is one in it.
    """
    flat, inside = flatten(pixels, pose, px_per_mm=PX_PER_MM)
    height, width = (min(a, b) for a, b in zip(likenesses.differs.shape, inside.shape, strict=True))
    flat, inside = flat[:height, :width], inside[:height, :width]
    usable = inside & (flat.max(axis=2) < BRIGHTEST) & (flat.max(axis=2) > DARKEST)
    differs = likenesses.differs[:height, :width] & usable
    agrees = likenesses.agrees[:height, :width] & usable
    if differs.sum() < FEWEST_PX:
        return None
    seen = tint_of(flat)
    tints = likenesses.tints[:, :height, :width]
    colour = _saturation(seen[agrees], tints.mean(axis=0)[agrees])
    if colour < FAINT:
        return None
    off = []
    for tint in tints:
        away = seen - tint * np.array([colour, colour, 1.0], np.float32)
        off.append(min(_misfit(away, differs, agrees, light) for light in _lights(away, differs, agrees)))
    return np.array(off)


def _saturation(seen: NDArray[np.float32], own: NDArray[np.float32]) -> float:
    """Return how strong colours are in the picture to those of the art (1: as strong), by what boards share.

    A veil of light, a lamp too bright or a camera's setting takes colour out: 0.5 to 0.9 is usual. 1 where
    what they share has hardly any colour to tell it by.
    """
    if len(own) < FEWEST_PX:
        return 1.0
    seen_away, own_away = (tints[:, :2] - np.median(tints[:, :2], axis=0) for tints in (seen, own))
    if float(np.square(own_away).sum(axis=1).mean()) < COLOURFUL**2:
        return 1.0
    fair = np.abs(seen_away).sum(axis=1) < MOST_OFF  # a hand or a card has colours of its own
    weight = float(np.square(own_away[fair]).sum())
    slope = float((seen_away * own_away)[fair].sum()) / weight if weight else 1.0
    return min(max(slope, 0.0), 1.0)


def _lights(
    away: Tint, differs: NDArray[np.bool_], agrees: NDArray[np.bool_]
) -> Iterator[NDArray[np.float32]]:
    """Yield the colours that the light may have: by what the boards share, and by what differs."""
    for spots in (away[agrees], away[differs]):
        if len(spots) >= FEWEST_PX:
            light = np.median(spots, axis=0).astype(np.float32)
            light[2] = 0.0  # brightness has been taken out
            yield light


def _misfit(
    away: Tint, differs: NDArray[np.bool_], agrees: NDArray[np.bool_], light: NDArray[np.float32]
) -> float:
    """Return how far off a board is under a light; what is shared counts as much as what differs."""
    off = [
        float(np.minimum(np.abs(away[mask] - light).sum(axis=1), MOST_OFF).mean())
        for mask in (differs, agrees)
        if np.count_nonzero(mask) >= FEWEST_PX
    ]
    return sum(off) + max(0.0, float(np.abs(light[:2]).max()) - USUAL_LIGHT)


def name_boards(off: Sequence[NDArray[np.float64] | None], free: Sequence[bool]) -> tuple[int | None, ...]:
    """Name boards by their misfits (one row a board), each name once; ``free`` tells which are left.

    A board stays unnamed (None) when the best way with another name for it fits about as well.
    """
    names = [k for k, is_free in enumerate(free) if is_free]
    known = [k for k, row in enumerate(off) if row is not None]
    rows = {k: row for k, row in enumerate(off) if row is not None}
    if not known or len(known) > len(names):
        return (None,) * len(off)
    ways = [
        (sum(float(rows[k][n]) for k, n in zip(known, way, strict=True)), way)
        for way in itertools.permutations(names, len(known))
    ]
    best_off, best = min(ways)
    answers: list[int | None] = [None] * len(off)
    for place, k in enumerate(known):
        others = [total for total, way in ways if way[place] != best[place]]
        own = float(rows[k][best[place]])
        gap = min(others, default=np.inf) - best_off
        if gap > CLEAR_BY and gap > (CLEAR - 1) * own:
            answers[k] = best[place]
    return tuple(answers)


def reduced_for_naming(pixels: Pixels) -> tuple[Pixels, float]:
    """Return a picture made small, and by how much."""
    share = min(1.0, REDUCED_PX / pixels.shape[1])
    if share == 1.0:
        return pixels, 1.0
    return np.asarray(
        cv2.resize(pixels, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8
    ), share


def in_reduced(pose: BoardPose, share: float) -> BoardPose:
    """Return a pose as it is in a picture made small."""
    x, y = pose.lens.centre_px
    lens = replace(
        pose.lens, centre_px=(x * share, y * share), half_diagonal_px=pose.lens.half_diagonal_px * share
    )
    return replace(pose, plane=np.diag([share, share, 1.0]) @ pose.plane, lens=lens)
