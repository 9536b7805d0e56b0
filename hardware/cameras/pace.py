"""When a stored picture is due: stills and videos are shown in their own time, as a camera would."""

from __future__ import annotations

from hardware.clock import Clock


class Pace:
    """Lets a picture through every 1/fps s. Who looks late sees the next one late, and misses none."""

    def __init__(self, rate_hz: float, clock: Clock) -> None:
        self._period_ms = 1000 / rate_hz
        self._clock = clock
        self._due_ms = float(clock.now_ms())

    def wait(self, *, timeout_ms: int) -> int | None:
        """Wait until the next picture is due and return the time; None if that is not in time."""
        now_ms = self._clock.now_ms()
        left_ms = self._due_ms - now_ms
        if left_ms > 0:
            self._clock.pause(int(min(left_ms, max(0, timeout_ms)) + 0.999))
            now_ms = self._clock.now_ms()
            if now_ms < self._due_ms:
                return None
        self._due_ms = max(self._due_ms + self._period_ms, now_ms)
        return now_ms
