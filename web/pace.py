"""How long a phase has lasted: for a timer that is only shown. Nothing ever ends because of it.

When a phase began is kept by the clock on the wall, so that a restart in the middle does not begin it anew.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

from sqlite_utils import Database

from companion.table.writer import TableView

BELIEVED_MS = 12 * 3600 * 1000
"""A phase that seems to have lasted longer began before the computer's clock was set."""


class Pace:
    """When the running phase began, pauses left out. Safe from any thread.

    ``now_ms`` is a monotonic clock, ``wall_ms`` the time since 1970; ``path`` is the SQLite file, None: kept
    in memory.
    """

    def __init__(self, now_ms: Callable[[], int], wall_ms: Callable[[], int], path: Path | None) -> None:
        self._now_ms = now_ms
        self._wall_ms = wall_ms
        self._lock = threading.Lock()
        file = ":memory:" if path is None else str(path)
        self._db = Database(sqlite3.connect(file, check_same_thread=False))
        columns = {"id": int, "phase": str, "since_ms": int, "gone_ms": int}
        with self._lock, self._db.conn:
            self._db.table("pace").create(columns, pk="id", if_not_exists=True)
        self._phase = ""
        self._gone_ms = 0
        self._since_ms: int | None = now_ms()  # None: paused, and gone_ms is all
        self._load()

    def note(self, seen: TableView, *, is_paused: bool) -> None:
        """Look whether another phase runs, and whether the table rests."""
        phase = f"{seen.table} {seen.view.round} {seen.view.phase}"
        with self._lock:
            is_new = phase != self._phase
            if not is_new and is_paused == (self._since_ms is None):
                return
            self._gone_ms = 0 if is_new else self._gone()
            self._phase = phase
            self._since_ms = None if is_paused else self._now_ms()
            self._store()

    def gone_ms(self) -> int:
        """Return how long the phase has lasted."""
        with self._lock:
            return self._gone()

    @property
    def is_resting(self) -> bool:
        """Tell whether the clock stands."""
        with self._lock:
            return self._since_ms is None

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def _gone(self) -> int:
        return self._gone_ms + (0 if self._since_ms is None else self._now_ms() - self._since_ms)

    def _store(self) -> None:
        since = 0 if self._since_ms is None else self._wall_ms()
        row = {"id": 1, "phase": self._phase, "since_ms": since, "gone_ms": self._gone_ms}
        with self._db.conn:
            self._db.table("pace").insert(row, replace=True)

    def _load(self) -> None:
        """Go on where the service stopped; a clock that was set meanwhile is not believed."""
        for row in self._db.table("pace").rows:
            self._phase, self._gone_ms = str(row["phase"]), int(row["gone_ms"])
            if not row["since_ms"]:
                self._since_ms = None
            elif 0 <= (meanwhile := self._wall_ms() - int(row["since_ms"])) < BELIEVED_MS:
                self._gone_ms += meanwhile
