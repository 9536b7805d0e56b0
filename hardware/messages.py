"""What dice, rotors and the host say to one another: the messages of TLP/1 as values.

Pure, standard library only. How they are written on the wire is ``line_protocol``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class DeviceKind(StrEnum):
    DIE = "die"
    ROTOR = "rotor"


class DieState(StrEnum):
    UNKNOWN = "U"
    HANDLED = "H"
    ROLLING = "R"
    SETTLING = "S"
    FLAT = "F"
    COCKED = "C"
    FAULT = "E"


class RotorState(StrEnum):
    LOCKED = "L"  # in a detent
    MOVING = "M"
    BETWEEN = "X"  # at rest between detents
    FAULT = "E"


class Magnet(IntEnum):
    WEAK = 0  # or none
    GOOD = 1
    STRONG = 2


class HostVerb(StrEnum):
    WHO = "WHO"
    STATE = "STATE"
    CFG = "CFG"
    ZERO = "ZERO"
    LED = "LED"
    PING = "PING"


@dataclass(frozen=True, slots=True)
class Hello:
    """Who a device is. ``positions`` are the faces of a die or the quarters of a rotor."""

    kind: DeviceKind
    positions: int
    heartbeat_ms: int = 1000
    firmware: str = ""
    hardware: str = ""
    name: str = ""
    battery_percent: int | None = None


@dataclass(frozen=True, slots=True)
class DieStatus:
    """How a die is.

    ``roll`` and ``face`` are the last completed roll's, 0 after boot; ``up`` is the face up, or 0.
    """

    state: DieState
    roll: int
    face: int
    up: int
    confidence_percent: int
    battery_percent: int | None = None


@dataclass(frozen=True, slots=True)
class Rolled:
    roll: int
    face: int
    confidence_percent: int
    took_ms: int


@dataclass(frozen=True, slots=True)
class RotorStatus:
    """How a rotor is. ``net_quarters`` are signed quarter turns since boot, clockwise positive."""

    state: RotorState
    quarter: int | None
    angle_tenths_deg: int | None
    turn: int
    net_quarters: int
    magnet: Magnet = Magnet.GOOD


@dataclass(frozen=True, slots=True)
class Turned:
    turn: int
    from_quarter: int
    to_quarter: int
    delta: int
    took_ms: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A device's ACK to a host line: which one, and whether it was done."""

    seq: int
    is_ok: bool
    text: str = ""


@dataclass(frozen=True, slots=True)
class Remark:
    """A LOG line."""

    level: str
    text: str


@dataclass(frozen=True, slots=True)
class Farewell:
    """A BYE: the device stops now; ``reason`` is ``sleep``, ``lowbat`` or ``update``."""

    reason: str


@dataclass(frozen=True, slots=True)
class Order:
    """What the host says; ``fields`` as written, such as ``("hb=500",)``."""

    verb: HostVerb
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Strange:
    """A well-formed line of a type that this version does not know; to be ignored."""

    type: str
    fields: tuple[str, ...] = ()


Message = Hello | DieStatus | Rolled | RotorStatus | Turned | Answer | Remark | Farewell | Order | Strange


@dataclass(frozen=True, slots=True)
class Line:
    """A message with its envelope. ``ms`` is the sender's uptime; ``boot`` names its run."""

    device: str
    boot: str
    seq: int
    ms: int
    message: Message


class Flaw(StrEnum):
    """Why a line was not taken."""

    NO_START = "no_start"
    TOO_LONG = "too_long"
    OVERRUN = "overrun"
    BAD_BYTE = "bad_byte"
    NO_CHECKSUM = "no_checksum"
    WRONG_CHECKSUM = "wrong_checksum"
    NEWER_VERSION = "newer_version"
    BAD_FIELD = "bad_field"
    UNKNOWN_KIND = "unknown_kind"


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line that was not taken; ``detail`` says in plain English what is wrong with it."""

    flaw: Flaw
    detail: str
