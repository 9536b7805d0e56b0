"""The command ``selftest``: what this computer and its devices are, to be pasted into a report.

Every line says what was looked at and what came of it. Nothing is guessed: what cannot be known is
``unknown``, never well. No name, address or picture goes in.
"""

from __future__ import annotations

import contextlib
import json
import platform
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import click

from companion.plugins import PartUnusable
from companion.plugins import load as load_part
from companion.ports import DeviceLost, DeviceStanding, DeviceState
from companion.sentences import Speaker
from companion.settings import DeviceSettings, Settings, home, load
from companion.table.home_lock import HomeTaken, take_home
from hardware.appliance.checks_disk import check_disk
from hardware.appliance.checks_power import check_power
from hardware.appliance.finding import Outcome
from hardware.appliance.machine import Machine, this_machine
from hardware.appliance.told import PACKAGE, told
from hardware.clock import monotonic_ms
from hardware.tty import AUTO, ports_matching

PACKAGES = ("companion", "opencv-python", "opencv-python-headless", "numpy", "pyserial", "gpiozero", "lgpio")
READ_MS = 200


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was looked at."""

    what: str
    outcome: Outcome
    says: str


@click.command()
@click.option("--settings", "path", type=click.Path(path_type=Path), help="The settings file.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=8.0,
    show_default=True,
    help="How long each device is heard.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def selftest(path: Path | None, seconds: float, as_json: bool) -> None:
    """Look at this computer and at every device of the settings, and print a report to paste.

    Devices are opened only while the service does not run.
    """
    lines = [*computer(this_machine()), *devices(load(path), seconds)]
    for line in lines:
        click.echo(json.dumps(asdict(line)) if as_json else f"{line.outcome:8}{line.what:26}{line.says}")
    to_see = sum(line.outcome is Outcome.LOOK for line in lines)
    if to_see:
        raise click.ClickException(f"{to_see} of {len(lines)} lines want a look.")


def computer(machine: Machine) -> Iterator[Line]:
    """Say what this computer is and how it feels."""
    model = machine.text("proc/device-tree/model")
    yield _known("computer", model or platform.machine())
    system = (
        platform.freedesktop_os_release().get("PRETTY_NAME", "") if Path("/etc/os-release").exists() else ""
    )
    yield _known("system", f"{system}, {platform.release()}, {platform.machine()}".lstrip(", "))
    yield Line("python", Outcome.OK, platform.python_version())
    for package in PACKAGES:
        with contextlib.suppress(PackageNotFoundError):
            yield Line(f"package {package}", Outcome.OK, version(package))
    say = Speaker([PACKAGE]).say
    for one in told([*check_power(machine), *check_disk(machine)], say):
        yield Line(one.called.lower(), one.outcome, one.says)
    yield _listed("serial ports", ports_matching(AUTO))
    yield _listed("cameras by id", sorted(one.name for one in Path("/dev/v4l/by-id").glob("*")))
    yield _listed("I2C buses", sorted(one.name for one in Path("/dev").glob("i2c-*")))
    yield _listed("GPIO chips", sorted(one.name for one in Path("/dev").glob("gpiochip*")))


def devices(settings: Settings, seconds: float) -> Iterator[Line]:
    """Open every device of the settings and say how it is after some seconds."""
    groups: tuple[tuple[str, str, Sequence[DeviceSettings]], ...] = (
        ("camera", "companion.cameras", settings.cameras),
        ("die", "companion.dice", settings.dice),
        ("board sensor", "companion.board_sensors", settings.board_sensors),
        ("panel", "companion.panels", settings.panels),
    )
    try:
        with take_home(home(), wait_s=0):
            for kind, group, listed in groups:
                for device in listed:
                    yield _device(kind, group, device, seconds)
    except HomeTaken:
        yield Line("devices", Outcome.UNKNOWN, "The service runs and has them; stop it and try again.")


def _device(kind: str, group: str, device: DeviceSettings, seconds: float) -> Line:
    what = f"{kind} {device.name}"
    try:
        opened: Any = load_part(group, device.driver)(device.name, device.options)
        with contextlib.closing(opened):
            return _frames(what, opened, seconds) if kind == "camera" else _heard(what, opened, seconds)
    except (DeviceLost, PartUnusable, ValueError) as fault:
        return Line(what, Outcome.LOOK, str(fault))


def _frames(what: str, camera: Any, seconds: float) -> Line:
    began_ms, frames, shape = monotonic_ms(), 0, ""
    while monotonic_ms() - began_ms < seconds * 1000:
        frame = camera.read(timeout_ms=READ_MS)
        if frame is not None:
            frames += 1
            shape = f"{frame.pixels.shape[1]} x {frame.pixels.shape[0]}"
    return _judged(what, frames > 0, f"{frames} pictures in {seconds:g} s {shape}".strip())


def _heard(what: str, device: Any, seconds: float) -> Line:
    """Listen until the device lives, or the time is over."""
    end_ms = monotonic_ms() + seconds * 1000
    standing: DeviceStanding | None = None
    while monotonic_ms() < end_ms and (standing is None or standing.state is not DeviceState.LIVE):
        said = device.read(timeout_ms=READ_MS)
        standing = said if isinstance(said, DeviceStanding) else standing
    if standing is None:
        return Line(what, Outcome.UNKNOWN, f"It said nothing in {seconds:g} s.")
    is_live = standing.state is DeviceState.LIVE
    return _judged(
        what, is_live, f"{standing.state}: {standing.detail}" if standing.detail else standing.state
    )


def _known(what: str, says: str) -> Line:
    return Line(what, Outcome.OK if says else Outcome.UNKNOWN, says or "unknown")


def _judged(what: str, is_well: bool, says: str) -> Line:
    return Line(what, Outcome.OK if is_well else Outcome.LOOK, says)


def _listed(what: str, found: Sequence[str]) -> Line:
    return Line(what, Outcome.OK, ", ".join(found) or "none")
