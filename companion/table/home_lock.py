"""One service for each home folder: a lock that the system lets go of however the service ends."""

from __future__ import annotations

import fcntl
import os
import threading
from pathlib import Path
from typing import IO

from companion.settings import CannotStart
from companion.table.senses_messages import monotonic_ms

LOCK_WAIT_S = 2.0  # a worker that is replaced needs a moment to let go


class HomeTaken(CannotStart):
    """Another service has the same home folder; ``pid`` is its process, 0 if unknown."""

    def __init__(self, folder: Path, pid: int) -> None:
        who = f"process {pid}" if pid else "another process"
        super().__init__(
            f"The companion runs already with the folder {folder} ({who}). "
            "Stop it first, or set COMPANION_HOME to another folder."
        )
        self.folder = folder
        self.pid = pid


def tell_address(lock: IO[str], address: str) -> None:
    """Write beside the process where its pages are, for other programs of this computer."""
    lock.seek(0)
    lock.truncate()
    lock.write(f"{os.getpid()}\n{address}\n")
    lock.flush()


def told_by(folder: Path) -> tuple[int, str]:
    """Return the process and the address of a folder's service; 0 and empty if it has not told."""
    try:
        pid, _, address = (folder / "service.lock").read_text(encoding="utf-8").partition("\n")
    except OSError:
        return 0, ""
    return int(pid) if pid.isdecimal() else 0, address.strip()


def take_home(folder: Path, *, wait_s: float = LOCK_WAIT_S) -> IO[str]:
    """Lock a home folder; closing the file lets go of it. Raises HomeTaken after a moment's wait."""
    path = folder / "service.lock"
    try:
        lock = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise CannotStart(
            f"The folder {folder} may not be written: {error.strerror}. Set COMPANION_HOME to another folder."
        ) from error
    waiting = threading.Event()
    until_ms = monotonic_ms() + int(wait_s * 1000)
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if monotonic_ms() >= until_ms:
                lock.close()
                raise HomeTaken(folder, told_by(folder)[0]) from None
            waiting.wait(0.05)
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n")
    lock.flush()
    return lock
