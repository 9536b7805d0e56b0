"""Which kinds look alike, and which view shows another piece than it should: told while teaching.

Views of every piece, real ones and practice photos made of its picture, race against the pictures of
all pieces of its sort as the eyes will let them race. What comes too close is named.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lessons import Lessons, Piece
from companion.board import PieceKind
from companion.ports import Pixels
from vision.box import ART_PX_PER_MM, Token
from vision.light import to_opponent
from vision.likeness import doubts, lay
from vision.matching import halved
from vision.rectangles import CARDS, TILES, Sheet, SheetTemplates
from vision.tokens import TokenTemplates, patch_side, race

SEED = 5
PHOTOS, FEW = 6, 24  # practice photos of each kind, where there are not many kinds
CLOSE = 0.12  # of doubt (see ``likeness.doubts``): nearer than that a lamp decides
OFTEN = 0.34  # of its views
GREY = 118


@dataclass(frozen=True, slots=True, order=True)
class Alike:
    """Two kinds that are hard to tell apart; ``share`` (0 to 1) of views in which they come close."""

    share: float
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Odd:
    """A view that looks like another piece than the one it was taken for."""

    piece: str
    view: int
    looks_like: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What a look at everything that was taught brings."""

    alike: tuple[Alike, ...]
    odd: tuple[Odd, ...]


def look_for_lookalikes(lessons: Lessons, about: Collection[str] | None = None) -> Findings:
    """Compare taught pieces of a box with one another, or only those whose ids are in ``about`` with all.

    A sort with fewer than two pieces has no look-alikes.
    """
    alike: list[Alike] = []
    odd: list[Odd] = []
    taught = lessons.taught()
    pieces = [piece for piece in lessons.pieces() if piece.id in taught]
    outlines = lessons.layout["token_outlines"]
    for kinds in (("token",), ("card", "card_back"), ("upgrade", "upgrade_back")):
        sort = [piece for piece in pieces if piece.kind in kinds]
        arts = {piece: art for piece in sort if (art := _art(lessons, piece)) is not None}
        raced = [row for row, piece in enumerate(arts) if about is None or piece.id in about]
        if len(arts) > 1 and raced:
            found = _compared(lessons, arts, raced, outlines if kinds == ("token",) else None)
            alike += found.alike
            odd += found.odd
    return Findings(tuple(sorted(alike, reverse=True)), tuple(odd))


def _art(lessons: Lessons, piece: Piece) -> Pixels | None:
    path = lessons.picture(piece)
    return None if path is None else _at_art_scale(path, piece)


