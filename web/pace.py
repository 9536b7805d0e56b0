"""How long a phase has lasted: for a timer that is only shown. Nothing ever ends because of it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.table.writer import TableView


class Pace:
    """When the running phase began. ``now_ms`` is a monotonic clock. Safe from any thread.

    A restart begins the phase anew: a soft timer may be kind.
    """

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._lock = threading.Lock()
        self._phase: object = None
        self._since_ms = now_ms()

    def note(self, seen: TableView) -> None:
        """Look whether another phase runs."""
        phase = (seen.table, seen.view.round, str(seen.view.phase))
        with self._lock:
            if phase != self._phase:
                self._phase, self._since_ms = phase, self._now_ms()

    def gone_ms(self) -> int:
        """Return how long the phase has lasted."""
        with self._lock:
            return self._now_ms() - self._since_ms
