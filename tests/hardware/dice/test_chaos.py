"""The chaos run of hardware.md 2.3: bad channels, virtual time; no roll is ever wrong."""

from dataclasses import dataclass
from random import Random

import pytest

from companion.ports import DieRoll
from hardware.dice.serial_die import open_die
from hardware.line_stream import LineWriter
from hardware.messages import DeviceKind, DieState, DieStatus, Hello, Message, Rolled
from tests.hardware.stand_ins import VirtualClock, VirtualPort, virtual_world

RUN_MS, TICK_MS = 400_000, 50
DRAIN_MS = 12_000  # at the end the channel is clean, so that the last roll can arrive


@dataclass(frozen=True, slots=True)
class Channel:
    """How bad a channel is: shares of bytes damaged, of ticks with garbage or a replay or a reboot."""

    damaged: float = 0.0
    garbage: float = 0.0
    replays: float = 0.0
    reboots: float = 0.0
    may_miss: bool = False


CHANNELS = {
    "clean": Channel(),
    "0.025%": Channel(damaged=0.00025),
    "0.2%-garbage-replays": Channel(damaged=0.002, garbage=0.02, replays=0.02),
    "1%-garbage-replays": Channel(damaged=0.01, garbage=0.1, replays=0.05, may_miss=True),
    "0.05%-reboots": Channel(damaged=0.0005, reboots=0.002),
}


class ChaoticDie:
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
        self._sent = [*self._sent[-20:], line]
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


def played(device: str, channel: Channel, seed: int) -> tuple[ChaoticDie, list[DieRoll]]:
    clock = VirtualClock()
    chaotic = ChaoticDie(device, channel, Random(seed))
    waiting = bytearray()

    def in_chunks(now_ms: int) -> bytes:
        if not waiting:
            clock.pause(TICK_MS)
            waiting.extend(chaotic.says(now_ms))
        chunk = bytes(waiting[:20])
        del waiting[:20]
        return chunk

    world = virtual_world(clock, lambda path, speed: VirtualPort(clock, in_chunks), ["/dev/ttyACM0"])
    die = open_die("die", {"port": "/dev/ttyACM0", "id": device}, world=world)
    rolls = []
    while clock.ms < RUN_MS + DRAIN_MS:
        said = die.read(timeout_ms=1000)
        if isinstance(said, DieRoll):
            rolls.append(said)
    return chaotic, rolls


@pytest.mark.parametrize("channel", CHANNELS.values(), ids=CHANNELS)
def test_no_roll_is_ever_wrong_or_told_twice_and_none_is_missed_on_a_bearable_channel(channel):
    for number, device in enumerate(("D-7F3A1C", "D-0BADBAD0")):
        die, rolls = played(device, channel, seed=2026 + number)
        told = {(roll.boot, roll.roll): roll.face for roll in rolls}
        truth = {name: face for name, (face, _) in die.truth.items()}
        assert len(told) == len(rolls)
        assert told.items() <= truth.items()
        assert len(truth) > 40
        if not channel.may_miss:
            assert told == truth


def test_on_the_worst_channel_nine_rolls_in_ten_still_arrive():
    die, rolls = played("D-7F3A1C", CHANNELS["1%-garbage-replays"], seed=7)
    assert len(rolls) >= 0.9 * len(die.truth)