def _at_art_scale(path: Path, piece: Piece) -> Pixels | None:
    seen = cv2.imread(str(path))
    if seen is None:
        return None
    size = (round(piece.size_mm[0] * ART_PX_PER_MM), round(piece.size_mm[1] * ART_PX_PER_MM))
    return np.asarray(cv2.resize(seen, size, interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """A view of the piece in a row; ``number`` 0: a practice photo made of its picture."""

    row: int
    number: int
    pixels: Pixels


def _views(lessons: Lessons, arts: Mapping[Piece, Pixels], rows: Sequence[int]) -> list[_View]:
    """Return the views taken of some pieces, and practice photos of them."""
    rng, pieces = np.random.default_rng(SEED), list(arts)
    photos = PHOTOS if len(arts) <= FEW else 1
    found = []
    for row in rows:
        piece = pieces[row]
        for path in lessons.views(piece):
            seen = _at_art_scale(path, piece)
            if seen is not None:
                found.append(_View(row, int(path.stem), seen))
        found += [_View(row, 0, _photographed(arts[piece], rng)) for _ in range(photos)]
    return found


def _compared(
    lessons: Lessons,
    arts: Mapping[Piece, Pixels],
    raced: Sequence[int],
    outlines: Mapping[str, Sequence[Sequence[float]]] | None,
) -> Findings:
    """Let views of some pieces (rows of ``arts``) race against all.

    Return which came too close to another, and which views are another's.
    """
    pieces = list(arts)
    views = _views(lessons, arts, raced)
    seen = [view.pixels for view in views]
    if outlines is None:
        ranks = _sheet_doubts(pieces, arts, seen)
    else:
        ranks = _token_doubts(pieces, arts, seen, outlines)
    close: dict[tuple[int, int], int] = defaultdict(int)
    odd = []
    for view, levels in zip(views, ranks, strict=True):
        row, own = view.row, levels[view.row]
        for other in np.flatnonzero(levels < own + CLOSE).tolist():
            if other != row:
                close[min(row, other), max(row, other)] += 1
        best = int(levels.argmin())
        if view.number and best != row and levels[best] < own - CLOSE:
            odd.append(Odd(pieces[row].id, view.number, pieces[best].id))
    counts = np.bincount([view.row for view in views], minlength=len(pieces))
    alike = []
    for (a, b), times in close.items():
        tries = float(counts[a] + counts[b]) / (2 if counts[a] and counts[b] else 1)
        if times >= OFTEN * tries:
            alike.append(Alike(round(times / tries, 2), pieces[a].id, pieces[b].id))
    return Findings(tuple(alike), tuple(odd))


def _photographed(art: Pixels, rng: np.random.Generator) -> Pixels:
    """Return art as a camera may show it once the light was undone: what is left of lamp, blur and noise."""
    gain = np.exp(rng.normal(0, 0.06) + rng.normal(0, 0.04, 3))
    soft = cv2.GaussianBlur(art.astype(np.float32), (0, 0), float(rng.uniform(0.4, 1.4)))
    seen = soft * gain + rng.normal(3, 4) + rng.normal(0, 5, art.shape)
    return np.clip(seen, 0, 255).astype(np.uint8)


def _token_doubts(
    pieces: Sequence[Piece],
    arts: Mapping[Piece, Pixels],
    views: Sequence[Pixels],
    outlines: Mapping[str, Sequence[Sequence[float]]],
) -> NDArray[np.float32]:
    """Return the doubts (views, pieces) of tokens; of those that did not come near, infinite."""
    tokens = [Token(PieceKind(p.id), arts[p], np.asarray(outlines[p.name], float)) for p in pieces]
    templates = TokenTemplates.of(tokens, 0)
    side = patch_side(templates) // 2
    ground = np.full((side, side, 3), GREY, np.uint8)
    patches = [halved(to_opponent(_in_middle(view, 2 * side))) for view in views]
    looks = race(np.stack(patches), np.stack([to_opponent(ground)] * len(patches)), templates)
    rows = {PieceKind(p.id): row for row, p in enumerate(pieces)}
    ranks = np.full((len(views), len(pieces)), np.inf, np.float32)
    for k, look in enumerate(looks):
        if look.kinds:
            levels = doubts(np.array(look.misfits, np.float32), np.array(look.likes, np.float32))
            for kind, level in zip(look.kinds, levels, strict=True):
                ranks[k, rows[kind]] = level
    return ranks


def _in_middle(view: Pixels, side: int) -> Pixels:
    """Return a view in the middle of a grey square."""
    square = np.full((side, side, 3), GREY, np.uint8)
    height, width = (min(s, side) for s in view.shape[:2])
    top, left = (side - height) // 2, (side - width) // 2
    v, u = (view.shape[0] - height) // 2, (view.shape[1] - width) // 2
    square[top : top + height, left : left + width] = view[v : v + height, u : u + width]
    return square


def _halved_often(picture: NDArray[np.float32], level: int) -> NDArray[np.float32]:
    """Return a picture halved ``level`` times, trimmed until that can be."""
    step = 2**level
    return halved(picture[: picture.shape[0] // step * step, : picture.shape[1] // step * step], level)


def _sheet_doubts(
    pieces: Sequence[Piece], arts: Mapping[Piece, Pixels], views: Sequence[Pixels]
) -> NDArray[np.float32]:
    """Return the doubts (views, pieces) of cards or tiles, each laid exactly on each view."""
    how = CARDS if pieces[0].is_flat_card else TILES
    sheets = [Sheet(PieceKind(p.id), arts[p], np.ones(arts[p].shape[:2], np.float32)) for p in pieces]
    templates = SheetTemplates.of(sheets, 0, how)
    ranks = np.zeros((len(views), len(pieces)), np.float32)
    which = np.arange(len(pieces))
    for k, view in enumerate(views):
        small = _halved_often(to_opponent(view), templates.levels[1])
        middle = np.array([[(small.shape[1] - 1) / 2, (small.shape[0] - 1) / 2]] * len(pieces))
        laid = lay([small] * len(pieces), templates.exact, which, middle, np.zeros(len(pieces)), rounds=2)
        misfits = templates.exact.misfits(laid.seen, which)
        ranks[k] = doubts(misfits, templates.exact.likeness(laid.seen, which))
    return ranks
