"""A cable between phones and table that can be cut, mended, or hold back what it carries."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

CHUNK = 65_536


class Cable:
    """A relay of TCP on loopback. Cut, it refuses calls; a half-open one takes them and carries nothing."""

    def __init__(self, to_port: int) -> None:
        self._to_port = to_port
        self._carries = threading.Event()
        self._carries.set()
        self._answers = threading.Event()
        self._answers.set()
        self._ends: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener: socket.socket | None = None
        self.port = 0
        self.mend()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """End every connection and refuse new ones."""
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        self._hang_up()

    def fall_silent(self) -> None:
        """Carry nothing in either direction, and tell nobody: a phone in a dead corner."""
        self._carries.clear()

    def lose_answers(self) -> None:
        """Carry what phones say, and nothing that they are told."""
        self._answers.clear()

    def mend(self) -> None:
        """Take calls again; what was silent is gone for good."""
        if not (self._carries.is_set() and self._answers.is_set()):
            self._hang_up()
        self._carries.set()
        self._answers.set()
        if self._listener is None:
            self._listener = socket.create_server(("127.0.0.1", self.port), backlog=64)
            self.port = self._listener.getsockname()[1]
            threading.Thread(target=self._take_calls, args=(self._listener,), daemon=True).start()

    def _hang_up(self) -> None:
        with self._lock:
            ends, self._ends = self._ends, set()
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _take_calls(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                phone, _ = listener.accept()
                table = socket.create_connection(("127.0.0.1", self._to_port))
                with self._lock:
                    self._ends |= {phone, table}
                for one, other, gate in ((phone, table, None), (table, phone, self._answers)):
                    carrying = threading.Thread(target=self._carry, args=(one, other, gate), daemon=True)
                    carrying.start()

    def _carry(self, one: socket.socket, other: socket.socket, gate: threading.Event | None) -> None:
        with suppress(OSError):
            while said := one.recv(CHUNK):
                self._carries.wait()
                if gate is not None:
                    gate.wait()
                other.sendall(said)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
