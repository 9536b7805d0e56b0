"""What the camera over a zone of loose cards sees."""

from __future__ import annotations

import math

import cv2
import numpy as np

from companion.board import BoardLayout, PieceKind, SpaceId
from companion.ports import Pixels
from hardware.simulated.art.parts import part_back, part_front
from hardware.simulated.art.sprites import Sprite, cut_out, tag_picture
from hardware.simulated.contents import CARD_BACK, CARD_MM
from hardware.simulated.ground import Light, gain_of, lay, table_top
from hardware.simulated.lens import Lens
from hardware.simulated.loose_contents import LooseContents
from hardware.simulated.placed import Placed, Places

PICTURE_WH = (1280, 960)
PX_PER_MM = 1.62
ADAPTOR = "adaptor_"

_FLAT_PX_PER_MM = 2.6
_SPRITE_PX_PER_MM = 4.0


class ZoneScene:
    """One zone. Knows every card that may lie there, remembers none."""

    def __init__(self, contents: LooseContents, zone: BoardLayout, lens: Lens, light: Light) -> None:
        self.lens = lens
        self.board = zone
        self._contents = contents
        left, top, right, bottom = lens.view_mm()
        self._corner = (left - 6.0, top - 6.0)
        sides_mm = (right - left + 12, bottom - top + 12)
        size_wh = (math.ceil(sides_mm[0] * _FLAT_PX_PER_MM), math.ceil(sides_mm[1] * _FLAT_PX_PER_MM))
        self._maps = lens.maps(self._corner, _FLAT_PX_PER_MM)
        self._gain = gain_of(lens.size_wh, light)
        self._sprites: dict[PieceKind, Sprite] = {}
        self._ground = table_top(size_wh, _FLAT_PX_PER_MM)
        for number, tag in enumerate(zone.tags):
            sticker = cut_out(tag_picture(tag.number, _SPRITE_PX_PER_MM), _SPRITE_PX_PER_MM, 0.1)
            self._lay(self._ground, sticker, tag.centre_mm, (-1.2, 0.8, 1.5, -0.6)[number % 4])

    def render(self, places: Places) -> Pixels:
        """Draw the picture in its light, without arm and noise, (height, width, 3)."""
        canvas = self._ground.copy()
        for place, lying in sorted(places.items()):
            if place.startswith(f"{self.board.id}/"):
                x, y = spot_mm(self.board, place.partition("/")[2], places)
                spot = (x + lying.aside_mm[0], y + lying.aside_mm[1])
                self._lay(canvas, self._sprite(lying), spot, lying.turn_deg)
        seen = cv2.remap(canvas, *self._maps, cv2.INTER_LINEAR)
        soft = cv2.GaussianBlur(seen, (3, 3), 0.55)
        return np.asarray(cv2.multiply(soft, self._gain, scale=1 / 200.0), np.uint8)

    def where(self, space: str, places: Places) -> tuple[float, float]:
        """Return the pixel of a place of the zone."""
        x, y = self.lens.to_px(np.array([spot_mm(self.board, space, places)]))[0]
        return float(x), float(y)

    def outline_px(self, place: str, places: Places) -> list[tuple[float, float]]:
        """Return where the corners of the card that lies at a place are seen, its top left first."""
        lying = places[place]
        x, y = spot_mm(self.board, place.partition("/")[2], places)
        turn = math.radians(lying.turn_deg)
        corners = []
        for across, down in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)):
            dx, dy = across * CARD_MM[0], down * CARD_MM[1]
            corners.append(
                (
                    x + lying.aside_mm[0] + dx * math.cos(turn) - dy * math.sin(turn),
                    y + lying.aside_mm[1] + dx * math.sin(turn) + dy * math.cos(turn),
                )
            )
        return [(float(u), float(v)) for u, v in self.lens.to_px(np.array(corners))]

    def _lay(self, canvas: Pixels, sprite: Sprite, spot: tuple[float, float], turn_deg: float) -> None:
        x, y = (
            (part - corner) * _FLAT_PX_PER_MM - 0.5 for part, corner in zip(spot, self._corner, strict=True)
        )
        lay(canvas, sprite, (x, y), _FLAT_PX_PER_MM, turn_deg)

    def _sprite(self, lying: Placed) -> Sprite:
        kind = lying.kind if lying.is_up else CARD_BACK
        if kind not in self._sprites:
            self._sprites[kind] = cut_out(_face(self._contents, kind), _SPRITE_PX_PER_MM, 0.5)
        return self._sprites[kind]


def _face(contents: LooseContents, kind: PieceKind) -> Pixels:
    if kind == CARD_BACK:
        return part_back(_SPRITE_PX_PER_MM)
    table, row = contents.cards[kind]
    return part_front(table, row, _SPRITE_PX_PER_MM)


def spot_mm(zone: BoardLayout, space: str, places: Places) -> tuple[float, float]:
    """Return the middle of a place; a part lies one card further out where an adaptor lies before it."""
    x, y = zone.spaces[SpaceId(space)].centre_mm
    if f"{zone.id}/{ADAPTOR}{space}" in places:
        body_x, body_y = zone.spaces[SpaceId("body")].centre_mm
        return body_x + 2 * (x - body_x), body_y + 2 * (y - body_y)
    return x, y
