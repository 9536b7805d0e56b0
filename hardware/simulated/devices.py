"""A die and a rotor in software, each on a pseudo-terminal, speaking TLP/1.

What they say is decided by ``Chip`` and its two kinds (values and due times, no waiting);
``Plug`` does the waiting and the bytes. Faults can be switched on: that is what they are for.
"""

from __future__ import annotations

import errno
import os
import select
import tempfile
import threading
import time
import tty
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from hardware.line_stream import LineSplitter, LineWriter
from hardware.messages import (
    Answer,
    DeviceKind,
    DieState,
    DieStatus,
    Farewell,
    Hello,
    HostVerb,
    Line,
    Message,
    Order,
    Rolled,
    RotorState,
    RotorStatus,
    Turned,
)
from hardware.simulated.world import Impossible

HEARTBEAT_MS = 1000
HELLO_MS = 10_000
_REPEATS_MS = (0, 250, 1000)  # a result is said three times, so that one lost line loses nothing
_FIRMWARE = "0.1.0"


class Chip:
    """What every device does: HELLO at boot, heartbeats, answers. Times are ms of its own uptime."""

    kind: DeviceKind
    positions: int

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self._chance = Random(f"{name}/{seed}")
        self._due: list[tuple[int, Message | None]] = []
        self._heartbeat_ms = HEARTBEAT_MS
        self._was_heard = False
        self.boot_ms = 0
        self.reboot(0)

    def reboot(self, now_ms: int) -> None:
        """Start anew: another boot id, nothing remembered."""
        self.boot_ms = now_ms
        self.boot = f"{self._chance.randrange(1, 0x10000):04X}"
        self._writer = LineWriter(self.boot)
        self._was_heard = False
        self._due = []
        self.forget()
        self._say_later(now_ms, self.hello())
        self._next_beat_ms = now_ms + self._heartbeat_ms
        self._next_hello_ms = now_ms + HELLO_MS

    def forget(self) -> None:
        """Lose what only this run knew."""

    def hello(self) -> Hello:
        return Hello(self.kind, self.positions, self._heartbeat_ms, firmware=_FIRMWARE, hardware="simulated")

    def status(self) -> Message:
        raise NotImplementedError

    def passing(self, now_ms: int) -> None:
        """Let time pass: what becomes true now."""

    def heard(self, line: Line, now_ms: int) -> None:
        """Take in a line of the host."""
        if not isinstance(line.message, Order) or line.device not in ("*", self.name):
            return
        self._was_heard = True
        verb, is_ok = line.message.verb, True
        if verb is HostVerb.WHO:
            self._say_later(now_ms, self.hello())
        elif verb is HostVerb.STATE:
            self._say_later(now_ms, self.status())
        elif verb is HostVerb.CFG:
            is_ok = self._configure(line.message.fields)
        elif verb is HostVerb.ZERO:
            is_ok = self.zero()
        if line.device == self.name:
            self._say_later(now_ms, Answer(line.seq, is_ok))

    def zero(self) -> bool:
        """Call the present position zero; False if this device has none."""
        return False

    def _configure(self, fields: tuple[str, ...]) -> bool:
        said = dict(field.split("=", 1) for field in fields if "=" in field)
        beat = said.get("hb", str(self._heartbeat_ms))
        if not beat.isdigit() or not 50 <= int(beat) <= 60_000:
            return False
        self._heartbeat_ms = int(beat)
        return True

    def farewell(self, now_ms: int, reason: str = "sleep") -> None:
        self._say_later(now_ms, Farewell(reason))

    def _say_later(self, due_ms: int, message: Message | None) -> None:
        """Say a message at a time; None: the status as it is then."""
        self._due.append((due_ms, message))

    def _repeat(self, now_ms: int, message: Message) -> None:
        for after_ms in _REPEATS_MS:
            self._say_later(now_ms + after_ms, message)

    def says(self, now_ms: int) -> bytes:
        """Return the lines that are due now."""
        self.passing(now_ms)
        if now_ms >= self._next_beat_ms:
            self._next_beat_ms = now_ms + self._heartbeat_ms
            self._say_later(now_ms, None)
        if not self._was_heard and now_ms >= self._next_hello_ms:
            self._next_hello_ms = now_ms + HELLO_MS
            self._say_later(now_ms, self.hello())
        ready = [each for each in self._due if each[0] <= now_ms]
        self._due = [each for each in self._due if each[0] > now_ms]
        uptime_ms = now_ms - self.boot_ms
        lines = [
            self._writer.write(self.name, self.status() if message is None else message, uptime_ms=uptime_ms)
            for _, message in ready
        ]
        return b"".join(lines)


