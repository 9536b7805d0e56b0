"""Which token lies on a space: a race between every kind, at any turn, and the art below.

Coarse to fine: all kinds at twelve turns on a grid of 2 mm, then the likely ones at 1 mm and
7.5 degrees, then the best at 0.5 mm. What they must beat is not a level but the empty space.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
FINALISTS = 3
RING_MM = (1.5, 5.5)  # beyond a token's rim
CONTENDERS = 4


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
    disc: NDArray[np.float32]  # (side, side): where an empty space must look empty
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
        disc = np.zeros((side, side), np.float32)
        cv2.circle(disc, (side // 2, side // 2), round((radius - 1) * ART_PX_PER_MM), 1.0, -1)
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


def race(
    patches: Sequence[Colours], empties: Sequence[Colours], templates: TokenTemplates
) -> list[TokenLook]:
    """Read tokens off patches of side ``side + 2 * REACH`` (see ``patch_side``) cut around their spaces."""
    if not patches:
        return []
    coarse = [halved(p, 2) for p in patches]
    side4 = templates.side_px // 4
    rows = [windows_of(p, (side4, side4)) for p in coarse]
    columns = rows[0][1]
    each = len(rows[0][0])
    misfits = templates.coarse.misfits(np.concatenate([r[0] for r in rows]))
    looks = []
    for i, (patch, empty) in enumerate(zip(patches, empties, strict=True)):
        own = misfits[i * each : (i + 1) * each]
        looks.append(_finish(patch, empty, own, columns, templates))
    return looks


def patch_side(templates: TokenTemplates) -> int:
    """Return the side (px) of the patches that ``race`` wants."""
    return templates.side_px + 2 * round(REACH_MM * ART_PX_PER_MM)


def _finish(
    patch: Colours, empty: Colours, coarse: NDArray[np.float32], columns: int, templates: TokenTemplates
) -> TokenLook:
    by_kind = coarse.reshape(len(coarse), len(templates.kinds), COARSE_TURNS)
    best_of = by_kind.min(axis=(0, 2))
    likely = np.argsort(best_of)[:CONTENDERS]
    middle_patch = halved(patch)
    entries = []
    for kind in likely:
        window, turn = np.unravel_index(int(by_kind[:, kind].argmin()), by_kind[:, kind].shape)
        spot = (2 * (int(window) // columns), 2 * (int(window) % columns))
        k = int(turn) * (TURNS // COARSE_TURNS)
        fit, spot, k = _around(middle_patch, templates.middle, templates.side_px // 2, int(kind), spot, k, 2)
        entries.append((fit, int(kind), spot, k))
    entries.sort()
    finals = []
    for _, kind, spot, k in entries[:FINALISTS]:
        fine_spot = (2 * spot[0], 2 * spot[1])
        fit, at, turn = _around(patch, templates.fine, templates.side_px, kind, fine_spot, k, 1)
        finals.append((fit, kind, at, turn))
    finals.sort()
    _, kind, (y, x), k = finals[0]
    return _look(patch, empty, finals, templates, (y, x), k, kind)


def _look(
    patch: Colours,
    empty: Colours,
    finals: Sequence[tuple[float, int, tuple[int, int], int]],
    templates: TokenTemplates,
    spot: tuple[int, int],
    turn: int,
    kind: int,
) -> TokenLook:
    side, reach = templates.side_px, (patch.shape[0] - templates.side_px) // 2
    centre = slice(reach, reach + side)
    bare = Templates.of([empty[centre, centre]], [templates.disc])
    near = slice(reach - 1, reach + side + 1)
    windows, columns = windows_of(patch[near, near], (side, side))
    levels = bare.misfits(windows)[:, 0]  # the board may be found half a millimetre off
    at = int(levels.argmin())
    best_map = _shifted(empty, at // columns - 1, at % columns - 1)
    best = float(levels[at])
    y, x = spot
    mask = templates.fine.masks[templates.fine.mask_of[kind * TURNS + turn]].reshape(side, side)
    window = (slice(y, y + side), slice(x, x + side))
    there = miss_map(patch[window], best_map[window], mask)
    inside = patch[window][mask > 0]
    ring = _around_it(patch, best_map, templates.reach_px, (x + side / 2, y + side / 2))
    return TokenLook(
        tuple(templates.kinds[f[1]] for f in finals),
        tuple(float(f[0]) for f in finals),
        best,
        float((there * mask).sum() / mask.sum()),
        ((x - reach) / ART_PX_PER_MM, (y - reach) / ART_PX_PER_MM),
        360.0 * turn / TURNS,
        float(inside.var(axis=0).sum()),
        ring,
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
    clear = np.hypot(x + 0.5 - token_xy[0], y + 0.5 - token_xy[1]) > reach_px + RING_MM[0] * ART_PX_PER_MM
    low, high = (reach_px + r * ART_PX_PER_MM for r in RING_MM)
    around = ((away > low) & (away < high) & clear).astype(np.float32)
    if around.sum() < 60:
        return 0.0
    return float(np.median(miss_map(patch, empty, around)[around > 0]))


def _around(
    patch: Colours,
    templates: Templates,
    side: int,
    kind: int,
    spot: tuple[int, int],
    turn: int,
    turn_reach: int,
) -> tuple[float, tuple[int, int], int]:
    """Try a template one pixel about a spot and some turns about a turn; return the best."""
    last_y, last_x = patch.shape[0] - side, patch.shape[1] - side
    y0, x0 = (min(max(s - 1, 0), max(last - 2, 0)) for s, last in zip(spot, (last_y, last_x), strict=True))
    region = patch[y0 : y0 + side + 2, x0 : x0 + side + 2]
    windows, columns = windows_of(region, (side, side))
    turns = np.arange(turn - turn_reach, turn + turn_reach + 1) % TURNS
    misfits = templates.some((kind * TURNS + turns).astype(np.intp)).misfits(windows)
    window, k = np.unravel_index(int(misfits.argmin()), misfits.shape)
    at = (y0 + int(window) // columns, x0 + int(window) % columns)
    return float(misfits.min()), at, int(turns[k])


def by_kind(looks: Mapping[PieceKind, float]) -> tuple[PieceKind, ...]:
    """Return kinds by misfit, best first."""
    return tuple(sorted(looks, key=looks.__getitem__))
