"""What a camera over a mat sees: cards laid by hands, a little askew, in a lens and in its noise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.board import BoardLayout, SpaceId
from companion.game import Game, Seat
from companion.ports import Pixels
from hardware.simulated.art import graveyard as art
from hardware.simulated.art.dice import DieLook, LaidDie, draw_dice, standing
from hardware.simulated.art.sheet import colour
from hardware.simulated.art.sprites import tag_picture
from hardware.simulated.lens import Lens
from hardware.simulated.mats import MONSTER, TURNED, small_cards

PICTURE_WH = (1280, 960)
PX_PER_MM = 2.6
_FLAT_PX_PER_MM = 4.0
_MARGIN_MM = 70.0
_CARE_MM, _CARE_DEG = 0.9, 1.2
_NOISE = 2.5
DIE_MM = 14.0
DICE: Mapping[str, DieLook] = {
    "terror": DieLook(body=(40.0, 40.0, 190.0), pip=(240.0, 240.0, 240.0)),
    "science": DieLook(body=(170.0, 90.0, 20.0), pip=(240.0, 240.0, 240.0)),
    "health": DieLook(body=(60.0, 150.0, 40.0), pip=(240.0, 240.0, 240.0)),
}
"""The three colours of our dice, blue-green-red."""

Shown = tuple[str, int]
"""A die: its kind and what looks up."""

_TABLE = colour("#6E5038")


class MatScene:
    """The mat of one seat under a camera. ``show`` gives pictures of whatever lies on it."""

    def __init__(self, game: Game[Any, Any, Any], seat: Seat, *, seed: int = 0) -> None:
        self._mat: BoardLayout = next(b for b in game.box.boards if game.box.owners[b.id] == seat)
        self._chance = Random(seed)
        self._grain = np.random.default_rng(seed)
        self._cards = dict(small_cards(game)) | {MONSTER: art.monster_card(_FLAT_PX_PER_MM)}
        self._ground = self._empty(str(seat))
        middle = (self._mat.size_mm[0] / 2, self._mat.size_mm[1] / 2)
        self.lens = Lens(PICTURE_WH, middle, PX_PER_MM, tilt_deg=5.0, yaw_deg=self._chance.uniform(-2, 2))
        self._maps = self.lens.maps((-_MARGIN_MM, -_MARGIN_MM), _FLAT_PX_PER_MM)

    def show(
        self, laid: Mapping[str, str], dice: Mapping[str, Sequence[tuple[str, int]]] | None = None
    ) -> Pixels:
        """Draw the picture of cards, each by its space, (height, width, 3), blue-green-red.

        ``dice`` lie on spaces, each with its kind, which is its colour, and what looks up.
        """
        flat = self._ground.copy()
        for space, kind in laid.items():
            self._lay(flat, self._mat.spaces[SpaceId(space)].centre_mm, kind)
        seen = np.asarray(cv2.remap(flat, *self._maps, cv2.INTER_AREA), np.uint8)
        lying = [die for space, these in (dice or {}).items() for die in self._dice(space, these)]
        draw_dice(seen, self.lens.above, lying)
        soft = cv2.GaussianBlur(seen, (3, 3), 0.6).astype(np.float64)
        noisy = soft + self._grain.normal(0.0, _NOISE, soft.shape)
        return np.clip(noisy, 0, 255).astype(np.uint8)

    def _dice(self, space: str, dice: Sequence[Shown]) -> Iterator[LaidDie]:
        """Give dice as hands set them: in two rows on the lower half of a card, each turned somehow."""
        x, y = self._mat.spaces[SpaceId(space)].centre_mm
        for number, (kind, value) in enumerate(dice):
            across, up = (number % 3 - 1) * 20.0, (number // 3) * 22.0
            spot = standing(
                x + across + self._chance.gauss(0, 0.8), y + 30.0 - up + self._chance.gauss(0, 0.8), DIE_MM
            )
            yield LaidDie(value, spot, DIE_MM, self._chance.uniform(0, 360), look=DICE[kind])

    def _empty(self, seat: str) -> Pixels:
        """Draw the mat on its table."""
        width, height = (round((side + 2 * _MARGIN_MM) * _FLAT_PX_PER_MM) for side in self._mat.size_mm)
        table: Pixels = np.empty((height, width, 3), np.uint8)
        table[:] = _TABLE
        middle = (_MARGIN_MM + self._mat.size_mm[0] / 2, _MARGIN_MM + self._mat.size_mm[1] / 2)
        art.stick(table, art.mat(self._mat, seat, _FLAT_PX_PER_MM), middle, _FLAT_PX_PER_MM)
        for tag in self._mat.tags:
            spot = (_MARGIN_MM + tag.centre_mm[0], _MARGIN_MM + tag.centre_mm[1])
            art.stick(table, tag_picture(tag.number, _FLAT_PX_PER_MM), spot, _FLAT_PX_PER_MM)
        return table

    def _lay(self, flat: Pixels, centre_mm: tuple[float, float], kind: str) -> None:
        """Lay a card as a hand does: about in its place, and about straight."""
        turn = 90.0 if kind == TURNED else 0.0
        card = self._cards[MONSTER if kind == TURNED else kind]
        x = (centre_mm[0] + _MARGIN_MM + self._chance.gauss(0, _CARE_MM)) * _FLAT_PX_PER_MM
        y = (centre_mm[1] + _MARGIN_MM + self._chance.gauss(0, _CARE_MM)) * _FLAT_PX_PER_MM
        angle = math.radians(turn + self._chance.gauss(0, _CARE_DEG))
        cos, sin = math.cos(angle), math.sin(angle)
        half_w, half_h = card.shape[1] / 2, card.shape[0] / 2
        way = np.array(
            [[cos, -sin, x - cos * half_w + sin * half_h], [sin, cos, y - sin * half_w - cos * half_h]]
        )
        size = (flat.shape[1], flat.shape[0])
        cv2.warpAffine(card, way, size, flat, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
