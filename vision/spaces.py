"""Look at the spaces of a board: for each the answers that were tried and how badly each fits.

Looks are evidence, not yet answers: ``judge`` turns them into readings.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.board import EMPTY, PieceKind, Space, SpaceId, SpaceKind
from vision.box import ART_PX_PER_MM, parts_of
from vision.closer import look_closer
from vision.cover import clear_of
from vision.light import BLOCK_PX, BLUR_LEVELS_PX
from vision.likeness import hold_near, planes_of, turned
from vision.look import Look
from vision.matching import cuts
from vision.ranked import rank
from vision.rectangles import Clear, SheetLook, SheetTemplates, Spot, at_level, find_sheets
from vision.sight import BoardSight, centre_px
from vision.token_places import PLAINLY_EMPTY, TokenPlace, look_at_tokens
from vision.tokens import is_plain
from vision.wardrobe import TILE_BACK, Wardrobe, part_mask

AROUND_MM = 18.0
PILE_REACH_MM = 14.0
PLAINLY_ALIKE = 0.85  # so like its art in shape is no tile with something on it
COVERED, MOST_COVERED = 0.06, 0.6  # of a space: looked past
BARE_EDGE_MM = 2.0  # left out along a space's edge: what lies there may stick out


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
    of_kind = {kind: [s for s in spaces if s.kind is kind] for kind in SpaceKind}
    known = dict(cards or {})
    fresh = _cards(sight, [s for s in of_kind[SpaceKind.CARD] if s.id not in known], wardrobe)
    seen = {look.space: look for look in fresh}
    parts: list[TokenPlace] = []
    for space in of_kind[SpaceKind.CARD]:
        own = None if space.id not in known else wanted
        parts += _parts(sight, space, known.get(space.id) or seen[space.id], wardrobe, own)
    tokens = [TokenPlace.of(sight, space) for space in of_kind[SpaceKind.TOKEN]]
    looks = (
        [*known.values(), *fresh]
        if needed is None
        else [*fresh, *(c for s, c in known.items() if s in needed)]
    )
    looks += look_at_tokens(sight, [*tokens, *parts], wardrobe)
    looks += _tiles(sight, [*of_kind[SpaceKind.TILE], *of_kind[SpaceKind.STACK]], wardrobe)
    looks += _piles(sight, of_kind[SpaceKind.PILE], wardrobe)
    shares = {s.id: _wrong_around(sight, s) for s in spaces}
    usual = 3 * sight.light.miss**2  # over three channels
    clarity = BLUR_LEVELS_PX[0] / BLUR_LEVELS_PX[sight.light.blur]
    return [_in_context(look, shares[look.parent or look.space], usual, clarity) for look in looks]


def _in_context(look: Look, around: float, usual: float, clarity: float) -> Look:
    on_top = tuple(_in_context(top, around, usual, clarity) for top in look.on_top)
    return replace(look, around=around, usual=usual, clarity=clarity, on_top=on_top)


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


def _even(mm: tuple[float, float], level: int) -> tuple[int, int]:
    """Return the height and width in pixels of a piece (width, height in mm), halved ``level`` times."""
    height, width = (round(side * ART_PX_PER_MM) // 2**level for side in (mm[1], mm[0]))
    return height, width


class _Bare(NamedTuple):
    """The board's own art at a space: its misfit, the contrast there, how alike it is, if it says it all."""

    misfit: float
    contrast: float
    like: float
    is_plain: bool


