"""What the players have: copied for a trial, kept before an update, put back if an older version needs it.

Databases, the files beside them and the settings are what a new version may change the form of; boxes and
recordings stay where they are.
"""

from __future__ import annotations

import json
import os
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path

from companion.whole_files import sync_folder, write_whole
from hardware.appliance.durable import (
    PART,
    clear_folder,
    copy_database,
    copy_whole,
    fold_in_log,
)
from hardware.appliance.faults import ApplianceFault
from hardware.appliance.places import Places

MANIFEST = "where.json"
DATABASE = ".sqlite"
NOT_TRIED = ("recordings", "backups")
"""Folders that no start needs."""

ASIDE = "set-aside"
SETTINGS = "settings"
"""The folder of a trial with the settings that are read there, but not in force."""

LEFT_ALONE = (".lock", "-wal", "-shm", "-journal", PART)


def files_of_state(places: Places) -> tuple[Path, ...]:
    """Return every file whose form a version may change: databases, files beside them, the settings."""
    found = [
        path
        for path in sorted(places.state.glob("*"))
        if path.is_file() and not path.name.startswith(".") and not path.name.endswith(LEFT_ALONE)
    ]
    found += [path for path in (_journal_elsewhere(places), places.settings) if path and path.is_file()]
    return tuple(found)


def copy_for_trial(places: Places, owner: tuple[int, int] | None) -> Path:
    """Copy the state as it stands into a folder of its own, for ``owner`` (user and group) to play with.

    The settings lie apart, in ``SETTINGS``: in force they would open cameras that belong to the service.
    """
    clear_folder(places.trial)
    (places.trial / SETTINGS).mkdir(mode=0o700, parents=True)
    places.trial.chmod(0o700)
    for path in files_of_state(places):
        if path in (places.settings, places.chosen):
            _copy(path, places.trial / SETTINGS / path.name)
            continue
        name = places.journal.name if path == _journal_elsewhere(places) else path.name
        _copy(path, places.trial / name)
    folders = [path for path in places.state.glob("*") if path.is_dir() and path.name not in NOT_TRIED]
    for folder in folders:
        if not folder.name.startswith((".", ASIDE)):
            shutil.copytree(folder, places.trial / folder.name, symlinks=True)
    if owner is not None:
        for inside, _, files in os.walk(places.trial):
            for name in (".", *files):
                os.chown(Path(inside) / name, *owner, follow_symlinks=False)
    return places.trial


def keep_state(places: Places, kept: Path) -> None:
    """Keep the state as it is now; nobody may be writing it. All of it is kept, or none."""
    fresh = kept.with_name(kept.name + PART)
    clear_folder(fresh)
    fresh.mkdir(mode=0o700, parents=True)
    where: dict[str, str] = {}
    for number, path in enumerate(files_of_state(places)):
        name = f"{number}-{path.name}"
        _copy(path, fresh / name)
        where[name] = str(path.relative_to(places.root)) if path.is_relative_to(places.root) else str(path)
    write_whole(fresh / MANIFEST, json.dumps(where).encode())
    clear_folder(kept)
    fresh.rename(kept)
    sync_folder(kept.parent)


def put_back_state(places: Places, kept: Path, aside: str) -> Path:
    """Put a kept state back, what is there now set aside; nobody may be writing it. Returns where that lies.

    May be done again after a power cut: each file is the one or the other, and what was set aside stays.
    """
    try:
        where: Mapping[str, str] = json.loads((kept / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ApplianceFault(f"No state was kept in {kept}, so none can be put back.") from None
    folder = _new_folder(places.state / f"{ASIDE}-{aside}")
    owner = places.state.stat()
    os.chown(folder, owner.st_uid, owner.st_gid)
    for told in where.values():
        path = places.root / told
        if path.is_file():
            if path.suffix == DATABASE:
                fold_in_log(path)
            copy_whole(path, folder / path.name, like=path)
    for name, told in where.items():
        path = places.root / told
        copy_whole(kept / name, path, like=path if path.exists() else path.parent)
    return folder


def _copy(source: Path, target: Path) -> None:
    if source.suffix == DATABASE:
        copy_database(source, target)
    else:
        copy_whole(source, target)


def _journal_elsewhere(places: Places) -> Path | None:
    """Return where the settings put the journal; None: in the usual place, or it cannot be said."""
    named = said_in_settings(places, "journal", "path")
    return Path(named).expanduser() if isinstance(named, str) and named else None


def said_in_settings(places: Places, section: str, key: str) -> object:
    """Return a setting of the service as written by hand, else as chosen on a page, else None."""
    for file in (places.settings, places.chosen):
        try:
            said = tomllib.loads(file.read_text(encoding="utf-8")).get(section, {})
        except (OSError, ValueError):
            continue
        if isinstance(said, dict) and key in said:
            return said[key]
    return None


def _new_folder(wanted: Path) -> Path:
    """Make a folder of that name, or of the next number that is free."""
    for number in range(1, 1000):
        folder = wanted if number == 1 else wanted.with_name(f"{wanted.name}-{number}")
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        return folder
    raise FileExistsError(str(wanted))
