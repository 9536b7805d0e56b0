"""What the players of an evening share: who turns the orders over, the counts, and a swap to be noticed."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Any

from companion.game import Sentence
from hardware.simulated.evening.audit import Books
from hardware.simulated.evening.counts import Counts
from hardware.simulated.evening.seen import puzzles_of
from hardware.simulated.hands import Hands

NOTICE_S = 25.0


class Together:
    """Shared by the threads of all seats. ``first_card`` is what each was dealt while setting up."""

    def __init__(self, hands: Hands, books: Books, counts: Counts, *, is_faulty: bool) -> None:
        self._hands = hands
        self._books = books
        self._lock = threading.Lock()
        self._revealed_round = 0
        self._over = threading.Event()
        self._swap_due = is_faulty
        self._swapped_at_s: float | None = None
        self.counts = counts
        self.first_card: dict[str, str] = {}
        self.swapped: tuple[str, str] | None = None
        self.noticed: Sentence | None = None
        self.troubles: list[BaseException] = []

    @property
    def is_over(self) -> bool:
        return self._over.is_set()

    def end(self) -> None:
        """Send everybody home."""
        self._over.set()

    def fail(self, error: BaseException) -> None:
        """Note what went wrong at a seat, and end the evening."""
        self.troubles.append(error)
        self.end()

    def wait(self, timeout_s: float) -> bool:
        """Wait for the end; return whether it came."""
        return self._over.wait(timeout_s)

    def reveal(self, round_number: int | None) -> None:
        """Turn all order tokens over, once a round, and book what a super Red earns."""
        with self._lock:
            if round_number is None or round_number <= self._revealed_round:
                return
            self._revealed_round = round_number
            orders = self._hands.reveal()
            self._books.revealed(orders, self._hands.world()["seats"])

    def swap_if_due(self, seat: str) -> None:
        """Exchange two unlike tokens of a lab while nobody looks, one on a monster, one rejected."""
        with self._lock:
            if not self._swap_due:
                return
            places = self._hands.world()["places"]
            lab = f"lab_{seat}/"
            rejects = {p: kinds[-1] for p, kinds in places.items() if p.startswith(f"{lab}reject")}
            parts = {p: kinds[-1] for p, kinds in places.items() if p.startswith(lab) and ".part" in p}
            pair = next(((a, b) for a, k in rejects.items() for b, q in parts.items() if k != q), None)
            if pair is None:
                return
            self._swap_due = False
            self._hands.swap_unseen(*pair)
            self.swapped = pair
            self._swapped_at_s = time.monotonic()

    def watch_puzzles(self, seat: str, wired: Mapping[str, Any]) -> None:
        """End a faulty evening as soon as the seat's phone says that something is out of place."""
        if self.swapped is None or self.is_over:
            return
        puzzles = puzzles_of(wired, seat)
        if puzzles and self.swapped[0].startswith(f"lab_{seat}/"):
            self.noticed = puzzles[0]
            self.end()
        elif self._swapped_at_s is not None and time.monotonic() - self._swapped_at_s > NOTICE_S:
            self.end()
