"""A die that runs its own firmware on a pseudo-terminal, read by the host's driver, laid down by tests."""

from __future__ import annotations

import threading
from pathlib import Path

from hardware.dice.serial_die import open_die
from tests.hardware.firmware.boards import on_cpython
from tests.hardware.firmware.test_faces import SIDES
from tests.hardware.stand_ins import Desk

TURN_S = 0.002  # for ten milliseconds of the die's own time


class LyingDie:
    """``driver`` is what the host has of it; ``lay`` turns it, and it lies still from then on."""

    def __init__(self, folder: Path) -> None:
        self._desk = Desk(folder)
        self._cable = self._desk.plug_in()
        self._board = on_cpython("D-7F3A1C", 0x9C21)
        self._force = (0.0, 0.0, 1.0)
        self._over, self._lock = threading.Event(), threading.Lock()
        self.driver = open_die("green", {"port": self._desk.port()})
        self._threads = [threading.Thread(target=work) for work in (self._live, self._read)]
        for thread in self._threads:
            thread.start()

    def lay(self, face: int) -> None:
        """Turn it; when this returns it has felt that."""
        with self._lock:
            self._force = SIDES[face]
            self._pass_time()

    def close(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()
        self.driver.close()
        self._board.close()
        self._desk.close()

    def _live(self) -> None:
        while not self._over.wait(TURN_S):
            with self._lock:
                self._pass_time()

    def _pass_time(self) -> None:
        reads = ",".join(f"{axis:.4f}" for axis in self._force) + ",0"
        said = self._board.step(reads, self._cable.received())
        if said:
            self._cable.write(said)

    def _read(self) -> None:
        while not self._over.is_set():
            self.driver.read(timeout_ms=50)
