"""A simulated table of cards: a zone or a mat before each seat, a camera over it, hands, dice, a die.

Knows where cards lie, which way up and with what upon them, no rules. Safe to use from many threads.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Protocol

from companion.board import BoardLayout, PieceKind, SpaceId
from companion.ports import Pixels
from hardware.simulated.arms import Arms, Pose
from hardware.simulated.contents import CARD_BACK
from hardware.simulated.devices import Devices
from hardware.simulated.feeds import Feed, Grain, frame_interval_s
from hardware.simulated.ground import LIGHTS
from hardware.simulated.lens import Lens
from hardware.simulated.placed import Placed, PlacedDie, Places, by_hand, set_dice
from hardware.simulated.table import Setting
from hardware.simulated.wishes import Wish
from hardware.simulated.world import Impossible

_DEEDS = "lay, turn, take, set_dice, visit, clear, roll"
_DWELL_S = 0.4
_BACK_MM = 220.0
_MOST_OVER = 3  # places an arm is shown over in one visit; more would only take time


class CardScene(Protocol):
    """What a camera over one seat's cards sees."""

    @property
    def lens(self) -> Lens: ...

    @property
    def board(self) -> BoardLayout: ...

    def render(self, places: Places) -> Pixels:
        """Draw the picture in its light, without arm and noise, (height, width, 3)."""

    def where(self, space: str, places: Places) -> tuple[float, float]:
        """Return the pixel of a place."""


@dataclass(frozen=True, slots=True)
class Cards:
    """What there is to lay: how many of each kind, which dice there are, how much care hands take."""

    counts: Mapping[PieceKind, int]
    dice: frozenset[PieceKind] = frozenset()
    care: tuple[float, float] = (3.5, 5.0)
    """Millimetres and degrees (standard deviations)."""


