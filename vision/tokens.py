"""Which token lies on a space: a race between every kind, at any turn, and the art below.

Coarse to fine: all kinds at twelve turns on a grid of 2 mm, then the likely ones at 1 mm and
7.5 degrees, then the best at 0.5 mm. What they must beat is not a level but the empty space.
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
from vision.light import BLUR_LEVELS_PX, Colours, to_opponent
from vision.matching import Templates, cut, halved, miss_map, windows_of

TURNS = 48
COARSE_TURNS = 12
REACH_MM = 6.0  # hands are not exact
INSET_MM = 0.6  # the rim mixes with what lies beside it
FINALISTS = 2
OUT_OF_THE_RACE = 3.0  # times the misfit of the empty space: no token comes back from there
PLAIN_SHARE = 0.38  # art that leaves so little unexplained has nothing on it
PLAIN_MOST = 24.0
RING_MM = (1.5, 5.5)  # beyond a token's rim
CONTENDERS = 3


@dataclass(frozen=True, slots=True)
class TokenLook:
    """What the race said of one space: misfits (mean squared misses a pixel), best kind first.

    ``empty`` is the misfit of the art below over the middle of the space, ``empty_there`` over the
    pixels that the best token would cover. ``contrast`` is the variance of what lies there, ``ring``
    the middle misfit of the art around it: high when something larger covers the place.
    """

    kinds: tuple[PieceKind, ...]
    misfits: tuple[float, ...]
    empty: float
    empty_there: float
    offset_mm: tuple[float, float]
    turn_deg: float
    contrast: float
    ring: float


@dataclass(frozen=True, slots=True, eq=False)
class TokenTemplates:
    """Templates of all kinds at one blur: coarse (0.5 px/mm), middle (1), fine (2)."""

    kinds: tuple[PieceKind, ...]
    side_px: int  # of the fine ones; a multiple of four
    coarse: Templates
    middle: Templates
    fine: Templates
    disc: NDArray[np.float32]  # at half scale: where an empty space must look empty
    reach_px: float  # of the largest token

    @classmethod
    def of(cls, tokens: Sequence[Token], blur: int) -> TokenTemplates:
        reach = max(float(np.linalg.norm(t.outline_mm, axis=1).max()) for t in tokens)
        side = 4 * math.ceil((2 * reach + 1) * ART_PX_PER_MM / 4)
        arts: dict[int, list[Colours]] = {1: [], 2: [], 4: []}
        masks: dict[int, list[NDArray[np.float32]]] = {1: [], 2: [], 4: []}
        for token in tokens:
            soft = to_opponent(cv2.GaussianBlur(token.art, (0, 0), BLUR_LEVELS_PX[blur]))
            middle = ((soft.shape[1] - 1) / 2, (soft.shape[0] - 1) / 2)
            for k in range(TURNS):
                turn = 360.0 * k / TURNS
                art = cut(soft, middle, (side, side), -turn)
                mask = outline_mask(token.outline_mm, turn, side, INSET_MM)
                for shrink, times in ((1, 0), (2, 1), (4, 2)):
                    if shrink == 4 and k % (TURNS // COARSE_TURNS):
                        continue
                    small = cv2.resize(mask, (side // shrink, side // shrink), interpolation=cv2.INTER_AREA)
                    arts[shrink].append(halved(art, times) if times else art)
                    masks[shrink].append((small > 0.7).astype(np.float32))
        radius = min(float(np.linalg.norm(t.outline_mm, axis=1).min()) for t in tokens)
        y, x = np.ogrid[: side // 2, : side // 2]
        middle_px = (side // 2 - 1) / 2
        disc = (np.hypot(x - middle_px, y - middle_px) < (radius - 1) * ART_PX_PER_MM / 2).astype(np.float32)
        return cls(
            tuple(t.kind for t in tokens),
            side,
            Templates.of(arts[4], masks[4]),
            Templates.of(arts[2], masks[2]),
            Templates.of(arts[1], masks[1]),
            disc,
            reach * ART_PX_PER_MM,
        )


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


@dataclass(frozen=True, slots=True, eq=False)
class _Bare:
    """A space held against the art below it, at half scale."""

    patch: Colours
    art: Colours  # moved so that it fits best
    misfit: float
    contrast: float


def race(
    patches: Sequence[Colours],
    empties: Sequence[Colours],
    templates: TokenTemplates,
    *,
    plain: float = 0.0,
) -> list[TokenLook]:
    """Read tokens off patches of side ``side + 2 * REACH`` (see ``patch_side``) cut around their spaces.

    No token is sought where the art below fits within ``plain`` grey levels, or explains almost all
    that is to be seen.
    """
    bare = [_hold_bare(p, e, templates) for p, e in zip(patches, empties, strict=True)]
    open_ones = [i for i, b in enumerate(bare) if not is_plain(b.misfit, b.contrast, plain)]
    looks = [_empty_look(b, templates) for b in bare]
    if not open_ones:
        return looks
    side = templates.side_px // 4
    rows = [windows_of(halved(bare[i].patch), (side, side)) for i in open_ones]
    columns, each = rows[0][1], len(rows[0][0])
    misfits = templates.coarse.misfits(np.concatenate([r[0] for r in rows]))
    for k, i in enumerate(open_ones):
        looks[i] = _finish(patches[i], bare[i], misfits[k * each : (k + 1) * each], columns, templates)
    return looks


def patch_side(templates: TokenTemplates) -> int:
    """Return the side (px) of the patches that ``race`` wants."""
    return templates.side_px + 2 * round(REACH_MM * ART_PX_PER_MM)


def _hold_bare(patch: Colours, empty: Colours, templates: TokenTemplates) -> _Bare:
    small, art = halved(patch), halved(empty)
    side = templates.side_px // 2
    reach = (small.shape[0] - side) // 2
    centre, near = slice(reach, reach + side), slice(reach - 1, reach + side + 1)
    only = Templates.of([art[centre, centre]], [templates.disc])
    windows, columns = windows_of(small[near, near], (side, side))
    levels = only.misfits(windows)[:, 0]  # the board may be found a little off
    at = int(levels.argmin())
    moved = _shifted(art, at // columns - 1, at % columns - 1)
    seen = small[centre, centre][templates.disc > 0]
    return _Bare(small, moved, float(levels[at]), float(seen.var(axis=0).sum()))


def is_plain(misfit: float, contrast: float, plain: float) -> bool:
    """Tell whether art fits so well that nothing can lie on it: within ``plain``, or all explained."""
    level = math.sqrt(misfit)
    well_explained = level < PLAIN_SHARE * (math.sqrt(contrast) + 5)
    return level < plain or (well_explained and level < PLAIN_MOST)


def _empty_look(bare: _Bare, templates: TokenTemplates) -> TokenLook:
    far = (-1e3, -1e3)
    ring = _around_it(bare.patch, bare.art, templates.reach_px / 2, far)
    return TokenLook((), (), bare.misfit, bare.misfit, (0.0, 0.0), 0.0, bare.contrast, ring)


def _finish(
    patch: Colours, bare: _Bare, coarse: NDArray[np.float32], columns: int, templates: TokenTemplates
) -> TokenLook:
    by_kind = coarse.reshape(len(coarse), len(templates.kinds), COARSE_TURNS)
    best_of = by_kind.min(axis=(0, 2))
    order = np.argsort(best_of)
    if best_of[order[0]] > OUT_OF_THE_RACE * bare.misfit:
        kinds = tuple(templates.kinds[k] for k in order[:FINALISTS])
        looks_empty = _empty_look(bare, templates)
        return replace(looks_empty, kinds=kinds, misfits=tuple(float(best_of[k]) for k in order[:FINALISTS]))
    entries = []
    for kind in order[:CONTENDERS]:
        window, turn = np.unravel_index(int(by_kind[:, kind].argmin()), by_kind[:, kind].shape)
        start = _Try(int(kind), (2 * (int(window) // columns), 2 * (int(window) % columns)), 4 * int(turn))
        entries.append(_around(bare.patch, templates.middle, start, turn_reach=2))
    entries.sort(key=lambda e: e[0])
    finals = []
    for _, tried in entries[:FINALISTS]:
        start = _Try(tried.kind, (2 * tried.spot[0], 2 * tried.spot[1]), tried.turn)
        finals.append(_around(patch, templates.fine, start, turn_reach=1))
    finals.sort(key=lambda f: f[0])
    return _look(patch, bare, finals, templates)


@dataclass(frozen=True, slots=True)
class _Try:
    """A token tried: which kind, where (row, column of its window), at which of TURNS."""

    kind: int
    spot: tuple[int, int]
    turn: int


def _look(
    patch: Colours, bare: _Bare, finals: Sequence[tuple[float, _Try]], templates: TokenTemplates
) -> TokenLook:
    best = finals[0][1]
    reach = (patch.shape[0] - templates.side_px) // 2
    side = templates.side_px // 2
    y, x = best.spot[0] // 2, best.spot[1] // 2
    window = (slice(y, y + side), slice(x, x + side))
    which = best.kind * TURNS + best.turn
    mask = templates.middle.masks[templates.middle.mask_of[which]].reshape(side, side)
    there = miss_map(bare.patch[window], bare.art[window], mask)
    return TokenLook(
        tuple(templates.kinds[f[1].kind] for f in finals),
        tuple(float(f[0]) for f in finals),
        bare.misfit,
        float((there * mask).sum() / mask.sum()),
        ((best.spot[1] - reach) / ART_PX_PER_MM, (best.spot[0] - reach) / ART_PX_PER_MM),
        360.0 * best.turn / TURNS,
        float(bare.patch[window][mask > 0].var(axis=0).sum()),
        _around_it(bare.patch, bare.art, templates.reach_px / 2, (x + side / 2, y + side / 2)),
    )


def _shifted(picture: Colours, down: int, right: int) -> Colours:
    if down == 0 and right == 0:
        return picture
    return np.roll(picture, (down, right), axis=(0, 1))


def _around_it(patch: Colours, empty: Colours, reach_px: float, token_xy: tuple[float, float]) -> float:
    """Return the middle misfit of the art in a ring about the space, less where the token lies."""
    middle = (patch.shape[0] - 1) / 2
    y, x = np.ogrid[: patch.shape[0], : patch.shape[1]]
    away = np.hypot(x - middle, y - middle)
    scale = ART_PX_PER_MM / 2
    clear = np.hypot(x + 0.5 - token_xy[0], y + 0.5 - token_xy[1]) > reach_px + RING_MM[0] * scale
    low, high = (reach_px + r * scale for r in RING_MM)
    around = ((away > low) & (away < high) & clear).astype(np.float32)
    if around.sum() < 20:
        return 0.0
    return float(np.median(miss_map(patch, empty, around)[around > 0]))


def _around(patch: Colours, templates: Templates, start: _Try, *, turn_reach: int) -> tuple[float, _Try]:
    """Try a template one pixel about a spot and some turns about a turn; return the best."""
    side = templates.side_hw[0]
    last = max(patch.shape[0] - side - 2, 0)
    y0, x0 = (min(max(s - 1, 0), last) for s in start.spot)
    windows, columns = windows_of(patch[y0 : y0 + side + 2, x0 : x0 + side + 2], (side, side))
    turns = np.arange(start.turn - turn_reach, start.turn + turn_reach + 1) % TURNS
    misfits = templates.some((start.kind * TURNS + turns).astype(np.intp)).misfits(windows)
    window, k = divmod(int(misfits.argmin()), len(turns))
    at = (y0 + window // columns, x0 + window % columns)
    return float(misfits.min()), _Try(start.kind, at, int(turns[k]))
