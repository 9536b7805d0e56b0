"""How places look with nothing on them, as corrections tell: painted over the art that was taught.

Said to be empty, a place looks so from then on, too, beside the way it was taught. Said to hold a piece
where it looks as it was taught (something lay there then, or a thumb slipped), the art of that place
counts no more: it is asked about until somebody says how it looks with nothing on it. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import EMPTY, PieceKind, Place, SpaceId
from companion.ports import Pixels
from vision.box import ART_PX_PER_MM, TaughtBox, parts_of
from vision.corrections import Correction, Use
from vision.exemplars import SORTS, TOKENS
from vision.light import to_opponent
from vision.likeness import hold_near, planes_of
from vision.matching import halved
from vision.tokens import is_plain

AROUND_MM = 8.0
"""Kept around a piece: how far from its space it may lie, and a little."""

EDGE_MM = 1.0  # painted beyond the outline of a space
NO_ART = (255, 0, 255)  # blue-green-red: nothing on a table looks like it, so nothing is taken for bare


@dataclass(frozen=True, slots=True, eq=False)
class BareSpot:
    """A place, upright in the colours of the box's art; no picture where its art counts no more.

    ``on`` is the card that the place lies on, empty for what is printed on the board.
    """

    place: Place
    on: PieceKind
    group: str
    picture: Pixels | None


def spots_of(used: Iterable[tuple[Correction, Pixels]], box: TaughtBox) -> tuple[BareSpot, ...]:
    """Return what corrections in use tell of bare places: of each the newest picture, and lost art."""
    found: dict[tuple[Place, PieceKind, bool], BareSpot] = {}
    for one, picture in sorted(used, key=lambda pair: -pair[0].number):
        if EMPTY not in (one.said, one.seen) or not (one.use is Use.USED or one.against == EMPTY):
            continue
        below = art_below(one, picture, box)
        if below is None:
            continue
        if one.said == EMPTY:
            spot = BareSpot(one.place, one.on, one.group, picture)
        elif shows_the_same(picture, below):
            spot = BareSpot(one.place, one.on, one.group, None)
        else:
            continue
        found.setdefault((one.place, one.on, spot.picture is None), spot)
    return tuple(found.values())


def art_below(correction: Correction, picture: Pixels, box: TaughtBox) -> Pixels | None:
    """Return the taught art of a place as its picture shows it; None if the box has none."""
    own = SpaceId(correction.place.space.partition(".")[0])
    art = box.boards.get(correction.place.board)
    if correction.on:
        art = box.cards[correction.on].art if correction.on in box.cards else None
    layout = box.layouts.get(correction.place.board)
    if art is None or layout is None or own not in layout.spaces:
        return None
    centre, turn = _where(correction.place, correction.on, box)
    height, width = picture.shape[:2]
    matrix = _onto((width, height), centre, turn)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    below = cv2.warpAffine(art, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(below, np.uint8)


def shows_the_same(picture: Pixels, art: Pixels) -> bool:
    """Tell whether art explains what the middle of a picture shows so well that nothing else lies there."""
    height, width = (side // 2 * 2 for side in picture.shape[:2])
    seen, below = (halved(to_opponent(one[:height, :width])) for one in (picture, art))
    edge = round(AROUND_MM * ART_PX_PER_MM / 2) + 1
    inner = planes_of(below[None, edge:-edge, edge:-edge])
    size = (below.shape[0] - 2 * edge, below.shape[1] - 2 * edge)
    mask = np.ones((1, size[0] * size[1]), np.float32)
    held = hold_near(seen[None], inner, mask, size)
    return is_plain(float(held.misfits[0]), float(held.contrasts[0]), float(held.likes[0]), 0.0)


def painted(art: Pixels, spots: Sequence[BareSpot], box: TaughtBox) -> Pixels:
    """Return art of a board or of a card with spots of it painted over."""
    done = art.copy()
    for spot in spots:
        centre, turn = _where(spot.place, spot.on, box)
        picture = (
            np.full((*_size_hw(spot, box), 3), NO_ART, np.uint8) if spot.picture is None else spot.picture
        )
        height, width = picture.shape[:2]
        matrix = _onto((width, height), centre, turn)
        size = (done.shape[1], done.shape[0])
        laid = cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR)
        mask = cv2.warpAffine(_middle(spot, height, width), matrix, size, flags=cv2.INTER_LINEAR)[..., None]
        done = np.asarray(np.rint(done * (1 - mask) + laid * mask), np.uint8)
    return done


def _where(place: Place, on: PieceKind, box: TaughtBox) -> tuple[tuple[float, float], float]:
    """Return where a place lies on its art, mm, and how it is turned there."""
    own, _, part = place.space.partition(".part")
    space = box.layouts[place.board].spaces[SpaceId(own)]
    printed = box.printed.get((place.board, space.id))
    if not part:
        return space.centre_mm, space.up_deg
    if on:
        at = {one.index: one.centre_mm for one in box.cards[on].parts}
        return at.get(int(part), (0.0, 0.0)), 0.0
    if printed is None:
        return space.centre_mm, space.up_deg
    spots = dict(parts_of(box.cards[printed], space.centre_mm, space.up_deg, box.card_mm))
    return spots.get(int(part), space.centre_mm), space.up_deg


def _onto(size_wh: tuple[int, int], centre_mm: tuple[float, float], turn_deg: float) -> NDArray[np.float64]:
    """Return the move (2, 3) from a picture of a place to the art around it, px."""
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    turn = np.array([[cos, -sin], [sin, cos]])
    middle = (np.array(size_wh) - 1) / 2
    return np.column_stack([turn, np.array(centre_mm) * ART_PX_PER_MM - 0.5 - turn @ middle])


def _size_hw(spot: BareSpot, box: TaughtBox) -> tuple[int, int]:
    width, height = kept_size_mm(spot.group, box)
    return round(height * ART_PX_PER_MM), round(width * ART_PX_PER_MM)


def kept_size_mm(group: str, box: TaughtBox) -> tuple[float, float]:
    """Return width and height of what a picture of a place shows: the largest piece, and around it."""
    sizes = {"card": box.card_mm, "tile": box.tile_mm, "stack": box.tile_mm}
    reach = max((float(np.abs(t.outline_mm).max()) for t in box.tokens.values()), default=11.0)
    width, height = sizes.get(group, (2 * reach, 2 * reach))
    return width + 2 * AROUND_MM, height + 2 * AROUND_MM


def _middle(spot: BareSpot, height: int, width: int) -> NDArray[np.float32]:
    """Return 1 where a picture shows the place itself, 0 around it."""
    mask = np.zeros((height, width), np.float32)
    edge = round((AROUND_MM - EDGE_MM) * ART_PX_PER_MM)
    if SORTS.get(spot.group) == TOKENS:
        axes = (width // 2 - edge, height // 2 - edge)
        cv2.ellipse(mask, (width // 2, height // 2), axes, 0, 0, 360, 1.0, -1)
    else:
        mask[edge:-edge, edge:-edge] = 1.0
    return mask
