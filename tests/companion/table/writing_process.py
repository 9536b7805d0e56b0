"""Services that write without pause and say what they have acknowledged, to be killed in the middle.

For each line on stdin a new service opens the journal (a fork, so that it starts at once). It
prints ``pid N``, then ``seq request`` for each answer; once it is gone, ``gone`` is printed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from threading import Thread

from companion.game import Seat
from companion.table.sqlite_journal import open_sqlite_journal
from tests.lantern.evening import BLUE, RED, Evening, by_seat
from tests.lantern.moves import Gather


def say(line: str) -> None:
    os.write(sys.stdout.fileno(), f"{line}\n".encode())  # in one piece, whoever else writes


def tap_without_pause(evening: Evening, seat: Seat, run: str) -> None:
    number = 0
    while True:
        number += 1
        request = f"{run}-{seat}-{number}"
        receipt = evening.do(by_seat(seat), Gather(seat, 1 + number % 3), request=request)
        assert receipt.is_done
        say(f"{receipt.seq} {request}")


def serve(path: Path, run: str) -> None:
    say(f"pid {os.getpid()}")
    evening = Evening(open_sqlite_journal(path), seats=2 if run == "0" else 0)
    phones = [Thread(target=tap_without_pause, args=[evening, seat, run]) for seat in (RED, BLUE)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()


def main(path: Path) -> None:
    for line in sys.stdin:
        service = os.fork()
        if service == 0:
            serve(path, run=line.strip())
        os.waitpid(service, 0)
        say("gone")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
