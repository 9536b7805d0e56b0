"""What a slot takes from the one beside it instead of building it: files that are the same get a second name.

pip never writes into an installed file, it puts a new one in its place; so two slots may share files, and an
update that brings only a new companion writes a few megabytes to the card, not some hundred.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from hardware.appliance.slots import Slot
from hardware.appliance.wheel import LOCK, NAME, Wheel, as_in_files, pinned_in


def has_all_but_itself(beside: Slot | None, wheel: Wheel) -> bool:
    """Tell whether a slot was built from the very same packages as that wheel needs."""
    return beside is not None and beside.is_whole and _lock_of(beside) == wheel.lock


def inherit_packages(slot: Slot, beside: Slot | None) -> bool:
    """Give a slot all that the one beside it has but the companion. False: that is of another Python."""
    from_, to = packages_of(beside) if beside else None, packages_of(slot)
    if from_ is None or to is None or from_.parent.name != to.parent.name:
        return False
    _link(from_, to, lambda name: name != NAME)
    return True


def inherit_strangers(slot: Slot, beside: Slot | None, wheel: Wheel) -> None:
    """Give a slot the packages of strangers: those that neither version of the companion brings."""
    if beside is None or not beside.is_whole:
        return
    ours = {NAME, *(name for name, _ in (*wheel.pinned, *pinned_in(_lock_of(beside))))}
    from_, to = packages_of(beside), packages_of(slot)
    if from_ is not None and to is not None:
        _link(from_, to, lambda name: name not in ours)


def packages_of(slot: Slot) -> Path | None:
    """Return where a slot has its packages."""
    return next(iter((slot.folder / "lib").glob("python3*/site-packages")), None)


def _lock_of(slot: Slot) -> str:
    try:
        return (slot.folder / LOCK).read_text(encoding="utf-8")
    except OSError:
        return ""


def _link(from_: Path, to: Path, is_wanted: Callable[[str], bool]) -> None:
    for about in from_.glob("*.dist-info"):
        if is_wanted(as_in_files(about.name.partition("-")[0])):
            for file in _files(about):
                target = to / file
                if not target.exists():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    os.link(from_ / file, target)


def _files(about: Path) -> Iterator[Path]:
    """Return the files of a package beneath ``site-packages``; its commands are nobody's here."""
    with (about / "RECORD").open(encoding="utf-8", newline="") as record:
        for row in csv.reader(record):
            file = Path(row[0]) if row else Path("/")
            if not file.is_absolute() and ".." not in file.parts and (about.parent / file).is_file():
                yield file
