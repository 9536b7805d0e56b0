"""What a camera sees: the flat table with everything on it, then through its lens and its light.

The still ground (table, boards, tags) is drawn once; a change lays the pieces anew on a
copy of it. Lengths in millimetres of the table that the camera looks at.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from companion.board import BoardId, Place, Space, SpaceKind
from companion.ports import Pixels
from hardware.simulated.art.sprites import Drawer, Sprite
from hardware.simulated.contents import CARD_MM, card_and_part
from hardware.simulated.ground import Light, gain_of, lay, table_top
from hardware.simulated.lens import Lens
from hardware.simulated.world import Piece, Sort, World

_HEAP = ((0, 0), (13, 3), (-12, 5), (3, -13), (-4, 13), (10, 12), (-11, -9))
_HEAP_MOST = 7


@dataclass(frozen=True, slots=True)
class Laid:
    """A board on the table: where its top left lies, and how askew, about its middle."""

    board: BoardId
    corner_mm: tuple[float, float]
    askew_deg: float = 0.0


class Scene:
    """One camera's view of some boards."""

    def __init__(
        self, lens: Lens, laid: tuple[Laid, ...], drawer: Drawer, light: Light, px_per_mm: float
    ) -> None:
        self.lens = lens
        self.boards = {each.board: each for each in laid}
        self._drawer = drawer
        self._light = light
        self._px_per_mm = px_per_mm
        left, top, right, bottom = lens.view_mm()
        self._corner = (left - 6.0, top - 6.0)
        self._size_wh = (
            math.ceil((right - left + 12) * px_per_mm),
            math.ceil((bottom - top + 12) * px_per_mm),
        )
        self._maps = lens.maps(self._corner, px_per_mm)
        self._gain = gain_of(lens.size_wh, light)
        self._ground_kept: tuple[float, Pixels] | None = None
        self._board_sprites: dict[BoardId, Sprite] = {}

    def render(self, world: World, *, disc_deg: float | None = None) -> Pixels:
        """Draw the picture without arm, light and noise, (height, width, 3).

        ``disc_deg`` is where the disc is while it turns, clockwise; None: at rest.
        """
        turned = world.quarter * 90.0 if disc_deg is None else disc_deg
        canvas = self._ground(world, turned).copy()
        for sprite, centre, turn in self._pieces(world, turned):
            self._lay(canvas, sprite, centre, turn)
        seen = cv2.remap(canvas, *self._maps, cv2.INTER_LINEAR)
        return np.asarray(cv2.GaussianBlur(seen, (3, 3), 0.55), np.uint8)

    def lit(self, seen: Pixels) -> Pixels:
        """Put the picture into its light."""
        return np.asarray(cv2.multiply(seen, self._gain, scale=1 / 200.0), np.uint8)

    def where(self, world: World, at: str) -> tuple[float, float] | None:
        """Return the pixel of a place, None if this camera does not look at its board."""
        board = BoardId(
            at.removeprefix("beside/") if at.startswith("beside/") else at.split("/", maxsplit=1)[0]
        )
        if board not in self.boards:
            return None
        centre, _ = self._on_table(world, board, _place_mm(world, at), world.quarter * 90.0)
        pixel = self.lens.to_px(np.array([centre]))[0]
        return float(pixel[0]), float(pixel[1])

    def _ground(self, world: World, disc_deg: float) -> Pixels:
        """Return table and boards, drawn anew only after the disc was turned."""
        if self._ground_kept is not None and self._ground_kept[0] == disc_deg:
            return self._ground_kept[1]
        canvas = table_top(self._size_wh, self._px_per_mm)
        for board in self.boards:
            layout = world.contents.boards[board]
            if board not in self._board_sprites:
                self._board_sprites[board] = self._drawer.board(layout)
            middle = (layout.size_mm[0] / 2, layout.size_mm[1] / 2)
            centre, turn = self._on_table(world, board, middle, disc_deg)
            self._lay(canvas, self._board_sprites[board], centre, turn)
        if disc_deg % 90.0 == 0.0:  # a disc on its way is seen once, not kept
            self._ground_kept = (disc_deg, canvas)
        if not any(world.contents.boards[board].is_round for board in self.boards):
            self._board_sprites.clear()  # this ground never changes: ten megabytes a lab
        return canvas

    def _on_table(
        self, world: World, board: BoardId, spot_mm: tuple[float, float], disc_deg: float
    ) -> tuple[tuple[float, float], float]:
        """Carry a point of a board to the table; also give how much the board is turned there."""
        laid, layout = self.boards[board], world.contents.boards[board]
        turn = laid.askew_deg + (disc_deg if layout.is_round else 0.0)
        half = (layout.size_mm[0] / 2, layout.size_mm[1] / 2)
        x, y = _turned((spot_mm[0] - half[0], spot_mm[1] - half[1]), turn)
        return (laid.corner_mm[0] + half[0] + x, laid.corner_mm[1] + half[1] + y), turn

    def _pieces(self, world: World, disc_deg: float) -> Iterator[tuple[Sprite, tuple[float, float], float]]:
        """Give what lies on the boards and beside them, the lowest first."""
        for piece in _in_order(world, self.boards):
            spot = world.spots[piece.number]
            board = BoardId(spot.at.removeprefix("beside/").split("/")[0])
            if spot.at.startswith("beside/"):
                place, up = _beside_mm(piece), 0.0
            else:
                place, up = _piece_mm(world, piece)
            place = (place[0] + spot.aside_mm[0], place[1] + spot.aside_mm[1])
            centre, turn = self._on_table(world, board, place, disc_deg)
            sprite = self._drawer.piece(piece.kind, piece.owner, is_up=spot.is_up)
            yield sprite, centre, turn + up + spot.turn_deg

    def _lay(self, canvas: Pixels, sprite: Sprite, centre_mm: tuple[float, float], turn_deg: float) -> None:
        """Lay a sprite on the flat picture with the shadow it throws, in place."""
        x = (centre_mm[0] - self._corner[0]) * self._px_per_mm - 0.5
        y = (centre_mm[1] - self._corner[1]) * self._px_per_mm - 0.5
        lay(canvas, sprite, (x, y), self._px_per_mm, turn_deg)


