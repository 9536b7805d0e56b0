"""A die behind a bad cable, in virtual time: what it rolled, and what the driver made of it.

The die rolls every few seconds and says each roll once only; the cable drops and flips bytes,
puts in garbage, says old lines again, and the die may boot in between. Same seed, same evening.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from companion.ports import DieRoll
from hardware.dice.serial_die import open_die
from hardware.line_stream import LineWriter
from hardware.messages import DeviceKind, DieState, DieStatus, Hello, Message, Rolled
from hardware.simulated.virtual_time import VirtualClock, VirtualPort, virtual_world

RUN_MS, TICK_MS = 400_000, 50
DRAIN_MS = 12_000  # at the end the cable is clean, so that the last roll can arrive
CHUNK_BYTES = 20
KEPT_LINES = 20
PORT = "/dev/ttyACM0"


@dataclass(frozen=True, slots=True)
class Channel:
    """How bad a cable is: shares of bytes damaged, of ticks with garbage or a replay or a reboot.

    ``may_miss``: so bad that a roll may be overtaken by the next before any heartbeat gets through.
    """

    damaged: float = 0.0
    garbage: float = 0.0
    replays: float = 0.0
    reboots: float = 0.0
    may_miss: bool = False


CHANNELS: Mapping[str, Channel] = {
    "clean": Channel(),
    "0.025 % of bytes damaged": Channel(damaged=0.00025),
    "0.2 % damaged, garbage, replays": Channel(damaged=0.002, garbage=0.02, replays=0.02),
    "1 % damaged, much garbage, replays": Channel(damaged=0.01, garbage=0.1, replays=0.05, may_miss=True),
    "0.05 % damaged, reboots": Channel(damaged=0.0005, reboots=0.002),
}


@dataclass(frozen=True, slots=True)
class RoughRun:
    """What was rolled, what of it was told, and how late. All by name (boot, roll)."""

    rolled: Mapping[tuple[str, int], int]
    told: tuple[DieRoll, ...]
    late_ms: tuple[int, ...]
    damaged_lines: int

    @property
    def wrong(self) -> int:
        """Rolls told with another face than was rolled, that never were, or told twice."""
        names = {(roll.boot, roll.roll) for roll in self.told}
        false = [roll for roll in self.told if self.rolled.get((roll.boot, roll.roll)) != roll.face]
        return len(false) + len(self.told) - len(names)

    @property
    def missed(self) -> int:
        return len(self.rolled.keys() - {(roll.boot, roll.roll) for roll in self.told})


class RoughDie:
    """A die that rolls every few seconds, says each roll once, and what truly happened in ``truth``."""

    def __init__(self, device: str, channel: Channel, chance: Random) -> None:
        self._device, self._channel, self._chance = device, channel, chance
        self._sent: list[bytes] = []
        self.truth: dict[tuple[str, int], tuple[int, int]] = {}
        self._boot(0)

    def _boot(self, now_ms: int) -> bytes:
        self.boot = f"{self._chance.randrange(1, 65536):04X}"
        self._booted_ms = now_ms
        self._writer = LineWriter(self.boot)
        self._roll = self._face = 0
        self._state, self._next_ms, self._beat_ms = DieState.FLAT, now_ms + 3000, now_ms
        hello = self._line(Hello(DeviceKind.DIE, 6), now_ms)
        return b"ets Jul 29 2019 12:21:46\r\n$rst:0x1 \x00\xff\x80\r\n" + hello

    def _line(self, message: Message, now_ms: int) -> bytes:
        line = self._writer.write(self._device, message, uptime_ms=now_ms - self._booted_ms)
        self._sent = [*self._sent[-KEPT_LINES:], line]
        return line

    def says(self, now_ms: int) -> bytes:
        """Return what reaches the host in this tick, as damaged as the channel makes it."""
        is_draining = now_ms > RUN_MS
        said = b""
        settled_long_ago = self._state is DieState.FLAT and self._next_ms - now_ms < 2000
        if not is_draining and settled_long_ago and self._chance.random() < self._channel.reboots:
            # Not within seconds of a roll: what a rebooted die has forgotten nobody can heal.
            said += self._boot(now_ms)
        if now_ms >= self._next_ms and not (is_draining and self._state is DieState.FLAT):
            said += self._step(now_ms)
        if now_ms >= self._beat_ms:
            self._beat_ms = now_ms + 1000
            up = self._face if self._state is DieState.FLAT else 0
            said += self._line(DieStatus(self._state, self._roll, self._face, up, 95, 80), now_ms)
        return said if is_draining else self._damage(said)

    def _step(self, now_ms: int) -> bytes:
        self._beat_ms = now_ms  # every change is said at once
        if self._state is DieState.FLAT:
            self._state, self._next_ms = DieState.ROLLING, now_ms + self._chance.randrange(600, 2000)
            return b""
        self._roll, self._face = self._roll + 1, self._chance.randint(1, 6)
        self._state, self._next_ms = DieState.FLAT, now_ms + self._chance.randrange(4000, 9000)
        self.truth[self.boot, self._roll] = (self._face, now_ms)
        return self._line(Rolled(self._roll, self._face, 95, 1000), now_ms)

    def _damage(self, said: bytes) -> bytes:
        chance, channel = self._chance, self._channel
        if chance.random() < channel.replays and self._sent:
            said += b"".join(chance.choices(self._sent, k=3))
        if chance.random() < channel.garbage:
            cut = chance.randrange(len(said) + 1)
            said = said[:cut] + chance.randbytes(chance.randrange(1, 60)) + said[cut:]
        damaged = bytearray()
        for byte in said:
            fate = chance.random() / channel.damaged if channel.damaged else 1.0
            if fate < 0.5:
                continue
            damaged.append(byte ^ 1 << chance.randrange(8) if fate < 1.0 else byte)
        return bytes(damaged)


def played(device: str, channel: Channel, seed: int | str) -> RoughRun:
    """Let a die roll for 400 s behind a cable, and the real driver listen."""
    clock = VirtualClock()
    die = RoughDie(device, channel, Random(seed))
    waiting = bytearray()

    def in_chunks(now_ms: int) -> bytes:
        if not waiting:
            clock.pause(TICK_MS)
            waiting.extend(die.says(now_ms))
        chunk = bytes(waiting[:CHUNK_BYTES])
        del waiting[:CHUNK_BYTES]
        return chunk

    world = virtual_world(clock, lambda path, speed: VirtualPort(clock, in_chunks), [PORT])
    driver = open_die("die", {"port": PORT, "id": device}, world=world)
    told = []
    while clock.ms < RUN_MS + DRAIN_MS:
        said = driver.read(timeout_ms=1000)
        if isinstance(said, DieRoll):
            told.append(said)
    late_ms = (
        roll.at_ms - die.truth[roll.boot, roll.roll][1]
        for roll in told
        if (roll.boot, roll.roll) in die.truth
    )
    rolled = {name: face for name, (face, _) in die.truth.items()}
    return RoughRun(rolled, tuple(told), tuple(late_ms), driver.spoilt_lines)
