"""Opens tables: the one that an evening goes on with after a start, or a new one with its game and box."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from companion.game import Game
from companion.journal import Journal, TableId, TableRow
from companion.plugins import PartUnusable, load
from companion.settable import TableSettings
from companion.table.boxes import BoxUnusable, catalogue_of
from companion.table.senses_messages import monotonic_ms
from companion.table.writer import Table

log = logging.getLogger(__name__)

GAMES = "companion.games"
SAFE_TABLE = "safe-"
"""How the ids of tables begin that were opened in safe mode."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A table that can be played at: its row in the journal, its rules, its writer."""

    row: TableRow
    game: Game[Any, Any, Any]
    table: Table


class Openings:
    """Opens the tables of one journal; ``follow`` is told of each before anybody plays at it."""

    def __init__(self, journal: Journal, *, is_safe: bool, follow: Callable[[TableRow, Table], None]) -> None:
        self._journal = journal
        self._is_safe = is_safe
        self._follow = follow

    def first(self, wanted: TableSettings) -> Opened:
        """Go on with the newest table, or open a new one as the settings say.

        Raises PartUnusable, BoxUnusable or JournalUnusable.
        """
        # A table that was only opened because a start was broken is no evening to go on with later.
        rows = [one for one in self._journal.tables() if self._is_safe or not one.id.startswith(SAFE_TABLE)]
        return (self._resumed(rows[-1], wanted) if rows else None) or self.anew(wanted.game, wanted.box)

    def anew(self, name: str, box: str) -> Opened:
        """Open a new table of a game. Raises PartUnusable, BoxUnusable or JournalUnusable."""
        game: Game[Any, Any, Any] = load(GAMES, name)
        catalogue = catalogue_of(box) if box else game.stand_in
        called = f"{SAFE_TABLE if self._is_safe else 'table-'}{len(self._journal.tables()) + 1}"
        row = TableRow(TableId(called), name, box, catalogue, _now_utc())
        _check_fits(game, row)
        self._journal.open_table(row)
        log.info("table %s: opened, %s", row.id, name)
        return self._played(row, game)

    def _resumed(self, row: TableRow, wanted: TableSettings) -> Opened | None:
        """Go on with a table; None if it is over, or nothing is lost by leaving it in the journal."""
        if (row.game, row.box) != (wanted.game, wanted.box) and not self._journal.read(row.id):
            return None
        try:
            game: Game[Any, Any, Any] = load(GAMES, row.game)
        except PartUnusable as error:
            if row.game == wanted.game:
                raise
            log.warning("table %s: stays in the journal: %s", row.id, error)
            return None
        opened = self._played(row, game)
        if opened.table.look(None).view.is_over:
            opened.table.close()
            return None
        log.info("table %s: goes on", row.id)
        return opened

    def _played(self, row: TableRow, game: Game[Any, Any, Any]) -> Opened:
        table = Table(game, self._journal, row, now_utc=_now_utc, now_ms=monotonic_ms)
        self._follow(row, table)
        return Opened(row, game, table)


def _check_fits(game: Game[Any, Any, Any], row: TableRow) -> None:
    """Raise BoxUnusable if the rules cannot begin with what the box prints."""
    try:
        game.initial(row.catalogue)
    except (ValueError, LookupError, TypeError) as error:
        raise BoxUnusable(
            f"The box {row.box} does not fit the game {row.game}: {str(error).rstrip('.')}. "
            "Fill in what it lacks on the host page under What the box prints, or with "
            f"`companion box cards export {row.box} FILE` and `import`."
        ) from error


def _now_utc() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
