"""What a camera over a mat sees: cards laid by hands, dice on them, in a lens and in its noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.board import BoardLayout, PieceKind, SpaceId
from companion.game import Game, Seat
from companion.ports import Pixels
from hardware.simulated.art import graveyard as art
from hardware.simulated.art.dice import DieLook, LaidDie, draw_dice, standing
from hardware.simulated.art.sheet import colour
from hardware.simulated.art.sprites import tag_picture
from hardware.simulated.ground import Light, gain_of
from hardware.simulated.lens import Lens
from hardware.simulated.mats import MONSTER, TURNED, drawings
from hardware.simulated.placed import Placed, Places, by_hand, set_dice

PICTURE_WH = (1280, 960)
PX_PER_MM = 2.6
CARE = (0.9, 1.2)
"""How far from its place a hand lays a card on a mat, in mm, and how askew, in degrees."""

DIE_MM = 14.0
DICE: Mapping[str, DieLook] = {
    "terror": DieLook(body=(40.0, 40.0, 190.0), pip=(240.0, 240.0, 240.0)),
    "science": DieLook(body=(170.0, 90.0, 20.0), pip=(240.0, 240.0, 240.0)),
    "health": DieLook(body=(60.0, 150.0, 40.0), pip=(240.0, 240.0, 240.0)),
}
"""The three colours of our dice, blue-green-red."""

_FLAT_PX_PER_MM = 4.0
_MARGIN_MM = 70.0
_NOISE = 2.5
_INWARDS_MM = 6.0  # so that dice on a turned card still stand on its place
_TABLE = colour("#6E5038")


class MatScene:
    """The mat of one seat under a camera: what lies on it is handed in, picture by picture."""

    def __init__(
        self, game: Game[Any, Any, Any], seat: Seat, *, seed: int = 0, light: Light | None = None
    ) -> None:
        self.board: BoardLayout = next(b for b in game.box.boards if game.box.owners[b.id] == seat)
        self._chance = Random(seed)
        self._grain = np.random.default_rng(seed)
        self._drawings: dict[str, Callable[[], Pixels]] = dict(drawings(game))
        self._drawings[MONSTER] = partial(art.monster_card, _FLAT_PX_PER_MM)
        self._drawn: dict[str, Pixels] = {}
        self._ground = self._empty(str(seat))
        middle = (self.board.size_mm[0] / 2, self.board.size_mm[1] / 2)
        self.lens = Lens(PICTURE_WH, middle, PX_PER_MM, tilt_deg=5.0, yaw_deg=self._chance.uniform(-2, 2))
        self._maps = self.lens.maps((-_MARGIN_MM, -_MARGIN_MM), _FLAT_PX_PER_MM)
        self._gain = None if light is None else gain_of(PICTURE_WH, light)

    def show(
        self, laid: Mapping[str, str], dice: Mapping[str, Sequence[tuple[str, int]]] | None = None
    ) -> Pixels:
        """Take a photo of cards, each by its space, as hands lay them, (height, width, 3), blue-green-red.

        ``dice`` are set on spaces, each with its kind, which is its colour, and what looks up.
        """
        places: dict[str, Placed] = {}
        for space, kind in laid.items():
            places[f"{self.board.id}/{space}"] = by_hand(self._chance, PieceKind(kind), CARE)
        for space, these in (dice or {}).items():
            place = f"{self.board.id}/{space}"
            known = [(PieceKind(kind), value) for kind, value in these]
            bare = places.get(place, Placed(PieceKind("")))
            places[place] = replace(bare, dice=set_dice(self._chance, known))
        soft = self.render(places).astype(np.float64)
        return np.clip(soft + self._grain.normal(0.0, _NOISE, soft.shape), 0, 255).astype(np.uint8)

    def render(self, places: Places) -> Pixels:
        """Draw the picture in its light, without noise, (height, width, 3)."""
        flat = self._ground.copy()
        dice: list[LaidDie] = []
        for place, placed in places.items():
            board, _, space = place.partition("/")
            if board == self.board.id:
                middle = self.board.spaces[SpaceId(space)].centre_mm
                if placed.kind:
                    self._lay(flat, middle, placed)
                dice += _standing(middle, placed)
        seen = np.asarray(cv2.remap(flat, *self._maps, cv2.INTER_AREA), np.uint8)
        draw_dice(seen, self.lens.above, dice)
        soft = np.asarray(cv2.GaussianBlur(seen, (3, 3), 0.6), np.uint8)
        if self._gain is None:
            return soft
        return np.asarray(cv2.multiply(soft, self._gain, scale=1 / 200.0), np.uint8)

    def where(self, space: str, places: Places) -> tuple[float, float]:
        """Return the pixel of a place of the mat."""
        x, y = self.lens.to_px(np.array([self.board.spaces[SpaceId(space)].centre_mm]))[0]
        return float(x), float(y)

    def _empty(self, seat: str) -> Pixels:
        """Draw the mat on its table."""
        size_mm = self.board.size_mm
        width, height = (round((side + 2 * _MARGIN_MM) * _FLAT_PX_PER_MM) for side in size_mm)
        table: Pixels = np.empty((height, width, 3), np.uint8)
        table[:] = _TABLE
        middle = (_MARGIN_MM + size_mm[0] / 2, _MARGIN_MM + size_mm[1] / 2)
        art.stick(table, art.mat(self.board, seat, _FLAT_PX_PER_MM), middle, _FLAT_PX_PER_MM)
        for tag in self.board.tags:
            spot = (_MARGIN_MM + tag.centre_mm[0], _MARGIN_MM + tag.centre_mm[1])
            art.stick(table, tag_picture(tag.number, _FLAT_PX_PER_MM), spot, _FLAT_PX_PER_MM)
        return table

    def _card(self, kind: str) -> Pixels:
        if kind not in self._drawn:
            self._drawn[kind] = self._drawings[kind]()
        return self._drawn[kind]

    def _lay(self, flat: Pixels, centre_mm: tuple[float, float], placed: Placed) -> None:
        is_turned = placed.kind == TURNED
        card = self._card(MONSTER if is_turned else placed.kind)
        x = (centre_mm[0] + _MARGIN_MM + placed.aside_mm[0]) * _FLAT_PX_PER_MM
        y = (centre_mm[1] + _MARGIN_MM + placed.aside_mm[1]) * _FLAT_PX_PER_MM
        angle = math.radians((90.0 if is_turned else 0.0) + placed.turn_deg)
        cos, sin = math.cos(angle), math.sin(angle)
        half_w, half_h = card.shape[1] / 2, card.shape[0] / 2
        way = np.array(
            [[cos, -sin, x - cos * half_w + sin * half_h], [sin, cos, y - sin * half_w - cos * half_h]]
        )
        size = (flat.shape[1], flat.shape[0])
        cv2.warpAffine(card, way, size, flat, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)


def _standing(middle_mm: tuple[float, float], placed: Placed) -> Iterator[LaidDie]:
    """Give the dice of a card as they stand on the mat; on a card that was turned, they turned with it."""
    for die in placed.dice:
        x, y = die.off_mm if placed.kind != TURNED else (_INWARDS_MM - die.off_mm[1], die.off_mm[0])
        spot = standing(middle_mm[0] + x, middle_mm[1] + y, DIE_MM)
        yield LaidDie(die.value, spot, DIE_MM, die.turn_deg, look=DICE[die.kind])
