"""A die that speaks TLP/1 on a serial port (entry point ``serial``).

Settings: ``port`` (a path, a pattern such as ``/dev/ttyACM*``, or ``auto``), ``id`` (such as
``D-7F3A1C``; empty: the first die that is heard), ``baud`` (what is tried first).
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Mapping
from typing import Any

from companion.options import device_id, read_options, text, whole
from companion.ports import DeviceStanding, DeviceState, DieRoll
from hardware.contact import Wanted
from hardware.dice.rolls import Rolls
from hardware.line_protocol import SPEEDS_BAUD
from hardware.messages import DeviceKind, Remark
from hardware.serial_port import Heard, Link, SerialPort, World
from hardware.tty import AUTO

log = logging.getLogger(__name__)

OPTIONS = (text("port", AUTO), device_id("D"), whole("baud", SPEEDS_BAUD[0], 1200, 4_000_000))


class SerialDie:
    """A die on a serial port. Each roll comes once; what else happens shows as standings."""

    def __init__(self, name: str, port: SerialPort) -> None:
        self.name = name
        self._port = port
        self._rolls = Rolls(name)
        self._link = Link(DeviceState.SEARCHING, "")
        self._standing: DeviceStanding | None = None
        self._out: deque[DieRoll | DeviceStanding] = deque()

    def read(self, *, timeout_ms: int) -> DieRoll | DeviceStanding | None:
        """Wait for a roll or a standing that changed; None when nothing came in time."""
        deadline_ms = self._port.now_ms() + timeout_ms
        while not self._out:
            said = self._port.read(timeout_ms=deadline_ms - self._port.now_ms())
            if said is None:
                return None
            self._take(said)
            if self._port.now_ms() >= deadline_ms:
                break
        return self._out.popleft() if self._out else None

    @property
    def spoilt_lines(self) -> int:
        """How many lines came damaged, since the start."""
        return sum(self._port.splitter.flaws.values())

    def close(self) -> None:
        self._port.close()

    def _take(self, said: Heard | Link) -> None:
        match said:
            case Link(state):
                self._link = said
                if state is not DeviceState.LIVE:
                    self._rolls.lose_sight()
            case Heard(line, at_ms):
                if isinstance(line.message, Remark):
                    log.info("%s says (%s): %s", self.name, line.message.level, line.message.text)
                roll = self._rolls.hear(line, at_ms)
                if roll is not None:
                    self._out.append(roll)
        self._stand()

    def _stand(self) -> None:
        state, detail, need = self._link.state, self._link.detail, self._link.need
        if state is DeviceState.LIVE and self._rolls.trouble:
            state, detail, need = DeviceState.FAULT, self._rolls.trouble, self._rolls.need
        elif state is DeviceState.LIVE and self._rolls.note:
            detail = f"{detail}; {self._rolls.note}"
        standing = DeviceStanding(self.name, "die", state, detail, need=need)
        if standing != self._standing:
            self._standing = standing
            self._out.append(standing)


def open_die(name: str, settings: Mapping[str, Any], *, world: World | None = None) -> SerialDie:
    """Open a die; a port that is not there yet is searched for. Raises ValueError for wrong settings."""
    options = read_options(f"die {name}", settings, OPTIONS)
    wanted = Wanted(DeviceKind.DIE, options["id"])
    return SerialDie(name, SerialPort(options["port"], wanted, speed_baud=options["baud"], world=world))
