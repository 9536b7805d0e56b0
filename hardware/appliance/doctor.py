"""The command ``doctor``: looks at everything, says of each thing that it is well or what to do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from companion.sentences import Speaker
from companion.settings import CannotStart, Settings, load
from companion.table.home_lock import HomeTaken, take_home
from companion.whole_files import write_whole
from hardware.appliance.bundle import BundleWishes, bundled
from hardware.appliance.checks_software import check_parts, service_not_asked
from hardware.appliance.finding import Outcome
from hardware.appliance.look_around import (
    OF_THE_SERVICE,
    listed_parts,
    look_at_computer,
    look_at_devices,
    running_service,
)
from hardware.appliance.machine import Machine, this_machine
from hardware.appliance.told import PACKAGE, Told, read_told, told


@click.command()
@click.option("--settings", "path", type=click.Path(path_type=Path), help="The settings file.")
@click.option("--seconds", type=click.FloatRange(min=0), default=8.0, show_default=True,
              help="How long devices are heard where no service runs.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--bundle", type=click.Path(path_type=Path, dir_okay=False), help="Write a file for a report.")
@click.option("--with-names", is_flag=True, help="Leave names of players in that file.")
@click.option("--with-photos", is_flag=True, help="Put the newest recording with its pictures in it.")
def doctor(
    path: Path | None, *, seconds: float, as_json: bool, bundle: Path | None, with_names: bool,
    with_photos: bool,
) -> None:  # fmt: skip
    """Look at power, card, clock, network, devices and parts, and say what to do.

    A running service is asked for its devices; else they are opened for some seconds.
    """
    machine, parts = this_machine(), listed_parts()
    settings = _settings(path)
    found = look_around(machine, path, settings, parts, seconds)
    if as_json:
        click.echo(json.dumps({"findings": [one.as_json() for one in found]}, indent=1, ensure_ascii=False))
    else:
        for one in found:
            click.echo(f"{one.outcome:8}{one.called:22} {one.says}")
    if bundle is not None:
        wishes = BundleWishes(with_names=with_names, with_photos=with_photos)
        try:
            write_whole(bundle, bundled(machine, found, settings, wishes, parts=parts))
        except OSError as fault:
            raise click.ClickException(f"{bundle} cannot be written: {fault.strerror or fault}.") from fault
        click.echo(f"{bundle}: look into it before you send it.", err=True)
    to_see = sum(one.outcome is Outcome.LOOK for one in found)
    if to_see:
        raise click.ClickException(f"{to_see} of {len(found)} things want a look.")


def _settings(path: Path | None) -> Settings | None:
    try:
        return load(path)
    except CannotStart:
        return None


def look_around(
    machine: Machine, path: Path | None, settings: Settings | None, parts: str, seconds: float
) -> Sequence[Told]:
    """Look at everything; ``parts`` is what is installed, ``seconds`` how long devices are heard."""
    say = Speaker([PACKAGE, "companion"]).say
    computer = told([*look_at_computer(machine, path, settings), *check_parts(parts)], say)
    try:
        with take_home(machine.home, wait_s=0):
            devices = look_at_devices(settings, seconds) if settings else ()
            return (*computer, *told([service_not_asked("none"), *devices], say))
    except HomeTaken:
        try:
            asked = read_told(running_service(machine.home).report())
        except (OSError, ValueError, KeyError, TypeError):
            return (*computer, *told([service_not_asked("silent")], say))
        return (*computer, *(one for one in asked if one.what in OF_THE_SERVICE))
    except CannotStart:  # a home that may not be written: the look at the card says so
        return (*computer, *told([service_not_asked("none")], say))
