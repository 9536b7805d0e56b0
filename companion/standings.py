"""How a device is, and what hands must do for it: what the host page, phones and screens say of a rig.

Values only; ``companion.ports`` hands them on with all else that the world promises.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.readings import Caution


class DeviceState(StrEnum):
    """How a device is; rendered as ``device.<value>``."""

    SEARCHING = "searching"
    LIVE = "live"
    STALE = "stale"
    LOST = "lost"
    FAULT = "fault"


class Need(StrEnum):
    """What hands must do for a device before it can be trusted again; rendered as ``need.<value>``."""

    COCKED = "cocked"  # the die leans on something
    ASLEEP = "asleep"
    EMPTY = "empty"  # its battery
    DIE_FAILS = "die_fails"
    SENSOR_FAILS = "sensor_fails"
    CONTRADICTS = "contradicts"  # it says two things about one roll or turn
    BETWEEN = "between"  # the board rests between two quarters
    SWITCHES = "switches"  # two switches see the magnet, or none does
    DISAGREE = "disagree"  # sensor and camera see the board at two angles
    LIFTED = "lifted"  # the camera sees no turning board
    ANOTHER = "another"  # another device of its kind is plugged in
    NOT_ALLOWED = "not_allowed"  # the port may not be opened
    TAKEN = "taken"  # another program has the port


@dataclass(frozen=True, slots=True)
class DeviceStanding:
    """What the host page says of a device: kind is ``camera``, ``die``, ``board_sensor`` or ``eyes``.

    ``detail`` is what a builder needs (port, last error), in plain English.
    ``quarter`` is where a rotating board stands, None when unknown or not such a sensor.
    ``cautions`` are what eyes warn of; each is said once and withdrawn when mended. ``need`` is what
    hands must do for a die or a sensor; ``angle_deg`` where a board rests that must turn on.
    """

    device: str
    kind: str
    state: DeviceState
    detail: str = ""
    quarter: int | None = None
    cautions: tuple[Caution, ...] = ()
    need: Need | None = None
    angle_deg: int | None = None
