"""A rotor that speaks TLP/1 on a serial port (entry point ``serial``).

Settings: ``port`` (a path, a pattern such as ``/dev/ttyACM*``, or ``auto``), ``id`` (such as
``R-02B4E9``; empty: the first rotor that is heard), ``baud`` (what is tried first).
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Mapping
from typing import Any

from companion.options import device_id, read_options, text, whole
from companion.ports import BoardSensor, BoardTurn, DeviceStanding, DeviceState, Need
from hardware.contact import Wanted
from hardware.line_protocol import SPEEDS_BAUD
from hardware.messages import DeviceKind, Remark
from hardware.serial_port import Heard, Link, SerialPort, World
from hardware.tty import AUTO
from hardware.turntables.oriented import OPTIONS as ORIENTATION
from hardware.turntables.oriented import oriented
from hardware.turntables.turns import Turns

log = logging.getLogger(__name__)

OPTIONS = (text("port", AUTO), device_id("R"), whole("baud", SPEEDS_BAUD[0], 1200, 4_000_000), *ORIENTATION)


class SerialRotor:
    """A rotor on a serial port. Each turn comes once; what else happens shows as standings."""

    def __init__(self, name: str, port: SerialPort) -> None:
        self.name = name
        self._port = port
        self._turns = Turns(name)
        self._link = Link(DeviceState.SEARCHING, "")
        self._standing: DeviceStanding | None = None
        self._out: deque[BoardTurn | DeviceStanding] = deque()

    def read(self, *, timeout_ms: int) -> BoardTurn | DeviceStanding | None:
        """Wait for a finished turn or a standing that changed; None when nothing came in time."""
        deadline_ms = self._port.now_ms() + timeout_ms
        while not self._out:
            said = self._port.read(timeout_ms=deadline_ms - self._port.now_ms())
            if said is None:
                return None
            self._take(said)
            if self._port.now_ms() >= deadline_ms:
                break
        return self._out.popleft() if self._out else None

    def close(self) -> None:
        self._port.close()

    def _take(self, said: Heard | Link) -> None:
        match said:
            case Link():
                self._link = said
            case Heard(line, at_ms):
                if isinstance(line.message, Remark):
                    log.info("%s says (%s): %s", self.name, line.message.level, line.message.text)
                turn = self._turns.hear(line, at_ms)
                if turn is not None:
                    self._out.append(turn)
        self._stand()

    def _stand(self) -> None:
        state, detail, need = self._link.state, self._link.detail, self._link.need
        quarter, angle_deg = None, None
        if state is DeviceState.LIVE:
            quarter = self._turns.quarter
            extra = "turning" if self._turns.is_turning else self._turns.note
            detail = f"{detail}; {extra}" if extra else detail
            if self._turns.trouble:
                state, detail, need = DeviceState.FAULT, self._turns.trouble, self._turns.need
                angle_deg = self._turns.angle_deg if need is Need.BETWEEN else None
        standing = DeviceStanding(
            self.name, "board_sensor", state, detail, quarter, need=need, angle_deg=angle_deg
        )
        if standing != self._standing:
            self._standing = standing
            self._out.append(standing)


def open_board_sensor(name: str, settings: Mapping[str, Any], *, world: World | None = None) -> BoardSensor:
    """Open a rotor; a port that is not there yet is searched for. Raises ValueError for wrong settings."""
    options = read_options(f"board sensor {name}", settings, OPTIONS)
    wanted = Wanted(DeviceKind.ROTOR, options["id"])
    port = SerialPort(options["port"], wanted, speed_baud=options["baud"], world=world)
    return oriented(SerialRotor(name, port), options)
