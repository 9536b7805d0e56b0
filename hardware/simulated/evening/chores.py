"""Chores of the game carried out by simulated hands: tokens to the bag, cards to the pile, and so on.

The deeds are those of the game's own list; what the world then holds is what the books are kept by.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hardware.simulated.evening.audit import Books
from hardware.simulated.hands import Hands

REJECTS_FULL = 6
MED_SCHOOL = "med_school"
ON_TILE = ".hold"
ON_BOARD_TILES = ("upgrade1", "upgrade2", "upgrade3")
DONE_BY_SETTING_UP = ("fill_bag", "fill_track")


def place_of(lab: str, space: str) -> str:
    """Return where a space of a lab is on the table: a token lies on its tile, some tiles beside the lab."""
    on_board = space.partition(ON_TILE)[0]
    is_beside = on_board.startswith(("upgrade", "beside")) and on_board not in ON_BOARD_TILES
    return f"beside/{lab}/{on_board}" if is_beside else f"{lab}/{on_board}"


class Chores:
    """The chores of one seat. ``slots`` are the part spaces of every monster, by card id."""

    is_fair = False
    """Whether the Fair runs: a bust there earns nothing by Med Schools (MM-R63)."""

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
        self._is_booked = False

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
            "drop_tile": lambda space: hands.move(place_of(lab, space), "box", seat),
            "take_tile": lambda way: hands.take_tile(
                seat, f"central/{way['from']}", place_of(lab, way["to"])
            ),
            "cards_to_pile": self._pile,
            "clear": self._clear,
            "keep": self._keep,
        }

    def _order_back(self) -> None:
        """Take the order back, unless it was taken before the last Rot made the seat reanimate after all."""
        if self._hands.world()["of"][self.seat]["order"] is not None:
            self._hands.take_order(self.seat)

    def _to_bag(self, spaces: Sequence[str]) -> None:
        self._book_schools({place_of(self._lab, space) for space in spaces if ON_TILE in space}, bust=False)
        for space in spaces:
            self._hands.move(place_of(self._lab, space), f"bag/{self.seat}", self.seat)

    def _gain(self, parts: Mapping[str, int]) -> None:
        for kind, count in parts.items():
            self._hands.gain(self.seat, kind, count)

    def _clear(self, spaces: Sequence[str]) -> None:
        """Sweep the lab; whatever lies completed in it goes to the pile first, and is booked."""
        self._book()
        self._is_booked = False
        places = self._hands.world()["places"]
        swept = {place_of(self._lab, space) for space in spaces}
        self._hands.clear(self.seat, keep=[place for place in places if place not in swept])

    def _keep(self, moved: Sequence[Sequence[str]]) -> None:
        """Put aside what stays cold; what it completes until then is booked all the same."""
        self._book(moved)
        self._is_booked = True

    def _book(self, aside: Sequence[Sequence[str]] = ()) -> None:
        """Pile and book what lies completed, and what Med Schools earn, once a clean-up.

        ``aside`` are tokens that are put aside before the cards are taken from under them.
        """
        if self._is_booked:
            return
        places = self._hands.world()["places"]
        rejects = sum(1 for place in places if place.startswith(f"{self._lab}/reject"))
        is_bust = rejects >= REJECTS_FULL
        self._book_schools(set(places), bust=is_bust)
        done = self._completed(places)
        for kind, start, end in aside:
            goal = place_of(self._lab, end)
            self._hands.move(place_of(self._lab, start), goal, self.seat, kind=kind)
        if done:
            self._hands.pile_cards(self.seat, done, scored=True, bust=is_bust)

    def _book_schools(self, places: set[str], *, bust: bool) -> None:
        """Book every Med School among some places that holds both its parts."""
        if bust and self.is_fair:
            return
        lying = self._hands.world()["places"]
        own = (f"{self._lab}/", f"beside/{self._lab}/")
        for place in places:
            if place.startswith(own) and lying.get(place, ("",))[0] == MED_SCHOOL:
                self._books.taught(self.seat, parts=len(lying[place]) - 1)

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
