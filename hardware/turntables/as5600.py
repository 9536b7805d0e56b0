"""The angle sensor AS5600 on the I2C bus of this computer (entry point ``as5600``).

Settings: ``bus``, the number in ``/dev/i2c-1``; ``zero_deg``, its angle at quarter 0. The magnet is
judged by the chip's own bits and gain, read only: what is burnt into a chip stays there.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import secrets
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

from companion.options import number, read_options, whole
from companion.ports import BoardSensor, BoardTurn, DeviceLost, DeviceStanding, DeviceState, Need
from hardware.clock import Clock
from hardware.turntables.oriented import OPTIONS as ORIENTATION
from hardware.turntables.oriented import oriented
from hardware.turntables.told_turns import ToldTurns

OPTIONS = (whole("bus", 1, 0, 31), number("zero_deg", 0, 0, 360), *ORIENTATION)
ADDRESS = 0x36
I2C_SLAVE, I2C_SMBUS, SMBUS_READ, SMBUS_I2C_BLOCK = 0x0703, 0x0720, 1, 8  # linux/i2c-dev.h, linux/i2c.h
STATUS, RAW_ANGLE, GAIN = 0x0B, 0x0C, 0x1A
WEAK, STRONG, DETECTED = 0x10, 0x08, 0x20
STEPS = 4096
APART_STEPS = 23  # two degrees; a hand turns no further between two readings
TRIES = 4
GOOD_GAIN = range(20, 110)  # of 0 to 128 at 3.3 V; best 40 to 90
MOVING_MS, RESTING_MS = 20, 60
LOOK_AT_MAGNET_MS = 1000
BLIND_READINGS = 20


class _Block(ctypes.Structure):
    """``i2c_smbus_data`` of linux/i2c.h: how many bytes, then the bytes."""

    _fields_: ClassVar = [("count", ctypes.c_uint8), ("taken", ctypes.c_uint8 * 33)]


class _Transfer(ctypes.Structure):
    """``i2c_smbus_ioctl_data`` of linux/i2c-dev.h."""

    _fields_: ClassVar = [
        ("way", ctypes.c_uint8),
        ("register", ctypes.c_uint8),
        ("size", ctypes.c_uint32),
        ("block", ctypes.POINTER(_Block)),
    ]


class Registers(Protocol):
    """The chip as it is read; raises OSError."""

    def read(self, register: int, count: int) -> bytes: ...
    def close(self) -> None: ...


class I2cChip:
    """A chip on the computer's bus."""

    def __init__(self, bus: int, address: int) -> None:
        """Open it. Raises OSError."""
        self._file = os.open(f"/dev/i2c-{bus}", os.O_RDWR)
        try:
            fcntl.ioctl(self._file, I2C_SLAVE, address)
        except OSError:
            os.close(self._file)
            raise

    def read(self, register: int, count: int) -> bytes:
        """Return up to 32 bytes from a register on, in one transaction. Raises OSError."""
        block = _Block(count)
        call = _Transfer(SMBUS_READ, register, SMBUS_I2C_BLOCK, ctypes.pointer(block))
        fcntl.ioctl(self._file, I2C_SMBUS, call)
        return bytes(block.taken[:count])

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self._file)


def angle_deg(chip: Registers) -> float | None:
    """Return the angle, 0 up to 360; None if no two readings agree. Raises OSError.

    The chip answers a single zero now and then, whatever the angle is; so nothing is believed once.
    """
    before: int | None = None
    for _ in range(TRIES):
        raw = int.from_bytes(chip.read(RAW_ANGLE, 2), "big")
        if raw >= STEPS:
            continue
        if before is not None and min(abs(raw - before), STEPS - abs(raw - before)) <= APART_STEPS:
            return raw * 360 / STEPS
        before = raw
    return None


def magnet_trouble(chip: Registers) -> str:
    """Return what is wrong with the magnet in plain English, empty if nothing is. Raises OSError."""
    status, gain = chip.read(STATUS, 1)[0], chip.read(GAIN, 1)[0]
    if not status & DETECTED or status & WEAK:
        return "It feels no magnet, or a weak one: bring it nearer, 0.5 to 3 mm, in the middle of the chip."
    if status & STRONG:
        return "Its magnet is too strong: more air between magnet and chip, up to 3 mm."
    if gain not in GOOD_GAIN:
        way = "nearer" if gain >= GOOD_GAIN.stop else "farther away"
        return f"Its magnet should be a little {way} (gain {gain}, best 40 to 90)."
    return ""


class As5600:
    """A board sensor over an angle chip; all happens in ``read``."""

    def __init__(
        self, name: str, chip: Registers, *, zero_deg: float = 0.0, clock: Clock | None = None
    ) -> None:
        self.name = name
        self._chip = chip
        self._zero_deg = zero_deg
        self._clock = clock or Clock()
        self._told = ToldTurns(name, f"{secrets.randbelow(0xFFFF) + 1:04X}", "AS5600")
        self._looked_ms: int | None = None
        self._blind = 0

    def read(self, *, timeout_ms: int) -> BoardTurn | DeviceStanding | None:
        """Wait for a finished turn or a standing that changed; None when nothing came in time.

        Raises DeviceLost when the chip does not answer any more.
        """
        deadline_ms = self._clock.now_ms() + timeout_ms
        while not self._told.out:
            self._look()
            left_ms = deadline_ms - self._clock.now_ms()
            if self._told.out or left_ms <= 0:
                break
            self._clock.pause(min(left_ms, RESTING_MS if self._told.is_locked else MOVING_MS))
        return self._told.out.popleft() if self._told.out else None

    def close(self) -> None:
        self._chip.close()

    def _look(self) -> None:
        now_ms = self._clock.now_ms()
        try:
            if self._looked_ms is None or now_ms - self._looked_ms >= LOOK_AT_MAGNET_MS:
                self._looked_ms = now_ms
                self._told.detail = f"AS5600; {magnet_trouble(self._chip)}".removesuffix("; ")
            angle = angle_deg(self._chip)
        except OSError as error:
            raise DeviceLost(
                f"The AS5600 of {self.name} does not answer ({error.strerror}). Check its four wires."
            ) from error
        self._blind = 0 if angle is not None else self._blind + 1
        if angle is not None:
            self._told.take((angle - self._zero_deg) % 360, now_ms)
        elif self._blind == BLIND_READINGS:
            said = "No two readings agree; check the magnet, and that DIR is tied to ground."
            self._told.stand(DeviceState.FAULT, said, need=Need.SENSOR_FAILS)


def open_board_sensor(
    name: str,
    settings: Mapping[str, Any],
    *,
    open_chip: Callable[[int, int], Registers] = I2cChip,
    clock: Clock | None = None,
) -> BoardSensor:
    """Open an AS5600. Raises ValueError for wrong settings, DeviceLost where no such chip answers."""
    options = read_options(f"board sensor {name}", settings, OPTIONS)
    bus = options["bus"]
    try:
        chip = open_chip(bus, ADDRESS)
    except OSError as error:
        raise DeviceLost(
            f"The board sensor {name} finds no I2C bus {bus} ({error.strerror}). Switch I2C on with "
            "`sudo raspi-config`, and let this user into the group i2c."
        ) from error
    return oriented(As5600(name, chip, zero_deg=options["zero_deg"], clock=clock), options)