class CardTable:
    """Everything on and around a table of cards; ``close`` ends the devices. ``scenes`` are by seat."""

    def __init__(self, cards: Cards, scenes: Mapping[str, CardScene], setting: Setting) -> None:
        self.setting = setting
        self.devices = Devices(setting.seed, setting.speed)
        self.places: Places = {}
        self._cards = cards
        self._changing = threading.Lock()
        self._chance = Random(setting.seed)
        self._arms = Arms(tuple(scenes))
        self._seat_of = {str(scene.board.id): seat for seat, scene in scenes.items()}
        light, interval_s = LIGHTS[setting.light], frame_interval_s(setting.speed)
        grains = {
            wh: Grain(wh, light.noise, setting.seed) for wh in {s.lens.size_wh for s in scenes.values()}
        }
        self.feeds: dict[str, Feed[CardScene]] = {}
        for scene in scenes.values():
            name = str(scene.board.id)
            self.feeds[name] = Feed(name, scene, grains[scene.lens.size_wh], interval_s)
            self.feeds[name].show(scene.render({}))

    def close(self) -> None:
        """End the devices."""
        self.devices.close()

    def truth(self) -> dict[str, Any]:
        """Return all that is so, as JSON."""
        lies = {place: lying.kind if lying.is_up else CARD_BACK for place, lying in self.places.items()}
        dice = {
            place: [[die.kind, die.value] for die in lying.dice]
            for place, lying in self.places.items()
            if lying.dice
        }
        return {"seats": list(self.setting.seats), "places": lies, "dice": dice}

    def do(self, said: Mapping[str, Any]) -> Mapping[str, Any]:
        """Do one deed of hands, or several in one visit. Raises Impossible; then nothing changed.

        ``lay``, ``turn``, ``take`` and ``set_dice`` say their ``place``; ``visit`` has a list of such
        ``deeds`` of one seat; ``clear`` takes everything; ``roll`` throws the die.
        """
        wish = Wish(said)
        match wish.text("do"):
            case "roll":
                self.devices.die.roll(wish.number("face", 1, least=1))
            case "clear":
                self._cleared()
            case "visit":
                self._visit([Wish(deed) for deed in _deeds(said)])
            case _:
                self._visit([wish])
        return {}

    # What hands do

    def _visit(self, deeds: Sequence[Wish]) -> None:
        with self._changing:
            places, at = self.places, list[str]()
            for wish in deeds:
                place = wish.text("place")
                self._require(place)
                places = self._done(places, place, wish)
                at.append(place)
            if len({place.partition("/")[0] for place in at}) != 1:
                raise Impossible("One visit is to one seat's cards.")
            self._change(places, at)

    def _done(self, places: Places, place: str, wish: Wish) -> Places:
        match wish.text("do"):
            case "lay":
                return self._laid(places, place, wish)
            case "turn":
                is_up = wish.text("to", "down") == "up"
                return {**places, place: replace(_lying(places, place), is_up=is_up)}
            case "take":
                _lying(places, place)
                return {other: lying for other, lying in places.items() if other != place}
            case "set_dice":
                return {**places, place: replace(_lying(places, place), dice=self._dice(wish))}
            case deed:
                raise Impossible(f"Hands cannot {deed!r} here; they can {_DEEDS}.")

    def _require(self, place: str) -> None:
        board, _, space = place.partition("/")
        feed = self.feeds.get(board)
        if feed is None or SpaceId(space) not in feed.scene.board.spaces:
            raise Impossible(f"There is no place {place} before anybody who sits here.")

    def _laid(self, places: Places, place: str, wish: Wish) -> Places:
        kind = PieceKind(wish.text("kind"))
        if kind not in self._cards.counts:
            raise Impossible(f"There is no card {kind} in the box.")
        if place in places:
            raise Impossible(f"A card already lies at {place}.")
        if sum(lying.kind == kind for lying in places.values()) >= self._cards.counts[kind]:
            raise Impossible(f"All cards {kind} lie on the table.")
        laid = by_hand(self._chance, kind, self._cards.care)
        return {**places, place: replace(laid, dice=self._dice(wish))}

    def _dice(self, wish: Wish) -> tuple[PlacedDie, ...]:
        """Read dice, each a text such as ``terror 5``."""
        dice = []
        for said in wish.texts("dice", ()):
            kind, _, face = said.rpartition(" ")
            if kind not in self._cards.dice or face not in "123456":
                raise Impossible(f"There is no die that shows {said!r}.")
            dice.append((PieceKind(kind), int(face)))
        return set_dice(self._chance, dice)

    # What is shown

    def _cleared(self) -> None:
        with self._changing:
            self.places = {}
            for feed in self.feeds.values():
                feed.show(feed.scene.render({}), has_changed=True)

    def _change(self, places: Places, at: Sequence[str]) -> None:
        """Show an arm over places, change what lies there, and show the arm gone."""
        board = at[0].partition("/")[0]
        feed, seat = self.feeds[board], self._seat_of[board]
        with feed.turn:
            feed.wait_until_settled(self.setting.still_frames)
            before, after = (feed.scene.render(shown) for shown in (self.places, places))
            tips = [feed.scene.where(place.partition("/")[2], places) for place in at[:_MOST_OVER]]
            steps = [(_BACK_MM, tips[0], before), *((0.0, tip, before) for tip in tips)]
            steps += [(0.0, tips[-1], after), (_BACK_MM, tips[-1], after)]
            scale = feed.scene.lens.px_per_mm
            for away_mm, (x, y), picture in steps:
                feed.show(self._arms.over(picture, seat, Pose((x, y + away_mm * scale), 0.0), scale))
                feed.wait_until_seen(1)
                time.sleep(_DWELL_S / 2 / self.setting.speed)
            self.places = places
            feed.show(after, has_changed=True)
            feed.wait_until_seen(1)


def _lying(places: Places, place: str) -> Placed:
    if place not in places:
        raise Impossible(f"No card lies at {place}.")
    return places[place]


def _deeds(said: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    deeds = said.get("deeds")
    if not isinstance(deeds, list) or not deeds or not all(isinstance(deed, dict) for deed in deeds):
        raise Impossible("Say 'deeds' as a list of deeds.")
    return deeds
