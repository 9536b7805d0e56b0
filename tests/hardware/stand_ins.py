"""Devices on pseudo-terminals and in virtual time, for tests of the drivers."""

from __future__ import annotations

import contextlib
import os
import select
import termios
import tty as terminal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hardware.clock import monotonic_ms, pause
from hardware.line_protocol import EVERYONE, parse_line
from hardware.line_stream import LineWriter
from hardware.messages import (
    Answer,
    DeviceKind,
    DieState,
    DieStatus,
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
from hardware.serial_port import World
from hardware.tty import ports_matching

DEADLINE_MS = 10_000


class SkippingClock:
    """The real clock, which a test may put forward."""

    def __init__(self) -> None:
        self.skipped_ms = 0

    def now_ms(self) -> int:
        return monotonic_ms() + self.skipped_ms

    def skip(self, skip_ms: int) -> None:
        self.skipped_ms += skip_ms

    def world(self, others: Sequence[str] = ()) -> World:
        """Return a world with this clock, whose ``auto`` finds the ports given, if they are there."""

        def ports(wanted: str) -> Sequence[str]:
            return (
                [port for port in others if Path(port).exists()]
                if wanted == "auto"
                else ports_matching(wanted)
            )

        return World(now_ms=self.now_ms, ports=ports)


class Desk:
    """Where devices are plugged in: a link to a pseudo-terminal stands for a port's name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._terminals: list[int] = []

    def close(self) -> None:
        for file in self._terminals:
            with contextlib.suppress(OSError):
                os.close(file)

    def port(self, name: str = "ttyACM0") -> str:
        return str(self.folder / name)

    def plug_in(self, name: str = "ttyACM0") -> Cable:
        master, slave = os.openpty()
        terminal.setraw(slave)
        os.set_blocking(master, False)
        self._terminals += [master, slave]
        link = self.folder / name
        link.unlink(missing_ok=True)
        link.symlink_to(os.ttyname(slave))
        return Cable(link, master, slave)


class Cable:
    """One plugged-in device's end of a pseudo-terminal."""

    def __init__(self, link: Path, master: int, slave: int) -> None:
        self.link, self._master, self._slave = link, master, slave
        self._received = b""

    def unplug(self) -> None:
        self.link.unlink(missing_ok=True)
        for file in (self._master, self._slave):
            with contextlib.suppress(OSError):
                os.close(file)

    def speed_baud(self) -> int:
        """Return the speed that the host has set."""
        code = termios.tcgetattr(self._slave)[4]
        return next(
            int(name[1:]) for name in dir(termios) if name[1:].isdigit() and getattr(termios, name) == code
        )

    def write(self, raw: bytes) -> None:
        rest = memoryview(raw)
        while rest:
            select.select([], [self._master], [], 5)
            rest = rest[os.write(self._master, rest) :]

    def received(self) -> bytes:
        """Return the bytes that the host has sent since the last time."""
        with contextlib.suppress(OSError):
            return os.read(self._master, 4096)
        return b""

    def lines(self) -> list[Line]:
        """Return what the host has said since the last time."""
        with contextlib.suppress(OSError):
            while more := os.read(self._master, 4096):
                self._received += more
        *whole, self._received = self._received.split(b"\n")
        return [line for raw in whole if isinstance(line := parse_line(raw), Line)]


class StandIn:
    """A die or rotor that behaves: HELLO on WHO, ACK on PING, its status on STATE and when told to beat."""

    def __init__(self, device: str, boot: str = "9C21") -> None:
        self.device, self.cable = device, None
        self.is_mute = False
        self.hello = Hello(DeviceKind.DIE, 6) if device[0] == "D" else Hello(DeviceKind.ROTOR, 4)
        self.heard: list[Line] = []
        self.reboot(boot)

    def reboot(self, boot: str) -> None:
        self.boot, self.uptime_ms = boot, 0
        self.writer = LineWriter(boot)
        self.status: DieStatus | RotorStatus = (
            DieStatus(DieState.FLAT, 0, 0, 5, 97, 84)
            if self.device[0] == "D"
            else RotorStatus(RotorState.LOCKED, 0, 0, 0, 0)
        )

    def on(self, cable: Cable) -> Any:
        self.cable = cable
        return self

    def line(self, message: Message) -> bytes:
        self.uptime_ms += 10
        return self.writer.write(self.device, message, uptime_ms=self.uptime_ms)

    def say(self, *messages: Message) -> None:
        if not self.is_mute:
            self.cable.write(b"".join(self.line(message) for message in messages))

    def beat(self) -> None:
        self.say(self.status)

    def serve(self) -> None:
        """Answer what the host has said."""
        for line in self.cable.lines():
            self.heard.append(line)
            if isinstance(line.message, Order) and line.device in (EVERYONE, self.device):
                match line.message.verb:
                    case HostVerb.WHO:
                        self.say(self.hello, self.status)
                    case HostVerb.STATE:
                        self.beat()
                    case HostVerb.PING:
                        self.say(Answer(line.seq, True))

    # -- what a die does

    def become(self, state: DieState, *, up: int = 0) -> None:
        old = self.status
        self.status = DieStatus(state, old.roll, old.face, up, 98, old.battery_percent)
        self.beat()

    def roll(self, face: int, *, is_lost: bool = False) -> None:
        """Roll a face, said as a good die says it; ``is_lost``: only the heartbeat tells."""
        self.become(DieState.ROLLING)
        self.become(DieState.SETTLING)
        old = self.status
        self.status = DieStatus(DieState.FLAT, old.roll + 1, face, face, 98, old.battery_percent)
        rolled = [Rolled(old.roll + 1, face, 98, 900)] * 3
        lines = [self.line(message) for message in rolled]
        if not is_lost:
            self.cable.write(b"".join(lines))
        self.beat()

    # -- what a rotor does

    def turn(self, delta: int, *, is_lost: bool = False) -> None:
        """Turn by quarters, said as a good rotor says it."""
        old = self.status
        self.status = RotorStatus(RotorState.MOVING, old.quarter, 455, old.turn, old.net_quarters)
        self.beat()
        to = (old.quarter + delta) % 4
        self.status = RotorStatus(RotorState.LOCKED, to, to * 900, old.turn + 1, old.net_quarters + delta)
        lines = [self.line(Turned(old.turn + 1, old.quarter, to, delta, 900)) for _ in range(3)]
        if not is_lost:
            self.cable.write(b"".join(lines))
        self.beat()


def everything(device: Any, *stand_ins: StandIn, until: Callable[[Any], bool]) -> list[Any]:
    """Read a driver, its devices answering in between, until it says what is waited for."""
    said = []
    end_ms = monotonic_ms() + DEADLINE_MS
    while monotonic_ms() < end_ms:
        for stand_in in stand_ins:
            stand_in.serve()
        heard = device.read(timeout_ms=20)
        if heard is not None:
            said.append(heard)
            if until(heard):
                return said
    raise AssertionError(f"Waited {DEADLINE_MS} ms; all that was said is {said}.")


def the_rest(device: Any, *stand_ins: StandIn) -> list[Any]:
    """Return what is still to be said: until a mark, sent last on the same wire, has gone through."""
    said = []
    for stand_in in stand_ins:
        stand_in.serve()
    while (heard := device.read(timeout_ms=60)) is not None:
        said.append(heard)
    return said


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for something that another thread does."""
    end_ms = monotonic_ms() + DEADLINE_MS
    while not is_so():
        if monotonic_ms() > end_ms:
            raise AssertionError(f"Waited {DEADLINE_MS} ms in vain.")
        pause(1)