def _in_order(world: World, boards: Mapping[BoardId, Laid]) -> list[Piece]:
    """Return the pieces in sight, the lowest first; of a heap or a stack only the upper ones."""
    found, heaps = [], dict[str, list[Piece]]()
    for piece in world.pieces:
        at = world.spots[piece.number].at
        front = at.removeprefix("beside/").split("/")[0]
        if BoardId(front) in boards and at not in ("deck", "discard"):
            heaps.setdefault(at, []).append(piece)
    for at, heap in heaps.items():
        pieces = sorted(heap, key=lambda p: world.spots[p.number].rank)
        most = _HEAP_MOST if "/grave_" in at else len(pieces)
        if "/upgrade_supply" in at:
            most = 2
        if at.startswith("beside/"):
            lesters = [p for p in pieces if p.sort is Sort.LESTER]
            pieces = lesters[-2:] + [p for p in pieces if p.sort is Sort.ORDER]
        found += pieces[-most:]
    order = (Sort.LESTER, Sort.CARD, Sort.TILE, Sort.TOKEN, Sort.ORDER, Sort.MARKER)
    return sorted(found, key=lambda p: (order.index(p.sort), world.spots[p.number].rank))


def _beside_mm(piece: Piece) -> tuple[float, float]:
    """Return where pieces lie beside a lab: the order on the left, the L.E.S.T.E.R. cards on the right."""
    return (-34.0, 205.0) if piece.sort is Sort.ORDER else (453.0, 95.0)


def _piece_mm(world: World, piece: Piece) -> tuple[tuple[float, float], float]:
    """Return where a piece lies on its board, and which way up is there, before it was laid askew."""
    spot = world.spots[piece.number]
    place = Place.parse(spot.at)
    space = world.contents.space(place)
    if space is None:
        return _slot_mm(world, place)
    x, y = space.centre_mm
    if space.kind is SpaceKind.PILE:
        heap = world.lying(spot.at)
        dx, dy = _HEAP[heap.index(piece) % len(_HEAP)]
        x, y = x + dx * 0.9, y + dy * 0.9
    elif piece.sort is Sort.MARKER:
        corner = world.contents.players.index(piece.owner)
        x, y = x + (4.6 if corner % 2 else -4.6), y + (4.6 if corner >= 2 else -4.6)
    return (x, y), space.up_deg


def _slot_mm(world: World, place: Place) -> tuple[tuple[float, float], float]:
    """Return where a part space of a card lies: it moves with the card."""
    slot, split = world.slot_at(place), card_and_part(place.space)
    if slot is None or split is None:
        return (0.0, 0.0), 0.0
    at = Place(place.board, split[0])
    space: Space = world.contents.boards[place.board].spaces[split[0]]
    card = world.top(str(at), Sort.CARD)
    aside, turn = ((0.0, 0.0), 0.0)
    if card is not None:
        aside, turn = world.spots[card.number].aside_mm, world.spots[card.number].turn_deg
    turn += space.up_deg
    x, y = _turned((slot.centre_mm[0] - CARD_MM[0] / 2, slot.centre_mm[1] - CARD_MM[1] / 2), turn)
    return (space.centre_mm[0] + aside[0] + x, space.centre_mm[1] + aside[1] + y), turn


def _place_mm(world: World, at: str) -> tuple[float, float]:
    """Return the middle of a place on its board."""
    if at.startswith("beside/"):
        return -34.0, 205.0
    place = Place.parse(at)
    space = world.contents.space(place)
    return _slot_mm(world, place)[0] if space is None else space.centre_mm


def _turned(point: tuple[float, float], turn_deg: float) -> tuple[float, float]:
    turn = math.radians(turn_deg)
    cos, sin = math.cos(turn), math.sin(turn)
    return point[0] * cos - point[1] * sin, point[0] * sin + point[1] * cos
