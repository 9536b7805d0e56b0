"""A box learns: what a table was told of its box is kept in the box for all later games.

Follows the table that is played and writes on a thread of its own: the table never waits for a
disk. A row that the box has corrected in the meantime otherwise stays as the box has it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from companion.catalogue import CatalogueRefused, Row, changes, rows_of
from companion.game import Game, Wire
from companion.journal import TableRow
from companion.settings import CannotStart
from companion.sheets import Sheet
from companion.table.boxes import correct, merged
from companion.table.writer import Table

log = logging.getLogger(__name__)


class Learning:
    """Keeps what one table after the other is told. Close it after the last table."""

    def __init__(self) -> None:
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="learning")
        self._end: Callable[[], None] = lambda: None

    def follow(self, game: Game[Any, Any, Any], row: TableRow, table: Table) -> None:
        """Follow a table instead of the last one; what it was told before is kept, too."""
        self._end()
        if not row.box or not game.box.sheets:
            self._end = lambda: None  # the stand-in is nobody's box
            return
        known: list[Wire] = [row.catalogue]

        def look() -> None:
            now = table.catalogue()
            if now is not known[0]:
                self._writer.submit(keep, row.box, game.box.sheets, known[0], now)
                known[0] = now

        look()
        self._end = table.on_change(look)

    def close(self) -> None:
        """Write what is still to be written."""
        self._end()
        self._writer.shutdown()


def keep(box: str, sheets: tuple[Sheet, ...], before: Wire, after: Wire) -> None:
    """Change the rows of a box that a table was told. What goes wrong is logged: the table plays on."""
    try:
        told = {sheet: changes(sheet, before, after) for sheet in sheets}
        if not any(told.values()):
            return
        correct(box, lambda catalogue: _with(catalogue, before, told))
    except (CannotStart, CatalogueRefused) as wrong:
        log.warning("box %s: what the table was told is kept with the table only: %s", box, wrong)


def _with(catalogue: Wire, before: Wire, told: Mapping[Sheet, Mapping[str, Row]]) -> Wire:
    for sheet, rows in told.items():
        now, then = rows_of(sheet, catalogue), rows_of(sheet, before)
        mine = {row: values for row, values in rows.items() if now.get(row) == then.get(row)}
        if mine:
            catalogue = merged(sheet, catalogue, mine)
    return catalogue
