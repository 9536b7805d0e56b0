"""A service that writes without pause and says what it has acknowledged, to be killed in the middle."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Thread

from companion.game import Seat
from companion.table.sqlite_journal import open_sqlite_journal
from tests.lantern.evening import BLUE, RED, Evening, by_seat
from tests.lantern.game import Gather


def tap_without_pause(evening: Evening, seat: Seat, run: str) -> None:
    number = 0
    while True:
        number += 1
        request = f"{run}-{seat}-{number}"
        receipt = evening.do(by_seat(seat), Gather(seat, 1 + number % 3), request=request)
        assert receipt.is_done
        sys.stdout.write(f"{receipt.seq} {request}\n")
        sys.stdout.flush()


def main() -> None:
    path, run = sys.argv[1:]
    evening = Evening(open_sqlite_journal(Path(path)), seats=2 if run == "0" else 0)
    for seat in (RED, BLUE):
        Thread(target=tap_without_pause, args=[evening, seat, run]).start()


main()
