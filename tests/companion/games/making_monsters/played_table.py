"""A table of Making Monsters at the real writer, its journal in memory, and all that anybody gets of it."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

from companion.game import Seat
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import TakeOver
from companion.games.making_monsters.state import State
from companion.journal import Cause, TableId, TableRow
from companion.table.host import RunningPhase
from companion.table.memory_journal import MemoryJournal
from companion.table.recording import write_table
from companion.table.replay import about
from companion.table.writer import Receipt, StrikePreview, Submission, Table
from web.values import dumps, out, view_out

HOST = Cause("host", client="host")
NOW_UTC = "2026-11-30T20:00:00Z"
PATIENCE_S = 30


def cause_of(command: Any) -> Cause:
    """Return who says a command: its own seat, else the host."""
    seat = GAME.actor(command)
    return Cause("seat", for_seat=seat, client=f"phone-{seat}") if seat else HOST


class PlayedTable:
    """A table that takes a state over and goes on from there. ``lines`` is what its service logged."""

    def __init__(self, state: State) -> None:
        self.row = TableRow(TableId("evening"), GAME.name, "", state.box.catalogue, NOW_UTC)
        self.journal = MemoryJournal()
        self.lines: list[str] = []
        self._requests = 0
        self.open()
        if state != GAME.initial(state.box.catalogue):
            assert self.do(TakeOver(GAME.position(state))).is_done

    def open(self) -> None:
        self.table = Table(GAME, self.journal, self.row, now_utc=lambda: NOW_UTC, now_ms=lambda: 0)
        self.running = RunningPhase(self.table)

    def request(self) -> str:
        self._requests += 1
        return f"request-{self._requests}"

    def do(self, command: Any, cause: Cause | None = None) -> Receipt:
        wire = GAME.codec.command_out(command)
        submission = Submission(self.request(), cause or cause_of(command), self.seq, wire)
        return self.table.submit(submission).result(PATIENCE_S)

    def preview(self, seqs: list[int]) -> StrikePreview:
        return self.table.preview_strike(seqs).result(PATIENCE_S)

    def strike(self, seqs: tuple[int, ...], cause: Cause = HOST) -> Receipt:
        return self.table.strike(seqs, request=self.request(), cause=cause).result(PATIENCE_S)

    @property
    def seq(self) -> int:
        return self.table.look(None).seq

    def pages(self, reader: Seat | None) -> str:
        """Return what a reader's pages and sockets get, but for the log."""
        return dumps(view_out(self.table.look(reader), reader), ensure_ascii=False)

    def told(self, reader: Seat | None) -> str:
        """Return a reader's log, the sums behind its numbers, and what it may take back."""
        look = self.table.look(reader)
        return json.dumps([out(look.log), out(look.own_last), out(self.table.sums(reader))])

    def recording(self, folder: Path) -> bytes:
        """Return what a recording that is saved now would hold of the table."""
        records = [one for one in self.journal.read(self.row.id) if one.seq <= self.running.seq]
        folder.mkdir(exist_ok=True)
        write_table(folder, about(GAME, self.row, records, NOW_UTC), records)
        return b"".join(path.read_bytes() for path in sorted(folder.iterdir()))


class Overheard(logging.Handler):
    """Writes down what the service logs, for the table that is spoken to at the moment."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.into: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.into.append(record.getMessage())
