"""Chores of the game carried out by simulated hands: tokens to the bag, cards to the pile, and so on.

The deeds are those of the game's own list; what the world then holds is what the books are kept by.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hardware.simulated.evening.audit import Books
from hardware.simulated.hands import Hands

REJECTS_FULL = 6
DONE_BY_SETTING_UP = ("fill_bag", "fill_track")


class Chores:
    """The chores of one seat. ``slots`` are the part spaces of every monster, by card id."""

    def __init__(
        self,
        seat: str,
        hands: Hands,
        books: Books,
        slots: Mapping[str, Sequence[int]],
        printed: Mapping[str, str],
    ) -> None:
        self.seat = seat
        self._hands = hands
        self._books = books
        self._slots = slots
        self._printed = printed
        self._lab = f"lab_{seat}"

    def do(self, chore: Mapping[str, Any]) -> None:
        """Carry out one chore. Raises HandsRefused where the table cannot do it."""
        for deed, what in chore.items():
            self._ways()[deed](what)

    def _ways(self) -> Mapping[str, Callable[[Any], object]]:
        """Return how each deed is done; what it is about is its argument."""
        hands, seat, lab = self._hands, self.seat, self._lab
        return {
            "order_back": lambda _: self._order_back(),
            "score": lambda score: hands.set_marker(seat, score),
            "tokens_to_bag": self._to_bag,
            "gain": self._gain,
            "rot_from_track": lambda count: hands.gain(seat, "rot", count, "track"),
            "rot_from_supply": lambda count: hands.gain(seat, "rot", count),
            "remove_rot": lambda count: hands.throw_out(seat, "rot", count),
            "play_lester": lambda card: self._books.played(seat, card),
            "drop_tile": lambda space: hands.move(f"{lab}/{space}", "box", seat),
            "take_tile": lambda way: hands.take_tile(seat, f"central/{way['from']}", f"{lab}/{way['to']}"),
            "cards_to_pile": self._pile,
            "clear": lambda _: self._clear(),
        }

    def _order_back(self) -> None:
        """Take the order back, unless it was taken before the last Rot made the seat reanimate after all."""
        if self._hands.world()["of"][self.seat]["order"] is not None:
            self._hands.take_order(self.seat)

    def _to_bag(self, spaces: Sequence[str]) -> None:
        for space in spaces:
            self._hands.move(f"{self._lab}/{space}", f"bag/{self.seat}", self.seat)

    def _gain(self, parts: Mapping[str, int]) -> None:
        for kind, count in parts.items():
            self._hands.gain(self.seat, kind, count)

    def _clear(self) -> None:
        """Sweep the lab; whatever lies completed in it goes to the pile first, and is booked."""
        places = self._hands.world()["places"]
        done = self._completed(places)
        if done:
            rejects = sum(1 for place in places if place.startswith(f"{self._lab}/reject"))
            self._hands.pile_cards(self.seat, done, scored=True, bust=rejects >= REJECTS_FULL)
        self._hands.clear(self.seat)

    def _completed(self, places: Mapping[str, Sequence[str]]) -> list[str]:
        """Return the card spaces whose monster has a token on each of its part spaces."""
        done = []
        for number in range(1, 6):
            space = f"card{number}"
            lying = places.get(f"{self._lab}/{space}")
            card = lying[-1] if lying else self._printed.get(space)
            slots = self._slots.get(card, ()) if card else ()
            if slots and all(f"{self._lab}/{space}.part{index}" in places for index in slots):
                done.append(space)
        return done

    def _pile(self, spaces: Sequence[str]) -> None:
        places = self._hands.world()["places"]
        left = [space for space in spaces if f"{self._lab}/{space}" in places]
        if left:
            self._hands.pile_cards(self.seat, left, scored=False)
