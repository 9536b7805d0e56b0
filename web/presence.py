"""Whose phone is here: a seat stays its owner's while the phone sleeps, it only turns grey.

A phone that reloads is gone for a moment, so a lost line counts as away only after a while.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from companion.game import Seat

AWAY_AFTER_MS = 10_000
"""Silence until a seat turns grey; a dead line is noticed after 5 + 5 s (ping) at most."""

MAX_LINES = 32
MAX_LINES_AN_ADDRESS = 8


@dataclass(frozen=True, slots=True)
class Line:
    """One socket: its id, where it comes from, and the seats that its phone holds, if any.

    ``looks_at`` is the page, ``screen`` the mark by which a big screen is known again, ``tapped_utc`` when
    its last tap was taken, empty if none was.
    """

    sid: str
    address: str
    seats: frozenset[Seat] = frozenset()
    looks_at: str = ""
    screen: str = ""
    tapped_utc: str = ""


@dataclass(slots=True)
class _Gone:
    at_ms: int
    is_told: bool = field(default=False)


class Presence:
    """All open lines, ``most`` at once. ``now_ms`` is a monotonic clock. Safe from any thread."""

    def __init__(self, now_ms: Callable[[], int], most: int = MAX_LINES) -> None:
        self._now_ms = now_ms
        self._most = most
        self._lock = threading.Lock()
        self._lines: dict[str, Line] = {}
        self._gone: dict[Seat, _Gone] = {}
        self.version = 0

    def has_room(self, address: str, *, is_own_computer: bool) -> bool:
        """Tell whether one more line may open: so many in all, 8 from one address but our own."""
        with self._lock:
            if len(self._lines) >= self._most:
                return False
            by_address = Counter(line.address for line in self._lines.values())
            return is_own_computer or by_address[address] < MAX_LINES_AN_ADDRESS

    def opened(self, line: Line) -> None:
        with self._lock:
            self._lines[line.sid] = line
            for seat in line.seats:
                self._gone.pop(seat, None)
            self.version += 1

    def tapped(self, sid: str, at_utc: str) -> None:
        """Note that a tap of a line was taken."""
        with self._lock:
            if sid in self._lines:
                self._lines[sid] = replace(self._lines[sid], tapped_utc=at_utc)

    def lines(self) -> tuple[Line, ...]:
        """Return all open lines, in the order in which they were opened."""
        with self._lock:
            return tuple(self._lines.values())

    def holds(self, sid: str, seats: frozenset[Seat]) -> bool:
        """Note which seats the phone of a line has now; tell whether they are others than before."""
        with self._lock:
            line = self._lines.get(sid)
            if line is None or line.seats == seats:
                return False
            self._lines[sid] = replace(line, seats=seats)
            for seat in seats:
                self._gone.pop(seat, None)
            self.version += 1
            return True

    def closed(self, sid: str, *, was_silent: bool) -> None:
        """Note a lost line. ``was_silent``: it did not answer for ten seconds, so it is away already."""
        with self._lock:
            line = self._lines.pop(sid, None)
            if line is None:
                return
            self.version += 1
            ago_ms = AWAY_AFTER_MS if was_silent else 0
            for seat in line.seats - self._seats_here():
                self._gone[seat] = _Gone(self._now_ms() - ago_ms)

    def here(self) -> frozenset[Seat]:
        """Return the seats whose phone is here, or was a moment ago."""
        with self._lock:
            return frozenset(self._here_or_expected())

    def due_in_ms(self) -> int | None:
        """Return when the next seat turns grey, None if none will; then look at ``version`` again."""
        with self._lock:
            now = self._now_ms()
            for gone in self._gone.values():
                if not gone.is_told and now - gone.at_ms >= AWAY_AFTER_MS:
                    gone.is_told = True
                    self.version += 1
            waits = [gone.at_ms + AWAY_AFTER_MS - now for gone in self._gone.values() if not gone.is_told]
            return min(waits, default=None)

    def _seats_here(self) -> set[Seat]:
        return {seat for line in self._lines.values() for seat in line.seats}

    def _here_or_expected(self) -> set[Seat]:
        now = self._now_ms()
        expected = {seat for seat, gone in self._gone.items() if now - gone.at_ms < AWAY_AFTER_MS}
        return self._seats_here() | expected
