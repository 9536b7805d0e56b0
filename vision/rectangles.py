"""Which card or tile lies on a space: flat rectangles, nearly upright or upside down.

Coarse to fine as with tokens: every candidate at a few small turns on a coarse grid, then the
likely ones exactly. Where tokens may lie on a card (its part spaces) it is not looked at.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import PieceKind
from companion.ports import Pixels
from vision.box import ART_PX_PER_MM
from vision.light import BLUR_LEVELS_PX, Colours, to_opponent
from vision.matching import Templates, cut, halved, windows_of

REACH_MM = 6.0
EDGE_MM = 1.0  # left out along the edges: shadow, thickness, white core of the cardboard


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A candidate: its art at ART_PX_PER_MM and where it may be covered (1 to look at, 0 not)."""

    kind: PieceKind
    art: Pixels
    shown: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SheetLook:
    """What lies there: kinds and misfits best first, and how the best lies relative to its space."""

    kinds: tuple[PieceKind, ...]
    misfits: tuple[float, ...]
    offset_mm: tuple[float, float]
    turn_deg: float


@dataclass(frozen=True, slots=True, eq=False)
class SheetTemplates:
    """Templates at one blur. ``shrink`` halvings make the coarse ones; all turns are of the patch."""

    kinds: tuple[PieceKind, ...]
    shrink: int
    coarse: Templates
    fine: Templates  # at half of ART_PX_PER_MM
    softened: tuple[Colours, ...]
    shown: tuple[NDArray[np.float32], ...]

    @classmethod
    def of(cls, sheets: Sequence[Sheet], blur: int, *, shrink: int) -> SheetTemplates:
        softened = [to_opponent(cv2.GaussianBlur(s.art, (0, 0), BLUR_LEVELS_PX[blur])) for s in sheets]
        shown = [_framed(s.shown) for s in sheets]
        coarse_arts, coarse_masks = [], []
        for art, mask in zip(softened, shown, strict=True):
            for turned in (0, 2):
                a = np.ascontiguousarray(np.rot90(_trimmed(art, shrink), turned))
                m = np.ascontiguousarray(np.rot90(_trimmed(mask, shrink), turned))
                coarse_arts.append(halved(a, shrink))
                coarse_masks.append((halved(m, shrink) > 0.6).astype(np.float32))
        fine = [halved(_trimmed(a, 1)) for a in softened]
        fine_masks = [(halved(_trimmed(m, 1)) > 0.6).astype(np.float32) for m in shown]
        return cls(
            tuple(s.kind for s in sheets),
            shrink,
            Templates.of(coarse_arts, coarse_masks),
            Templates.of(fine, fine_masks),
            tuple(softened),
            tuple(shown),
        )


def _framed(shown: NDArray[np.float32]) -> NDArray[np.float32]:
    out = shown.copy()
    edge = round(EDGE_MM * ART_PX_PER_MM)
    out[:edge], out[-edge:], out[:, :edge], out[:, -edge:] = 0, 0, 0, 0
    return out


def _trimmed(picture: NDArray[np.float32], shrink: int) -> NDArray[np.float32]:
    """Trim a picture about its middle until its sides divide by two, ``shrink`` times."""
    step = 2**shrink
    height, width = picture.shape[0] // step * step, picture.shape[1] // step * step
    top, left = (picture.shape[0] - height) // 2, (picture.shape[1] - width) // 2
    return picture[top : top + height, left : left + width]


