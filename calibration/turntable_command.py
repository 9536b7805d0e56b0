"""The command ``companion calibrate turntable``: a minute of turning tells how a sensor was built in."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from calibration.turntable import TURNS, Amiss, Orientation, orientation_of
from calibration.which_device import which_device
from companion.plugins import load as load_part
from companion.ports import BoardSensor, BoardTurn, DeviceLost, DeviceStanding, DeviceState
from companion.settings import DeviceSettings, home, load
from companion.table.home_lock import take_home

READ_MS = 200
FOUND_OUT = ("north", "reversed")

Found = TypeVar("Found")


@click.command()
@click.option("--sensor", "name", help="Which board sensor of the settings; there may be one only.")
@click.option("--settings", "path", type=click.Path(path_type=Path), help="The settings file.")
@click.option(
    "--patience",
    type=click.FloatRange(min=0),
    default=60.0,
    show_default=True,
    help="Seconds a step may take.",
)
def turntable(name: str | None, path: Path | None, patience: float) -> None:
    """Find out which quarter of the turning board is north, and which way its sensor counts.

    Five steps, one minute, with the service stopped: turn the mark to north, then one quarter
    clockwise, four times.
    """
    device = which_device(load(path).board_sensors, name, called="board sensor", section="board_sensors")
    options = {key: value for key, value in device.options.items() if key not in FOUND_OUT}
    with take_home(home(), wait_s=0):
        try:
            sensor = _opened(device, options)
            with closing(sensor):
                found = _turned(_Ear(sensor, patience))
        except (DeviceLost, ValueError) as fault:
            raise click.ClickException(str(fault)) from fault
    click.echo(found)
    click.echo(f"Next: write these lines under {device.name} in the settings.", err=True)


@dataclass(slots=True)
class _Ear:
    """Hears a sensor, with patience; what it complains of is told once."""

    sensor: BoardSensor
    patience_s: float
    last: DeviceStanding | None = None

    def first(self, wanted: Callable[[BoardTurn | DeviceStanding], Found | None]) -> Found:
        end_s = time.monotonic() + self.patience_s
        while time.monotonic() < end_s:
            said = self.sensor.read(timeout_ms=READ_MS)
            if isinstance(said, DeviceStanding):
                self.last = said
                if said.state is not DeviceState.LIVE:
                    click.echo(said.detail, err=True)
            if said is not None and (found := wanted(said)) is not None:
                return found
        detail = f" The last it said: {self.last.detail}" if self.last and self.last.detail else ""
        raise DeviceLost(f"The sensor told nothing new for {self.patience_s:.0f} s.{detail}")


def _turned(ear: _Ear) -> str:
    click.echo("Turn the board until its mark points north and it clicks, then press Enter.", err=True)
    click.pause("")
    quarter = ear.first(_quarter) if ear.last is None or ear.last.quarter is None else ear.last.quarter
    found, turns = Orientation(quarter, is_reversed=False), list[BoardTurn]()
    for number in range(1, TURNS + 1):
        click.echo(f"Turn it one quarter clockwise ({number} of {TURNS}).", err=True)
        turns.append(ear.first(lambda said: said if isinstance(said, BoardTurn) else None))
        judged = orientation_of(quarter, turns)
        if isinstance(judged, Amiss):
            raise DeviceLost(judged.why)
        found = judged
    return found.settings


def _quarter(said: BoardTurn | DeviceStanding) -> int | None:
    return said.quarter if isinstance(said, DeviceStanding) else said.to_quarter


def _opened(device: DeviceSettings, options: Mapping[str, Any]) -> BoardSensor:
    sensor: BoardSensor = load_part("companion.board_sensors", device.driver)(device.name, options)
    return sensor