class DieChip(Chip):
    """A die of six faces."""

    kind = DeviceKind.DIE
    positions = 6

    def forget(self) -> None:
        self._state = DieState.FLAT
        self._roll = self._face = 0
        self._up = 5
        self._landing: tuple[int, int, int] | None = None

    def status(self) -> DieStatus:
        is_still = self._state is DieState.FLAT
        return DieStatus(
            self._state, self._roll, self._face, self._up if is_still else 0, 97 if is_still else 0, 84
        )

    def roll(self, face: int, now_ms: int, took_ms: int) -> None:
        """Begin a roll that will end on a face."""
        self._state = DieState.ROLLING
        self._landing = (now_ms + took_ms, face, took_ms)
        self._say_later(now_ms, None)

    def passing(self, now_ms: int) -> None:
        if self._landing is not None and now_ms >= self._landing[0]:
            _, face, took_ms = self._landing
            self._landing = None
            self._state = DieState.FLAT
            self._roll, self._face, self._up = self._roll + 1, face, face
            self._repeat(now_ms, Rolled(self._roll, face, 98, took_ms))
            self._say_later(now_ms, None)


class RotorChip(Chip):
    """A disc with four quarters."""

    kind = DeviceKind.ROTOR
    positions = 4

    def __init__(self, name: str, seed: int) -> None:
        self._quarter = 0
        super().__init__(name, seed)

    def forget(self) -> None:
        self._turn = self._net = 0
        self._arriving: tuple[int, int, int] | None = None

    def status(self) -> RotorStatus:
        if self._arriving is not None:
            angle = (self._quarter * 900 + 450 * (1 if self._arriving[1] > 0 else -1)) % 3600
            return RotorStatus(RotorState.MOVING, self._quarter, angle, self._turn, self._net)
        return RotorStatus(RotorState.LOCKED, self._quarter, self._quarter * 900, self._turn, self._net)

    def turn(self, delta: int, now_ms: int, took_ms: int) -> None:
        """Begin to turn by quarters, clockwise positive."""
        self._arrive(now_ms)  # a hand that turns on before the disc came to rest
        self._arriving = (now_ms + took_ms, delta, took_ms)
        self._say_later(now_ms, self.status())

    def zero(self) -> bool:
        self._quarter = 0
        return True

    def passing(self, now_ms: int) -> None:
        if self._arriving is not None and now_ms >= self._arriving[0]:
            self._arrive(now_ms)

    def _arrive(self, now_ms: int) -> None:
        if self._arriving is None:
            return
        _, delta, took_ms = self._arriving
        self._arriving = None
        start, self._quarter = self._quarter, (self._quarter + delta) % 4
        self._turn, self._net = self._turn + 1, self._net + delta
        self._repeat(now_ms, Turned(self._turn, start, self._quarter, delta, took_ms))
        self._say_later(now_ms, None)


