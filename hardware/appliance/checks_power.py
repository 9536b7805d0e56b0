"""Power, throttling and heat, as the firmware of a Raspberry Pi tells them; elsewhere nobody knows."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.appliance.finding import Finding, look, unknown, well
from hardware.appliance.machine import Machine

FIRMWARE = "sys/devices/platform/soc/soc:firmware/get_throttled"
"""The same number as ``vcgencmd get_throttled`` says, for who may not ask the firmware."""

WEAK_NOW, WEAK_ONCE = 1 << 0, 1 << 16
SLOW_NOW = 1 << 1 | 1 << 2 | 1 << 3
SLOW_ONCE = 1 << 17 | 1 << 18 | 1 << 19
TOO_HOT_C = 80
"""From here a Pi slows itself down."""


def throttled_bits(machine: Machine) -> int | None:
    """Return what the firmware says of its power and heat, None where there is no such firmware."""
    said = machine.ask(["vcgencmd", "get_throttled"]).partition("=")[2] or machine.text(FIRMWARE)
    try:
        return int(said, 16)
    except ValueError:
        return None


def check_power(machine: Machine) -> Iterator[Finding]:
    """Look at voltage, speed and temperature."""
    bits = throttled_bits(machine)
    yield _voltage(machine, bits)
    if bits is None:
        yield unknown("throttling")
    elif bits & SLOW_NOW:
        yield look("throttling", "now")
    elif bits & SLOW_ONCE:
        yield look("throttling", "once")
    else:
        yield well("throttling")
    yield _temperature(machine)


def _voltage(machine: Machine, bits: int | None) -> Finding:
    alarms = [
        machine.text(str((path.parent / "in0_lcrit_alarm").relative_to(machine.root)))
        for path, name in machine.texts("sys/class/hwmon/hwmon*/name")
        if name == "rpi_volt"
    ]
    if "1" in alarms or (bits or 0) & WEAK_NOW:
        return look("power", "now")
    if (bits or 0) & WEAK_ONCE:
        return look("power", "once")
    return well("power") if bits is not None or alarms else unknown("power")


def _temperature(machine: Machine) -> Finding:
    said = [text for _, text in machine.texts("sys/class/thermal/thermal_zone*/temp")]
    degrees = [int(text) // 1000 for text in said if text.lstrip("-").isdigit()]
    if not degrees:
        return unknown("temperature")
    hottest = max(degrees)
    return (look if hottest >= TOO_HOT_C else well)(
        "temperature", "hot" if hottest >= TOO_HOT_C else "ok", degrees=hottest
    )
