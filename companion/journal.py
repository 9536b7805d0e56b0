"""What a journal promises: an append-only list of what happened at a table.

Protocol and records; the SQLite and memory journals live in ``companion.table``. No I/O here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NewType, Protocol

from companion.game import Seat, Wire

TableId = NewType("TableId", str)


@dataclass(frozen=True, slots=True)
class Cause:
    """Who or what brought an entry about.

    ``by`` is ``seat``, ``host``, ``camera``, ``die``, ``virtual_die``, ``let_count`` (somebody let a roll
    count that was no move), ``board_sensor`` or ``system``;
    ``for_seat`` the seat it acts for; ``client`` the phone (an opaque id); ``request`` the
    client-made id of the command, so that the same tap is never counted twice; ``seen``
    what a device reported (the reading's spaces, a roll's key). ``command`` is what was
    asked, on the wire: a strike tries later entries again by it. All entries of one command
    have the same cause.
    """

    by: str
    for_seat: Seat | None = None
    client: str = ""
    request: str = ""
    seen: Mapping[str, Any] = field(default_factory=dict)
    command: Wire | None = None


@dataclass(frozen=True, slots=True)
class NewRecord:
    """An entry before it has its place. ``kind`` and ``version`` are the codec's, or ``table.*`` ours."""

    at_utc: str
    kind: str
    version: int
    body: Wire
    cause: Cause


@dataclass(frozen=True, slots=True)
class Record:
    """An entry in its place: ``seq`` counts from 1 per table, ``at_utc`` is ISO 8601."""

    table: TableId
    seq: int
    at_utc: str
    kind: str
    version: int
    body: Wire
    cause: Cause


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table in the journal: which game, which box, and what the box prints."""

    id: TableId
    game: str
    box: str
    catalogue: Wire
    opened_utc: str


class JournalMoved(Exception):
    """Somebody else appended first: the journal is at ``at_seq``, not at ``after_seq``."""

    def __init__(self, table: TableId, after_seq: int, at_seq: int) -> None:
        super().__init__(
            f"The journal of table {table} is at entry {at_seq}, not at {after_seq}. "
            "Another service may have it open; stop one of them."
        )
        self.table = table
        self.after_seq = after_seq
        self.at_seq = at_seq


class JournalUnusable(Exception):
    """The journal cannot be opened, read or written; the message says what to do."""


class JournalDamaged(JournalUnusable):
    """The journal's file is broken: it is no journal any more, whoever opens it."""


class JournalHeld(JournalUnusable):
    """Another program holds the journal; it can be used once that lets go."""


class Journal(Protocol):
    """Append-only, primary key (table, seq). What ``append`` returned is on the disk.

    Any thread may call it, one at a time. Every method raises JournalUnusable when the disk
    or the file fails.
    """

    def open_table(self, row: TableRow) -> None:
        """Write down a new table. Raises ValueError if the id is taken."""

    def tables(self) -> Sequence[TableRow]:
        """Return all tables, newest last."""

    def append(self, table: TableId, after_seq: int, records: Sequence[NewRecord]) -> Sequence[Record]:
        """Write all records or none. Raises JournalMoved, and KeyError for a table that is not there."""

    def read(self, table: TableId, after_seq: int = 0) -> Sequence[Record]:
        """Return the records after an entry, in order."""

    def close(self) -> None: ...
