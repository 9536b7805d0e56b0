"""The service as it is, with a table of the invented game and the journal that is asked for.

``python -m tests.bench.phones_server memory|FILE`` prints one line of JSON when pages can be had: its
address and the tokens of four seats. The invented game is about as small as the one that others are
measured with.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.game import Seat
from companion.journal import Cause, Journal
from companion.table.host import Host
from companion.table.memory_journal import MemoryJournal
from companion.table.sqlite_journal import open_sqlite_journal
from companion.table.writer import Submission
from tests.web.lantern_house import LanternHouse
from web.app import WebOptions, create_app
from web.service import SWITCH_S, Service, listen

SEATS = ("red", "blue", "green", "white")


def _no_host(begin_again: Callable[[], None]) -> Host:
    raise NotImplementedError("the bench brings a house of its own")


class BenchService(Service):
    """The service around a house of the tests."""

    def __init__(self, journal: Callable[[], Journal], **options: Any) -> None:
        self._journal = journal
        listener = listen("127.0.0.1", 0)
        self._url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self._chosen = WebOptions(address=f"{self._url}/", lines=64, **options)
        super().__init__(_no_host, [listener], lambda _: self._chosen, self._tell, lines=64)

    def load(self) -> Callable[..., Any]:
        sys.setswitchinterval(SWITCH_S)
        house = LanternHouse(self._journal())
        opened = Submission("open", Cause("host", client="bench"), 0, {"do": "open", "seats": list(SEATS)})
        house.table.submit(opened).result(5)
        app, _ = create_app(house, self._chosen)
        self._web = app.extensions["companion"]
        seats = self._web.room.seats
        self._tokens = [{"seat": seat, "token": seats.sit(Seat(seat), seat.title())} for seat in SEATS]
        return app

    def _tell(self) -> None:
        sys.stdout.write(json.dumps({"url": self._url, "tokens": self._tokens}) + "\n")
        sys.stdout.flush()


def main() -> None:
    where = sys.argv[1]
    journal = MemoryJournal if where == "memory" else lambda: open_sqlite_journal(Path(where))
    sys.exit(BenchService(journal).serve())


if __name__ == "__main__":
    main()
