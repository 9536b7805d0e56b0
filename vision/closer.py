"""Look closer at a tile that may be two: at full scale, where small print can be told apart.

Tiles of a box often share their frame, and a token on one hides its picture: what is left to tell them
apart is a colour that a lamp may have changed, and letters too small for the scale of the first look.
Only done where that look leaves two of them, for the few that are likely.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import EMPTY, PieceKind, Space
from vision.light import BLOCK_PX, BLUR_LEVELS_PX, Colours, to_opponent
from vision.likeness import Patterns, doubts, lay
from vision.look import Look
from vision.rectangles import framed, holed
from vision.sight import BoardSight
from vision.wardrobe import Wardrobe

CLEAR_LEAD = 0.2  # in shape: so far ahead nothing needs a closer look
SHARPEST_BLURS = 2  # of BLUR_LEVELS_PX: letters are gone in the others
LEAST_PX_PER_MM = 1.4  # of the picture
LIKELY, MOST = 2.0, 4  # times the best misfit, and how many are held against one another
ROUNDS = 2


def look_closer(sight: BoardSight, space: Space, look: Look, wardrobe: Wardrobe) -> Look:
    """Return a look at a tile, ranked anew by what is seen of it at full scale if it was not clear."""
    rivals = _rivals(look, wardrobe)
    if len(rivals) < 2 or look.lead >= CLEAR_LEAD or not _is_sharp(sight):
        return look
    arts = [_softened(wardrobe, kind, sight.light.blur) for kind in rivals]
    mask = _mask(arts[0].shape[:2], look, wardrobe)
    patterns = Patterns.of(arts, [mask] * len(arts))
    at_mm = (space.centre_mm[0] + look.offset_mm[0], space.centre_mm[1] + look.offset_mm[1])
    patch, spot = _close_up(sight, at_mm, max(arts[0].shape[:2]))
    count = len(rivals)
    laid = lay(
        [patch] * count,
        patterns,
        np.arange(count),
        np.tile(spot, (count, 1)),
        np.full(count, space.up_deg + look.turn_deg),
        rounds=ROUNDS,
    )
    colours = np.array([look.misfits[look.answers.index(kind)] for kind in rivals], np.float32)
    order = np.argsort(doubts(colours, laid.likes))
    likes = laid.likes[order]
    first = [rivals[k] for k in order]
    rest = [kind for kind in look.answers if kind not in rivals]
    answers = (*first, *rest)
    misfits = tuple(look.misfits[look.answers.index(kind)] for kind in answers)
    return replace(look, answers=answers, misfits=misfits, lead=float(likes[0] - likes[1:].max()))


def _rivals(look: Look, wardrobe: Wardrobe) -> list[PieceKind]:
    """Return the likely tiles of a look; none where it is likelier that nothing lies there."""
    if look.group != "tile" or look.answers[0] == EMPTY:
        return []
    near = LIKELY * look.misfits[0]
    pairs = zip(look.answers, look.misfits, strict=True)
    return [kind for kind, misfit in pairs if kind in wardrobe.box.tiles and misfit < near][:MOST]


def _is_sharp(sight: BoardSight) -> bool:
    return sight.light.blur < SHARPEST_BLURS and sight.pose.px_per_mm >= LEAST_PX_PER_MM


def _softened(wardrobe: Wardrobe, kind: PieceKind, blur: int) -> Colours:
    art = wardrobe.box.tiles[kind].art
    return to_opponent(cv2.GaussianBlur(art, (0, 0), BLUR_LEVELS_PX[blur]))


def _mask(size_hw: tuple[int, ...], look: Look, wardrobe: Wardrobe) -> NDArray[np.float32]:
    """Return where a tile is looked at: less its edges, less the token that lies on it."""
    mask = framed(np.ones(size_hw, np.float32))
    for token in look.on_top:
        if token.answers[0] != EMPTY:
            mask *= holed((size_hw[0], size_hw[1]), token.offset_mm, wardrobe.cover_mm, 0)
    return mask


def _close_up(
    sight: BoardSight, at_mm: tuple[float, float], side: int
) -> tuple[Colours, tuple[float, float]]:
    """Return the surroundings of a place at full scale, in the colours of the art, and where it is there."""
    x, y = sight.seen_px(at_mm)
    reach = side
    left, top = max(int(x) - reach, 0), max(int(y) - reach, 0)
    window = sight.flat[top : int(y) + reach, left : int(x) + reach]
    field = sight.light.field
    row, column = (
        int(np.clip(px / BLOCK_PX, 0, size - 1)) for px, size in zip((y, x), field.shape, strict=True)
    )
    here = replace(sight.light, field=field[row : row + 1, column : column + 1])
    return to_opponent(here.undo(np.ascontiguousarray(window))), (x - left, y - top)
