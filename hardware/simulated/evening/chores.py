"""Chores of the game carried out by simulated hands: tokens to the bag, cards to the pile, and so on.

The deeds are those of the game's own list; what the world then holds is what the books are kept by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
        hands, seat = self._hands, self.seat
        for deed, what in chore.items():
            match deed:
                case "order_back":
                    hands.take_order(seat)
                case "score":
                    hands.set_marker(seat, what)
                case "tokens_to_bag":
                    for space in what:
                        hands.move(f"{self._lab}/{space}", f"bag/{seat}", seat)
                case "gain":
                    for kind, count in what.items():
                        hands.gain(seat, kind, count)
                case "rot_from_track":
                    hands.gain(seat, "rot", what, "track")
                case "rot_from_supply":
                    hands.gain(seat, "rot", what)
                case "remove_rot":
                    hands.throw_out(seat, "rot", what)
                case "play_lester":
                    self._books.played(seat, what)
                case "drop_tile":
                    hands.move(f"{self._lab}/{what}", "box", seat)
                case "take_tile":
                    hands.take_tile(seat, f"central/{what['from']}", f"{self._lab}/{what['to']}")
                case "cards_to_pile":
                    self._pile(what)
                case "clear":
                    self._clear()

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
