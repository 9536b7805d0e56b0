"""Order tokens beside the boards of the players: which, where, whose.

They lie anywhere around a board, on any table. What is round about right is sought by the colours
of rings (a token looks the same at every turn that way), then each find is read like a token on a
space, against the table around it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import EMPTY, BoardId, PieceKind, SpaceId
from companion.ports import LoosePiece, Pixels
from vision.box import ART_PX_PER_MM, TaughtBox
from vision.flatten import flatten
from vision.judge import LIKELY, SURE, chance
from vision.light import BLOCK_PX, Colours, Light, to_opponent
from vision.matching import Templates, cut, halved, windows_of
from vision.pose import BoardPose
from vision.rings import SEEK_HALVINGS, OrderTemplates
from vision.sight import BoardSight
from vision.spaces import Look
from vision.tokens import TokenTemplates, patch_side, race

MARGIN_MM = 88.0
PROMISING = 0.85  # share of the variance of what lies there that rings may leave unexplained
MOST_FINDS = 32
MOST_READ = 4
BOARD_EDGE_MM = 4.0  # its side and shadow are no table
APART_MM = 14.0


def find_orders(
    pixels: Pixels,
    sight: BoardSight,
    box: TaughtBox,
    templates: OrderTemplates,
    others: Sequence[BoardPose],
) -> list[LoosePiece]:
    """Return the orders around one board; what lies on another found board is left out."""
    around, inside = flatten(pixels, sight.pose, margin_mm=MARGIN_MM)
    light = _widened(sight.light)
    picture = to_opponent(light.undo(around))
    free = _free_table(around.shape[:2], inside, sight.pose, others)
    pieces = []
    for spot in _likely(picture, _seek(picture, free, templates.rings), templates.full):
        piece = _read(picture, spot, sight, box, templates)
        if piece is not None:
            pieces.append(piece)
    return pieces


def _widened(light: Light) -> Light:
    """Return the light carried on over the table around its board."""
    edge = round(MARGIN_MM * ART_PX_PER_MM / BLOCK_PX)
    return replace(light, field=np.pad(light.field, edge, mode="edge"))


def _free_table(
    shape_hw: tuple[int, int], inside: NDArray[np.bool_], pose: BoardPose, others: Sequence[BoardPose]
) -> NDArray[np.bool_]:
    """Return where on the flattened surroundings bare table may be."""
    free = inside.astype(np.uint8)
    boards = np.zeros_like(free)
    for board in others:
        corners = pose.locate(np.array(board.corners_px))
        points = np.rint((corners + MARGIN_MM) * ART_PX_PER_MM).astype(np.int32)
        cv2.fillPoly(boards, [points], 1)
    edge = 2 * round(BOARD_EDGE_MM * ART_PX_PER_MM) + 1
    free[cv2.dilate(boards, np.ones((edge, edge), np.uint8)) > 0] = 0
    return free[: shape_hw[0], : shape_hw[1]] > 0


def _seek(picture: Colours, free: NDArray[np.bool_], rings: Templates) -> list[tuple[float, float]]:
    """Return promising spots (px of the flattened surroundings), best first."""
    small = picture
    for _ in range(SEEK_HALVINGS):
        small = halved(small[: small.shape[0] // 2 * 2, : small.shape[1] // 2 * 2])
    open_share = cv2.resize(free.astype(np.float32), small.shape[1::-1], interpolation=cv2.INTER_AREA)
    side = rings.side_hw[0]
    windows, columns = windows_of(small, rings.side_hw)
    clear = windows_of(np.repeat(open_share[..., None], 3, axis=2), rings.side_hw)[0][:, : side * side]
    usable = np.nonzero(clear.mean(axis=1) > 0.93)[0]
    if not len(usable):
        return []
    seen = windows[usable]
    misfits = rings.misfits(seen).min(axis=1)
    planes = seen.reshape(len(seen), 3, -1)
    variance = planes.var(axis=2).sum(axis=1) + 60.0
    marks = misfits / variance
    spots: list[tuple[float, float]] = []
    step = 2**SEEK_HALVINGS
    for k in np.argsort(marks):
        if marks[k] > PROMISING or len(spots) == MOST_FINDS:
            break
        row, column = divmod(int(usable[k]), columns)
        spot = ((column + side / 2) * step - 0.5, (row + side / 2) * step - 0.5)
        if all(math.dist(spot, other) > APART_MM * ART_PX_PER_MM for other in spots):
            spots.append(spot)
    return spots


def _likely(
    picture: Colours, spots: Sequence[tuple[float, float]], full: TokenTemplates
) -> list[tuple[float, float]]:
    """Return the spots worth reading: those where some order at some turn explains most."""
    if not spots:
        return []
    side, whole = full.side_px // 4, patch_side(full)
    patches = [halved(cut(picture, spot, (whole, whole)), 2) for spot in spots]
    windows = np.concatenate([windows_of(p, (side, side))[0] for p in patches])
    misfits = full.coarse.misfits(windows).min(axis=1)
    variance = windows.reshape(len(windows), 3, -1).var(axis=2).sum(axis=1) + 60.0
    marks = (misfits / variance).reshape(len(spots), -1).min(axis=1)
    return [spots[k] for k in np.argsort(marks)[:MOST_READ] if marks[k] < PROMISING]


def _read(
    picture: Colours, spot: tuple[float, float], sight: BoardSight, box: TaughtBox, templates: OrderTemplates
) -> LoosePiece | None:
    """Read what lies at a spot; None when it is hardly an order."""
    side = patch_side(templates.full)
    patch = cut(picture, spot, (side, side))
    middle = np.median(np.concatenate([patch[0], patch[-1], patch[:, 0], patch[:, -1]]), axis=0)
    table = np.broadcast_to(middle.astype(np.float32), patch.shape).copy()
    (found,) = race([patch], [table], templates.full)
    best: dict[PieceKind, float] = {EMPTY: max(found.empty, found.empty_there)}
    for kind, misfit in zip(found.kinds, found.misfits, strict=True):
        best[kind] = min(misfit, best.get(kind, math.inf))
    ranked = sorted(best, key=best.__getitem__)
    look = Look(
        SpaceId(""),
        "token",
        tuple(ranked),
        tuple(best[k] for k in ranked),
        best[EMPTY],
        1.0,
        contrast=found.contrast,
    )
    confidence = 0.0 if ranked[0] == EMPTY else chance(box.judgement, look, "right")
    if confidence < LIKELY:
        return None
    place = np.array(spot) + np.array(found.offset_mm) * ART_PX_PER_MM
    on_board = (place + 0.5) / ART_PX_PER_MM - MARGIN_MM
    there = sight.pose.project(
        np.stack(
            [
                on_board,
                on_board + (math.cos(math.radians(found.turn_deg)), math.sin(math.radians(found.turn_deg))),
            ]
        )
    )
    arm = there[1] - there[0]
    return LoosePiece(
        ranked[0],
        (float(there[0][0]), float(there[0][1])),
        math.degrees(math.atan2(arm[1], arm[0])) % 360,
        confidence,
        confidence >= SURE,
        BoardId(sight.pose.board),
    )


def without_twins(pieces: Sequence[LoosePiece], apart_px: float) -> tuple[LoosePiece, ...]:
    """Keep the surest of pieces found from two boards."""
    kept: list[LoosePiece] = []
    for piece in sorted(pieces, key=lambda p: -p.confidence):
        if all(math.dist(piece.centre_px, other.centre_px) > apart_px for other in kept):
            kept.append(piece)
    return tuple(kept)
