"""Lay art exactly on a picture, and say how alike the two are: in shape, and in colour.

Two unlike evidences. The *shape* is the pattern alone: each channel less its mean and its slope over
the piece, scaled to one; no lamp, veil of gloss or white balance changes it, and a plain disc of the
right colour has none. The *misfit* (see ``matching``) is about the colours themselves, and hardly
about fine lines. Imports OpenCV and numpy; all pictures are in the colours of ``light.to_opponent``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.light import Colours
from vision.matching import CHROMA_PRICE, GAIN_PRICE, LIFT_PRICE, cuts

Planes = NDArray[np.float32]
"""(n, 3, p): pixels of n patches, channel after channel."""

FAINT = 6.0  # grey levels a pixel: a pattern fainter than this is none
STIFF = 0.02  # share of the steepness by which each step is held back
NOISE = 9.0  # misfit that no piece is blamed for
SHAPE_SAYS = 1.0
MOST_BLIND = 20  # pixels; fewer tell nothing
MOST_STEP_PX, MOST_STEP_DEG = 1.5, 8.0
LEAST_LIKE = 0.35  # a step in what is less alike would lead anywhere
NEAR = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))  # pixels down and right: a board is found a little off


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """Art of one size that can be laid exactly. ``m`` pieces, ``p`` pixels each.

    ``art`` (m, 3, p) and ``masks`` (m, p) as they are; ``ramps`` (m, p, 3) what even light and slopes of
    light do under each mask, orthonormal. ``guides`` (m, 4, 3p): the piece's shape, of length one, then
    what tells from a picture how far right and down (px) and clockwise (radians) the art must move.
    """

    side_hw: tuple[int, int]
    art: Planes
    masks: NDArray[np.float32]
    ramps: NDArray[np.float32]
    guides: NDArray[np.float32]

    @classmethod
    def of(cls, arts: Sequence[Colours], masks: Sequence[NDArray[np.float32]]) -> Patterns:
        """Build from pictures (all of one size) and their masks (0 or 1)."""
        height, width = arts[0].shape[:2]
        x, y = _about_middle(height, width)
        kept = np.stack([m.astype(np.float32).ravel() for m in masks])
        ramps = _ramps(kept, (height, width))
        planes = np.stack([a.reshape(-1, 3).T for a in arts]).astype(np.float32)
        across = np.stack([np.gradient(a, axis=1).reshape(-1, 3).T for a in arts])
        down = np.stack([np.gradient(a, axis=0).reshape(-1, 3).T for a in arts])
        slopes = [across, down, down * x - across * y]
        flat, length = _flattened(planes, kept, ramps)
        shapes = flat / length[:, None]
        moves = [_flattened(s.astype(np.float32), kept, ramps)[0] / length[:, None] for s in slopes]
        slope = np.stack(moves, axis=1)
        slope -= np.einsum("mkq,mq->mk", slope, shapes)[..., None] * shapes[:, None]
        square = np.einsum("mkq,mlq->mkl", slope, slope)
        held = np.einsum("mkk->mk", square) * STIFF + 1e-6
        steps = np.linalg.solve(square + held[..., None] * np.eye(3), slope)
        guides = np.concatenate([shapes[:, None], steps], axis=1).astype(np.float32)
        return cls((height, width), planes * kept[:, None], kept, ramps, guides)

    def some(self, which: NDArray[np.intp]) -> Patterns:
        """Return a choice of the pieces, one as often as it is named."""
        return Patterns(
            self.side_hw, self.art[which], self.masks[which], self.ramps[which], self.guides[which]
        )

    def guide(self, seen: Planes) -> NDArray[np.float32]:
        """Return (m, 4) for a patch a piece: how alike they are in shape (-1 to 1), and the way to go."""
        return _told(self.guides, seen, self.masks, self.ramps)

    def likeness(self, seen: Planes, which: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return how alike patches and their pieces are in shape, -1 to 1, (n,)."""
        return _told(self.guides[which, :1], seen, self.masks[which], self.ramps[which])[:, 0]

    def misfits(self, seen: Planes, which: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return how badly patches fit their pieces, (n,)."""
        return misfits_of(seen, self.art[which], self.masks[which])


def _about_middle(height: int, width: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    y, x = np.mgrid[:height, :width].astype(np.float32)
    return (x - (width - 1) / 2).ravel(), (y - (height - 1) / 2).ravel()


def _ramps(masks: NDArray[np.float32], side_hw: tuple[int, int]) -> NDArray[np.float32]:
    """Return what even light and slopes of light do under each mask (n, p), orthonormal, (n, p, 3)."""
    x, y = _about_middle(*side_hw)
    design = np.stack([np.ones_like(x), x, y], axis=1)
    unlike = {m.tobytes(): m for m in masks}
    solved = {key: np.linalg.qr(design * m[:, None])[0] for key, m in unlike.items()}
    return np.stack([solved[m.tobytes()] for m in masks]).astype(np.float32)


def bare_likes(
    seen: Planes, art: Planes, masks: NDArray[np.float32], side_hw: tuple[int, int]
) -> NDArray[np.float32]:
    """Return how alike patches are in shape to the art of a place with nothing on it, -1 to 1, (n,).

    A place without a pattern, seen without one, is like itself: 1. Whatever has a pattern where the art
    has none, or none where it has one, is not.
    """
    ramps, faint = _ramps(masks, side_hw), _faint(masks)
    (wanted, wanted_length), (shown, length) = (_flattened(p, masks, ramps) for p in (art, seen))
    like = np.einsum("nq,nq->n", wanted, shown) / (wanted_length * length)
    patterned = np.clip(np.maximum(wanted_length, length) / faint - 1, 0, 1)
    return np.asarray(1 - (1 - like) * patterned, np.float32)


def _told(
    guides: NDArray[np.float32], seen: Planes, masks: NDArray[np.float32], ramps: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return what guides (n, k, 3p) tell of the shapes of patches, (n, k).

    Guides know no ramps and nothing outside their masks, so of a shape only its length is wanted.
    """
    shown = seen * masks[:, None]
    even = shown @ ramps
    square = np.einsum("ncp,ncp->n", shown, shown) - np.einsum("nck,nck->n", even, even)
    length = np.maximum(np.sqrt(np.maximum(square, 0.0)), _faint(masks))
    told = (guides @ shown.reshape(len(shown), -1, 1))[..., 0]
    return np.asarray(told / length[:, None], np.float32)


def _flattened(
    planes: Planes, masks: NDArray[np.float32], ramps: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Take means and slopes out of patches; return what is left (n, 3p) and its length (n,)."""
    shown = planes * masks[:, None]
    flat = shown - (shown @ ramps) @ ramps.transpose(0, 2, 1)
    flat = flat.reshape(len(flat), -1)
    length = np.maximum(np.sqrt(np.einsum("nq,nq->n", flat, flat)), _faint(masks))
    return flat.astype(np.float32), length.astype(np.float32)


def _faint(masks: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the length below which a pattern is none, (n,)."""
    return np.asarray(FAINT * np.sqrt(masks.sum(axis=1)), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """Pieces laid on pictures: which, where their middles are (n, 2) px, how turned, what lies there.

    ``likes`` are their likenesses in shape, ``misfits`` how badly their colours fit, ``contrasts`` the
    variances of what lies there.
    """

    which: NDArray[np.intp]
    spots_px: NDArray[np.float64]
    turns_deg: NDArray[np.float64]
    seen: Planes
    likes: NDArray[np.float32]
    misfits: NDArray[np.float32]
    contrasts: NDArray[np.float32]

    def and_more(self, others: Laid) -> Laid:
        """Return these and others."""
        return Laid(*(np.concatenate([getattr(self, f.name), getattr(others, f.name)]) for f in fields(self)))


def lay(
    pictures: Sequence[Colours],
    patterns: Patterns,
    which: NDArray[np.intp],
    spots_px: NDArray[np.float64],
    turns_deg: NDArray[np.float64],
    *,
    rounds: int,
) -> Laid:
    """Move pieces from about where they lie to where they lie exactly, each on its own picture.

    The inverse compositional way (Baker and Matthews 2004): the slopes of the art, not of the picture,
    tell the way, so that they are worked out once a box.
    """
    spots, turns = spots_px.astype(float), turns_deg.astype(float)
    chosen = patterns.some(which)
    for _ in range(rounds):
        told = chosen.guide(planes_of(cuts(pictures, spots, patterns.side_hw, turns)))
        step = told[:, 1:] / np.maximum(told[:, :1], LEAST_LIKE)
        off = np.clip(step[:, :2], -MOST_STEP_PX, MOST_STEP_PX)
        turns = turns - np.clip(np.degrees(step[:, 2]), -MOST_STEP_DEG, MOST_STEP_DEG)
        cos, sin = np.cos(np.radians(turns)), np.sin(np.radians(turns))
        spots = spots - np.stack(
            [cos * off[:, 0] - sin * off[:, 1], sin * off[:, 0] + cos * off[:, 1]], axis=1
        )
    seen = planes_of(cuts(pictures, spots, patterns.side_hw, turns))
    likes, misfits = chosen.guide(seen)[:, 0], misfits_of(seen, chosen.art, chosen.masks)
    return Laid(which, spots, turns, seen, likes, misfits, contrast_of(seen, chosen.masks))


def planes_of(patches: NDArray[Any]) -> Planes:
    """Return (n, 3, h*w) from (n, h, w, 3)."""
    count, height, width = patches.shape[:3]
    return np.ascontiguousarray(patches.reshape(count, height * width, 3).transpose(0, 2, 1), np.float32)


def misfits_of(seen: Planes, art: Planes, masks: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the misfits (mean squared misses a pixel) of patches with one piece each, (n,).

    ``seen`` may be several sets of patches (k, n, 3, p); the misfits are then (k, n). As
    ``Templates.misfits``: lightness may have another gain and a lift, colours may be paler, at a price.
    """
    shown, wanted = seen * masks[:, None], art * masks[:, None]
    n = np.maximum(masks.sum(axis=1), 1.0)
    light, paint = wanted[:, 0], wanted[:, 1:]
    off, tinted = shown[..., 0, :] - light, shown[..., 1:, :]
    tt, tl = np.einsum("np,np->n", light, light), light.sum(axis=1)
    along, over = np.einsum("...np,np->...n", off, light), off.sum(axis=-1)
    a, b, d = tt + GAIN_PRICE * n, tl, n * (1 + LIFT_PRICE)
    saved = (d * along * along - 2 * b * along * over + a * over * over) / np.maximum(a * d - b * b, 1e-6)
    rest = np.einsum("...np,...np->...n", off, off) - saved
    toned = np.einsum("...ncp,ncp->...n", tinted, paint) + CHROMA_PRICE * n
    paler = np.einsum("ncp,ncp->n", paint, paint) + CHROMA_PRICE * n
    painted = np.einsum("...ncp,...ncp->...n", tinted, tinted) + CHROMA_PRICE * n
    return np.asarray(np.maximum(rest + painted - toned * toned / paler, 0.0) / n, np.float32)


class Held(NamedTuple):
    """Patches held against art, (n,) each: misfits, contrasts, likenesses in shape, which of NEAR fits."""

    misfits: NDArray[np.float32]
    contrasts: NDArray[np.float32]
    likes: NDArray[np.float32]
    near: NDArray[np.intp]


def hold_near(
    wide: NDArray[np.float32], art: Planes, masks: NDArray[np.float32], side_hw: tuple[int, int]
) -> Held:
    """Hold the middles of patches (n, h, w, 3) against the art of a bare place each, with a pixel of play."""
    height, width = side_hw
    top, left = (wide.shape[1] - height) // 2, (wide.shape[2] - width) // 2
    windows = [
        planes_of(wide[:, top + down : top + down + height, left + right : left + right + width])
        for down, right in NEAR
    ]
    stacked = np.stack(windows)
    misfits = misfits_of(stacked, art, masks)
    near = misfits.argmin(axis=0)
    best = stacked[near, np.arange(len(near))]
    likes = bare_likes(best, art, masks, side_hw)
    return Held(misfits.min(axis=0), contrast_of(windows[0], masks), likes, near)


def contrast_of(seen: Planes, masks: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the variance of patches under their masks, over all channels, (n,)."""
    n = np.maximum(masks.sum(axis=1), 1.0)[:, None]
    shown = seen * masks[:, None]
    mean = shown.sum(axis=2) / n
    return np.asarray((np.einsum("ncp,ncp->nc", shown, shown) / n - mean**2).sum(axis=1), np.float32)


def doubts(misfits: NDArray[np.float32], likes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return by what pieces are ranked, smallest first: bad colours and an unlike shape weigh alike."""
    return np.asarray(0.5 * np.log(misfits + NOISE) + SHAPE_SAYS * (1 - likes), np.float32)


def turned(vector_xy: tuple[float, float], turn_deg: float) -> tuple[float, float]:
    """Return a vector turned clockwise (y points down)."""
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return cos * vector_xy[0] - sin * vector_xy[1], sin * vector_xy[0] + cos * vector_xy[1]


def median_miss(seen: Planes, art: Planes, masks: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the middle squared miss under each mask, fitted as ``misfits_of`` does; 0 for small masks."""
    shown, wanted = seen * masks[:, None], art * masks[:, None]
    n = np.maximum(masks.sum(axis=1), 1.0)
    light, paint = wanted[:, 0], wanted[:, 1:]
    off = shown[:, 0] - light
    tt, tl = np.einsum("np,np->n", light, light), light.sum(axis=1)
    along, over = np.einsum("np,np->n", off, light), off.sum(axis=1)
    a, b, d = tt + GAIN_PRICE * n, tl, n * (1 + LIFT_PRICE)
    whole = np.maximum(a * d - b * b, 1e-6)
    gain, lift = (d * along - b * over) / whole, (a * over - b * along) / whole
    pale = (np.einsum("ncp,ncp->n", shown[:, 1:], paint) + CHROMA_PRICE * n) / (
        np.einsum("ncp,ncp->n", paint, paint) + CHROMA_PRICE * n
    )
    dark = off - gain[:, None] * light - lift[:, None]
    tint = shown[:, 1:] - pale[:, None, None] * paint
    square = dark * dark + np.einsum("ncp,ncp->np", tint, tint)
    ranked = np.sort(np.where(masks > 0, square, np.inf), axis=1)
    middles = ranked[np.arange(len(ranked)), np.minimum(n.astype(int) // 2, ranked.shape[1] - 1)]
    return np.asarray(np.where(n < MOST_BLIND, 0.0, middles), np.float32)
