"""The clock: whether somebody sets it, whether it goes behind what was written, whether it jumped."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

from hardware.appliance.finding import Finding, look, unknown, well
from hardware.appliance.machine import Machine

SET_BY_NETWORK = "run/systemd/timesync/synchronized"
JUMP_S = 5
AHEAD = timedelta(minutes=2)


class TwoClocks:
    """The clock on the wall beside one that nobody sets; what they differ by later is a jump."""

    def __init__(self) -> None:
        self._apart_s = _apart_s()

    def jumped_s(self) -> int:
        """Return how far the wall's clock was set since; zero for what a clock drifts by itself."""
        jumped = _apart_s() - self._apart_s
        return round(jumped) if abs(jumped) >= JUMP_S else 0


def _apart_s() -> float:
    return time.time() - time.monotonic()


def check_clock(machine: Machine, now: datetime, *, newest_utc: str = "", jumped_s: int = 0) -> Finding:
    """Look at the clock. ``newest_utc`` is the time of the newest entry of the journal, if there is one."""
    if newest_utc and _read(newest_utc) > now + AHEAD:
        return look("clock", "behind", newest=newest_utc[:16].replace("T", " "))
    if jumped_s:
        return look("clock", "jumped", seconds=abs(jumped_s))
    said = machine.ask(["timedatectl", "show", "--property=NTPSynchronized", "--value"])
    if said == "yes" or (machine.root / SET_BY_NETWORK).exists():
        return well("clock")
    return look("clock", "alone") if said == "no" else unknown("clock")


def _read(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
