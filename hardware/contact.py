"""What is known of the device behind one open port: is it ours, does it live, what to tell it.

Pure: every method takes the time. Imports ``hardware.messages`` only; ``serial_port`` does
the waiting. Times are milliseconds of a monotonic clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from hardware.line_protocol import EVERYONE
from hardware.messages import DeviceKind, Farewell, Hello, HostVerb, Line, Message, Order

READY_MS = 3000  # boot loaders and ROM texts come first
NEXT_SPEED_MS = 2200  # two heartbeats must have come
WHO_EVERY_MS = 2000
PING_EVERY_MS = 5000
STATE_AT_MOST_EVERY_MS = 1000
LOST_AFTER_MS = 10_000
NOISE_BYTES = 8  # fewer prove nothing about the speed
FLOOD_BYTES_PER_S = 6000  # twice what 20 of the longest lines a second need
FLOOD_LINES_PER_S = 100
FLOOD_S = 5
SHORTEST_HEARTBEAT_MS = 100


class Verdict(Enum):
    """What to make of an open port."""

    WAITING = auto()  # nothing known yet
    LIVE = auto()
    STALE = auto()
    ASLEEP = auto()  # said BYE
    LOST = auto()
    SILENT = auto()  # opened, and nobody speaks
    WRONG_SPEED = auto()  # bytes, no lines
    STRANGER = auto()  # a table device, not the one wanted
    FLOOD = auto()


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which device: of a kind, and of an id. None leaves it open."""

    kind: DeviceKind | None
    device: str | None = None

    def is_met_by(self, device: str) -> bool:
        if self.device is not None:
            return device == self.device
        return self.kind is None or device.startswith("D" if self.kind is DeviceKind.DIE else "R")


class Contact:
    """The device behind a port that was opened at ``opened_ms``."""

    def __init__(self, wanted: Wanted, *, opened_ms: int, ready_ms: int = READY_MS) -> None:
        self._wanted = wanted
        self._opened_ms = opened_ms
        self._ready_ms = ready_ms
        self._who_ms: int | None = None
        self._ping_ms = opened_ms
        self._state_ms = opened_ms - STATE_AT_MOST_EVERY_MS
        self._heard_ms: int | None = None
        self._heartbeat_ms = 1000
        self._has_hello = False
        self._lacks_lines = False
        self._bytes = 0
        self._second, self._bytes_now, self._lines_now, self._flooded_s = 0, 0, 0, 0
        self.device: str | None = None
        self.farewell = ""
        self.stranger: str | None = None

    def receive(self, bytes_count: int, now_ms: int) -> None:
        """Note that bytes came, whatever they say."""
        self._bytes += bytes_count
        self._tick(now_ms)
        self._bytes_now += bytes_count

    def hear(self, line: Line, now_ms: int) -> bool:
        """Take in a fresh line; True if it is from the device that is wanted."""
        self._lines_now += 1
        if not self._wanted.is_met_by(line.device) or self.device not in (None, line.device):
            self.stranger = line.device
            return False
        self.device = line.device
        self._heard_ms = now_ms
        self.farewell = line.message.reason if isinstance(line.message, Farewell) else ""
        if isinstance(line.message, Hello):
            self._has_hello = True
            self._heartbeat_ms = max(line.message.heartbeat_ms, SHORTEST_HEARTBEAT_MS)
        return True

    def miss_lines(self) -> None:
        """Note that lines were lost on the way: the device is asked how it is."""
        self._lacks_lines = True

    def due(self, now_ms: int) -> Sequence[tuple[str, Message]]:
        """Return what to say now, to whom; asking counts as saying it."""
        due: list[tuple[str, Message]] = []
        if not self._has_hello and (self._who_ms is None or now_ms - self._who_ms >= WHO_EVERY_MS):
            self._who_ms = now_ms
            due.append((EVERYONE, Order(HostVerb.WHO)))
        if self.device is not None and now_ms - self._ping_ms >= PING_EVERY_MS:
            self._ping_ms = now_ms
            due.append((self.device, Order(HostVerb.PING)))
        if (
            self.device is not None
            and self._lacks_lines
            and now_ms - self._state_ms >= STATE_AT_MOST_EVERY_MS
        ):
            self._state_ms, self._lacks_lines = now_ms, False
            due.append((self.device, Order(HostVerb.STATE)))
        return due

    def verdict(self, now_ms: int) -> Verdict:
        """Say how things stand. Live is a valid line within three heartbeats, and nothing else."""
        self._tick(now_ms)
        if self._flooded_s >= FLOOD_S:
            return Verdict.FLOOD
        if self._heard_ms is None:
            return self._before_the_first_line(now_ms)
        silent_ms = now_ms - self._heard_ms
        if self.farewell:
            return Verdict.ASLEEP
        if silent_ms <= 3 * self._heartbeat_ms:
            return Verdict.LIVE
        return Verdict.STALE if silent_ms < max(LOST_AFTER_MS, 4 * self._heartbeat_ms) else Verdict.LOST

    def _before_the_first_line(self, now_ms: int) -> Verdict:
        if self.stranger is not None:
            return Verdict.STRANGER
        if now_ms - self._opened_ms < self._ready_ms or self._flooded_s:
            return Verdict.WAITING
        return Verdict.WRONG_SPEED if self._bytes >= NOISE_BYTES else Verdict.SILENT

    def _tick(self, now_ms: int) -> None:
        """Close the second that is over: was it a flood?"""
        second = (now_ms - self._opened_ms) // 1000
        if second == self._second:
            return
        is_flood = self._bytes_now > FLOOD_BYTES_PER_S or self._lines_now > FLOOD_LINES_PER_S
        self._flooded_s = self._flooded_s + 1 if is_flood and second == self._second + 1 else int(is_flood)
        self._second, self._bytes_now, self._lines_now = second, 0, 0
