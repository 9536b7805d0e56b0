"""Look at the spaces of a board: for each the answers that were tried and how badly each fits.

Looks are evidence, not yet answers: ``judge`` turns them into readings.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import EMPTY, PieceKind, Space, SpaceId, SpaceKind
from vision.box import ART_PX_PER_MM, Card, parts_of
from vision.light import BLOCK_PX, Colours
from vision.matching import Templates, cut, halved, windows_of
from vision.rectangles import SheetLook, SheetTemplates, at_level, find_sheet
from vision.sight import BoardSight, centre_px
from vision.tokens import TokenLook, TokenTemplates, is_plain, patch_side, race
from vision.wardrobe import TILE_BACK, Wardrobe, part_mask

CARD_TURNS_DEG = (-8.0, -5.0, -2.5, 0.0, 2.5, 5.0, 8.0)
TILE_TURNS_DEG = (-9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0)
AROUND_MM = 18.0
PILE_REACH_MM = 14.0
PLAINLY_EMPTY = 3.0  # of the bare board's own miss; a space that fits its art so well is not searched
COVER_MM = 2.0  # wider than a token that covers a tile


@dataclass(frozen=True, slots=True)
class Look:
    """One space: answers tried, best first, with their misfits (mean squared misses a pixel).

    ``group`` says how it was looked at (``token``, ``part``, ``card``, ``tile``, ``pile``,
    ``stack``). ``empty`` is the misfit of the art below. ``ring`` is the middle misfit of
    what lies around a token's place, ``around`` the share of the bare board near it that looks
    wrong. ``on_top`` are looks at tokens on a tile.
    """

    space: SpaceId
    group: str
    answers: tuple[PieceKind, ...]
    misfits: tuple[float, ...]
    empty: float
    inside: float
    contrast: float = 0.0
    ring: float = 0.0
    around: float = 0.0
    offset_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    parent: SpaceId | None = None
    on_top: tuple[Look, ...] = field(default=())


def look_at_spaces(
    sight: BoardSight,
    wardrobe: Wardrobe,
    wanted: Collection[SpaceId] | None = None,
    *,
    cards: Mapping[SpaceId, Look] | None = None,
) -> list[Look]:
    """Look at the wanted spaces (all by default); a part space brings its card along.

    ``cards`` are looks at cards known to lie still: those are not looked at again, and of their
    parts only the wanted ones are.
    """
    needed = None if wanted is None else {SpaceId(s.partition(".")[0]) for s in wanted}
    spaces = [s for s in sight.layout.spaces.values() if needed is None or s.id in needed]
    tokens = wardrobe.tokens(sight.light.blur)
    looks = _tokens(sight, [s for s in spaces if s.kind is SpaceKind.TOKEN], tokens)
    for space in spaces:
        if space.kind is SpaceKind.CARD:
            known = (cards or {}).get(space.id)
            card = known or _card(sight, space, wardrobe)
            looks.append(card)
            looks += _parts(sight, space, card, wardrobe, tokens, wanted=wanted if known else None)
        elif space.kind in (SpaceKind.TILE, SpaceKind.STACK):
            looks.append(_tile(sight, space, wardrobe, tokens))
        elif space.kind is SpaceKind.PILE:
            looks.append(_pile(sight, space, tokens))
    shares = {s.id: _wrong_around(sight, s) for s in spaces}
    return [replace(look, around=shares[look.parent or look.space]) for look in looks]


def _wrong_around(sight: BoardSight, space: Space) -> float:
    """Return the share of the bare board within AROUND_MM of a space that does not look like its art."""
    outline = np.asarray(space.outline_mm) * ART_PX_PER_MM / BLOCK_PX
    reach = AROUND_MM * ART_PX_PER_MM / BLOCK_PX
    low = np.maximum(np.floor(outline.min(0) - reach).astype(int), 0)
    high = np.ceil(outline.max(0) + reach).astype(int)
    window = (slice(low[1], high[1]), slice(low[0], high[0]))
    bare = sight.light.usable[window]
    wrong = bare & ~sight.light.agrees[window]
    return float(wrong.sum() / max(bare.sum(), 1))


def _tokens(sight: BoardSight, spaces: Sequence[Space], tokens: TokenTemplates) -> list[Look]:
    side = patch_side(tokens)
    centres = [centre_px(s.centre_mm) for s in spaces]
    patches = [cut(sight.picture, sight.seen_px(s.centre_mm), (side, side)) for s in spaces]
    empties = [cut(sight.expected, c, (side, side)) for c in centres]
    found = race(patches, empties, tokens, plain=PLAINLY_EMPTY * sight.light.miss)
    return [_of_token(s.id, "token", f, sight.inside_share(s)) for s, f in zip(spaces, found, strict=True)]


def _of_token(
    space: SpaceId, group: str, found: TokenLook, inside: float, parent: SpaceId | None = None
) -> Look:
    empty = max(found.empty, found.empty_there)
    ranked = sorted([*zip(found.misfits, found.kinds, strict=True), (empty, EMPTY)])
    return Look(
        space,
        group,
        tuple(k for _, k in ranked),
        tuple(m for m, _ in ranked),
        empty,
        inside,
        contrast=found.contrast,
        ring=found.ring,
        offset_mm=found.offset_mm,
        turn_deg=found.turn_deg,
        parent=parent,
    )


def _bare_miss(
    sight: BoardSight, space: Space, size_hw: tuple[int, int], mask: NDArray[np.float32]
) -> tuple[float, bool]:
    """Return the misfit of the board's own art at a space, and whether that says it all.

    A millimetre of play is allowed.
    """
    half = (size_hw[0] // 2, size_hw[1] // 2)
    wide = (half[0] + 2, half[1] + 2)
    patch = cut(sight.pyramid[1], at_level(sight.seen_px(space.centre_mm), 1), wide, space.up_deg)
    art = halved(cut(sight.expected, centre_px(space.centre_mm), size_hw, space.up_deg))
    bare = Templates.of([art], [(halved(mask) > 0.6).astype(np.float32)])
    windows, _ = windows_of(patch, half)
    misfit = float(bare.misfits(windows).min())
    contrast = float(patch.reshape(-1, 3).var(axis=0).sum())
    return misfit, is_plain(misfit, contrast, PLAINLY_EMPTY * sight.light.miss)


def _even(shape_hw: tuple[int, ...]) -> tuple[int, int]:
    return shape_hw[0] // 2 * 2, shape_hw[1] // 2 * 2


def _card(sight: BoardSight, space: Space, wardrobe: Wardrobe) -> Look:
    box = wardrobe.box
    size = _even(tuple(round(s * ART_PX_PER_MM) for s in (box.card_mm[1], box.card_mm[0])))
    printed = box.printed.get((sight.pose.board, space.id))
    parts = [] if printed is None else [(p.centre_mm, p.radius_mm) for p in box.cards[printed].parts]
    mask = part_mask(size, parts)
    edge = round(2 * ART_PX_PER_MM)
    mask[:edge], mask[-edge:], mask[:, :edge], mask[:, -edge:] = 0, 0, 0, 0
    empty, is_bare = _bare_miss(sight, space, size, mask)
    inside = sight.inside_share(space)
    if is_bare:
        return Look(space.id, "card", (EMPTY,), (empty,), empty, inside)
    templates = wardrobe.cards(sight.light.blur)
    found = find_sheet(
        sight.pyramid,
        sight.seen_px(space.centre_mm),
        space.up_deg,
        templates,
        turns_deg=CARD_TURNS_DEG,
        empty=empty,
    )
    return _of_sheet(space.id, "card", found, empty, inside)


def _of_sheet(space: SpaceId, group: str, found: SheetLook, empty: float, inside: float) -> Look:
    ranked = sorted([*zip(found.misfits, found.kinds, strict=True), (empty, EMPTY)])
    return Look(
        space,
        group,
        tuple(k for _, k in ranked),
        tuple(m for m, _ in ranked),
        empty,
        inside,
        contrast=found.contrast,
        offset_mm=found.offset_mm,
        turn_deg=found.turn_deg,
    )


def _parts(
    sight: BoardSight,
    space: Space,
    look: Look,
    wardrobe: Wardrobe,
    tokens: TokenTemplates,
    *,
    wanted: Collection[SpaceId] | None = None,
) -> list[Look]:
    """Look at the (wanted) part spaces of whatever card lies (or is printed) there."""
    box = wardrobe.box
    kind = look.answers[0]
    printed = box.printed.get((sight.pose.board, space.id))
    if kind == EMPTY:
        if printed is None:
            return []
        card, centre, turn, art = box.cards[printed], space.centre_mm, space.up_deg, None
    elif kind in box.cards:
        card = box.cards[kind]
        centre = (space.centre_mm[0] + look.offset_mm[0], space.centre_mm[1] + look.offset_mm[1])
        turn = space.up_deg + look.turn_deg
        art = _softened(wardrobe.cards(sight.light.blur), kind)
    else:
        return []
    if wanted is not None:
        card = replace(card, parts=tuple(p for p in card.parts if f"{space.id}.part{p.index}" in wanted))
    return _look_at_parts(sight, space, (card, centre, turn, art), tokens, box.card_mm)


def _softened(templates: SheetTemplates, kind: PieceKind) -> Colours:
    return templates.softened[templates.kinds.index(kind)]


def _look_at_parts(
    sight: BoardSight,
    space: Space,
    laid: tuple[Card, tuple[float, float], float, Colours | None],
    tokens: TokenTemplates,
    card_mm: tuple[float, float],
) -> list[Look]:
    card, centre, turn, art = laid
    side = patch_side(tokens)
    patches, empties = [], []
    for part, (_, at_mm) in zip(card.parts, parts_of(card, centre, turn, card_mm), strict=True):
        patches.append(cut(sight.picture, sight.seen_px(at_mm), (side, side), turn))
        if art is None:
            empties.append(cut(sight.expected, centre_px(at_mm), (side, side), turn))
        else:
            empties.append(cut(art, centre_px(part.centre_mm), (side, side)))
    found = race(patches, empties, tokens, plain=PLAINLY_EMPTY * sight.light.miss)
    inside = sight.inside_share(space)
    return [
        _of_token(SpaceId(f"{space.id}.part{p.index}"), "part", f, inside, space.id)
        for p, f in zip(card.parts, found, strict=True)
    ]


def _tile(sight: BoardSight, space: Space, wardrobe: Wardrobe, tokens: TokenTemplates) -> Look:
    box = wardrobe.box
    group = "stack" if space.kind is SpaceKind.STACK else "tile"
    size = _even(tuple(round(s * ART_PX_PER_MM) for s in (box.tile_mm[1], box.tile_mm[0])))
    mask = np.ones(size, np.float32)
    mask[:3], mask[-3:], mask[:, :3], mask[:, -3:] = 0, 0, 0, 0
    empty, is_bare = _bare_miss(sight, space, size, mask)
    inside = sight.inside_share(space)
    if is_bare:
        return Look(space.id, group, (EMPTY,), (empty,), empty, inside)
    templates = wardrobe.tiles(sight.light.blur)
    centre = sight.seen_px(space.centre_mm)
    found = find_sheet(sight.pyramid, centre, space.up_deg, templates, turns_deg=TILE_TURNS_DEG, empty=empty)
    look = _of_sheet(space.id, group, found, empty, inside)
    if group == "stack" or look.answers[0] == TILE_BACK:
        return look
    return _with_tokens(sight, space, look, wardrobe, tokens)


def _with_tokens(
    sight: BoardSight, space: Space, look: Look, wardrobe: Wardrobe, tokens: TokenTemplates
) -> Look:
    """Look for a token on a tile; with one, look at the tile again without the part it covers."""
    found = _token_on(sight, space, look, wardrobe, tokens)
    if found.answers[0] == EMPTY:
        return look if look.answers[0] == EMPTY else replace(look, on_top=(found,))
    turn = math.radians(space.up_deg + look.turn_deg)
    dx, dy = found.offset_mm
    spot = (
        space.centre_mm[0] + look.offset_mm[0] + math.cos(turn) * dx - math.sin(turn) * dy,
        space.centre_mm[1] + look.offset_mm[1] + math.sin(turn) * dx + math.cos(turn) * dy,
    )
    again = _under(sight, space, spot, wardrobe)
    if again.answers[0] == EMPTY:
        return look
    second = _token_on(sight, space, again, wardrobe, tokens)
    return replace(again, on_top=(second,))


def _token_on(
    sight: BoardSight, space: Space, look: Look, wardrobe: Wardrobe, tokens: TokenTemplates
) -> Look:
    side = patch_side(tokens)
    centre = (space.centre_mm[0] + look.offset_mm[0], space.centre_mm[1] + look.offset_mm[1])
    turn = space.up_deg + look.turn_deg
    patch = cut(sight.picture, sight.seen_px(centre), (side, side), turn)
    tile = next((k for k in look.answers if k != EMPTY), None)
    templates = wardrobe.tiles(sight.light.blur)
    art = _softened(templates, tile) if tile is not None else sight.expected
    middle = ((art.shape[1] - 1) / 2, (art.shape[0] - 1) / 2)
    (found,) = race([patch], [cut(art, middle, (side, side))], tokens)
    return _of_token(space.id, "on_top", found, look.inside)


def _under(sight: BoardSight, space: Space, spot_mm: tuple[float, float], wardrobe: Wardrobe) -> Look:
    """Look at a tile of which a token at ``spot_mm`` covers a part."""
    box = wardrobe.box
    art = next(iter(box.tiles.values())).art
    shown = np.ones(art.shape[:2], np.float32)
    reach = max(float(np.linalg.norm(t.outline_mm, axis=1).max()) for t in box.tokens.values())
    angle = math.radians(-space.up_deg)
    dx, dy = spot_mm[0] - space.centre_mm[0], spot_mm[1] - space.centre_mm[1]
    own = (math.cos(angle) * dx - math.sin(angle) * dy, math.sin(angle) * dx + math.cos(angle) * dy)
    at = tuple(
        round(o * ART_PX_PER_MM + s / 2) for o, s in zip(own, (art.shape[1], art.shape[0]), strict=True)
    )
    cv2.circle(shown, at, round((reach + COVER_MM) * ART_PX_PER_MM), 0.0, -1)
    templates = SheetTemplates.of(wardrobe.tile_sheets(shown), sight.light.blur, shrink=1)
    found = find_sheet(
        sight.pyramid, sight.seen_px(space.centre_mm), space.up_deg, templates, turns_deg=TILE_TURNS_DEG
    )
    even = _even(art.shape)
    empty, _ = _bare_miss(sight, space, even, np.ascontiguousarray(shown[: even[0], : even[1]]))
    return _of_sheet(space.id, "tile", found, empty, sight.inside_share(space))


def _pile(sight: BoardSight, space: Space, tokens: TokenTemplates) -> Look:
    side = tokens.side_px + 2 * round(PILE_REACH_MM * ART_PX_PER_MM)
    side += side % 4
    centre = centre_px(space.centre_mm)
    seen = sight.seen_px(space.centre_mm)
    (found,) = race(
        [cut(sight.picture, seen, (side, side))], [cut(sight.expected, centre, (side, side))], tokens
    )
    look = _of_token(space.id, "pile", found, sight.inside_share(space))
    # Whatever token lies on top, it is a heap or it is none: only those two race.
    top = next((i for i, kind in enumerate(look.answers) if kind != EMPTY), None)
    if top is None:
        return look
    pair = sorted([(look.misfits[top], look.answers[top]), (look.empty, EMPTY)])
    return replace(look, answers=tuple(k for _, k in pair), misfits=tuple(m for m, _ in pair))
