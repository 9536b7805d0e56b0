"""The command ``update``: another version in the other slot, or back to the one before."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import click

from companion.whole_files import write_whole
from hardware.appliance.build import Builder
from hardware.appliance.faults import ApplianceFault, plain_words
from hardware.appliance.install_command import FILES, FOLDER, places_in
from hardware.appliance.places import Places
from hardware.appliance.slots import Slots
from hardware.appliance.system import LiveSystem
from hardware.appliance.update import Update
from hardware.appliance.wheel import companion_among, wheels_in

REFUSED = ".refused"


@click.command()
@click.argument("wheels", nargs=-1, type=FILES)
@click.option("--back", is_flag=True, help="Go back to the version before.")
@click.option("--old-state", is_flag=True, help="With --back: to its journal and settings, too.")
@click.option(
    "--settle", is_flag=True, help="Only finish an update that was cut off; the computer's start does this."
)
@click.option("--offline", is_flag=True, help="Ask nothing of the internet.")
@click.option("--root", type=FOLDER, help="A folder with the system to update, such as an image.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def update(
    *,
    wheels: tuple[Path, ...],
    back: bool,
    old_state: bool,
    settle: bool,
    offline: bool,
    root: Path | None,
    as_json: bool,
) -> None:
    """Go over to another version of the companion, and back by itself if that one is not well.

    WHEELS are the companion's new wheel and, without internet, those of what it newly needs; none: the newest
    that was laid into /opt/companion/updates. The new version is built beside the present one and tried on a
    spare port; the table stands still for a few seconds only, at the end.
    """
    if (bool(wheels) + back + settle) > 1 or (old_state and not back):
        raise click.UsageError("Name a wheel, or --back (with or without --old-state), or --settle.")
    places = places_in(root)

    def tell(says: str) -> None:
        click.echo(says, err=True)

    def go() -> str:
        work = Update(places, Builder(places, may_fetch=not offline), LiveSystem(places), tell)
        if settle:
            return "What was cut off is finished" if work.settle() else "Nothing was cut off"
        if back:
            work.back(old_state=old_state)
            return "Went back"
        return "Went over" if _to(work, places, wheels) else "Nothing to do"

    did = _remembered(places, go)
    current = Slots(places).current
    version = current.version if current else ""
    click.echo(
        json.dumps({"did": did, "version": version}) if as_json else f"{did}; companion {version} serves."
    )


def _to(work: Update, places: Places, wheels: Sequence[Path]) -> bool:
    """Update to the wheel that was named, or that lies in the updates folder; the latter is used up."""
    sources = wheels or (places.updates,)
    if not wheels and not any(places.updates.glob("*.whl")):
        raise ApplianceFault(f"No wheel was named, and there is none in {places.updates}.")
    wheel = companion_among(sources)
    try:
        went = work.to(wheel, [file for file in wheels_in(sources) if file != wheel.path])
    except ApplianceFault:
        if not wheels:  # so that the next attempt does not find the same again
            wheel.path.replace(wheel.path.with_name(wheel.path.name + REFUSED))
        raise
    if not wheels:
        wheel.path.unlink(missing_ok=True)
    return went


def _remembered(places: Places, go: Callable[[], str]) -> str:
    """Do it, and write down for a page what came of it."""
    did, why = "", ""
    try:
        with plain_words(places.opt):
            did = go()
    except ApplianceFault as fault:
        why = str(fault)
        raise
    finally:
        told = {"at_utc": datetime.now(UTC).isoformat(timespec="seconds"), "did": did, "why": why}
        if places.opt.is_dir():
            with suppress(OSError):
                write_whole(places.last, json.dumps(told).encode())
    return did