class Plug:
    """A device's cable: a pseudo-terminal under a link that stays the same when it is replugged."""

    def __init__(self, link: Path, chip: Chip) -> None:
        self.link = link
        self.chip = chip
        self._began_s = time.monotonic()
        self._lock = threading.Lock()
        self._end = threading.Event()
        self._master: int | None = None
        self._splitter = LineSplitter()
        self.is_silent = False
        self._noise = b""
        self.plug_in()
        self._thread = threading.Thread(target=self._run, name=f"device {link.name}", daemon=True)
        self._thread.start()

    def now_ms(self) -> int:
        """Return the device's clock; it begins at 1, so that nothing is due before it."""
        return int((time.monotonic() - self._began_s) * 1000) + 1

    @property
    def is_plugged(self) -> bool:
        return self._master is not None

    def plug_in(self) -> None:
        """Plug the device in; it boots as real ones do."""
        with self._lock:
            if self._master is not None:
                return
            master, slave = os.openpty()
            tty.setraw(slave)
            os.set_blocking(master, False)
            port = os.ttyname(slave)
            os.close(slave)  # from now on the master hangs up while nobody has the port open
            self.link.unlink(missing_ok=True)
            self.link.symlink_to(port)
            self._splitter = LineSplitter()
            self.chip.reboot(self.now_ms())
            self._master = master

    def unplug(self) -> None:
        """Pull the cable: whoever has the port open loses it, and the link is gone."""
        with self._lock:
            if self._master is not None:
                self.link.unlink(missing_ok=True)
                os.close(self._master)
                self._master = None

    def reboot(self) -> None:
        with self._lock:
            self.chip.reboot(self.now_ms())

    def garble(self, length: int = 200) -> None:
        """Put bytes on the line that mean nothing."""
        with self._lock:
            self._noise = Random(length).randbytes(length)

    def close(self) -> None:
        self._end.set()
        self._thread.join(timeout=2.0)
        self.unplug()

    def _run(self) -> None:
        while not self._end.is_set():
            with self._lock:
                is_open = self._step()
            self._end.wait(0.01 if is_open else 0.05)

    def _step(self) -> bool:
        """Read and write once; tell whether somebody has the port open."""
        master = self._master
        if master is None:
            return False
        poll = select.poll()
        poll.register(master, select.POLLIN)
        events = dict(poll.poll(0)).get(master, 0)
        now_ms = self.now_ms()
        if events & select.POLLIN:
            for line in self._splitter.feed(_read(master)):
                self.chip.heard(line, now_ms)
        said = self.chip.says(now_ms)  # time passes for the chip, heard or not
        if events & select.POLLHUP:
            return False
        if self._noise:
            _write(master, self._noise)
            self._noise = b""
        if said and not self.is_silent:
            _write(master, said)
        return True


def _read(master: int) -> bytes:
    try:
        return os.read(master, 4096)
    except OSError:  # the host closed the port between the poll and now
        return b""


def _write(master: int, said: bytes) -> None:
    try:
        os.write(master, said)
    except OSError as error:  # a host that does not read loses lines, as on a real cable
        if error.errno not in (errno.EAGAIN, errno.EIO):
            raise


class Die:
    """The die as hands use it."""

    def __init__(self, plug: Plug, chip: DieChip, speed: float) -> None:
        self.plug = plug
        self._chip = chip
        self._took_ms = round(1200 / speed)

    def roll(self, face: int) -> None:
        """Roll; the die will say so when it lies still."""
        self._chip.roll(face, self.plug.now_ms(), self._took_ms)


class Rotor:
    """The sensor under the disc."""

    def __init__(self, plug: Plug, chip: RotorChip, speed: float) -> None:
        self.plug = plug
        self._chip = chip
        self._took_ms = round(1500 / speed)

    def turn(self, delta: int) -> None:
        """Turn the disc by quarters; the sensor will say so when it is at rest."""
        self._chip.turn(delta, self.plug.now_ms(), self._took_ms)


class Devices:
    """Both devices, their links in a folder of their own. ``close`` unplugs them and removes it."""

    def __init__(self, seed: int, speed: float) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="companion-table-")
        folder = Path(self._folder.name)
        die, rotor = DieChip("D-51B0D1", seed), RotorChip("R-51B0D2", seed)
        self.die = Die(Plug(folder / "die", die), die, speed)
        self.rotor = Rotor(Plug(folder / "rotor", rotor), rotor, speed)

    def listed(self) -> dict[str, dict[str, Any]]:
        """Return where the devices are, as JSON."""
        return {
            name: {"port": str(plug.link), "id": plug.chip.name, "plugged": plug.is_plugged}
            for name, plug in self._plugs().items()
        }

    def set_fault(self, device: str, fault: str) -> None:
        """Switch a fault on or off. Raises Impossible for what there is not."""
        plug = self._plugs().get(device)
        if plug is None:
            raise Impossible(f"There is no device {device!r}; there is die and rotor.")
        faults: Mapping[str, Any] = {
            "unplug": plug.unplug,
            "replug": plug.plug_in,
            "reboot": plug.reboot,
            "garbage": plug.garble,
            "bye": lambda: plug.chip.farewell(plug.now_ms()),
            "silence": lambda: setattr(plug, "is_silent", True),
            "speak": lambda: setattr(plug, "is_silent", False),
        }
        if fault not in faults:
            raise Impossible(f"There is no fault {fault!r}; there is {', '.join(faults)}.")
        faults[fault]()

    def close(self) -> None:
        for plug in self._plugs().values():
            plug.close()
        self._folder.cleanup()

    def _plugs(self) -> dict[str, Plug]:
        return {"die": self.die.plug, "rotor": self.rotor.plug}
