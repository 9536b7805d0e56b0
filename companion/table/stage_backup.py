"""Taking in a backup with distrust: looked at, unpacked beside what is there, and tried, before it counts."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tomllib
import zipfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import IO

from companion import chosen
from companion.chosen import FILE_NAME as CHOSEN
from companion.journal import JournalUnusable
from companion.settings import FILE_NAME as SETTINGS
from companion.settings import CannotStart, parse
from companion.table.archive import MB, look_over, open_archive, read_manifest, unpack
from companion.table.archive_contents import check_art, check_picture, check_told
from companion.table.backup import BOUNDS, DATABASES, JOURNAL, Holding, holding
from companion.table.restore import FRESH, STAGED, forget_staged, keep_about
from companion.table.sqlite_journal import open_sqlite_journal

SPARE_BYTES = 50 * MB


def stage(file: IO[bytes], folder: Path, *, with_settings: bool = True) -> Holding:
    """Unpack a backup beside the home folder and return what it holds; nothing else has changed.

    Raises ArchiveRefused with the reason, OSError for a full disk; then nothing is left of it.
    """
    forget_staged(folder)
    fresh = folder / STAGED / FRESH
    try:
        with open_archive(file, BOUNDS) as archive:
            found = look_over(archive, BOUNDS)
            _check_room(found.values(), folder)
            told = read_manifest(archive, BOUNDS)
            fresh.mkdir(parents=True)
            unpack(archive, found, told["files"], BOUNDS, fresh)
        if not with_settings:
            for name in (SETTINGS, CHOSEN):
                (fresh / name).unlink(missing_ok=True)
        _check(fresh)
        held = holding(fresh)
        keep_about(folder, {"made_utc": str(told.get("made_utc", ""))[:40], "holds": held.as_json(),
                          "with_settings": with_settings})  # fmt: skip
        os.sync()  # thousands of small files: one call for all
    except BaseException:
        forget_staged(folder)
        raise
    return held


def _check_room(infos: Iterable[zipfile.ZipInfo], folder: Path) -> None:
    needed = sum(info.file_size for info in infos) + SPARE_BYTES
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise BOUNDS.refused("no_room", {"needed": needed // MB, "free": free // MB})


def _check(fresh: Path) -> None:
    for path in sorted(fresh.rglob("*")):
        if not path.is_file():
            continue
        name = path.relative_to(fresh).as_posix()
        if path.suffix in (".png", ".jpg"):
            check_picture(name, path.read_bytes())
        elif name.startswith("boxes/") and path.suffix == ".json":
            check_told(name, path.read_bytes())
        elif path.name == "art.npz":
            check_art(path)
    for name in DATABASES:
        if (fresh / name).is_file():
            _check_database(fresh / name)
    _check_settings(fresh)


def _check_database(path: Path) -> None:
    """See that it is a whole database of plain tables, and a journal one of ours. Raises ArchiveRefused."""
    try:
        with closing(sqlite3.connect(path)) as database:
            database.execute("pragma trusted_schema = off")
            (health,) = database.execute("pragma quick_check(1)").fetchone()
            odd = database.execute(
                "select name from sqlite_master where type in ('trigger', 'view') or sql like '%virtual%'"
            ).fetchone()
        if health != "ok" or odd:
            raise BOUNDS.refused(
                "database", {"file": path.name, "text": str(odd[0] if odd else health)[:200]}
            )
        if path.name == JOURNAL:
            open_sqlite_journal(path).close()
    except (sqlite3.Error, JournalUnusable) as fault:
        raise BOUNDS.refused("database", {"file": path.name, "text": str(fault)[:300]}) from fault


def _check_settings(fresh: Path) -> None:
    for name in (SETTINGS, CHOSEN):
        path = fresh / name
        if not path.is_file():
            continue
        try:
            text = path.read_text(encoding="utf-8")
            if name == CHOSEN:  # what is left out there is no setting of the file by hand
                tree = tomllib.loads(text)
                tree.pop(chosen.LEFT_OUT, None)
                text = chosen.written(tree, head="")
            settings = parse(text, Path(name), source=None)
        except (CannotStart, ValueError, LookupError, TypeError, AttributeError) as fault:
            raise BOUNDS.refused("settings", {"text": str(fault)[:400]}) from fault
        if settings.journal.path:
            raise BOUNDS.refused("elsewhere", {"path": settings.journal.path[:80]})
