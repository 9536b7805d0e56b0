"""What reading a board works on: the flattened picture in the colours of its art, and that art.

``Wardrobe`` keeps what is made once for a box: grounds, and templates and softened art for each
blur, made when first needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import BoardId, BoardLayout, PieceKind, Space
from companion.ports import Pixels
from vision.box import ART_PX_PER_MM, TaughtBox
from vision.flatten import flatten
from vision.light import BLUR_LEVELS_PX, Colours, Ground, Light, measure_light, to_opponent
from vision.pose import BoardPose
from vision.rectangles import Sheet, SheetTemplates
from vision.refine import drift_of
from vision.tokens import TokenTemplates

CARD_BACK = PieceKind("card_back")
TILE_BACK = PieceKind("upgrade_back")
STICKER_MM = 20.0
SPILL_MM = 2.5  # how far a token laid by hand may stick out of its part circle unseen by the card

Made = TypeVar("Made")


class Wardrobe:
    """Templates of a box, by blur. Made on demand and kept."""

    def __init__(self, box: TaughtBox) -> None:
        self.box = box
        self._kept: dict[tuple[str, str, int], object] = {}

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
        sigma = BLUR_LEVELS_PX[blur]
        art = self.box.boards[board]
        return self._once("expected", board, blur, lambda: to_opponent(cv2.GaussianBlur(art, (0, 0), sigma)))

    def tokens(self, blur: int) -> TokenTemplates:
        kinds = list(self.box.tokens.values())
        return self._once("tokens", "", blur, lambda: TokenTemplates.of(kinds, blur))

    def cards(self, blur: int) -> SheetTemplates:
        return self._once("cards", "", blur, lambda: SheetTemplates.of(self._card_sheets(), blur, shrink=3))

    def tiles(self, blur: int) -> SheetTemplates:
        return self._once("tiles", "", blur, lambda: SheetTemplates.of(self.tile_sheets(), blur, shrink=2))

    def tile_sheets(self, shown: NDArray[np.float32] | None = None) -> list[Sheet]:
        """Return the tiles; ``shown`` (at ART_PX_PER_MM) tells what of them may be covered."""
        tiles = self.box.tiles.values()
        return [
            Sheet(t.kind, t.art, np.ones(t.art.shape[:2], np.float32) if shown is None else shown)
            for t in tiles
        ]

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
        if self.box.card_back is not None:
            back = self.box.card_back
            sheets.append(Sheet(CARD_BACK, back, np.ones(back.shape[:2], np.float32)))
        return sheets


def part_mask(
    shape_hw: tuple[int, ...], parts: list[tuple[tuple[float, float], float]]
) -> NDArray[np.float32]:
    """Return 1 where a card is looked at, 0 in its part circles (mm from its top left)."""
    mask = np.ones(shape_hw, np.float32)
    for (x, y), radius in parts:
        centre = (round(x * ART_PX_PER_MM), round(y * ART_PX_PER_MM))
        cv2.circle(mask, centre, round((radius + SPILL_MM) * ART_PX_PER_MM), 0.0, -1)
    return mask


@dataclass(frozen=True, eq=False)
class BoardSight:
    """One board of one picture, flattened, in the colours of its art."""

    pose: BoardPose
    layout: BoardLayout
    flat: Pixels
    inside: NDArray[np.bool_]
    light: Light
    expected: Colours
    drift: NDArray[np.float64]  # (2, 3): from where art should be to where it is, px

    @cached_property
    def picture(self) -> Colours:
        return to_opponent(self.light.undo(self.flat))

    def seen_px(self, spot_mm: tuple[float, float]) -> tuple[float, float]:
        """Return where a point of the board's art lies in the flattened picture."""
        x, y = self.drift[:, :2] @ np.array(centre_px(spot_mm)) + self.drift[:, 2]
        return float(x), float(y)

    def inside_share(self, space: Space) -> float:
        """Return how much of a space lies inside the picture."""
        outline = np.asarray(space.outline_mm) * ART_PX_PER_MM
        height, width = self.inside.shape
        x0, y0 = np.clip(np.floor(outline.min(0)).astype(int), 0, (width - 1, height - 1))
        x1, y1 = np.clip(np.ceil(outline.max(0)).astype(int), 1, (width, height))
        return float(self.inside[y0:y1, x0:x1].mean())


def see_board(pixels: Pixels, pose: BoardPose, wardrobe: Wardrobe) -> BoardSight | None:
    """Flatten a board and undo its light; None when too little of it looks like its art."""
    flat, inside = flatten(pixels, pose)
    art = wardrobe.box.boards[pose.board]
    flat, inside = flat[: art.shape[0], : art.shape[1]], inside[: art.shape[0], : art.shape[1]]
    grey = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8)
    ground = wardrobe.ground(pose.board)
    drift = drift_of(grey, ground)
    light = measure_light(flat, grey, inside, ground, drift)
    if light is None:
        return None
    expected = wardrobe.expected(pose.board, light.blur)
    return BoardSight(pose, wardrobe.box.layouts[pose.board], flat, inside, light, expected, drift)


def centre_px(centre_mm: tuple[float, float]) -> tuple[float, float]:
    """Return where a board point lies in its flattened picture."""
    return centre_mm[0] * ART_PX_PER_MM - 0.5, centre_mm[1] * ART_PX_PER_MM - 0.5
