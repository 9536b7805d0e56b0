"""What is made once for a box and kept: grounds, and templates and softened art for each blur."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import BoardId, PieceKind, SpaceId
from companion.ports import Pixels
from vision.bare_spots import BareSpot, painted
from vision.box import ART_PX_PER_MM, TaughtBox, Token
from vision.colours import player_colours
from vision.exemplars import CARDS as CARDS_LEARNED
from vision.exemplars import TILES as TILES_LEARNED
from vision.exemplars import TOKENS, Exemplar, Exemplars
from vision.light import BLUR_LEVELS_PX, Colours, Ground, to_opponent
from vision.matching import halvings
from vision.rectangles import CARDS, TILES, Sheet, SheetTemplates
from vision.rings import OrderTemplates
from vision.tokens import TokenTemplates

CARD_BACK = PieceKind("card_back")
TILE_BACK = PieceKind("upgrade_back")
STICKER_MM = 20.0
COVER_MM = 1.0  # wider than a token that covers a tile
SPILL_MM = 2.5  # how far a token laid by hand may stick out of its part circle unseen by the card

LEARNED = (TOKENS, CARDS_LEARNED, TILES_LEARNED, "expected", "bare", "bare as told", "card", "card as told")
"""What changes with what was learnt from corrections."""

Made = TypeVar("Made")


class Wardrobe:
    """Templates of a box, by blur. Made on demand and kept."""

    def __init__(self, box: TaughtBox) -> None:
        self.box = box
        self._kept: dict[tuple[str, str, int], object] = {}
        self._learned: Exemplars = {}
        self._spots: tuple[BareSpot, ...] = ()

    def learn(self, exemplars: Exemplars, spots: Sequence[BareSpot] = ()) -> None:
        """Compare with these pictures, too, from the next look on, and with places as they look when bare."""
        self._learned, self._spots = exemplars, tuple(spots)
        for key in tuple(self._kept):
            if key[0] in LEARNED:
                self._kept.pop(key, None)

    def with_more(self, sort: str, exemplar: Exemplar) -> Wardrobe:
        """Return another wardrobe of the same box with one exemplar more."""
        other = Wardrobe(self.box)
        other.learn({**self._learned, sort: (*self._learned.get(sort, ()), exemplar)}, self._spots)
        return other

    def exemplars(self, sort: str) -> tuple[Exemplar, ...]:
        return tuple(self._learned.get(sort, ()))

    def _once(self, what: str, of: str, blur: int, make: Callable[[], Made]) -> Made:
        key = (what, of, blur)
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]  # type: ignore[return-value]

    def ground(self, board: BoardId) -> Ground:
        box = self.box
        return self._once(
            "ground", board, 0, lambda: Ground.of(box.boards[board], box.layouts[board], STICKER_MM)
        )

    def expected(self, board: BoardId, blur: int) -> Colours:
        """Return the art of an empty board, softened."""
        lost = [spot for spot in self._spots_on(board) if spot.picture is None]
        return self._once("expected", board, blur, lambda: self._softened(self.box.boards[board], lost, blur))

    def bare(self, board: BoardId, blur: int) -> tuple[Colours, ...]:
        """Return the art of an empty board, softened, and it halved once, twice and three times."""
        return self._once("bare", board, blur, lambda: halvings(self.expected(board, blur)))

    def told_bare(self, board: BoardId) -> frozenset[SpaceId]:
        """Return the places of a board of which a correction told how they look with nothing on them."""
        return frozenset(spot.place.space for spot in self._spots_on(board) if spot.picture is not None)

    def bare_as_told(self, board: BoardId, blur: int) -> tuple[Colours, ...]:
        """Return the same as ``bare``, those places painted over."""
        spots, art = self._spots_on(board), self.box.boards[board]
        return self._once("bare as told", board, blur, lambda: halvings(self._softened(art, spots, blur)))

    def below_part(self, card: PieceKind, index: int, blur: int) -> tuple[Colours, Colours | None]:
        """Return the art of a card, halved once, that lies below a part; and as a correction told it."""
        spots = [spot for spot in self._spots if spot.on == card]
        lost = [spot for spot in spots if spot.picture is None]
        templates = self.cards(blur)
        art = templates.softened[templates.kinds.index(card)]
        if lost:
            art = self._once("card", card, blur, lambda: self._halved(card, lost, blur))
        if not any(spot.place.space.endswith(f".part{index}") and spot.picture is not None for spot in spots):
            return art, None
        return art, self._once("card as told", card, blur, lambda: self._halved(card, spots, blur))

    def _spots_on(self, board: BoardId) -> list[BareSpot]:
        own = [spot for spot in self._spots if spot.place.board == board and not spot.on]
        return sorted(own, key=lambda spot: spot.picture is not None)  # lost art first, pictures over it

    def _halved(self, card: PieceKind, spots: Sequence[BareSpot], blur: int) -> Colours:
        ordered = sorted(spots, key=lambda spot: spot.picture is not None)
        return halvings(self._softened(self.box.cards[card].art, ordered, blur), 1)[1]

    def _softened(self, art: Pixels, spots: Sequence[BareSpot], blur: int) -> Colours:
        laid = painted(art, spots, self.box) if spots else art
        return to_opponent(cv2.GaussianBlur(laid, (0, 0), BLUR_LEVELS_PX[blur]))

    @property
    def cover_mm(self) -> float:
        """Return how far from its middle a token covers what it lies on."""
        reach = max(float(np.linalg.norm(t.outline_mm, axis=1).max()) for t in self.box.tokens.values())
        return reach + COVER_MM

    def tokens(self, blur: int) -> TokenTemplates:
        more = [
            Token(one.kind, one.art, self.box.tokens[one.kind].outline_mm) for one in self.exemplars(TOKENS)
        ]
        kinds = [*self.box.tokens.values(), *more]
        return self._once("tokens", "", blur, lambda: TokenTemplates.of(kinds, blur))

    def cards(self, blur: int) -> SheetTemplates:
        return self._once("cards", "", blur, lambda: SheetTemplates.of(self._card_sheets(), blur, CARDS))

    def tiles(self, blur: int) -> SheetTemplates:
        return self._once("tiles", "", blur, lambda: SheetTemplates.of(self._tile_sheets(), blur, TILES))

    def _tile_sheets(self) -> list[Sheet]:
        arts = [(t.kind, t.art) for t in self.box.tiles.values()]
        arts += [(one.kind, one.art) for one in self.exemplars(TILES_LEARNED)]
        return [Sheet(kind, art, np.ones(art.shape[:2], np.float32)) for kind, art in arts]

    def _card_sheets(self) -> list[Sheet]:
        printed = set(self.box.printed.values())
        sheets = [
            Sheet(
                kind,
                card.art,
                part_mask(card.art.shape[:2], [(p.centre_mm, p.radius_mm) for p in card.parts]),
            )
            for kind, card in self.box.cards.items()
            if kind not in printed
        ]
        sheets += [
            Sheet(one.kind, one.art, sheet.shown)
            for one in self.exemplars(CARDS_LEARNED)
            for sheet in sheets
            if sheet.kind == one.kind
        ]
        if self.box.card_back is not None:
            back = self.box.card_back
            sheets.append(Sheet(CARD_BACK, back, np.ones(back.shape[:2], np.float32)))
        return sheets

    def orders(self, blur: int) -> OrderTemplates:
        tokens = [token for _, token in self.box.orders]
        return self._once("orders", "", blur, lambda: OrderTemplates.of(tokens, blur))

    def player_colours(self) -> Mapping[str, NDArray[np.float32]]:
        return self._once("colours", "", 0, lambda: player_colours(self.box))


def part_mask(
    shape_hw: tuple[int, ...],
    parts: list[tuple[tuple[float, float], float]],
    px_per_mm: float = ART_PX_PER_MM,
) -> NDArray[np.float32]:
    """Return 1 where a card is looked at, 0 in its part circles (mm from its top left)."""
    mask = np.ones(shape_hw, np.float32)
    for (x, y), radius in parts:
        centre = (round(x * px_per_mm), round(y * px_per_mm))
        cv2.circle(mask, centre, round((radius + SPILL_MM) * px_per_mm), 0.0, -1)
    return mask
