"""The monotonic clock in milliseconds, and waiting: the one place where drivers ask for time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


def monotonic_ms() -> int:
    """Return the milliseconds of the monotonic clock; the wall clock may jump, this one does not."""
    return time.monotonic_ns() // 1_000_000


def pause(pause_ms: int) -> None:
    """Wait."""
    time.sleep(pause_ms / 1000)


@dataclass(frozen=True, slots=True)
class Clock:
    """The time and how to wait for it, so that tests can bring theirs."""

    now_ms: Callable[[], int] = monotonic_ms
    pause: Callable[[int], None] = pause
