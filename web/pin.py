"""The host's PIN: six digits that are shown only on the computer itself, and few tries.

Seats are open to everybody in the room; striking entries and playing for others is not.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable

TRIES = 5
PAUSE_MS = 60_000


def new_pin() -> str:
    """Return six random digits."""
    return f"{secrets.randbelow(1_000_000):06d}"


class Tries:
    """Counts wrong tries: after five of them none counts for a minute. ``now_ms`` is a monotonic clock."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._wrong = 0
        self._rests_until_ms = 0

    def rests_for_s(self) -> int:
        """Return how many seconds no try counts; 0 when one does."""
        return max(0, -(-(self._rests_until_ms - self._now_ms()) // 1000))

    def note(self, *, is_right: bool) -> bool:
        """Count a try; return whether the tries are used up by it."""
        self._wrong = 0 if is_right else self._wrong + 1
        if self._wrong < TRIES:
            return False
        self._wrong = 0
        self._rests_until_ms = self._now_ms() + PAUSE_MS
        return True


class Pin:
    """Checks tries against the PIN; after five wrong ones it rests for a minute.

    ``now_ms`` is a monotonic clock.
    """

    def __init__(self, pin: str, now_ms: Callable[[], int]) -> None:
        self.digits = pin
        self.version = 0
        self._lock = threading.Lock()
        self._tries = Tries(now_ms)

    def rests_for_s(self) -> int:
        """Return how many seconds no try counts; 0 when one does."""
        with self._lock:
            return self._tries.rests_for_s()

    def renew(self) -> None:
        """Take another PIN, for whoever has read the old one over somebody's shoulder."""
        with self._lock:
            self.digits = new_pin()
            self.version += 1

    def is_right(self, tried: str) -> bool:
        """Check a try; while it rests, every one is wrong."""
        with self._lock:
            if self._tries.rests_for_s():
                return False
            is_right = hmac.compare_digest(tried.strip().encode(), self.digits.encode())
            self._tries.note(is_right=is_right)
            return is_right
