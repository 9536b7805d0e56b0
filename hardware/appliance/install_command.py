"""The commands ``install`` and ``uninstall``: a computer becomes an appliance, and is none any more."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import click

from hardware.appliance.build import Builder
from hardware.appliance.faults import NotInstalled, plain_words
from hardware.appliance.install import Bring, steps_of
from hardware.appliance.places import Places
from hardware.appliance.placing import placed
from hardware.appliance.steps import Outcome, Stepped, carry_out, take_back
from hardware.appliance.system import LiveSystem
from hardware.appliance.update import only_one
from hardware.appliance.wheel import companion_among, wheels_in

FOLDER = click.Path(path_type=Path, file_okay=False, exists=True, resolve_path=True)
FILES = click.Path(path_type=Path, exists=True, resolve_path=True)


@click.command()
@click.argument("wheels", nargs=-1, type=FILES)
@click.option("--dry-run", "is_dry", is_flag=True, help="Say each step and change nothing.")
@click.option(
    "--offline", is_flag=True, help="Ask nothing of the internet: neither apt nor the package index."
)
@click.option("--no-apt", is_flag=True, help="Leave Debian's packages to somebody else.")
@click.option("--root", type=FOLDER, help="A folder with the system to install into, such as an image.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a step.")
def install(
    *, wheels: tuple[Path, ...], is_dry: bool, offline: bool, no_apt: bool, root: Path | None, as_json: bool
) -> None:
    """Make this computer an appliance that starts the companion by itself.

    WHEELS are files and folders: the companion's own wheel and, to install without internet, those of what it
    needs (`make bundle` fills such a folder). Run out of a folder of wheels it takes that one. What is done
    already is left; `companion uninstall` takes everything back.
    """
    places = places_in(root)
    with plain_words(places.opt):
        sources = wheels or _near(places)
        wheel, beside = companion_among(sources), tuple(wheels_in(sources))
        system = LiveSystem(places)
        bring = Bring(Builder(places, may_fetch=not offline), beside, may_apt=not (offline or no_apt))
        steps = steps_of(places, system, wheel=wheel, bring=bring, purge=False)
        if is_dry:
            told = _tell(carry_out(steps, is_dry=True), as_json)
        else:
            with only_one(places):
                told = _tell(carry_out(steps, is_dry=False), as_json)
    if any(one.outcome is Outcome.TO_DO for one in told):
        click.echo("Nothing was changed. Leave --dry-run out to do it.", err=True)
    elif any(one.outcome is Outcome.DONE for one in told):
        click.echo(
            f"companion {wheel.version} is installed. Next: `companion doctor` looks at all of it.", err=True
        )
    else:
        click.echo(f"Nothing to do: companion {wheel.version} is installed.", err=True)


@click.command()
@click.option("--purge", is_flag=True, help="Remove journals, boxes, recordings and settings, too.")
@click.option("--dry-run", "is_dry", is_flag=True, help="Say each step and change nothing.")
@click.option("--root", type=FOLDER, help="A folder with the system to take it out of, such as an image.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a step.")
def uninstall(purge: bool, is_dry: bool, root: Path | None, as_json: bool) -> None:
    """Take the appliance out of this computer; what the players have is kept unless you say --purge."""
    places = places_in(root)
    if not (places.opt.is_dir() or placed(places) or (purge and places.state.is_dir())):
        raise NotInstalled("The companion is not installed here, so there is nothing to take away.")
    with plain_words(places.opt):
        steps = steps_of(places, LiveSystem(places), wheel=None, bring=None, purge=purge)
        if is_dry:
            _tell(take_back(steps, is_dry=True), as_json)
        else:
            with only_one(places):
                _tell(take_back(steps, is_dry=False), as_json)
    if is_dry:
        click.echo("Nothing was changed. Leave --dry-run out to do it.", err=True)
    elif not purge and places.state.is_dir():
        kept = f"{places.state} {places.settings.parent}"
        click.echo(f"The companion is gone. To throw away what is kept: sudo rm -r {kept}", err=True)
    else:
        click.echo("The companion is gone, and nothing of it is left.", err=True)


def _tell(stepped: Iterable[Stepped], as_json: bool) -> list[Stepped]:
    """Print each step as it comes."""
    told = []
    for one in stepped:
        told.append(one)
        if as_json:
            click.echo(json.dumps(asdict(one)))
            continue
        click.echo(f"{one.outcome:6}{one.says}")
        if one.remark:
            click.echo(f"      {one.remark}", err=True)
    return told


def _near(places: Places) -> tuple[Path, ...]:
    """Return where wheels are when none was named: beside the one that we run from, or kept by an install."""
    own = next((folder for folder in Path(__file__).parents if folder.suffix == ".whl"), None)
    if own is not None:
        return (own.resolve().parent,)
    return (places.wheels,) if places.wheels.is_dir() else ()


def places_in(root: Path | None) -> Places:
    """Return the places of this system, or of one that lies in a folder."""
    return Places() if root is None or root == Path("/") else Places(root, is_image=True)
