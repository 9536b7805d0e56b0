"""Pieces cut out of their paper, ready to be laid on a picture of the table; drawn once each."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.board import BoardLayout, PieceKind
from companion.ports import Pixels
from hardware.simulated.art import boards, cards, tiles, tokens
from hardware.simulated.art.sheet import LABEL
from hardware.simulated.contents import CARD_BACK, MARKER_MM, ORDER_MM, TILE_BACK, TOKEN_MM, TOKENS, Contents

TAG_MM = 16.0
STICKER_MM = 20.0


@dataclass(frozen=True, slots=True)
class Sprite:
    """A piece seen from straight above.

    ``pixels`` is (height, width, 3), ``alpha`` (height, width), 255 where the piece is;
    ``shadow`` the same, blurred, what it takes from the light around it.
    """

    pixels: Pixels
    alpha: Pixels
    shadow: Pixels
    px_per_mm: float
    thickness_mm: float


def cut_out(
    pixels: Pixels, px_per_mm: float, thickness_mm: float, diameter_mm: float | None = None
) -> Sprite:
    """Cut a piece out of its drawing: a disc in the middle, or the whole sheet."""
    edge = round((thickness_mm * 1.5 + 1.0) * px_per_mm)  # room for the shadow
    padded = cv2.copyMakeBorder(pixels, edge, edge, edge, edge, cv2.BORDER_REPLICATE)
    alpha = np.zeros(padded.shape[:2], np.uint8)
    height, width = alpha.shape
    if diameter_mm is None:
        alpha[edge:-edge, edge:-edge] = 255
    else:
        centre = (round((width - 1) * 8), round((height - 1) * 8))
        cv2.circle(alpha, centre, round((diameter_mm * px_per_mm / 2 - 0.5) * 16), 255, -1, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(alpha, (0, 0), max(0.8, thickness_mm * px_per_mm * 0.45))
    return Sprite(np.asarray(padded, np.uint8), alpha, np.asarray(soft, np.uint8), px_per_mm, thickness_mm)


class Drawer:
    """All pieces of a box as sprites at one resolution."""

    def __init__(self, contents: Contents, px_per_mm: float) -> None:
        self._contents = contents
        self._px_per_mm = px_per_mm
        self._drawn: dict[tuple[str, str], Sprite] = {}

    def piece(self, kind: PieceKind, owner: str = "", *, is_up: bool = True) -> Sprite:
        """Return the sprite of a piece, face up or down."""
        key = (str(kind) if is_up or kind not in self._contents.cards else str(CARD_BACK), f"{owner}{is_up}")
        if key not in self._drawn:
            self._drawn[key] = self._draw(kind, owner, is_up)
        return self._drawn[key]

    def _draw(self, kind: PieceKind, owner: str, is_up: bool) -> Sprite:
        scale = self._px_per_mm
        if kind in TOKENS:
            return cut_out(tokens.token(kind, scale), scale, 2.0, TOKEN_MM)
        if kind in self._contents.cards:
            face = cards.card_front(self._contents.cards[kind], scale) if is_up else cards.card_back(scale)
            return cut_out(face, scale, 0.5)
        if kind.startswith("order_"):
            colour = kind.removeprefix("order_")
            if is_up:
                return cut_out(
                    tokens.order_front(colour, self._contents.secondary[colour], scale), scale, 2.0, ORDER_MM
                )
            return cut_out(tokens.order_back(owner, scale), scale, 2.0, ORDER_MM)
        if kind.startswith("marker_"):
            return cut_out(tokens.marker(owner, scale), scale, 6.0, MARKER_MM)
        return self._flat(kind, owner, is_up)

    def _order(self, colour: str, owner: str, is_up: bool) -> Pixels:
        if is_up:
            return tokens.order_front(colour, self._contents.secondary[colour], self._px_per_mm)
        return tokens.order_back(owner, self._px_per_mm)

    def _flat(self, kind: PieceKind, owner: str, is_up: bool) -> Sprite:
        scale = self._px_per_mm
        if kind in self._contents.cards:
            face = cards.card_front(self._contents.cards[kind], scale) if is_up else cards.card_back(scale)
            return cut_out(face, scale, 0.5)
        if kind in self._contents.lesters:
            face = tiles.lester_front(kind, owner, scale) if is_up else tiles.lester_back(owner, scale)
            return cut_out(face, scale, 1.0)
        face = tiles.tile_back(scale) if not is_up or kind == TILE_BACK else tiles.tile_front(kind, scale)
        return cut_out(face, scale, 2.0)

    def board(self, layout: BoardLayout) -> Sprite:
        """Return a board with its corner tags stuck on, each a little askew as hands stick them."""
        scale = self._px_per_mm
        pixels = boards.board(layout, self._contents, scale).copy()
        for number, tag in enumerate(layout.tags):
            _stick(
                pixels,
                tag_picture(tag.number, scale),
                tag.centre_mm,
                scale,
                (-1.2, 0.8, 1.5, -0.6)[number % 4],
            )
        return cut_out(pixels, scale, 1.5, layout.size_mm[0] if layout.is_round else None)


def tag_picture(number: int, px_per_mm: float) -> Pixels:
    """Draw a marker of family 36h11 on its white sticker."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    side, black = round(STICKER_MM * px_per_mm), round(TAG_MM * px_per_mm)
    sticker = np.full((side, side, 3), LABEL, np.uint8)
    edge = (side - black) // 2
    marker = cv2.aruco.generateImageMarker(family, number, 8 * 12)
    marker = np.asarray(cv2.resize(marker, (black, black), interpolation=cv2.INTER_AREA), np.uint8)
    sticker[edge : edge + black, edge : edge + black] = np.clip(marker, 22, 238)[:, :, None]
    return sticker


def _stick(
    pixels: Pixels, sticker: Pixels, centre_mm: tuple[float, float], scale: float, askew_deg: float
) -> None:
    """Stick a sticker on a board, in place."""
    side = sticker.shape[0]
    room = side + 6
    left, top = (round(part * scale - room / 2) for part in centre_mm)
    patch = pixels[top : top + room, left : left + room]
    turn = cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), askew_deg, 1.0)
    turn[:, 2] += np.array(centre_mm) * scale - 0.5 - (side - 1) / 2 - (left, top)
    mask = cv2.warpAffine(np.full((side, side), 255, np.uint8), turn, (room, room))
    laid = cv2.warpAffine(sticker, turn, (room, room))
    share = (mask.astype(np.float32) / 255.0)[:, :, None]
    patch[:] = (patch * (1 - share) + laid * share).astype(np.uint8)
