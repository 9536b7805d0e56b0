"""A clock that passes only when somebody waits, and serial ports that live by it.

For tests and benches of the drivers: hours of a bad cable in seconds, the same every time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from hardware.serial_port import World
from hardware.tty import PortGone, PortUnusable

STEP_MS = 10


class VirtualClock:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.ms = 0

    def now_ms(self) -> int:
        return self.ms

    def pause(self, pause_ms: int) -> None:
        self.ms += max(1, pause_ms)


class VirtualPort:
    """A port in virtual time. ``script(now_ms)`` gives the bytes that come until then."""

    def __init__(self, clock: VirtualClock, script: Callable[[int], bytes]) -> None:
        self._clock, self._script = clock, script
        self.written: deque[bytes] = deque()
        self.is_gone = False

    def read(self, *, timeout_ms: int) -> bytes:
        if self.is_gone:
            raise PortGone("gone")
        self._clock.pause(min(timeout_ms, STEP_MS))
        return self._script(self._clock.ms)

    def write(self, line: bytes) -> bool:
        if self.is_gone:
            raise PortGone("gone")
        self.written.append(line)
        return True

    def close(self) -> None:
        pass


def virtual_world(
    clock: VirtualClock, opens: Callable[[str, int], VirtualPort | None], ports: Sequence[str]
) -> World:
    """Return a world whose ports are ``ports``; ``opens`` gives None for one that cannot be opened."""

    def open_port(path: str, speed_baud: int) -> VirtualPort:
        port = opens(path, speed_baud)
        if port is None:
            raise PortUnusable(f"{path} cannot be opened.")
        return port

    return World(clock.now_ms, clock.pause, open_port, lambda wanted: ports)
