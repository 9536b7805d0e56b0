"""A caretaker at a real door, who writes down what he would have run."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from hardware.appliance.caretaker import Caretaker, Refused

ME = os.getuid()


class Errands:
    """What would have been run."""

    def __init__(self, refuses: str = "") -> None:
        self.run: list[tuple[str, ...]] = []
        self._refuses = refuses

    def __call__(self, command: Sequence[str]) -> None:
        self.run.append(tuple(command))
        if self._refuses:
            raise Refused(self._refuses)


@contextmanager
def at_the_door(door: str, errands: Errands) -> Iterator[str]:
    """Let a caretaker serve whoever knocks at a real door, one after the other."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(door)
        listener.listen()

        def serve() -> None:
            while True:
                try:
                    caller, _ = listener.accept()
                except OSError:
                    return
                with caller:
                    Caretaker({ME}, errands, listens_s=60).serve(caller)

        serving = threading.Thread(target=serve)
        serving.start()
        yield door
        listener.shutdown(socket.SHUT_RDWR)
        serving.join()