def _hold_bare(
    sight: BoardSight,
    spaces: Sequence[Space],
    masks: Sequence[NDArray[np.float32]],
    level: int,
    wardrobe: Wardrobe,
) -> list[_Bare]:
    """Hold the board's own art against some spaces.

    ``masks`` (all of one size) tell where each is looked at. A pixel of play is allowed.
    """
    height, width = masks[0].shape
    turns = np.array([space.up_deg for space in spaces])
    spots = np.array([at_level(sight.seen_px(space.centre_mm), level) for space in spaces])
    below = np.array([at_level(centre_px(space.centre_mm), level) for space in spaces])
    wide = cuts([sight.pyramid[level]] * len(spaces), spots, (height + 2, width + 2), turns)
    shown = np.stack([m.ravel() for m in masks])
    art = planes_of(cuts([sight.bare[level]] * len(spaces), below, (height, width), turns))
    held = hold_near(wide, art, shown, (height, width))
    told = wardrobe.told_bare(sight.pose.board)
    few = [i for i, space in enumerate(spaces) if space.id in told]
    if few:
        bare_as_told = wardrobe.bare_as_told(sight.pose.board, sight.light.blur)[level]
        art = planes_of(cuts([bare_as_told] * len(few), below[few], (height, width), turns[few]))
        again = hold_near(wide[few], art, shown[few], (height, width))
        for i, misfit, like in zip(few, again.misfits, again.likes, strict=True):
            if misfit < held.misfits[i]:
                held.misfits[i], held.likes[i] = misfit, like
    plain = PLAINLY_EMPTY * sight.light.miss
    rows = zip(held.misfits.tolist(), held.contrasts.tolist(), held.likes.tolist(), strict=True)
    return [_Bare(m, c, like, is_plain(m, c, like, plain)) for m, c, like in rows]


def _bare_mask(size_hw: tuple[int, int], level: int) -> NDArray[np.float32]:
    mask = np.zeros(size_hw, np.float32)
    edge = max(1, round(BARE_EDGE_MM * ART_PX_PER_MM / 2**level))
    mask[edge:-edge, edge:-edge] = 1
    return mask


def _cards(sight: BoardSight, spaces: Sequence[Space], wardrobe: Wardrobe) -> list[Look]:
    if not spaces:
        return []
    box, templates = wardrobe.box, wardrobe.cards(sight.light.blur)
    level = templates.levels[1]
    scale = ART_PX_PER_MM / 2**level
    masks = []
    for space in spaces:
        printed = box.printed.get((sight.pose.board, space.id))
        parts = [] if printed is None else [(p.centre_mm, p.radius_mm) for p in box.cards[printed].parts]
        size = _even(box.card_mm, level)
        masks.append(_bare_mask(size, level) * part_mask(size, parts, scale))
    return _sheets(sight, spaces, "card", masks, wardrobe)


def _sheets(
    sight: BoardSight,
    spaces: Sequence[Space],
    group: str,
    masks: Sequence[NDArray[np.float32]],
    wardrobe: Wardrobe,
) -> list[Look]:
    """Look for cards or tiles; on a space that plainly shows its own art none is sought.

    Of a space that an arm covers in part the rest is looked at.
    """
    blur = sight.light.blur
    templates = wardrobe.cards(blur) if group == "card" else wardrobe.tiles(blur)
    clears = [_clear(sight, space, mask, templates) for space, mask in zip(spaces, masks, strict=True)]
    shown = [m if clear is None else m * clear.exact for m, clear in zip(masks, clears, strict=True)]
    bare = _hold_bare(sight, spaces, shown, templates.levels[1], wardrobe)
    spots = [
        Spot(sight.seen_px(space.centre_mm), space.up_deg, own.misfit)
        for space, own in zip(spaces, bare, strict=True)
    ]
    whole = [i for i, own in enumerate(bare) if not own.is_plain and clears[i] is None]
    found = dict(zip(whole, find_sheets(sight.pyramid, [spots[i] for i in whole], templates), strict=True))
    looks = []
    for i, (space, clear) in enumerate(zip(spaces, clears, strict=True)):
        kind = "stack" if space.kind is SpaceKind.STACK else group
        look = _bare_look(space.id, kind, (EMPTY,), bare[i], sight.inside_share(space))
        if clear is not None and not bare[i].is_plain:
            few = templates.likely_behind(sight.pyramid, spots[i], clear)
            (found[i],) = find_sheets(sight.pyramid, [spots[i]], few)
        looks.append(_of_sheet(look, found[i]) if i in found else look)
    return looks


