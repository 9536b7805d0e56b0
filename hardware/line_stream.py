"""Streams of TLP/1 lines: cutting bytes into lines, putting lines in order, writing them.

Pure but stateful: each object remembers a little of what went by, never more than a few
kilobytes. Imports ``hardware.line_protocol`` only.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from hardware.line_protocol import LINE_MAX_BYTES, RUN_MAX_BYTES, SEQ_RANGE, format_line, parse_line
from hardware.messages import Flaw, Hello, Line, Message, Rejected

CHATTER_LINES = 32
BOOTS_KEPT = 32  # of all devices on one port; a boot older than that would pass as new
DEVICES_KEPT = 16


class LineSplitter:
    """Cuts bytes, however they are chunked, into lines; keeps at most 160 bytes of a half line.

    ``feed(a) + feed(b)`` gives the same as ``feed(a + b)``. What is no line is counted by
    its flaw; lines without ``$`` (boot texts, chatter) are kept in ``chatter`` for people.
    """

    def __init__(self) -> None:
        self._tail = bytearray()
        self._is_overrun = False
        self._positions: OrderedDict[str, int] = OrderedDict()
        self._flaws: Counter[Flaw] = Counter()
        self.accepted = 0
        self.last_rejected: Rejected | None = None
        self.chatter: deque[str] = deque(maxlen=CHATTER_LINES)

    @property
    def flaws(self) -> Mapping[Flaw, int]:
        return MappingProxyType(self._flaws)

    @property
    def held_bytes(self) -> int:
        return len(self._tail)

    def feed(self, received: bytes) -> list[Line]:
        """Take in bytes and return the lines that they complete."""
        *whole, rest = received.split(b"\n")
        lines = []
        for part in whole:
            self._grow(part)
            if (line := self._finish()) is not None:
                lines.append(line)
        self._grow(rest)
        return lines

    def _grow(self, part: bytes) -> None:
        self._tail += part
        if len(self._tail) > RUN_MAX_BYTES:
            # The end of a long run may still be a whole line behind garbage without a newline.
            del self._tail[:-LINE_MAX_BYTES]
            if not self._is_overrun:
                self._is_overrun = True
                self._reject(Rejected(Flaw.OVERRUN, f"more than {RUN_MAX_BYTES} bytes without a newline"))

    def _finish(self) -> Line | None:
        was_overrun, self._is_overrun = self._is_overrun, False
        raw = bytes(self._tail[-LINE_MAX_BYTES:] if was_overrun else self._tail)
        self._tail.clear()
        if not raw.strip(b"\r"):
            return None  # a sender's extra newline
        read = parse_line(raw, positions=self._positions.get(_device_in(raw)))
        if isinstance(read, Line):
            self._learn(read)
            self.accepted += 1
            return read
        if read.flaw is Flaw.NO_START:
            self.chatter.append(raw.decode("ascii", "replace"))
        if not was_overrun:
            self._reject(read)
        return None

    def _reject(self, rejected: Rejected) -> None:
        self._flaws[rejected.flaw] += 1
        self.last_rejected = rejected

    def _learn(self, line: Line) -> None:
        if isinstance(line.message, Hello):
            self._positions[line.device] = line.message.positions
            if len(self._positions) > DEVICES_KEPT:
                self._positions.popitem(last=False)


def _device_in(raw: bytes) -> str:
    fields = raw.rpartition(b"$")[2].split(b",", 2)
    return fields[1].decode("ascii", "replace") if len(fields) > 1 else ""


@dataclass(frozen=True, slots=True)
class Fresh:
    """A line not seen before; ``missing`` lines were lost ahead of it. ``is_reboot``: a new boot began."""

    missing: int = 0
    is_reboot: bool = False


@dataclass(frozen=True, slots=True)
class Replayed:
    """A line equal to or behind one that was taken already; to be dropped."""


class LineOrder:
    """Tells fresh lines from replayed ones by (device, boot, seq), across wraps and reboots."""

    def __init__(self) -> None:
        self._last: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._boot: dict[str, str] = {}
        self.missing = 0
        self.replayed = 0

    def place(self, line: Line) -> Fresh | Replayed:
        """Return where a line stands among those before it, and remember it."""
        key = (line.device, line.boot)
        before = self._last.get(key)
        ahead = 1 if before is None else (line.seq - before) % SEQ_RANGE
        if not 0 < ahead < SEQ_RANGE // 2:
            self.replayed += 1
            return Replayed()
        self._last[key] = line.seq
        self._last.move_to_end(key)
        if len(self._last) > BOOTS_KEPT:
            (device, boot), _ = self._last.popitem(last=False)
            if self._boot.get(device) == boot:
                del self._boot[device]
        is_reboot = self._boot.get(line.device, line.boot) != line.boot
        self._boot[line.device] = line.boot
        self.missing += ahead - 1
        return Fresh(missing=ahead - 1, is_reboot=is_reboot)

    def forget_sequence(self) -> None:
        """Begin anew: after a port was closed, any number of lines may have gone by unheard."""
        self._last.clear()


class LineWriter:
    """Writes one sender's lines with rising numbers. ``boot`` names the run, 4 hex digits, not 0000."""

    def __init__(self, boot: str, *, first_seq: int = 0) -> None:
        self._boot = boot
        self._seq = first_seq % SEQ_RANGE

    @property
    def next_seq(self) -> int:
        """The number that the next line will have."""
        return self._seq

    def write(self, device: str, message: Message, *, uptime_ms: int) -> bytes:
        """Return the line for a message. Raises ValueError for what the protocol cannot carry."""
        raw = format_line(Line(device, self._boot, self._seq, uptime_ms % (1 << 32), message))
        self._seq = (self._seq + 1) % SEQ_RANGE
        return raw
