"""In which manner a table is played: for the first time, with a timer, paused, closed to newcomers.

It changes no rule and no secret, so it is no entry of the journal; it is kept beside the seats.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

from sqlite_utils import Database

from companion.journal import TableId

PAUSED, LOCKED = "paused_tables", "locked_tables"
EVERY_TABLE = "*"


class Manner:
    """Which tables go one step at a time or rest, how long a phase may take, whether the door is open.

    Safe from any thread.
    ``path`` is the SQLite file, None: kept in memory. ``version`` counts every change.
    """

    def __init__(self, path: Path | None) -> None:
        self._lock = threading.RLock()
        file = ":memory:" if path is None else str(path)
        self._db = Database(sqlite3.connect(file, check_same_thread=False))
        with self._lock, self._db.conn:
            self._db.table("first_games").create({"table_id": str}, pk="table_id", if_not_exists=True)
            self._db.table("timers").create(
                {"table_id": str, "seconds": int}, pk="table_id", if_not_exists=True
            )
        self._timers = {
            TableId(row["table_id"]): int(row["seconds"]) for row in self._db.table("timers").rows
        }
        self._first = {TableId(row["table_id"]) for row in self._db.table("first_games").rows}
        for name in (PAUSED, LOCKED):
            with self._lock, self._db.conn:
                self._db.table(name).create({"table_id": str}, pk="table_id", if_not_exists=True)
        self._marks = {
            name: {str(row["table_id"]) for row in self._db.table(name).rows} for name in (PAUSED, LOCKED)
        }
        self.version = 0
        self._listeners: list[Callable[[], None]] = []

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` whenever a table is to be shown in another manner."""
        self._listeners.append(listener)

    def is_first_game(self, table: TableId) -> bool:
        """Tell whether a table is shown one step at a time."""
        with self._lock:
            return table in self._first

    def show_first_game(self, table: TableId, *, is_first: bool) -> None:
        """Show a table one step at a time from now on, or as usual again."""
        with self._lock, self._db.conn:
            if is_first:
                self._db.table("first_games").insert({"table_id": table}, replace=True)
                self._first.add(table)
            else:
                self._db.table("first_games").delete_where("table_id = ?", [table])
                self._first.discard(table)
        self._tell()

    def is_paused(self, table: TableId) -> bool:
        """Tell whether a table rests: timers stand, and nobody is called to the table."""
        with self._lock:
            return table in self._marks[PAUSED]

    def pause(self, table: TableId, *, is_paused: bool) -> None:
        """Let a table rest, or go on. Taps count all the same."""
        self._mark(PAUSED, table, is_set=is_paused)

    def is_locked(self) -> bool:
        """Tell whether the door is closed: who sits stays, nobody else sits down, at later tables either."""
        with self._lock:
            return bool(self._marks[LOCKED])

    def lock(self, *, is_locked: bool) -> None:
        """Close the door to newcomers, or open it."""
        self._mark(LOCKED, EVERY_TABLE, is_set=is_locked)

    def _mark(self, name: str, table: str, *, is_set: bool) -> None:
        with self._lock, self._db.conn:
            if is_set:
                self._db.table(name).insert({"table_id": table}, replace=True)
                self._marks[name].add(table)
            else:
                self._db.table(name).delete_where("table_id = ?", [table])
                self._marks[name].discard(table)
        self._tell()

    def timer_s(self, table: TableId) -> int:
        """Return how long a phase of a table should take, 0: nobody counts."""
        with self._lock:
            return self._timers.get(table, 0)

    def set_timer(self, table: TableId, seconds: int) -> None:
        """Count a phase of a table down from some seconds, 0: not at all. Nothing ends by it."""
        with self._lock, self._db.conn:
            self._db.table("timers").insert({"table_id": table, "seconds": seconds}, replace=True)
            self._timers[table] = seconds
        self._tell()

    def _tell(self) -> None:
        self.version += 1
        for listener in self._listeners:
            listener()

    def close(self) -> None:
        with self._lock:
            self._db.close()