def _clear(
    sight: BoardSight, space: Space, mask: NDArray[np.float32], templates: SheetTemplates
) -> Clear | None:
    """Return what of a sheet on a space no arm covers; None if that is all, or too little."""
    if sight.covered is None:
        return None
    spot = sight.seen_px(space.centre_mm)
    sides = (templates.coarse.side_hw, templates.exact.side_hw)
    exact, coarse = (
        clear_of(sight.covered, at_level(spot, level), space.up_deg, side_hw, level)
        for side_hw, level in zip(reversed(sides), reversed(templates.levels), strict=True)
    )
    share = 1 - float((mask * exact).sum() / mask.sum())
    return Clear(coarse, exact) if COVERED < share < MOST_COVERED else None


def _bare_look(
    space: SpaceId, group: str, answers: tuple[PieceKind, ...], bare: _Bare, inside: float
) -> Look:
    """Return the look at a space before a piece was sought there."""
    empty = bare.misfit
    misfits = (empty,) * len(answers)
    return Look(space, group, answers, misfits, empty, empty, inside, bare.like, contrast=bare.contrast)


def _of_sheet(look: Look, found: SheetLook) -> Look:
    ranked = rank(look.empty, found.kinds, found.misfits, found.likes)
    is_bare = ranked.answers[0] == EMPTY
    return replace(
        look,
        answers=ranked.answers,
        misfits=ranked.misfits,
        alike=look.alike if is_bare else ranked.alike,
        lead=ranked.lead,
        contrast=look.contrast if is_bare else found.contrast,
        offset_mm=found.offset_mm,
        turn_deg=found.turn_deg,
    )


def _parts(
    sight: BoardSight,
    space: Space,
    look: Look,
    wardrobe: Wardrobe,
    wanted: Collection[SpaceId] | None,
) -> list[TokenPlace]:
    """Return the (wanted) part spaces of whatever card lies (or is printed) there."""
    box = wardrobe.box
    kind = look.answers[0]
    printed = box.printed.get((sight.pose.board, space.id))
    centre, turn = space.centre_mm, space.up_deg
    if kind != EMPTY:
        centre = (centre[0] + look.offset_mm[0], centre[1] + look.offset_mm[1])
        turn += look.turn_deg
    elif printed is not None:
        kind = printed
    card = box.cards.get(kind)
    if card is None:
        return []
    inside = sight.inside_share(space)
    at = dict(parts_of(card, centre, turn, box.card_mm))
    places = []
    for part in card.parts:
        own = SpaceId(f"{space.id}.part{part.index}")
        if wanted is None or own in wanted:
            art, told = None, None
            if look.answers[0] != EMPTY:
                art, told = wardrobe.below_part(kind, part.index, sight.light.blur)
            art_px = at_level(centre_px(part.centre_mm), 1)
            places.append(TokenPlace(own, "part", at[part.index], inside, turn, space.id, art, art_px, told))
    return places


def _tiles(sight: BoardSight, spaces: Sequence[Space], wardrobe: Wardrobe) -> list[Look]:
    if not spaces:
        return []
    templates = wardrobe.tiles(sight.light.blur)
    level = templates.levels[1]
    mask = _bare_mask(_even(wardrobe.box.tile_mm, level), level)
    looks = _sheets(sight, spaces, "tile", [mask] * len(spaces), wardrobe)
    may_hold = [i for i, look in enumerate(looks) if _may_hold(look)]
    tops = _tokens_on(sight, [(spaces[i], looks[i]) for i in may_hold], wardrobe)
    for i, top in zip(may_hold, tops, strict=True):
        looks[i] = _with_token(sight, spaces[i], looks[i], top, wardrobe)
    return [look_closer(sight, space, look, wardrobe) for space, look in zip(spaces, looks, strict=True)]


