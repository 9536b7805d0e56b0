"""How fast one phone may tap: a bucket of tokens that fills again by the clock."""

from __future__ import annotations

from collections.abc import Callable

TAPS_A_SECOND = 10
BURST = 20


class Rate:
    """Twenty taps at once, then ten a second. ``now_ms`` is a monotonic clock."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._left = float(BURST)
        self._at_ms = now_ms()

    def allows(self) -> bool:
        """Take one token; False if there is none."""
        now = self._now_ms()
        self._left = min(BURST, self._left + (now - self._at_ms) * TAPS_A_SECOND / 1000)
        self._at_ms = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
