"""A house with a table of Making Monsters, its box the stand-in, its journal in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.games.making_monsters.game import GAME
from companion.journal import TableId, TableRow
from companion.table.memory_journal import MemoryJournal
from companion.table.writer import Table
from tests.web.lantern_house import now_utc
from web.app import monotonic_ms


class MonsterHouse:
    """What a host is to the web, with the one table that it was opened with."""

    def __init__(self) -> None:
        self.game: Any = GAME
        self.row = TableRow(TableId("monsters"), GAME.name, "", GAME.stand_in, now_utc())
        self.table = Table(GAME, MemoryJournal(), self.row, now_utc=now_utc, now_ms=monotonic_ms)

    def games(self) -> Mapping[str, Any]:
        return {GAME.name: GAME}

    def boxes(self) -> Sequence[str]:
        return ()

    def new_table(self, *, game: str | None = None, box: str | None = None) -> Table:
        raise NotImplementedError

    def on_table(self, listener: Callable[[Table], None]) -> Callable[[], None]:
        return lambda: None

    def close(self) -> None:
        self.table.close()
