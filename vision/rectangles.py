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
CONTENDERS = 6
FINALISTS = 2
HOPELESS = 2.5  # times the misfit of the empty space
OUT_OF_THE_RACE = 1.5  # times the best coarse misfit
EDGE_MM = 1.0  # left out along the edges: shadow, thickness, white core of the cardboard


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A candidate: its art at ART_PX_PER_MM and where it may be covered (1 to look at, 0 not)."""

    kind: PieceKind
    art: Pixels
    shown: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SheetLook:
    """What lies there: kinds and misfits best first, how the best lies relative to its space,
    and the variance of what lies there."""

    kinds: tuple[PieceKind, ...]
    misfits: tuple[float, ...]
    offset_mm: tuple[float, float]
    turn_deg: float
    contrast: float


@dataclass(frozen=True, slots=True, eq=False)
class SheetTemplates:
    """Templates at one blur and three scales: ``coarse`` (also upside down), ``middle``, ``fine``.

    The fine ones are at half of ART_PX_PER_MM; ``shrink`` halvings make the coarse ones.
    """

    kinds: tuple[PieceKind, ...]
    shrink: int
    coarse: Templates
    middle: Templates
    fine: Templates
    softened: tuple[Colours, ...]

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
        return cls(
            tuple(s.kind for s in sheets),
            shrink,
            Templates.of(coarse_arts, coarse_masks),
            _at_scale(softened, shown, max(shrink - 1, 1)),
            _at_scale(softened, shown, 1),
            tuple(softened),
        )


def _at_scale(arts: Sequence[Colours], masks: Sequence[NDArray[np.float32]], shrink: int) -> Templates:
    small = [halved(_trimmed(a, shrink), shrink) for a in arts]
    kept = [(halved(_trimmed(m, shrink), shrink) > 0.6).astype(np.float32) for m in masks]
    return Templates.of(small, kept)


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


@dataclass(frozen=True, slots=True)
class _Laid:
    """One sheet tried: how well it fits, which, where (pixels of the flattened board), how turned."""

    misfit: float
    kind: int
    spot_px: tuple[float, float]
    turn_deg: float


def find_sheet(
    pyramid: Sequence[Colours],
    centre_px: tuple[float, float],
    up_deg: float,
    templates: SheetTemplates,
    *,
    turns_deg: Sequence[float],
    empty: float = math.inf,
) -> SheetLook:
    """Find the best sheets about a place of a flattened board.

    ``pyramid`` holds the board in template colours at ART_PX_PER_MM and halved again and again. A
    sheet that fits far worse than the ``empty`` space is not laid exactly.
    """
    first = _coarse(pyramid, centre_px, up_deg, templates, turns_deg)
    if first[0].misfit > HOPELESS * empty:
        kinds = tuple(templates.kinds[laid.kind] for laid in first[:FINALISTS])
        return SheetLook(kinds, tuple(laid.misfit for laid in first[:FINALISTS]), (0.0, 0.0), 0.0, 0.0)
    middle = max(templates.shrink - 1, 1)
    second = sorted(
        (_closer(pyramid, laid, templates.middle, middle, (1.5, 0.0, -1.5)) for laid in first),
        key=lambda laid: laid.misfit,
    )
    finals = [_closer(pyramid, laid, templates.fine, 1, (1.0, 0.0, -1.0)) for laid in second[:FINALISTS]]
    finals.sort(key=lambda laid: laid.misfit)
    finals[0] = best = _closer(pyramid, finals[0], templates.fine, 1, (0.5, 0.0, -0.5), step=0.5)
    laid_on = cut(pyramid[1], at_level(best.spot_px, 1), templates.fine.side_hw, best.turn_deg)
    offset = tuple((b - c) / ART_PX_PER_MM for b, c in zip(best.spot_px, centre_px, strict=True))
    return SheetLook(
        tuple(templates.kinds[f.kind] for f in finals),
        tuple(f.misfit for f in finals),
        (offset[0], offset[1]),
        (best.turn_deg - up_deg + 180) % 360 - 180,
        float(laid_on.reshape(-1, 3).var(axis=0).sum()),
    )


def _coarse(
    pyramid: Sequence[Colours],
    centre_px: tuple[float, float],
    up_deg: float,
    templates: SheetTemplates,
    turns_deg: Sequence[float],
) -> list[_Laid]:
    """Try all sheets on a coarse grid; return the best spot of each of the likeliest."""
    height, width = templates.coarse.side_hw
    step = 2**templates.shrink
    margin = max(1, round(REACH_MM * ART_PX_PER_MM / step))
    centre = at_level(centre_px, templates.shrink)
    size = (height + 2 * margin, width + 2 * margin)
    stacks, columns = [], 1
    for turn in turns_deg:
        patch = cut(pyramid[templates.shrink], centre, size, up_deg + turn)
        windows, columns = windows_of(patch, (height, width))
        stacks.append(windows)
    each = len(stacks[0])
    misfits = templates.coarse.misfits(np.concatenate(stacks))
    spots = misfits.argmin(axis=0)
    levels = misfits[spots, np.arange(len(spots))]
    laid: list[_Laid] = []
    for m in np.argsort(levels):
        kind, upside_down = divmod(int(m), 2)
        if any(other.kind == kind for other in laid):
            continue
        turn = up_deg + turns_deg[int(spots[m]) // each]
        row, column = divmod(int(spots[m]) % each, columns)
        away = ((column - margin) * step, (row - margin) * step)
        if len(laid) == CONTENDERS or (
            len(laid) >= FINALISTS and levels[m] > OUT_OF_THE_RACE * laid[0].misfit
        ):
            break
        laid.append(_Laid(float(levels[m]), kind, _moved(centre_px, away, turn), turn + 180.0 * upside_down))
    return laid


def at_level(spot_px: tuple[float, float], level: int) -> tuple[float, float]:
    """Return a pixel of the flattened board in its picture halved ``level`` times."""
    return (spot_px[0] + 0.5) / 2**level - 0.5, (spot_px[1] + 0.5) / 2**level - 0.5


def _moved(centre: tuple[float, float], step_xy: tuple[float, float], turn_deg: float) -> tuple[float, float]:
    """Move a point by a step given in a turned frame."""
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return (
        centre[0] + cos * step_xy[0] - sin * step_xy[1],
        centre[1] + sin * step_xy[0] + cos * step_xy[1],
    )


def _closer(
    pyramid: Sequence[Colours],
    laid: _Laid,
    templates: Templates,
    level: int,
    turns: tuple[float, ...],
    *,
    step: float = 1.0,
) -> _Laid:
    """Try one sheet a step (in pixels of a level) about its spot and at some turns; return the best."""
    only = templates.some(np.array([laid.kind], np.intp))
    height, width = only.side_hw
    best = _Laid(math.inf, laid.kind, laid.spot_px, laid.turn_deg)
    for turn in (laid.turn_deg + t for t in turns):
        if step == 1.0:
            patch = cut(pyramid[level], at_level(laid.spot_px, level), (height + 2, width + 2), turn)
            windows, _ = windows_of(patch, (height, width))
            moves = [(x - 1.0, y - 1.0) for y in range(3) for x in range(3)]
        else:
            moves = [(0.0, 0.0), (step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)]
            patches = [
                cut(
                    pyramid[level],
                    at_level(_moved(laid.spot_px, (x * 2**level, y * 2**level), turn), level),
                    (height, width),
                    turn,
                )
                for x, y in moves
            ]
            windows = np.stack([p.transpose(2, 0, 1).ravel() for p in patches])
        misfits = only.misfits(windows)[:, 0]
        k = int(misfits.argmin())
        if misfits[k] < best.misfit:
            spot = _moved(laid.spot_px, (moves[k][0] * 2**level, moves[k][1] * 2**level), turn)
            best = _Laid(float(misfits[k]), laid.kind, spot, turn)
    return best
