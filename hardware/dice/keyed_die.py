"""A die whose faces somebody keys in (entry point ``keyed``): for tables without a smart die, and tests.

Settings: ``path``, a text file or FIFO to which faces are added, a line each
(``echo 4 >> rolls.txt``); without it only ``key`` rolls. ``faces``, 6 if not said.
"""

from __future__ import annotations

import os
import secrets
import stat
import threading
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.options import read_options, text, whole
from companion.ports import DeviceStanding, DeviceState, DieRoll
from hardware.clock import monotonic_ms

OPTIONS = (text("path", None), whole("faces", 6, 2, 120))
LOOK_EVERY_MS = 50
LINE_MAX_BYTES = 256


class KeyedDie:
    """A die that shows what it is told; a keyed roll starts and ends at the same moment."""

    def __init__(
        self, name: str, path: Path | None = None, *, faces: int = 6, now_ms: Callable[[], int] = monotonic_ms
    ) -> None:
        self.name = name
        self._faces = faces
        self._now_ms = now_ms
        self._boot = f"{secrets.randbelow(0xFFFF) + 1:04X}"
        self._rolled = 0
        self._out: deque[DieRoll | DeviceStanding] = deque()
        self._more = threading.Condition()
        self._standing: DeviceStanding | None = None
        self._tail = _Tail(path) if path is not None else None
        self._stand(DeviceState.LIVE, "waits for faces to be keyed in")

    def key(self, face: int) -> None:
        """Roll a face, from whatever thread. Raises ValueError for a face that the die has not."""
        if not 1 <= face <= self._faces:
            raise ValueError(f"{face} is no face of the die {self.name}; it has 1 to {self._faces}.")
        with self._more:
            self._rolled += 1
            at_ms = self._now_ms()
            self._out.append(DieRoll(self.name, self._boot, self._rolled, face, at_ms, started_ms=at_ms))
            self._more.notify_all()

    def read(self, *, timeout_ms: int) -> DieRoll | DeviceStanding | None:
        """Wait for the next face; None when none was keyed in time."""
        deadline_ms = self._now_ms() + timeout_ms
        while True:
            self._look()
            with self._more:
                left_ms = deadline_ms - self._now_ms()
                if not self._out and left_ms > 0:
                    self._more.wait((left_ms if self._tail is None else min(left_ms, LOOK_EVERY_MS)) / 1000)
                if self._out:
                    return self._out.popleft()
                if left_ms <= 0:
                    return None

    def close(self) -> None:
        if self._tail is not None:
            self._tail.close()

    def _look(self) -> None:
        if self._tail is None:
            return
        try:
            lines = self._tail.lines()
        except OSError as error:
            self._stand(
                DeviceState.SEARCHING,
                f"{self._tail.path} cannot be read: {error.strerror}. Make it and add a face a line.",
            )
            return
        if not lines:
            if self._standing is not None and self._standing.state is DeviceState.SEARCHING:
                self._stand(DeviceState.LIVE, f"reads faces from {self._tail.path}")
            return
        for line in lines:
            said = line.strip()
            if said.isascii() and said.isdigit() and 1 <= int(said[:9]) <= self._faces:
                self._stand(DeviceState.LIVE, f"reads faces from {self._tail.path}")
                self.key(int(said))
            elif said:
                self._stand(
                    DeviceState.FAULT, f"{said[:40]!r} is no face; write 1 to {self._faces} on a line."
                )

    def _stand(self, state: DeviceState, detail: str) -> None:
        standing = DeviceStanding(self.name, "die", state, detail)
        if standing != self._standing:
            self._standing = standing
            with self._more:
                self._out.append(standing)


class _Tail:
    """What is added to a file or comes through a FIFO, from now on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None
        self._rest = b""
        if path.is_file():
            self._open()
            assert self._file is not None
            os.lseek(self._file, 0, os.SEEK_END)  # yesterday's rolls are over

    def lines(self) -> list[str]:
        """Return the lines completed since the last look. Raises OSError while there is no file."""
        if self._file is None:
            self._open()
        assert self._file is not None
        found = self.path.stat()
        here = os.fstat(self._file)
        if (found.st_dev, found.st_ino) != (here.st_dev, here.st_ino):
            self.close()
            self._open()
        elif stat.S_ISREG(here.st_mode) and here.st_size < os.lseek(self._file, 0, os.SEEK_CUR):
            os.lseek(self._file, 0, os.SEEK_SET)
        try:
            more = os.read(self._file, 4096)
        except BlockingIOError:
            return []
        *whole_lines, rest = (self._rest + more).split(b"\n")
        self._rest = rest[-LINE_MAX_BYTES:]
        return [line.decode("utf-8", "replace") for line in whole_lines]

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
        self._file, self._rest = None, b""

    def _open(self) -> None:
        # A FIFO opened for writing, too, does not end when its last writer leaves.
        is_fifo = stat.S_ISFIFO(self.path.stat().st_mode)
        self._file = os.open(self.path, (os.O_RDWR if is_fifo else os.O_RDONLY) | os.O_NONBLOCK)


def open_die(name: str, settings: Mapping[str, Any]) -> KeyedDie:
    """Open a die that is keyed in. Raises ValueError for settings that make no sense."""
    options = read_options(f"die {name}", settings, OPTIONS)
    path = Path(options["path"]).expanduser() if options["path"] else None
    return KeyedDie(name, path, faces=options["faces"])
