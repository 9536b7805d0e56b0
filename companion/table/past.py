"""An evening that is over, read from its journal to be leafed through. No thread; writes nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.game import Game
from companion.journal import Journal, JournalUnusable, TableId, TableRow
from companion.plugins import PartUnusable
from companion.table.looks import Looks
from companion.table.scribe import Scribe
from companion.table.snapshot import Snapshot

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Past:
    """A table as it was left: ``end`` has every moment of it."""

    row: TableRow
    game: Game[Any, Any, Any]
    end: Snapshot


def read_past(
    journal: Journal, table: TableId, game_called: Callable[[str], Game[Any, Any, Any]]
) -> Past | None:
    """Return a table of the journal; None if it is not there, or its game is no longer.

    ``game_called`` gives the game of a name, and may raise PartUnusable.
    """
    row = next((known for known in journal.tables() if known.id == table), None)
    if row is None:
        return None
    try:
        game = game_called(row.game)
        scribe = Scribe(game, journal, row, now_utc=lambda: row.opened_utc)
        scribe.read_on()
    except (PartUnusable, JournalUnusable, ValueError) as error:
        log.warning("table %s: cannot be leafed through: %s", table, error)
        return None
    return Past(row, game, _end(scribe, row))


def _end(scribe: Scribe, row: TableRow) -> Snapshot:
    return Snapshot(
        game=scribe.game,
        row=row,
        looks=Looks(scribe.game),
        seq=scribe.ledger.seq,
        shown=scribe.ledger.seq,
        state=scribe.state,
        reading=None,
        proposals=(),
        puzzles=(),
        devices=(),
        log={reader: scribe.told.lines(reader) for reader in (None, *scribe.game.seats)},
        last_steps={},
        last_roll=None,
        reminders=(),
        steps=tuple(scribe.ledger.steps),
    )
