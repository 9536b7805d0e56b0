"""Would the eyes still know every picture that is kept, if they compared with one more? Pure.

A correction that helps one piece must not cost another: before it is used, all pictures whose truth is
known race once with it and once without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.board import PieceKind
from companion.ports import Pixels
from vision.box import TaughtBox
from vision.exemplars import CARDS, TILES, TOKENS, Exemplar
from vision.light import to_opponent
from vision.likeness import doubts, lay
from vision.matching import halved
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


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A picture whose truth is known, with the piece in its middle."""

    kind: PieceKind
    picture: Pixels


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


def _leads(known: Sequence[Known], sort: str, wardrobe: Wardrobe) -> list[float]:
    """Return by how much each picture's own kind leads over the best other one; below nought: it loses."""
    if not known:
        return []
    if sort == TOKENS:
        return _token_leads(known, wardrobe.tokens(0))
    return _sheet_leads(known, wardrobe.cards(0) if sort == CARDS else wardrobe.tiles(0))


def _token_leads(known: Sequence[Known], templates: TokenTemplates) -> list[float]:
    side = patch_side(templates)
    patches = np.stack([halved(to_opponent(_in_middle(one.picture, side))) for one in known])
    bare = to_opponent(np.full((side // 2, side // 2, 3), GREY, np.uint8))
    leads = []
    for one, look in zip(known, race(patches, np.stack([bare] * len(known)), templates), strict=True):
        levels = doubts(np.array(look.misfits, np.float32), np.array(look.likes, np.float32))
        leads.append(_lead(one.kind, look.kinds, levels.tolist()))
    return leads


def _sheet_leads(known: Sequence[Known], templates: SheetTemplates) -> list[float]:
    which = np.arange(len(templates.kinds))
    leads = []
    for one in known:
        step = 2 ** templates.levels[1]
        height, width = (side // step * step for side in one.picture.shape[:2])
        small = halved(to_opponent(one.picture[:height, :width]), templates.levels[1])
        middle = np.array([[(small.shape[1] - 1) / 2, (small.shape[0] - 1) / 2]] * len(which))
        laid = lay([small] * len(which), templates.exact, which, middle, np.zeros(len(which)), rounds=2)
        levels = doubts(laid.misfits, laid.likes)
        leads.append(_lead(one.kind, templates.kinds, levels.tolist()))
    return leads


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
