"""Which token lies on a space: a race between every kind, at any turn, and the art below.

Coarse to exact: all kinds at twelve turns on a grid of 2 mm, then the likely ones are laid exactly
(``likeness``). What they must beat is not a level but the empty space. All spaces race at once. Works
at a pixel a millimetre, half of ART_PX_PER_MM: finer than most cameras see a table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import PieceKind
from vision.box import ART_PX_PER_MM, Token
from vision.light import BLUR_LEVELS_PX, to_opponent
from vision.likeness import (
    NEAR,
    Laid,
    Patterns,
    Planes,
    doubts,
    hold_near,
    lay,
    median_miss,
    misfits_of,
    planes_of,
)
from vision.matching import Misfits, Templates, cut, cuts, halved, windows_of

PX_PER_MM = ART_PX_PER_MM / 2
COARSE_TURNS = 12
REACH_MM = 6.0  # hands are not exact
INSET_MM = 0.6  # the rim mixes with what lies beside it
PLAIN_SHARE = 0.38  # art that leaves so little unexplained has nothing on it
PLAIN_MOST = 24.0
PLAIN_LIKE = 0.6
RING_MM = (1.5, 5.5)  # beyond a token's rim
CONTENDERS = 3
PLACES, APART_PX = 5, 2.5  # where one kind is sought in a heap; at 0.5 px/mm
ROUNDS = 3
FAR = (-1e3, -1e3)


@dataclass(frozen=True, slots=True)
class TokenLook:
    """What the race said of one space: misfits (mean squared misses a pixel), best kind first.

    ``likes`` are the same kinds' likenesses in shape. ``empty`` is the misfit of the art below over the
    middle of the space, ``empty_there`` over the pixels that the best token would cover. ``contrast`` is
    the variance of what lies there, ``bare_contrast`` that of the middle of the space, ``bare_like``
    how alike in shape that is to the art below, ``ring`` the middle misfit of the art around it: high when
    something larger covers the place.
    """

    kinds: tuple[PieceKind, ...]
    misfits: tuple[float, ...]
    likes: tuple[float, ...]
    empty: float
    empty_there: float
    offset_mm: tuple[float, float]
    turn_deg: float
    contrast: float
    bare_contrast: float
    bare_like: float
    ring: float


@dataclass(frozen=True, slots=True, eq=False)
class TokenTemplates:
    """Templates of all kinds at one blur: coarse at twelve turns (0.5 px/mm), and exact (1 px/mm)."""

    kinds: tuple[PieceKind, ...]
    side_px: int  # at ART_PX_PER_MM; a multiple of four
    coarse: Templates
    exact: Patterns
    disc: NDArray[np.float32]  # at half scale: where an empty space must look empty
    reach_px: float  # of the largest token, at ART_PX_PER_MM

    @classmethod
    def of(cls, tokens: Sequence[Token], blur: int) -> TokenTemplates:
        reach = max(float(np.linalg.norm(t.outline_mm, axis=1).max()) for t in tokens)
        side = 4 * math.ceil((2 * reach + 1) * ART_PX_PER_MM / 4)
        arts, masks, exact_arts, exact_masks = [], [], [], []
        for token in tokens:
            soft = to_opponent(cv2.GaussianBlur(token.art, (0, 0), BLUR_LEVELS_PX[blur]))
            middle = ((soft.shape[1] - 1) / 2, (soft.shape[0] - 1) / 2)
            exact_arts.append(halved(cut(soft, middle, (side, side))))
            exact_masks.append(_shrunk(outline_mask(token.outline_mm, 0.0, side, INSET_MM), 2))
            for k in range(COARSE_TURNS):
                turn = 360.0 * k / COARSE_TURNS
                arts.append(halved(cut(soft, middle, (side, side), -turn), 2))
                masks.append(_shrunk(outline_mask(token.outline_mm, turn, side, INSET_MM), 4))
        radius = min(float(np.linalg.norm(t.outline_mm, axis=1).min()) for t in tokens)
        y, x = np.ogrid[: side // 2, : side // 2]
        middle_px = (side // 2 - 1) / 2
        disc = (np.hypot(x - middle_px, y - middle_px) < (radius - 1) * PX_PER_MM).astype(np.float32)
        return cls(
            tuple(t.kind for t in tokens),
            side,
            Templates.of(arts, masks),
            Patterns.of(exact_arts, exact_masks),
            disc,
            reach * ART_PX_PER_MM,
        )


def _shrunk(mask: NDArray[np.float32], shrink: int) -> NDArray[np.float32]:
    side = mask.shape[0] // shrink
    return (cv2.resize(mask, (side, side), interpolation=cv2.INTER_AREA) > 0.7).astype(np.float32)


def outline_mask(
    outline_mm: NDArray[np.float64], turn_deg: float, side_px: int, inset_mm: float
) -> NDArray[np.float32]:
    """Return a mask (1 inside) of an outline about the middle of a square, turned clockwise."""
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    length = np.linalg.norm(outline_mm, axis=1, keepdims=True)
    shape = outline_mm * np.maximum(1 - inset_mm / np.maximum(length, 1e-6), 0)
    turned = shape @ np.array([[cos, sin], [-sin, cos]])
    points = np.rint((turned * ART_PX_PER_MM + (side_px - 1) / 2) * 16).astype(np.int32)
    mask = np.zeros((side_px, side_px), np.uint8)
    cv2.fillPoly(mask, [points], 1, shift=4)
    return mask.astype(np.float32)


def patch_side(templates: TokenTemplates) -> int:
    """Return the side (px at ART_PX_PER_MM) of the patches that ``race`` wants, before they are halved."""
    return templates.side_px + 2 * round(REACH_MM * ART_PX_PER_MM)


@dataclass(frozen=True, slots=True, eq=False)
class _Bare:
    """Spaces held against the art below them: ``art`` moved by up to a pixel so that it fits best."""

    patches: NDArray[np.float32]  # (n, s, s, 3)
    art: NDArray[np.float32]
    misfits: Misfits
    contrasts: NDArray[np.float32]
    likes: NDArray[np.float32]


def race(
    patches: NDArray[np.float32],
    empties: NDArray[np.float32],
    templates: TokenTemplates,
    *,
    plain: float = 0.0,
    only: Sequence[PieceKind | None] | None = None,
    seek_all: bool = False,
) -> list[TokenLook]:
    """Read tokens off patches (n, side, side, 3) cut around their spaces, at half scale (``patch_side``).

    No token is sought where the art below fits within ``plain`` grey levels, or explains almost all
    that is to be seen, unless ``seek_all`` is set. ``only`` names the kind that alone is sought on a space,
    in a few places.
    """
    if not len(patches):
        return []
    bare = _hold_bare(patches, empties, templates)
    open_ones = [
        i
        for i, (misfit, contrast, like) in enumerate(
            zip(bare.misfits.tolist(), bare.contrasts.tolist(), bare.likes.tolist(), strict=True)
        )
        if seek_all or not is_plain(misfit, contrast, like, plain)
    ]
    tries = _seek(bare, open_ones, templates, only or [None] * len(patches))
    looks = _finish(bare, tries, templates) if tries else {}
    spots = np.full((len(patches), 2), FAR)
    for i, look in looks.items():
        spots[i] = (bare.patches.shape[1] - 1) / 2 + np.array(look.offset_mm) * PX_PER_MM
    rings = _around_it(bare, spots, templates).tolist()
    return [
        replace(looks[i], ring=ring) if i in looks else _empty_look(bare, i, ring)
        for i, ring in enumerate(rings)
    ]


def is_plain(misfit: float, contrast: float, like: float, plain: float) -> bool:
    """Tell whether art fits so well that nothing can lie on it: within ``plain``, or all explained.

    It must be ``like`` what is seen in shape, too: haze and blur bring all colours near to one another.
    """
    level = math.sqrt(misfit)
    well_explained = level < PLAIN_SHARE * (math.sqrt(contrast) + 5)
    return like >= PLAIN_LIKE and (level < plain or (well_explained and level < PLAIN_MOST))


def _hold_bare(
    patches: NDArray[np.float32], empties: NDArray[np.float32], templates: TokenTemplates
) -> _Bare:
    side = len(templates.disc)
    reach = (patches.shape[1] - side) // 2
    masks = np.broadcast_to(templates.disc.ravel(), (len(patches), side * side))
    middle = planes_of(empties[:, reach : reach + side, reach : reach + side])
    held = hold_near(patches, middle, masks, (side, side))
    moved = np.stack([np.roll(e, NEAR[k], axis=(0, 1)) for e, k in zip(empties, held.near, strict=True)])
    return _Bare(patches, moved, held.misfits, held.contrasts, held.likes)


def _empty_look(bare: _Bare, i: int, ring: float) -> TokenLook:
    misfit, contrast = float(bare.misfits[i]), float(bare.contrasts[i])
    like = float(bare.likes[i])
    return TokenLook((), (), (), misfit, misfit, (0.0, 0.0), 0.0, contrast, contrast, like, ring)


@dataclass(frozen=True, slots=True)
class _Try:
    """A token to be laid exactly: on which space, which kind, about where (px), about how turned."""

    space: int
    kind: int
    spot_px: tuple[float, float]
    turn_deg: float


def _seek(
    bare: _Bare, open_ones: Sequence[int], templates: TokenTemplates, only: Sequence[PieceKind | None]
) -> list[_Try]:
    """Return the likeliest kinds of each space, best first, and where they lie about."""
    if not open_ones:
        return []
    side = templates.side_px // 4
    windows, columns = windows_of(np.stack([halved(bare.patches[i]) for i in open_ones]), (side, side))
    misfits = templates.coarse.misfits(windows)
    cube = misfits.reshape(len(open_ones), -1, len(templates.kinds), COARSE_TURNS)
    best = cube.min(axis=(1, 3))
    tries = []
    for row, (i, levels) in enumerate(zip(open_ones, best, strict=True)):
        kind = only[i]
        if kind in templates.kinds:
            tries += _places(i, templates.kinds.index(kind), cube[row], columns, side)
            continue
        for k in _contenders(levels, templates.kinds):
            tries.append(_try(i, k, cube[row, :, k], columns, side))
    return tries


def _contenders(levels: NDArray[np.float32], kinds: Sequence[PieceKind]) -> list[int]:
    """Return which templates are likeliest, best first; of several of one kind the best."""
    chosen: dict[PieceKind, int] = {}
    for k in np.argsort(levels).tolist():
        chosen.setdefault(kinds[k], k)
        if len(chosen) == CONTENDERS:
            break
    return list(chosen.values())


def _try(space: int, kind: int, table: NDArray[np.float32], columns: int, side: int) -> _Try:
    """Return where a kind fits best, of a table (windows, turns)."""
    window, turn = divmod(int(table.argmin()), COARSE_TURNS)
    down, right = divmod(window, columns)
    spot = (2 * right + side - 0.5, 2 * down + side - 0.5)
    return _Try(space, kind, spot, 360.0 * turn / COARSE_TURNS)


def _places(space: int, kind: int, cube: NDArray[np.float32], columns: int, side: int) -> list[_Try]:
    """Return some places, well apart, where one kind fits best; ``cube`` is (windows, kinds, turns)."""
    table = cube[:, kind].copy()
    down, right = np.divmod(np.arange(len(table)), columns)
    tries: list[_Try] = []
    while len(tries) < PLACES and np.isfinite(table).any():
        tries.append(_try(space, kind, table, columns, side))
        at = int(table.argmin()) // COARSE_TURNS
        table[np.hypot(down - down[at], right - right[at]) < APART_PX] = np.inf
    return tries


def _finish(bare: _Bare, tries: Sequence[_Try], templates: TokenTemplates) -> dict[int, TokenLook]:
    """Lay the contenders exactly, and rank them; return the looks at their spaces, without rings."""
    which = np.array([t.kind for t in tries], np.intp)
    laid = lay(
        [bare.patches[t.space] for t in tries],
        templates.exact,
        which,
        np.array([t.spot_px for t in tries]),
        np.array([t.turn_deg for t in tries]),
        rounds=ROUNDS,
    )
    of_space: dict[int, list[int]] = {}
    for k, tried in enumerate(tries):
        of_space.setdefault(tried.space, []).append(k)
    levels = doubts(laid.misfits, laid.likes)
    ranked = {i: sorted(ks, key=lambda k: float(levels[k])) for i, ks in of_space.items()}
    firsts = np.array([ks[0] for ks in ranked.values()], np.intp)
    masks = templates.exact.masks[which[firsts]]
    below = _below(bare, list(ranked), laid, firsts, templates)
    there = misfits_of(laid.seen[firsts], below, masks)
    middle = (bare.patches.shape[1] - 1) / 2
    looks = {}
    for n, (i, ks) in enumerate(ranked.items()):
        x, y = (laid.spots_px[ks[0]] - middle) / PX_PER_MM
        looks[i] = TokenLook(
            tuple(templates.kinds[tries[k].kind] for k in ks),
            tuple(float(laid.misfits[k]) for k in ks),
            tuple(float(laid.likes[k]) for k in ks),
            float(bare.misfits[i]),
            float(there[n]),
            (float(x), float(y)),
            float(laid.turns_deg[ks[0]]) % 360.0,
            float(laid.contrasts[ks[0]]),
            float(bare.contrasts[i]),
            float(bare.likes[i]),
            0.0,
        )
    return looks


def _below(
    bare: _Bare, spaces: Sequence[int], laid: Laid, firsts: NDArray[np.intp], templates: TokenTemplates
) -> Planes:
    """Return the art below the tokens that were laid best."""
    art = [bare.art[i] for i in spaces]
    side_hw = templates.exact.side_hw
    return planes_of(cuts(art, laid.spots_px[firsts], side_hw, laid.turns_deg[firsts]))


def _around_it(bare: _Bare, spots: NDArray[np.float64], templates: TokenTemplates) -> NDArray[np.float32]:
    """Return the middle misfits of the art in a ring about each space, less where its token lies."""
    side = bare.patches.shape[1]
    y, x = np.mgrid[:side, :side].astype(np.float32)
    away = np.hypot(x - (side - 1) / 2, y - (side - 1) / 2)
    reach = templates.reach_px / 2
    low, high = (reach + r * PX_PER_MM for r in RING_MM)
    ring = (away > low) & (away < high)
    clear = np.hypot(x - spots[:, :1, None], y - spots[:, 1:, None]) > low
    masks = (ring & clear).reshape(len(spots), -1).astype(np.float32)
    return median_miss(planes_of(bare.patches), planes_of(bare.art), masks)
