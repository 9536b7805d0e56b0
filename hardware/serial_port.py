"""A table device on a serial port: found, opened, lost and found again by one object.

No thread of its own: all happens inside ``read``, which never waits longer than it is told.
Known by the id in its lines, never by the port's name. Imports ``companion.ports`` and ``hardware``.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.ports import DeviceState, Need
from hardware.clock import monotonic_ms, pause
from hardware.contact import NEXT_SPEED_MS, READY_MS, Contact, Verdict, Wanted
from hardware.line_protocol import SPEEDS_BAUD
from hardware.line_stream import LineOrder, LineSplitter, LineWriter, Replayed
from hardware.messages import DeviceKind, Flaw, Line, Message, Order
from hardware.tty import AUTO, PortGone, PortUnusable, Tty, no_such_port, ports_matching

log = logging.getLogger(__name__)

LOOK_EVERY_MS = 200
FIRST_DELAY_MS = 200
NAMED_DELAY_MAX_MS = 3000
OTHER_DELAY_MAX_MS = 30_000  # somebody else's device is left in peace
QUARANTINE_MS = 30_000
SLICE_MS = 100  # how long close() may have to wait
QUIET_MS = 2000  # after that an extra newline ends what another may have left half written


@dataclass(frozen=True, slots=True)
class Heard:
    """A fresh line of the device, and when it came."""

    line: Line
    at_ms: int


@dataclass(frozen=True, slots=True)
class Link:
    """How the connection is, when that changed; ``detail`` says it in plain English."""

    state: DeviceState
    detail: str
    need: Need | None = None


class OpenPort(Protocol):
    """What ``Tty`` promises; tests in virtual time bring their own."""

    def read(self, *, timeout_ms: int) -> bytes: ...
    def write(self, line: bytes) -> bool: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class World:
    """Clock and ports, so that tests can bring theirs."""

    now_ms: Callable[[], int] = monotonic_ms
    pause: Callable[[int], None] = pause
    open_port: Callable[[str, int], OpenPort] = Tty
    ports: Callable[[str], Sequence[str]] = ports_matching


@dataclass(slots=True)
class _Door:
    """What we remember of a port: when to try it next, how patiently, at which speed."""

    next_ms: int
    delay_ms: int = FIRST_DELAY_MS
    speed: int = 0
    tried_speeds: int = 0


class SerialPort:
    """A die or rotor behind ``port``: a path, a pattern or ``auto``. Its first device is kept by id.

    ``order.missing``, ``unsent`` and ``splitter.flaws`` count what went wrong since the start.
    """

    def __init__(
        self, port: str, wanted: Wanted, *, speed_baud: int = SPEEDS_BAUD[0], world: World | None = None
    ) -> None:
        self._setting = port
        self._wanted = wanted
        self._speeds = (speed_baud, *(speed for speed in SPEEDS_BAUD if speed != speed_baud))
        self._world = world or World()
        self._doors: dict[str, _Door] = {}
        self._looked_ms: int | None = None
        self._path = ""
        self._tty: OpenPort | None = None
        self._contact: Contact | None = None
        self._out: deque[Heard | Link] = deque()
        self._link = Link(DeviceState.SEARCHING, "")
        self._was_live = False
        self._spoke_ms = 0
        self._writer = LineWriter(f"{secrets.randbelow(0xFFFF) + 1:04X}")
        self._lock = threading.Lock()
        self._is_closed = False
        self.splitter = LineSplitter()
        self.order = LineOrder()
        self.unsent = 0

    @property
    def device(self) -> str | None:
        """The id of the device that is wanted; None until the first one was heard."""
        return self._wanted.device

    def now_ms(self) -> int:
        """Return the time as this port sees it."""
        return self._world.now_ms()

    def read(self, *, timeout_ms: int) -> Heard | Link | None:
        """Wait for a line or for news of the connection; None when nothing came in time."""
        deadline_ms = self._world.now_ms() + max(0, timeout_ms)
        while not self._is_closed:
            with self._lock:
                if self._out:
                    return self._out.popleft()
                left_ms = deadline_ms - self._world.now_ms()
                if not self._is_closed:
                    self._tend(max(0, min(left_ms, SLICE_MS)))
                if self._out:
                    return self._out.popleft()
            if self._world.now_ms() >= deadline_ms:
                return None
        return None

    def tell(self, device: str, order: Order) -> int | None:
        """Say something to a device, from whatever thread; a port that is lost meanwhile loses it.

        Returns the number that the device will answer to, None where nobody is there.
        """
        with self._lock:
            if self._tty is None:
                return None
            seq = self._writer.next_seq
            self._write(self._tty, device, order, self._world.now_ms())
            return seq

    def close(self) -> None:
        """Close the port, from whatever thread; a ``read`` under way ends within 0.1 s."""
        self._is_closed = True
        with self._lock:
            self._shut()

    # -- without a port --------------------------------------------------------------------

    def _tend(self, wait_ms: int) -> None:
        if self._tty is not None:
            self._listen(self._tty, wait_ms)
            return
        now_ms = self._world.now_ms()
        if self._looked_ms is None or now_ms - self._looked_ms >= LOOK_EVERY_MS:
            self._looked_ms = now_ms
            self._look(now_ms)
        due = [path for path, door in self._doors.items() if door.next_ms <= now_ms]
        if due:
            self._open(min(due, key=lambda path: self._doors[path].next_ms), now_ms)
        elif wait_ms:
            self._world.pause(wait_ms)

    def _look(self, now_ms: int) -> None:
        """See which ports are there; one that just came is tried at once."""
        there = list(self._world.ports(self._setting))
        if self._wanted.device is not None and self._setting != AUTO:
            there += [path for path in self._world.ports(AUTO) if path not in there]
        self._doors = {path: self._doors.get(path, _Door(now_ms)) for path in there}
        if not self._is_wanted_there():
            self._say(no_such_port(self._setting))

    def _open(self, path: str, now_ms: int) -> None:
        speed = self._speeds[self._doors[path].speed]
        try:
            self._tty = self._world.open_port(path, speed)
        except PortUnusable as unusable:
            self._put_off(path)
            if self._is_wanted_there(path):
                self._say(str(unusable), need=unusable.need)
            return
        ready_ms = READY_MS if self._doors[path].tried_speeds == 0 else NEXT_SPEED_MS
        self._path = path
        self._contact = Contact(self._wanted, opened_ms=now_ms, ready_ms=ready_ms)
        self._spoke_ms = now_ms - QUIET_MS
        self.order.forget_sequence()
        self.splitter.last_rejected = None
        self.splitter.feed(b"\n")  # half a line of the last connection is not continued
        log.debug("%s: opened at %d baud", path, speed)

    def _is_wanted_there(self, path: str | None = None) -> bool:
        """Tell whether the port of the settings is there, or a port is one of those."""
        ports = self._world.ports(self._setting)
        return bool(ports) if path is None else path in ports

    def _put_off(self, path: str, *, at_least_ms: int = 0) -> None:
        door = self._doors.setdefault(path, _Door(0))
        door.next_ms = self._world.now_ms() + max(door.delay_ms, at_least_ms)
        most_ms = NAMED_DELAY_MAX_MS if path == self._setting else OTHER_DELAY_MAX_MS
        door.delay_ms = min(2 * door.delay_ms, most_ms)

    # -- with a port -----------------------------------------------------------------------

    def _listen(self, tty: OpenPort, wait_ms: int) -> None:
        contact = self._contact
        assert contact is not None
        try:
            self._speak(tty, contact)
            received = tty.read(timeout_ms=wait_ms)
        except PortGone as gone:
            log.debug("%s: %s", self._path, gone)
            self._lose(f"The {self._kind} on {self._path} went away; plug it in again.")
            return
        now_ms = self._world.now_ms()
        if received:
            contact.receive(len(received), now_ms)
            for line in self.splitter.feed(received):
                self._take(line, contact, now_ms)
        self._judge(contact, now_ms)

    def _take(self, line: Line, contact: Contact, now_ms: int) -> None:
        if contact is not self._contact or isinstance(line.message, Order):
            return  # given up half-way through what came, or our own words echoed
        placed = self.order.place(line)
        if isinstance(placed, Replayed) or not contact.hear(line, now_ms):
            return
        if self._wanted.device is None:
            self._wanted = Wanted(self._wanted.kind, line.device)
        if placed.missing:
            contact.miss_lines()
        self._judge(contact, now_ms)
        self._out.append(Heard(line, now_ms))

    def _speak(self, tty: OpenPort, contact: Contact) -> None:
        now_ms = self._world.now_ms()
        for device, message in contact.due(now_ms):
            self._write(tty, device, message, now_ms)

    def _write(self, tty: OpenPort, device: str, message: Message, now_ms: int) -> None:
        line = self._writer.write(device, message, uptime_ms=now_ms)
        if now_ms - self._spoke_ms >= QUIET_MS:
            line = b"\n" + line
        self._spoke_ms = now_ms
        if not tty.write(line):
            self.unsent += 1  # a device that does not read must not stop us from hearing it

    def _judge(self, contact: Contact, now_ms: int) -> None:
        if contact is not self._contact:
            return
        verdict = contact.verdict(now_ms)
        match verdict:
            case Verdict.WAITING:
                return
            case Verdict.LIVE:
                self._be_live(contact)
            case Verdict.STALE:
                self._say(f"Nothing heard from {contact.device} on {self._path}.", DeviceState.STALE)
            case Verdict.ASLEEP:
                why = {
                    "sleep": "went to sleep; pick it up to wake it",
                    "lowbat": "has an empty battery; charge it",
                }
                said = why.get(contact.farewell, f"said goodbye ({contact.farewell})")
                need = Need.EMPTY if contact.farewell == "lowbat" else Need.ASLEEP
                self._say(f"{contact.device} {said}.", DeviceState.STALE, need)
            case Verdict.LOST:
                self._lose(
                    f"{contact.device} on {self._path} has been silent too long; the port is opened anew."
                )
            case Verdict.FLOOD:
                self._shut()
                self._put_off(self._path, at_least_ms=QUARANTINE_MS)
                self._say(
                    f"{self._path} is flooded with more than any device says; closed for "
                    f"{QUARANTINE_MS // 1000} s. Check what is plugged in there.",
                    DeviceState.FAULT,
                )
            case Verdict.SILENT | Verdict.WRONG_SPEED | Verdict.STRANGER:
                self._turn_away(contact, verdict)

    def _be_live(self, contact: Contact) -> None:
        door = self._doors.setdefault(self._path, _Door(0))
        door.delay_ms, door.tried_speeds = FIRST_DELAY_MS, 0
        self._was_live = True
        speed = "" if door.speed == 0 else f" at {self._speeds[door.speed]} baud"
        ignored = self._ignored()
        self._say(
            f"{contact.device} on {self._path}{speed}{ignored and '; ignored: '}{ignored}", DeviceState.LIVE
        )

    def _turn_away(self, contact: Contact, verdict: Verdict) -> None:
        """Close a port that did not show the wanted device, and say what was there instead."""
        door, path = self._doors.setdefault(self._path, _Door(0)), self._path
        state, need = DeviceState.LOST if self._was_live else DeviceState.SEARCHING, None
        ignored = self._ignored()
        self._shut()
        if verdict is Verdict.WRONG_SPEED and ignored:
            said = f"{path} says what this companion does not know: {ignored}."
        elif verdict is Verdict.WRONG_SPEED and door.tried_speeds < len(self._speeds) - 1:
            door.speed = (door.speed + 1) % len(self._speeds)
            door.tried_speeds += 1
            door.next_ms = self._world.now_ms()
            if self._is_wanted_there(path):
                tried = f"{self._speeds[door.speed]} baud is tried"
                self._say(f"{path} sends no lines at this speed; {tried}.", state)
            return
        elif verdict is Verdict.WRONG_SPEED:
            door.speed, door.tried_speeds = 0, 0
            said = f"{path} is not a table device: what it sends is no TLP/1 at any speed."
        elif verdict is Verdict.SILENT:
            said = f"{path} is not a table device: nothing answers there."
        else:
            said = f"On {path} is {contact.stranger}, not {self._name}."
            if path == self._setting and self._wanted.device is not None:
                said += f' Plug {self._wanted.device} in, or set id = "{contact.stranger}".'
                state, need = DeviceState.FAULT, Need.ANOTHER
        self._put_off(path)
        if self._is_wanted_there(path):
            self._say(said, state, need)

    def _ignored(self) -> str:
        """Return why a HELLO or a whole protocol is not understood, empty if none came."""
        rejected = self.splitter.last_rejected
        if rejected is None or rejected.flaw not in (Flaw.NEWER_VERSION, Flaw.UNKNOWN_KIND):
            return ""
        return rejected.detail

    @property
    def _kind(self) -> str:
        names = {DeviceKind.DIE: "die", DeviceKind.ROTOR: "board sensor", None: "device"}
        return names[self._wanted.kind]

    @property
    def _name(self) -> str:
        return self._wanted.device or f"a {self._kind}"

    def _lose(self, detail: str) -> None:
        self._shut()
        self._put_off(self._path)
        self._looked_ms = None
        self._say(detail, DeviceState.LOST if self._was_live else DeviceState.SEARCHING)

    def _shut(self) -> None:
        if self._tty is not None:
            self._tty.close()
        self._tty = self._contact = None

    def _say(self, detail: str, state: DeviceState | None = None, need: Need | None = None) -> None:
        """Tell news of the connection, if they are news."""
        link = Link(state or (DeviceState.LOST if self._was_live else DeviceState.SEARCHING), detail, need)
        if link != self._link:
            self._link = link
            self._out.append(link)
