"""A simulated table on which cards lie loose: a zone before each seat, a camera over it, hands, a die.

Knows where cards lie and which way up, no rules. Safe to use from many threads.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.board import BoardLayout, PieceKind, SpaceId
from companion.ports import Pixels
from hardware.simulated.arms import Arms, Pose
from hardware.simulated.art.parts import part_back, part_front
from hardware.simulated.art.sprites import Sprite, cut_out, tag_picture
from hardware.simulated.contents import CARD_BACK, CARD_MM
from hardware.simulated.devices import Devices
from hardware.simulated.feeds import Feed, Grain, frame_interval_s
from hardware.simulated.ground import LIGHTS, Light, gain_of, lay, table_top
from hardware.simulated.lens import Lens
from hardware.simulated.loose_contents import LooseContents
from hardware.simulated.table import Setting
from hardware.simulated.wishes import Wish
from hardware.simulated.world import Impossible

PICTURE_WH = (1280, 960)
PX_PER_MM = 1.62
ADAPTOR = "adaptor_"

_FLAT_PX_PER_MM = 2.6
_SPRITE_PX_PER_MM = 4.0
_CARE_MM, _CARE_DEG = 3.5, 5.0  # how far from where it belongs a hand lays a card
_DWELL_S = 0.4
_BACK_MM = 220.0


@dataclass(frozen=True, slots=True)
class Lying:
    """A card on the table: what it is, which way up, how far off its place and how askew it was laid."""

    kind: PieceKind
    is_up: bool = True
    aside_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0


Places = Mapping[str, Lying]
"""What lies at places such as ``zone_ghoul/head``; one card a place."""


class ZoneScene:
    """What the camera over one zone sees."""

    def __init__(self, contents: LooseContents, zone: BoardLayout, lens: Lens, light: Light) -> None:
        self.lens = lens
        self._contents, self._zone = contents, zone
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
            if place.startswith(f"{self._zone.id}/"):
                x, y = spot_mm(self._zone, place.partition("/")[2], places)
                spot = (x + lying.aside_mm[0], y + lying.aside_mm[1])
                self._lay(canvas, self._sprite(lying), spot, lying.turn_deg)
        seen = cv2.remap(canvas, *self._maps, cv2.INTER_LINEAR)
        soft = cv2.GaussianBlur(seen, (3, 3), 0.55)
        return np.asarray(cv2.multiply(soft, self._gain, scale=1 / 200.0), np.uint8)

    def where(self, space: str, places: Places) -> tuple[float, float]:
        """Return the pixel of a place of the zone."""
        x, y = self.lens.to_px(np.array([spot_mm(self._zone, space, places)]))[0]
        return float(x), float(y)

    def outline_px(self, place: str, places: Places) -> list[tuple[float, float]]:
        """Return where the corners of the card that lies at a place are seen, its top left first."""
        lying = places[place]
        x, y = spot_mm(self._zone, place.partition("/")[2], places)
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

    def _sprite(self, lying: Lying) -> Sprite:
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


class LooseTable:
    """Everything on and around a table of loose cards; ``close`` ends the devices."""

    def __init__(self, contents: LooseContents, setting: Setting) -> None:
        self.contents = contents
        self.setting = setting
        self.devices = Devices(setting.seed, setting.speed)
        self.places: Places = {}
        self._changing = threading.Lock()
        self._chance = Random(setting.seed)
        self._arms = Arms(contents.players)
        light, interval_s = LIGHTS[setting.light], frame_interval_s(setting.speed)
        grain = Grain(PICTURE_WH, light.noise, setting.seed)
        self.feeds: dict[str, Feed[ZoneScene]] = {}
        for number, seat in enumerate(setting.seats):
            zone = contents.zones[seat]
            aim = (zone.size_mm[0] / 2, zone.size_mm[1] / 2)
            yaw = (1.2, -0.9, 0.6, -1.5)[number % 4]
            lens = Lens(PICTURE_WH, aim, PX_PER_MM, tilt_deg=4.5 + number % 3, yaw_deg=yaw)
            scene = ZoneScene(contents, zone, lens, light)
            self.feeds[zone.id] = Feed(zone.id, scene, grain, interval_s)
            self.feeds[zone.id].show(scene.render({}))

    def close(self) -> None:
        """End the devices."""
        self.devices.close()

    def truth(self) -> dict[str, Any]:
        """Return all that is so, as JSON."""
        lies = {place: lying.kind if lying.is_up else CARD_BACK for place, lying in self.places.items()}
        return {"seats": list(self.setting.seats), "places": lies}

    def do(self, said: Mapping[str, Any]) -> Mapping[str, Any]:
        """Do one deed of hands: ``lay``, ``turn``, ``take``, ``clear`` or ``roll``. Raises Impossible."""
        wish = Wish(said)
        deed = wish.text("do")
        if deed == "roll":
            self.devices.die.roll(wish.number("face", 1, least=1))
            return {}
        if deed == "clear":
            self._change({}, None)
            return {}
        deeds = {"lay": self._laid, "turn": self._turned, "take": self._taken}
        if deed not in deeds:
            raise Impossible(f"Hands cannot {deed!r} here; they can {', '.join((*deeds, 'clear', 'roll'))}.")
        place = wish.text("place")
        self._require(place)
        with self._changing:
            self._change(deeds[deed](place, wish), place)
        return {}

    # What hands do

    def _require(self, place: str) -> None:
        found = self.contents.zone_at(place)
        if found is None or SpaceId(place.partition("/")[2]) not in found[1].spaces:
            raise Impossible(f"There is no place {place}.")
        if found[0] not in self.setting.seats:
            raise Impossible(f"Nobody sits at {found[0]}.")

    def _laid(self, place: str, wish: Wish) -> Places:
        kind = PieceKind(wish.text("kind"))
        if kind not in self.contents.cards:
            raise Impossible(f"There is no card {kind} in the box.")
        if place in self.places:
            raise Impossible(f"A card already lies at {place}.")
        if sum(lying.kind == kind for lying in self.places.values()) >= self.contents.counts.get(kind, 1):
            raise Impossible(f"All cards {kind} lie on the table.")
        aside = (self._chance.gauss(0, _CARE_MM), self._chance.gauss(0, _CARE_MM))
        return {**self.places, place: Lying(kind, True, aside, self._chance.gauss(0, _CARE_DEG))}

    def _turned(self, place: str, wish: Wish) -> Places:
        if place not in self.places:
            raise Impossible(f"No card lies at {place}.")
        lying = self.places[place]
        return {**self.places, place: replace(lying, is_up=wish.text("to", "down") == "up")}

    def _taken(self, place: str, wish: Wish) -> Places:
        if place not in self.places:
            raise Impossible(f"No card lies at {place}.")
        return {other: lying for other, lying in self.places.items() if other != place}

    # What is shown

    def _change(self, places: Places, at: str | None) -> None:
        """Show an arm over a place, change what lies there, and show the arm gone."""
        found = None if at is None else self.contents.zone_at(at)
        if found is None or at is None:
            self.places = places
            for feed in self.feeds.values():
                feed.show(feed.scene.render(places), has_changed=True)
            return
        seat, zone = found
        feed = self.feeds[zone.id]
        with feed.turn:
            feed.wait_until_settled(self.setting.still_frames)
            tip = feed.scene.where(at.partition("/")[2], places)
            for away_mm, shown in (
                (_BACK_MM, self.places),
                (0.0, self.places),
                (0.0, places),
                (_BACK_MM, places),
            ):
                pose = Pose((tip[0], tip[1] + away_mm * PX_PER_MM), 0.0)
                feed.show(self._arms.over(feed.scene.render(shown), seat, pose, PX_PER_MM))
                feed.wait_until_seen(1)
                time.sleep(_DWELL_S / 2 / self.setting.speed)
            self.places = places
            feed.show(feed.scene.render(places), has_changed=True)
            feed.wait_until_seen(1)