def _may_hold(look: Look) -> bool:
    """Tell whether a token may lie there: on a tile's face, or on what is not quite like its back."""
    piece = _piece(look)
    return look.group == "tile" and piece is not None and (piece != TILE_BACK or look.alike < PLAINLY_ALIKE)


def _piece(look: Look) -> PieceKind | None:
    """Return the likeliest piece, whether or not the empty space is likelier."""
    return next((kind for kind in look.answers if kind != EMPTY), None)


def _tokens_on(sight: BoardSight, tiles: Sequence[tuple[Space, Look]], wardrobe: Wardrobe) -> list[Look]:
    """Look for a token on each tile."""
    templates = wardrobe.tiles(sight.light.blur)
    places = []
    for space, look in tiles:
        kind = _piece(look)
        assert kind is not None
        art = templates.softened[templates.kinds.index(kind)]
        middle = ((art.shape[1] - 1) / 2, (art.shape[0] - 1) / 2)
        at = (space.centre_mm[0] + look.offset_mm[0], space.centre_mm[1] + look.offset_mm[1])
        turn = space.up_deg + look.turn_deg
        places.append(TokenPlace(space.id, "on_top", at, look.inside, turn, None, art, middle))
    return look_at_tokens(sight, places, wardrobe, seek_all=True)


def _with_token(sight: BoardSight, space: Space, look: Look, found: Look, wardrobe: Wardrobe) -> Look:
    """With a token on a tile, look at the tile again without the part it covers."""
    if found.answers[0] == EMPTY:
        return look if look.answers[0] == EMPTY else replace(look, on_top=(found,))
    dx, dy = turned(found.offset_mm, space.up_deg + look.turn_deg)
    spot = (space.centre_mm[0] + look.offset_mm[0] + dx, space.centre_mm[1] + look.offset_mm[1] + dy)
    again = _under(sight, space, spot, wardrobe)
    if again.answers[0] == EMPTY:
        return look
    (second,) = _tokens_on(sight, [(space, again)], wardrobe)
    return replace(again, on_top=(second,))


def _under(sight: BoardSight, space: Space, spot_mm: tuple[float, float], wardrobe: Wardrobe) -> Look:
    """Look at a tile of which a token at ``spot_mm`` covers a part."""
    off = (spot_mm[0] - space.centre_mm[0], spot_mm[1] - space.centre_mm[1])
    templates = wardrobe.tiles(sight.light.blur).without(turned(off, -space.up_deg), wardrobe.cover_mm)
    level = templates.levels[1]
    mask = _bare_mask(_even(wardrobe.box.tile_mm, level), level)
    shown = mask * templates.exact.masks[0].reshape(mask.shape)
    (bare,) = _hold_bare(sight, [space], [shown], level, wardrobe)
    spot = Spot(sight.seen_px(space.centre_mm), space.up_deg)
    (found,) = find_sheets(sight.pyramid, [spot], templates)
    return _of_sheet(_bare_look(space.id, "tile", (), bare, sight.inside_share(space)), found)


def _piles(sight: BoardSight, spaces: Sequence[Space], wardrobe: Wardrobe) -> list[Look]:
    """Look at heaps. A heap shows a token of its kind whole; only that and none race."""
    places = [TokenPlace.of(sight, space, "pile") for space in spaces]
    looks = []
    made_of = wardrobe.box.pile_kinds
    only = [made_of.get((sight.pose.board, space.id)) for space in spaces]
    for look in look_at_tokens(sight, places, wardrobe, reach_mm=PILE_REACH_MM, only=only):
        top = _piece(look)
        if top is None:
            looks.append(look)
            continue
        pair = sorted([(look.misfits[look.answers.index(top)], top), (look.empty, EMPTY)])
        answers, levels = tuple(kind for _, kind in pair), tuple(misfit for misfit, _ in pair)
        # All places were of one kind: it leads over no other.
        lead = look.lead if answers[0] == EMPTY else look.alike
        looks.append(replace(look, answers=answers, misfits=levels, lead=lead))
    return looks
