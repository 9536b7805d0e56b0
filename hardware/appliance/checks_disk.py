"""Room on the card, whether it may be written, and how worn it is."""

from __future__ import annotations

import os
from collections.abc import Iterator

from hardware.appliance.finding import Finding, look, unknown, well
from hardware.appliance.machine import Machine

LEAST_FREE_MB = 500
LIFE_TIME = "sys/block/mmcblk*/device/life_time"
"""Two numbers of an eMMC (JEDEC 5.0), each in tenths of its life that are used up; SD cards have none."""

END_OF_LIFE = "sys/block/mmcblk*/device/pre_eol_info"
ERRORS = "sys/fs/ext4/*/errors_count"
WORN_TENTHS = 9


def check_disk(machine: Machine) -> Iterator[Finding]:
    """Look at the room that is left, and at the card itself."""
    free_mb = machine.free_bytes(machine.home) // 1_000_000
    if not os.access(machine.home, os.W_OK):
        yield look("disk", "read_only", folder=str(machine.home))
    elif free_mb < LEAST_FREE_MB:
        yield look("disk", "full", free=free_mb, least=LEAST_FREE_MB)
    else:
        yield well("disk", free=f"{free_mb / 1000:.1f}")
    yield _wear(machine)


def _wear(machine: Machine) -> Finding:
    errors = sum(int(text) for _, text in machine.texts(ERRORS) if text.isdigit())
    if errors:
        return look("wear", "errors", count=errors)
    ends = [_number(text) for _, text in machine.texts(END_OF_LIFE)]
    tenths = [_number(word) for _, text in machine.texts(LIFE_TIME) for word in text.split()]
    if any(end >= 2 for end in ends) or any(used > WORN_TENTHS for used in tenths):
        return look("wear", "worn")
    if any(tenths):
        return well("wear", percent=10 * max(tenths))
    return unknown("wear")


def _number(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        return 0
