"""Would the eyes still know every picture that is kept, if they compared with one more? Pure.

A correction that helps one piece must not cost another, nor make a piece of an empty place or nothing of
a piece: before it is used, all pictures whose truth is known race once with it and once without it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.board import EMPTY, PieceKind
from companion.ports import Pixels
from vision.box import TaughtBox
from vision.exemplars import CARDS, TILES, TOKENS, Exemplar
from vision.light import Colours, to_opponent
from vision.likeness import NOISE, doubts, lay, misfits_of, planes_of
from vision.matching import cut, halved
from vision.rectangles import SheetTemplates
from vision.tokens import TokenTemplates, patch_side, race
from vision.wardrobe import Wardrobe

GREY = 118
SEED = 9
VARIANTS = 3
CLOSE = 0.08
"""Of doubt (see ``likeness.doubts``): a piece known by less than this is not known surely."""

PLAINLY = 0.8
"""Of doubt: a picture that one kind wins by so much is of that kind, whatever was said. Well taught kinds
lead by 1 and more on pictures of a table, poorly taught ones by 0.4 at most."""

ALIKE = 0.85
"""In shape: so like a piece is a picture of it."""

CLOSE_TO_BARE = 0.25
"""A piece that fits by so little better than the place below it, in logarithms, is not known surely there."""


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A picture whose truth is known, with the piece in its middle, and the art ``below`` if that counts."""

    kind: PieceKind
    picture: Pixels
    below: Pixels | None = None


@dataclass(frozen=True, slots=True)
class _Held:
    """A picture held against pieces: their misfits and likenesses, and the misfit of the art below."""

    kinds: Sequence[PieceKind]
    misfits: Sequence[float]
    likes: Sequence[float]
    bare: float

    def lead_of(self, kind: PieceKind) -> float:
        """Return by how much a kind leads over the best other one; below nought: it loses."""
        if kind == EMPTY:
            return _ratio(min(self.misfits, default=math.inf), self.bare)
        levels = doubts(np.array(self.misfits, np.float32), np.array(self.likes, np.float32))
        return _lead(kind, self.kinds, levels.tolist())

    def over_bare(self, kind: PieceKind) -> float:
        """Return by how much a kind fits better than the art below, in logarithms."""
        own = [misfit for one, misfit in zip(self.kinds, self.misfits, strict=True) if one == kind]
        return _ratio(self.bare, min(own, default=math.inf))


def known_pieces(box: TaughtBox, sort: str) -> list[Known]:
    """Return what the box itself knows of a sort: its art, as it is and as a camera may show it."""
    arts: dict[PieceKind, Pixels] = {}
    if sort == TOKENS:
        arts = {kind: token.art for kind, token in box.tokens.items()}
    elif sort == CARDS:
        printed = set(box.printed.values())
        arts = {kind: card.art for kind, card in box.cards.items() if kind not in printed}
    elif sort == TILES:
        arts = {kind: tile.art for kind, tile in box.tiles.items()}
    rng = np.random.default_rng(SEED)
    return [
        Known(kind, picture)
        for kind, art in arts.items()
        for picture in (art, *(_varied(art, rng) for _ in range(VARIANTS)))
    ]


def _varied(art: Pixels, rng: np.random.Generator) -> Pixels:
    gain = np.exp(rng.normal(0, 0.08) + rng.normal(0, 0.05, 3))
    soft = cv2.GaussianBlur(art.astype(np.float32), (0, 0), float(rng.uniform(0.4, 1.6)))
    return np.clip(soft * gain + rng.normal(0, 6, art.shape), 0, 255).astype(np.uint8)


def harmed_by(exemplar: Exemplar, sort: str, known: Sequence[Known], wardrobe: Wardrobe) -> PieceKind | None:
    """Return a kind that the eyes would no longer know as surely with an exemplar; None if all stay known."""
    plainly = [kind for kind in _kinds(sort, wardrobe.box) if kind != exemplar.kind]
    claims = _leads([Known(kind, exemplar.art) for kind in plainly], sort, wardrobe)
    for kind, lead in zip(plainly, claims, strict=True):
        if lead > PLAINLY:
            return kind
    others = [one for one in known if one.kind != exemplar.kind]
    before = _leads(others, sort, wardrobe)
    after = _leads(others, sort, wardrobe.with_more(sort, exemplar))
    for one, lead, now in zip(others, before, after, strict=True):
        if lead > 0 and now < min(lead, CLOSE):
            return one.kind
    return None


def _kinds(sort: str, box: TaughtBox) -> list[PieceKind]:
    if sort == TOKENS:
        return list(box.tokens)
    return list(box.tiles) if sort == TILES else [k for k in box.cards if k not in set(box.printed.values())]


def known_bare(art: Pixels) -> Known:
    """Return what is known of a place with nothing on it, by its art."""
    return Known(EMPTY, _varied(art, np.random.default_rng(SEED)), art)


