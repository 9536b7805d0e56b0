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
from vision.flatten import flatten, map_of, redraw
from vision.judge import LIKELY, SURE, chance
from vision.light import BLOCK_PX, Colours, Light, to_opponent
from vision.look import Look
from vision.matching import cuts, halved, windows_of
from vision.pose import BoardPose
from vision.rings import OrderTemplates
from vision.sight import BoardSight
from vision.spots import BLANK, PROMISING, Promise, Spot, find_spots
from vision.tokens import TokenLook, TokenTemplates, patch_side, race

SEEK_PX_PER_MM = 1.0
MARGIN_MM = 88.0
MOST_READ = 3
REACH_PX = 3  # of 2 mm: how far a middle may lie from where its rings were found
BOARD_EDGE_MM = 4.0  # its side and shadow are no table


def find_orders(
    pixels: Pixels,
    sight: BoardSight,
    box: TaughtBox,
    templates: OrderTemplates,
    others: Sequence[BoardPose],
) -> list[LoosePiece]:
    """Return the orders around one board; what lies on another found board is left out."""
    around, inside = flatten(pixels, sight.pose, margin_mm=MARGIN_MM, px_per_mm=SEEK_PX_PER_MM)
    sides = tuple(side // 4 * 4 for side in around.shape[:2])
    around, inside = around[: sides[0], : sides[1]], inside[: sides[0], : sides[1]]
    coarse = cv2.resize(around, (sides[1] // 2, sides[0] // 2), interpolation=cv2.INTER_AREA)
    picture = to_opponent(_widened(sight.light).undo(np.asarray(coarse, np.uint8)))
    free = _free_table(inside, sight.pose, others)
    small = halved(picture)
    share = np.asarray(cv2.resize(free, small.shape[1::-1], interpolation=cv2.INTER_AREA), np.float32)
    share /= 255
    spots = _likely(picture, find_spots(small, share, templates.rings), templates.full)
    return _read(pixels, spots, sight, box, templates)


def _widened(light: Light) -> Light:
    """Return the light carried on over the table around its board."""
    edge = round(MARGIN_MM * ART_PX_PER_MM / BLOCK_PX)
    return replace(light, field=np.pad(light.field, edge, mode="edge"))


def _free_table(inside: NDArray[np.bool_], pose: BoardPose, others: Sequence[BoardPose]) -> NDArray[np.uint8]:
    """Return where on the flattened surroundings bare table may be (255) or not (0)."""
    free = inside.astype(np.uint8) * 255
    boards = np.zeros_like(free)
    for board in others:
        corners = pose.locate(np.array(board.corners_px))
        points = np.rint((corners + MARGIN_MM) * SEEK_PX_PER_MM).astype(np.int32)
        cv2.fillPoly(boards, [points], 1)
    edge = 2 * round(BOARD_EDGE_MM * SEEK_PX_PER_MM) + 1
    free[cv2.dilate(boards, np.ones((edge, edge), np.uint8)) > 0] = 0
    return free


def _likely(picture: Colours, promises: Sequence[Promise], full: TokenTemplates) -> list[Spot]:
    """Return the spots worth reading (mm on the board): where some order at some turn explains most.

    ``picture`` is of 2 mm a pixel, as the coarse templates are.
    """
    if not promises:
        return []
    side, whole = full.side_px // 4, full.side_px // 4 + 2 * REACH_PX
    scale = SEEK_PX_PER_MM / 2
    middles = np.array([p.spot for p in promises]) * scale - 0.5
    patches = cuts([picture] * len(promises), middles, (whole, whole), np.zeros(len(promises)))
    windows, _ = windows_of(patches, (side, side))
    misfits = full.coarse.misfits(windows).min(axis=1).reshape(len(promises), -1)
    table = np.stack([p.table for p in promises])
    bare = _missed(windows.reshape(len(promises), -1, 3, side * side), table, full.coarse.masks[0])
    shares = (misfits + BLANK) / (bare + BLANK)
    nearest = shares.argmin(axis=1)
    share, missed = (m[np.arange(len(m)), nearest] for m in (shares, misfits))
    # A bright thing on a dark table is explained better by anything bright, but fits nothing.
    marks = np.where(share < PROMISING, share * (missed + BLANK), np.inf)
    best = [k for k in np.argsort(marks)[:MOST_READ] if np.isfinite(marks[k])]
    # Rings find an order to a few millimetres; the window that it explains best says it better.
    return [_shifted(promises[k].spot, divmod(int(nearest[k]), 2 * REACH_PX + 1)) for k in best]


def _missed(
    windows: NDArray[np.float32], tables: NDArray[np.float32], disc: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the mean squares by which windows (n, k, 3, p) miss a colour (n, 3) of table within a disc."""
    square = ((windows * windows) @ disc).sum(axis=2)
    level = (windows @ disc * tables[:, None]).sum(axis=2)
    n = disc.sum()
    return np.asarray((square - 2 * level) / n + (tables * tables).sum(axis=1)[:, None], np.float32)


def _shifted(spot: Spot, row_column: tuple[int, int]) -> Spot:
    """Return a spot (from the corner of the surroundings), moved to a window around it, on the board."""
    row, column = row_column
    off = -REACH_PX * 2.0 - MARGIN_MM
    return (spot[0] + column * 2.0 + off, spot[1] + row * 2.0 + off)


def _close_up(pixels: Pixels, spot: Spot, sight: BoardSight, side: int) -> Colours:
    """Return a patch of the table around a spot in full scale, in the colours of the art."""
    left_top = (spot[0] - side / 2 / ART_PX_PER_MM, spot[1] - side / 2 / ART_PX_PER_MM)
    flat = redraw(pixels, map_of(sight.pose, left_top, (side, side), ART_PX_PER_MM))
    field = sight.light.field
    row, column = (
        int(np.clip(mm * ART_PX_PER_MM / BLOCK_PX, 0, size - 1))
        for mm, size in zip((spot[1], spot[0]), field.shape, strict=True)
    )
    here = replace(sight.light, field=field[row : row + 1, column : column + 1])
    return to_opponent(here.undo(flat))


def _read(
    pixels: Pixels, spots: Sequence[Spot], sight: BoardSight, box: TaughtBox, templates: OrderTemplates
) -> list[LoosePiece]:
    """Read what lies at some spots; what is hardly an order is left out."""
    if not spots:
        return []
    patches, tables = [], []
    for spot in spots:
        patch = _close_up(pixels, spot, sight, patch_side(templates.full))
        middle = np.median(np.concatenate([patch[0], patch[-1], patch[:, 0], patch[:, -1]]), axis=0)
        half = halved(patch)
        patches.append(half)
        tables.append(np.broadcast_to(middle.astype(np.float32), half.shape))
    looks = race(np.stack(patches), np.stack(tables), templates.full)
    found = (_told(spot, look, sight, box) for spot, look in zip(spots, looks, strict=True))
    return [piece for piece in found if piece is not None]


def _told(spot: Spot, found: TokenLook, sight: BoardSight, box: TaughtBox) -> LoosePiece | None:
    """Return the order that was seen at a spot; None where there is hardly one."""
    best: dict[PieceKind, float] = {EMPTY: max(found.empty, found.empty_there)}
    for kind, misfit in zip(found.kinds, found.misfits, strict=True):
        best[kind] = min(misfit, best.get(kind, math.inf))
    ranked = tuple(sorted(best, key=best.__getitem__))
    misfits = tuple(best[kind] for kind in ranked)
    alike = found.likes[0] if found.likes else 0.0
    others = [like for kind, like in zip(found.kinds, found.likes, strict=False) if kind != ranked[0]]
    lead = alike - max(others, default=0.0)
    # What lies around tells an order from a part of something larger, such as the print of a card.
    look = Look(
        SpaceId(""),
        "token",
        ranked,
        misfits,
        best[EMPTY],
        best[EMPTY],
        1.0,
        alike,
        lead,
        found.contrast,
        found.ring,
    )
    confidence = 0.0 if ranked[0] == EMPTY else chance(box.judgement, look, "right")
    if confidence < LIKELY:
        return None
    turn = math.radians(found.turn_deg)
    centre = np.array(spot) + np.array(found.offset_mm)
    there = sight.pose.project(np.stack([centre, centre + np.array([math.cos(turn), math.sin(turn)])]))
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
