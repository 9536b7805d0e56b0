"""Look at places for tokens: on a board, on a card, on a tile. All kinds race on all places at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.board import EMPTY, PieceKind, Space, SpaceId
from vision.box import ART_PX_PER_MM
from vision.light import Colours
from vision.look import Look
from vision.matching import cuts
from vision.ranked import rank
from vision.rectangles import at_level
from vision.sight import BoardSight, centre_px
from vision.tokens import TokenLook, patch_side, race
from vision.wardrobe import Wardrobe

PLAINLY_EMPTY = 3.0  # of the bare board's own miss; a space that fits its art so well is not searched


@dataclass(frozen=True, slots=True, eq=False)
class TokenPlace:
    """A place for a token: where on the board, how turned, and the art below it (None: the board's).

    ``told`` is the art of a lying card as a correction told how it looks below that place.
    """

    space: SpaceId
    group: str
    at_mm: tuple[float, float]
    inside: float
    turn_deg: float = 0.0
    parent: SpaceId | None = None
    art: Colours | None = None  # halved once
    art_px: tuple[float, float] = (0.0, 0.0)
    told: Colours | None = None

    @classmethod
    def of(cls, sight: BoardSight, space: Space, group: str = "token") -> TokenPlace:
        return cls(space.id, group, space.centre_mm, sight.inside_share(space))


def look_at_tokens(
    sight: BoardSight,
    places: Sequence[TokenPlace],
    wardrobe: Wardrobe,
    *,
    reach_mm: float = 0.0,
    only: Sequence[PieceKind | None] | None = None,
    seek_all: bool = False,
) -> list[Look]:
    """Let all tokens race on some places; ``reach_mm`` seeks them further away, ``only`` one kind of them."""
    tokens = wardrobe.tokens(sight.light.blur)
    side = patch_side(tokens) // 2 + 4 * round(reach_mm * ART_PX_PER_MM / 4)
    if not places:
        return []
    turns = np.array([p.turn_deg for p in places])
    spots = np.array([at_level(sight.seen_px(p.at_mm), 1) for p in places])
    patches = cuts([sight.half] * len(places), spots, (side, side), turns)
    plain = 0.0 if seek_all or only else PLAINLY_EMPTY * sight.light.miss
    found = race(patches, _below(places, sight.bare[1], side), tokens, plain=plain, only=only)
    told = _as_told(sight, places, wardrobe)
    if told:
        which = list(told)
        bare = wardrobe.bare_as_told(sight.pose.board, sight.light.blur)[1]
        empties = _below(list(told.values()), bare, side)
        few = None if only is None else [only[i] for i in which]
        for i, again in zip(which, race(patches[which], empties, tokens, plain=plain, only=few), strict=True):
            found[i] = min(found[i], again, key=lambda look: max(look.empty, look.empty_there))
    return [_of_token(place, look) for place, look in zip(places, found, strict=True)]


def _below(places: Sequence[TokenPlace], bare: Colours, side: int) -> NDArray[np.float32]:
    """Return the art below places, as patches; ``bare`` is that of their board."""
    art = [bare if p.art is None else p.art for p in places]
    spots = np.array([at_level(centre_px(p.at_mm), 1) if p.art is None else p.art_px for p in places])
    turns = np.array([p.turn_deg if p.art is None else 0.0 for p in places])
    return cuts(art, spots, (side, side), turns)


def _as_told(sight: BoardSight, places: Sequence[TokenPlace], wardrobe: Wardrobe) -> dict[int, TokenPlace]:
    """Return, by their number, the places of which a correction told how they look with nothing on them."""
    on_board = wardrobe.told_bare(sight.pose.board)
    told = {i: place for i, place in enumerate(places) if place.art is None and place.space in on_board}
    return told | {i: replace(p, art=p.told) for i, p in enumerate(places) if p.told is not None}


def _of_token(place: TokenPlace, found: TokenLook) -> Look:
    empty = max(found.empty, found.empty_there)
    ranked = rank(empty, found.kinds, found.misfits, found.likes)
    # Of a bare place the middle tells; a token beside it, at which one was tried, does not. A heap has none.
    is_bare = ranked.answers[0] == EMPTY and place.group != "pile"
    return Look(
        place.space,
        place.group,
        ranked.answers,
        ranked.misfits,
        empty,
        found.empty if is_bare else empty,
        place.inside,
        found.bare_like if is_bare else ranked.alike,
        ranked.lead,
        contrast=found.bare_contrast if is_bare else found.contrast,
        ring=found.ring,
        offset_mm=found.offset_mm,
        turn_deg=found.turn_deg,
        parent=place.parent,
    )