def lost_if_bare(
    picture: Pixels, below: Pixels, sort: str, known: Sequence[Known], wardrobe: Wardrobe
) -> PieceKind | None:
    """Return a kind that the eyes would not know as surely on a place if it looked so with nothing on it.

    ``picture`` is how it looks, ``below`` how it was taught. A piece that the picture plainly shows is such
    a kind, whatever was said.
    """
    (seen,) = _hold([Known(EMPTY, picture, below)], sort, wardrobe)
    for kind, like in zip(seen.kinds, seen.likes, strict=True):
        if like >= ALIKE and seen.over_bare(kind) > PLAINLY:
            return kind
    pieces = [one for one in known if one.kind != EMPTY]
    before, after = (
        _hold([replace(one, below=art) for one in pieces], sort, wardrobe, own_only=True)
        for art in (below, picture)
    )
    for one, was, now in zip(pieces, before, after, strict=True):
        lead = was.over_bare(one.kind)
        if lead > 0 and now.over_bare(one.kind) < min(lead, CLOSE_TO_BARE):
            return one.kind
    return None


def _leads(known: Sequence[Known], sort: str, wardrobe: Wardrobe) -> list[float]:
    """Return by how much each picture's own kind leads over the best other one."""
    held = _hold(known, sort, wardrobe)
    return [seen.lead_of(one.kind) for one, seen in zip(known, held, strict=True)]


def _hold(known: Sequence[Known], sort: str, wardrobe: Wardrobe, *, own_only: bool = False) -> list[_Held]:
    """Hold pictures against all pieces of a sort, sheets against their own alone if that is enough."""
    if not known:
        return []
    if sort == TOKENS:
        return _hold_tokens(known, wardrobe.tokens(0))
    templates = wardrobe.cards(0) if sort == CARDS else wardrobe.tiles(0)
    return [_hold_sheets(one, templates, own_only=own_only) for one in known]


def _hold_tokens(known: Sequence[Known], templates: TokenTemplates) -> list[_Held]:
    side = patch_side(templates)
    patches = np.stack([halved(to_opponent(_in_middle(one.picture, side))) for one in known])
    bare = np.full((1, 1, 3), GREY, np.uint8)
    below = [bare if one.below is None else one.below for one in known]
    empties = np.stack([halved(to_opponent(_in_middle(art, side))) for art in below])
    looks = race(patches, empties, templates, seek_all=True)
    return [_Held(look.kinds, look.misfits, look.likes, max(look.empty, look.empty_there)) for look in looks]


def _hold_sheets(one: Known, templates: SheetTemplates, *, own_only: bool) -> _Held:
    which = np.array([k for k, kind in enumerate(templates.kinds) if not own_only or kind == one.kind])
    small = _halved(one.picture, templates.levels[1])
    middle = np.array([[(small.shape[1] - 1) / 2, (small.shape[0] - 1) / 2]] * len(which))
    laid = lay([small] * len(which), templates.exact, which, middle, np.zeros(len(which)), rounds=2)
    bare = math.inf
    if one.below is not None:
        best, below = int(np.argmin(laid.misfits)), _halved(one.below, templates.levels[1])
        spot = laid.spots_px[best] + (np.array(below.shape[1::-1]) - small.shape[1::-1]) / 2
        art = cut(below, (spot[0], spot[1]), templates.exact.side_hw, float(laid.turns_deg[best]))
        there = misfits_of(laid.seen[[best]], planes_of(art[None]), templates.exact.masks[which[[best]]])
        bare = float(there[0])
    return _Held([templates.kinds[k] for k in which], laid.misfits.tolist(), laid.likes.tolist(), bare)


def _halved(picture: Pixels, level: int) -> Colours:
    step = 2**level
    height, width = (side // step * step for side in picture.shape[:2])
    return halved(to_opponent(picture[:height, :width]), level)


def _ratio(worse: float, better: float) -> float:
    """Return how many times worse one misfit is than another, as a logarithm."""
    return 0.5 * math.log((worse + NOISE) / (better + NOISE)) if math.isfinite(better) else -1.0


def _lead(own: PieceKind, kinds: Sequence[PieceKind], levels: Sequence[float]) -> float:
    mine = min((level for kind, level in zip(kinds, levels, strict=True) if kind == own), default=np.inf)
    other = min((level for kind, level in zip(kinds, levels, strict=True) if kind != own), default=np.inf)
    if not np.isfinite(mine):
        return -1.0
    return 1.0 if not np.isfinite(other) else float(other - mine)


def _in_middle(picture: Pixels, side: int) -> Pixels:
    """Return a picture in the middle of a grey square, cut if it is larger."""
    square = np.full((side, side, 3), GREY, np.uint8)
    height, width = (min(s, side) for s in picture.shape[:2])
    top, left = (side - height) // 2, (side - width) // 2
    v, u = (picture.shape[0] - height) // 2, (picture.shape[1] - width) // 2
    square[top : top + height, left : left + width] = picture[v : v + height, u : u + width]
    return square
