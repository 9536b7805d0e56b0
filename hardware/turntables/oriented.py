"""A board sensor as it was built in: which of its quarters is north, and whether it counts backwards.

Every board sensor takes ``north`` and ``reversed``, which ``companion calibrate turntable`` finds out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.options import Option, whole, yes_or_no
from companion.ports import BoardSensor, BoardTurn, DeviceStanding

QUARTERS = 4
OPTIONS: tuple[Option, ...] = (whole("north", 0, 0, QUARTERS - 1), yes_or_no("reversed", False))


class Oriented:
    """Passes on what a sensor says, in quarters clockwise from north."""

    def __init__(self, sensor: BoardSensor, *, north: int, is_reversed: bool) -> None:
        self.name = sensor.name
        self._sensor = sensor
        self._north = north
        self._sign = -1 if is_reversed else 1

    def read(self, *, timeout_ms: int) -> BoardTurn | DeviceStanding | None:
        """Wait for a finished turn or a standing that changed; None when nothing came in time."""
        match said := self._sensor.read(timeout_ms=timeout_ms):
            case BoardTurn():
                return replace(
                    said,
                    from_quarter=self._quarter(said.from_quarter),
                    to_quarter=self._quarter(said.to_quarter),
                    delta=self._sign * said.delta,
                )
            case DeviceStanding(quarter=int(quarter)):
                return replace(said, quarter=self._quarter(quarter))
        return said

    def close(self) -> None:
        self._sensor.close()

    def _quarter(self, quarter: int) -> int:
        return self._sign * (quarter - self._north) % QUARTERS


def oriented(sensor: BoardSensor, options: Mapping[str, Any]) -> BoardSensor:
    """Return a sensor that counts as its settings say; as it is, if they say nothing."""
    north, is_reversed = options["north"], options["reversed"]
    return Oriented(sensor, north=north, is_reversed=is_reversed) if north or is_reversed else sensor
