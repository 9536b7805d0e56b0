"""A die and a rotor in software: what their chips say in TLP/1, and when. Values and due times, no waiting.

``devices`` puts each on a pseudo-terminal. What the firmware of real ones says is in ``hardware/firmware``.
"""

from __future__ import annotations

from random import Random

from hardware.line_stream import LineWriter
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
