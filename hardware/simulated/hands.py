"""Hands at a simulated table, for players and tests: one method a deed.

Every deed returns when it is over and the hand has left the picture. Uses the standard
library only.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any

from companion.board import PieceKind


class HandsRefused(ValueError):
    """The table said that this cannot be done, and why."""


class TableGone(ConnectionError):
    """The simulated table does not answer."""

    def __init__(self, url: str, reason: object) -> None:
        super().__init__(f"The simulated table at {url} does not answer ({reason}). Start it again.")


class Hands:
    """The hands of everybody at the table at ``url``. Safe to use from many threads."""

    def __init__(self, url: str, *, timeout_s: float = 60.0) -> None:
        self.url = url.rstrip("/")
        self._timeout_s = timeout_s

    def do(self, deed: str, **said: Any) -> Mapping[str, Any]:
        """Do any deed and return its answer. Raises HandsRefused, TableGone."""
        return self._post("/hands", {"do": deed, **said})

    def world(self) -> Mapping[str, Any]:
        """Return all that is so."""
        return self._ask("/world", None)

    def devices(self) -> Mapping[str, Any]:
        """Return the ports of the die and the rotor."""
        return self._ask("/devices", None)

    def described(self) -> Mapping[str, Any]:
        """Return cameras, devices and seats of the table."""
        return self._ask("/cameras", None)

    def picture(self, camera: str) -> bytes:
        """Return what a camera shows now, as JPEG."""
        return self._fetch(f"/cameras/{camera}.jpg", None)

    def fault(self, device: str, fault: str) -> None:
        """Switch a fault of a device on or off (``unplug``, ``replug``, ``silence``, ``speak``, ...)."""
        self._post("/faults", {"device": device, "fault": fault})

    def set_up(
        self, seats: Sequence[str], rot_track: int, places: Sequence[int] | None = None
    ) -> dict[str, list[str]]:
        """Set the table up; return the card that each seat was dealt."""
        said: dict[str, Any] = {"seats": list(seats), "rot_track": rot_track}
        if places is not None:
            said["places"] = list(places)
        return {seat: list(cards) for seat, cards in self.do("set_up", **said)["cards"].items()}

    def draw(self, seat: str, count: int) -> list[PieceKind]:
        """Draw from the bag into the hand."""
        return [PieceKind(kind) for kind in self.do("draw", seat=seat, count=count)["drawn"]]

    def lay(self, seat: str, kind: str, place: str) -> None:
        """Lay a token from the hand."""
        self.do("lay", seat=seat, kind=kind, place=place)

    def lay_all(self, seat: str, tokens: Sequence[tuple[str, str]]) -> None:
        """Lay tokens, each (kind, place), in one visit of the arm."""
        self.do("lay_all", seat=seat, tokens=[{"kind": kind, "place": place} for kind, place in tokens])

    def move(self, source: str, goal: str, seat: str | None = None, *, kind: str = "") -> None:
        """Move the upper token or tile of a place to a place, ``bag/<seat>``, ``hand/<seat>`` or ``box``.

        ``kind`` picks a token that lies below another one.
        """
        named = {name: said for name, said in (("seat", seat), ("kind", kind)) if said}
        self.do("move", **{"from": source, "to": goal} | named)

    def clear(self, seat: str, keep: Sequence[str] = ()) -> int:
        """Sweep the lab's tokens into the bag; return how many."""
        return int(self.do("clear", seat=seat, keep=list(keep))["cleared"])

    def gain(self, seat: str, kind: str, count: int = 1, source: str = "supply") -> None:
        """Take tokens from the ``supply`` or the ``track`` into the bag."""
        self.do("gain", seat=seat, kind=kind, count=count, **{"from": source})

    def throw_out(self, seat: str, kind: str, count: int = 1) -> None:
        """Take tokens from the bag out of the game."""
        self.do("throw_out", seat=seat, kind=kind, count=count)

    def deal(self, seat: str, count: int) -> list[str]:
        """Deal cards into the hand."""
        return list(self.do("deal", seat=seat, count=count)["cards"])

    def place_card(self, seat: str, card: str, space: str) -> None:
        """Lay a card from the hand on a card space, such as ``card3``."""
        self.do("place_card", seat=seat, card=card, space=space)

    def discard_card(self, seat: str, card: str) -> None:
        """Put a card from the hand on the discards."""
        self.do("discard_card", seat=seat, card=card)

    def pile_cards(self, seat: str, spaces: Sequence[str], *, scored: bool, bust: bool = False) -> list[str]:
        """Put monsters on the own pile; return the cards, printed ones too."""
        said = self.do("pile_cards", seat=seat, spaces=list(spaces), scored=scored, bust=bust)
        return list(said["cards"])

    def pile_from_hand(self, seat: str, card: str) -> None:
        """Put a card from the hand on the own pile, for no points."""
        self.do("pile_from_hand", seat=seat, card=card)

    def take_card_from_pile(self, seat: str, card: str, space: str) -> None:
        """Lay a card from the own pile on a card space."""
        self.do("take_card_from_pile", seat=seat, card=card, space=space)

    def lay_order(self, seat: str, colour: str) -> None:
        """Lay an order face down beside the lab."""
        self.do("lay_order", seat=seat, colour=colour)

    def reveal(self) -> dict[str, str]:
        """Turn all orders over; return the colour by seat."""
        return dict(self.do("reveal")["orders"])

    def take_order(self, seat: str) -> None:
        """Take the order back."""
        self.do("take_order", seat=seat)

    def take_tile(self, seat: str, source: str, goal: str) -> str:
        """Take a tile from a cart to the lab; return which."""
        return str(self.do("take_tile", seat=seat, **{"from": source, "to": goal})["tile"])

    def refill(self) -> dict[str, str]:
        """Fill the carts from the stacks; return what came where."""
        return dict(self.do("refill")["filled"])

    def turn(self, quarters: int = 1) -> int:
        """Turn the disc; return its quarter."""
        return int(self.do("turn", quarters=quarters)["quarter"])

    def roll(self) -> int:
        """Roll the die; return the face, which the die will tell by itself, too."""
        return int(self.do("roll")["face"])

    def set_marker(self, seat: str, score: int) -> None:
        """Put a prestige marker on a score."""
        self.do("set_marker", seat=seat, score=score)

    def swap_unseen(self, a: str, b: str) -> None:
        """Exchange two tokens with no hand in any picture."""
        self.do("swap_unseen", a=a, b=b)

    def _post(self, path: str, said: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._ask(path, json.dumps(said).encode())

    def _ask(self, path: str, body: bytes | None) -> Mapping[str, Any]:
        return dict(json.loads(self._fetch(path, body)))

    def _fetch(self, path: str, body: bytes | None) -> bytes:
        request = urllib.request.Request(self.url + path, body, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=self._timeout_s) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError as no:
            with no:
                raise HandsRefused(json.load(no)["error"]) from no
        except OSError as no:
            raise TableGone(self.url, no) from no