def find_sheet(
    picture: Colours,
    centre_px: tuple[float, float],
    up_deg: float,
    templates: SheetTemplates,
    *,
    turns_deg: Sequence[float],
    cover: NDArray[np.float32] | None = None,
    finalists: int = 3,
) -> SheetLook:
    """Find the best sheets about a place of a flattened board (in template colours)."""
    side = templates.coarse.side_hw
    step = 2**templates.shrink
    margin = max(1, round(REACH_MM * ART_PX_PER_MM / step))
    size = ((side[0] + 2 * margin) * step, (side[1] + 2 * margin) * step)
    best: list[tuple[float, int, float, tuple[int, int]]] = []
    for turn in turns_deg:
        patch = halved(cut(picture, centre_px, size, up_deg + turn), templates.shrink)
        windows, columns = windows_of(patch, side)
        misfits = templates.coarse.misfits(windows)
        spots = misfits.argmin(axis=0)
        for m, spot in enumerate(spots):
            at = ((int(spot) // columns - margin) * step, (int(spot) % columns - margin) * step)
            best.append((float(misfits[spot, m]), m, turn, at))
    best.sort(key=lambda b: b[0])
    seen: set[int] = set()
    finals = []
    for _, m, turn, (dy, dx) in best:
        kind = m // 2
        if kind in seen:
            continue
        seen.add(kind)
        full = up_deg + turn + 180.0 * (m % 2)
        start = _moved(centre_px, (dx, dy), up_deg + turn)
        finals.append(_settle(picture, start, full, kind, templates, step))
        if len(finals) == finalists:
            break
    finals.sort(key=lambda f: f[0])
    _, _, spot_px, turned = finals[0]
    offset = ((spot_px[0] - centre_px[0]) / ART_PX_PER_MM, (spot_px[1] - centre_px[1]) / ART_PX_PER_MM)
    return SheetLook(
        tuple(templates.kinds[f[1]] for f in finals),
        tuple(f[0] for f in finals),
        offset,
        (turned - up_deg + 180) % 360 - 180,
    )


def _moved(centre: tuple[float, float], step_xy: tuple[float, float], turn_deg: float) -> tuple[float, float]:
    """Move a point by a step given in a turned frame."""
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return (
        centre[0] + cos * step_xy[0] - sin * step_xy[1],
        centre[1] + sin * step_xy[0] + cos * step_xy[1],
    )


def _settle(
    picture: Colours,
    start_px: tuple[float, float],
    turn_deg: float,
    kind: int,
    templates: SheetTemplates,
    step_px: int,
) -> tuple[float, int, tuple[float, float], float]:
    """Lay one sheet exactly: shrinking steps in shift and turn. Returns misfit, kind, place, turn."""
    only = templates.fine.some(np.array([kind], np.intp))
    height, width = only.side_hw
    best = (math.inf, start_px, turn_deg)
    reach = step_px / 2
    turn_step = 2.0
    for round_ in range(3):
        margin = max(1, math.ceil(reach / 2))
        centre, base = best[1], best[2]
        for turn in (base - turn_step, base, base + turn_step):
            patch = halved(cut(picture, centre, (2 * (height + 2 * margin), 2 * (width + 2 * margin)), turn))
            windows, columns = windows_of(patch, only.side_hw)
            misfits = only.misfits(windows)[:, 0]
            k = int(misfits.argmin())
            if misfits[k] < best[0]:
                step = (2.0 * (k % columns - margin), 2.0 * (k // columns - margin))
                best = (float(misfits[k]), _moved(centre, step, turn), turn)
        reach, turn_step = 2.0, turn_step / 2
        if round_ == 1:
            best = _between(picture, best, only)
    return best[0], kind, best[1], best[2]


def _between(
    picture: Colours, best: tuple[float, tuple[float, float], float], only: Templates
) -> tuple[float, tuple[float, float], float]:
    """Try half-millimetre steps."""
    height, width = only.side_hw
    _, centre, turn = best
    for dx in (-1.0, 0.0, 1.0):
        for dy in (-1.0, 0.0, 1.0):
            spot = _moved(centre, (dx, dy), turn)
            patch = halved(cut(picture, spot, (2 * height, 2 * width), turn))
            misfit = float(only.misfits(patch.reshape(1, -1))[0, 0])
            if misfit < best[0]:
                best = (misfit, spot, turn)
    return best
