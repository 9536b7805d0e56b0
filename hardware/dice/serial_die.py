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
from companion.ports import DeviceStanding, DeviceState, DieRoll, Lesson
from hardware.contact import Wanted
from hardware.dice.face_lessons import FaceLessons
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
        self._lessons = FaceLessons(port)
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

    @property
    def lies(self) -> int | None:
        """The face that lies up; 0: it leans; None: it moves, or nobody knows."""
        return self._lessons.lies

    @property
    def faces(self) -> int:
        """How many faces it has, as it says itself."""
        return self._lessons.faces

    def begin_faces(self, faces: int) -> Lesson:
        """Let it learn all its faces anew; somebody else must be reading it meanwhile."""
        return self._lessons.ask(f"faces={faces}")

    def learn_face(self, face: int) -> Lesson:
        """Let it learn that a face lies up now; somebody else must be reading it meanwhile."""
        return self._lessons.ask(f"face={face}")

    def set_lean(self, most_deg: int) -> Lesson:
        """Let it be cocked when it leans by more; somebody else must be reading it meanwhile."""
        return self._lessons.ask(f"cocked={most_deg}")

    def close(self) -> None:
        self._port.close()

    def _take(self, said: Heard | Link) -> None:
        match said:
            case Link(state):
                self._link = said
                if state is not DeviceState.LIVE:
                    self._rolls.lose_sight()
                    self._lessons.lose_sight()
            case Heard(line, at_ms):
                if isinstance(line.message, Remark):
                    log.info("%s says (%s): %s", self.name, line.message.level, line.message.text)
                self._lessons.hear(line)
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
