"""A house for tests of the web: a real table with the invented game, its journal in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from flask import Flask
from flask_socketio import SocketIO

from companion.board import PieceKind, Place, SpaceId
from companion.journal import Journal, TableId, TableRow
from companion.ports import BoardReading, Reading, SpaceReading
from companion.settings import parse
from companion.table.evidence import Evidence
from companion.table.memory_journal import MemoryJournal
from companion.table.past import Past, read_past
from companion.table.starts import WHOLE
from companion.table.writer import Table
from tests.lantern.game import BANK, Lantern
from web.app import Web, WebOptions, create_app, monotonic_ms


class WordyLantern(Lantern):
    """The invented game with words, so that pages say something."""

    package = "tests.web.lantern_words"


class LanternHouse:
    """What a host is to the web: a table, and a way to a new one."""

    rules: Any = WordyLantern()
    has_eyes = True
    start = WHOLE
    settings = parse("", Path("companion.toml"), source=None)

    def __init__(self, journal: Journal | None = None) -> None:
        self.game: Any = self.rules
        self._journal = journal or MemoryJournal()
        self._listeners: list[Callable[[Table], None]] = []
        self._number = 0
        self.evidence = Evidence(None)
        self.row, self.table = self._open()

    def games(self) -> Mapping[str, Any]:
        return {"lantern": self.game}

    def boxes(self) -> Sequence[str]:
        return ("meadow",)

    def new_table(self, *, game: str | None = None, box: str | None = None) -> Table:
        before = self.table
        self.row, self.table = self._open()
        before.close()
        for listener in self._listeners:
            listener(self.table)
        return self.table

    def on_table(self, listener: Callable[[Table], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def begin_again(self) -> None:
        self.begun_again = getattr(self, "begun_again", 0) + 1

    def past(self, table: TableId) -> Past | None:
        return read_past(self._journal, table, lambda name: self.game)

    def forget(self, table: TableId) -> None:
        self.evidence.forget(table)

    def close(self) -> None:
        self.table.close()
        self.evidence.close()

    def _open(self) -> tuple[TableRow, Table]:
        self._number += 1
        row = self._row(self._number)
        table = Table(self.game, self._journal, row, now_utc=now_utc, now_ms=monotonic_ms)
        table.on_taken(lambda entry, taken: self.evidence.keep(row.id, entry, taken))
        return row, table

    def _row(self, number: int) -> TableRow:
        return TableRow(TableId(f"evening-{number}"), "lantern", "meadow", {}, now_utc())


def now_utc() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms

    def go_on(self, ms: int) -> None:
        self.ms += ms


def opened(
    house: LanternHouse, *, now_ms: Callable[[], int] = monotonic_ms, **options: Any
) -> tuple[Flask, SocketIO, Web]:
    """Return the web around a house; close it in the end."""
    app, socketio = create_app(house, WebOptions(pin="123456", **options), now_ms=now_ms)
    web: Web = app.extensions["companion"]
    return app, socketio, web


def bank_reading(stones: Mapping[str, tuple[str, bool]], *, crop: bytes = b"", frame: int = 1) -> Reading:
    """Return a reading of the bank: by space what lies there and whether that is sure."""
    spaces = {
        SpaceId(space): SpaceReading(
            PieceKind(kind), 0.99 if is_sure else 0.5, is_sure, others=(PieceKind("shell"),)
        )
        for space, (kind, is_sure) in stones.items()
    }
    board = BoardReading(BANK, "tags", (), 0.0, spaces)
    crops = {Place(BANK, space): crop for space in spaces} if crop else {}
    # Newer than what was just written down: eyes look at the table after a tap, not before it.
    return Reading("ceiling", frame, monotonic_ms() + 5, {BANK: board}, crops=crops)
