"""A journal that keeps its promises as long as the process lives.

For tests and for games that nobody wants to keep. Does no I/O.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from threading import Lock

from companion.journal import JournalMoved, JournalUnusable, NewRecord, Record, TableId, TableRow
from companion.table.stored import cause_in, cause_out


class MemoryJournal:
    """Entries in a list. What is not JSON is refused, as a disk would refuse it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._rows: dict[TableId, TableRow] = {}
        self._records: dict[TableId, list[Record]] = {}
        self._is_closed = False

    def open_table(self, row: TableRow) -> None:
        with self._lock:
            self._check_open()
            if row.id in self._rows:
                raise ValueError(f"There is a table {row.id} already.")
            self._rows[row.id] = row
            self._records[row.id] = []

    def tables(self) -> Sequence[TableRow]:
        with self._lock:
            self._check_open()
            return tuple(self._rows.values())

    def append(self, table: TableId, after_seq: int, records: Sequence[NewRecord]) -> Sequence[Record]:
        with self._lock:
            self._check_open()
            stored = self._records[table]
            if len(stored) != after_seq:
                raise JournalMoved(table, after_seq, at_seq=len(stored))
            written = tuple(_kept(table, seq, new) for seq, new in enumerate(records, after_seq + 1))
            stored.extend(written)
            return written

    def read(self, table: TableId, after_seq: int = 0) -> Sequence[Record]:
        with self._lock:
            self._check_open()
            return tuple(self._records.get(table, [])[after_seq:])

    def close(self) -> None:
        with self._lock:
            self._is_closed = True

    def _check_open(self) -> None:
        if self._is_closed:
            raise JournalUnusable("The journal is closed.")


def _kept(table: TableId, seq: int, new: NewRecord) -> Record:
    body = json.loads(json.dumps(new.body))
    return Record(table, seq, new.at_utc, new.kind, new.version, body, cause_in(cause_out(new.cause)))
