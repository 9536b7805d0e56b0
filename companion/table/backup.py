"""A backup: everything of a home folder that must last, as one archive. Can be made while a table is open.

Databases are copied by SQLite's own backup, so each is whole; boxes, settings, lenses, dice and the set-up as
they lie there. docs/reference/backup.md describes the format.
"""

from __future__ import annotations

import os
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

from companion.chosen import FILE_NAME as CHOSEN
from companion.settings import FILE_NAME as SETTINGS
from companion.settings import CannotStart, home, load, settings_path
from companion.table.archive import MB, Bounds, Exported, write_archive
from companion.table.boxes import CATALOGUE
from companion.table.sqlite_journal import journal_path

FORMAT = 1
MANIFEST = "companion-backup.json"
JOURNAL, SEATS, EVIDENCE = "journal.sqlite", "seats.sqlite", "evidence.sqlite"
DATABASES = (JOURNAL, SEATS, EVIDENCE)
SETUP = ("setup.json", "wizard.json")
"""How the table was set up, and which steps of that were left out."""

FOLDERS = ("boxes", "lenses", "dice", "discs")
MOST_ARCHIVE_BYTES = 2000 * MB
MOST_BYTES = 4000 * MB
MOST_FILES = 60_000
MOST_JSON_BYTES, MOST_TOML_BYTES, MOST_PICTURE_BYTES, MOST_FILE_BYTES = 16 * MB, MB, 40 * MB, 1000 * MB

COUNT_JOURNAL = (
    "select (select count(*) from tables where id in (select table_id from records)),"
    " (select count(*) from records), (select max(at_utc) from records)"
)

_ID = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}"
ALLOWED = re.compile(
    rf"(?:journal|seats|evidence)\.sqlite|companion\.toml|chosen\.toml|setup\.json|wizard\.json"
    rf"|boxes/{_ID}(?:/{_ID}){{1,4}}\.(?:json|npz|png|jpg|csv)|boxes/{_ID}\.art"
    rf"|lenses/{_ID}\.(?:json|png)|dice/{_ID}\.json|discs/{_ID}\.npz"
)
"""Every file that a backup may have, and no other."""


def _most_bytes(name: str) -> int:
    if name.endswith(".toml"):
        return MOST_TOML_BYTES
    if name.endswith((".json", ".csv", ".art")):
        return MOST_JSON_BYTES
    return MOST_PICTURE_BYTES if name.endswith((".png", ".jpg")) else MOST_FILE_BYTES


BOUNDS = Bounds("backup", MANIFEST, FORMAT, ALLOWED, MOST_ARCHIVE_BYTES, MOST_BYTES, MOST_FILES, _most_bytes)


@dataclass(frozen=True, slots=True)
class Holding:
    """What a backup or a home folder holds, in numbers that people know it by."""

    tables: int = 0
    entries: int = 0
    newest_utc: str = ""
    boxes: tuple[str, ...] = ()
    has_settings: bool = False
    pictures: int = 0

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Home:
    """Where things lie: all in ``folder``, but the journal and the settings may lie elsewhere."""

    folder: Path
    journal: Path
    settings: Path

    def path_of(self, name: str) -> Path:
        """Return where the file of an archive's name lies."""
        return {JOURNAL: self.journal, SETTINGS: self.settings}.get(name, self.folder / name)


def make_backup(home: Home, file: IO[bytes], *, with_pictures: bool) -> Exported:
    """Write a backup of a home folder; ``with_pictures``: with those of proposals that were taken.

    Raises OSError, and sqlite3.Error for a database that cannot be read.
    """
    with ExitStack() as stack:
        copies = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=".backup-", dir=home.folder)))
        files: list[tuple[str, Path]] = []
        for name in DATABASES:
            if home.path_of(name).is_file() and (with_pictures or name != EVIDENCE):
                copy_database(home.path_of(name), copies / name)
                files.append((name, copies / name))
        files += [
            (name, home.path_of(name)) for name in (SETTINGS, CHOSEN, *SETUP) if home.path_of(name).is_file()
        ]
        files += list(_in_folders(home.folder))
        held = holding(copies, home)
        about = {"made_utc": now_utc(), "version": version("companion"), "holds": held.as_json()}
        return write_archive(file, BOUNDS, about, files)


def copy_database(source: Path, target: Path) -> None:
    """Copy a database whole, also while somebody writes to it. Raises sqlite3.Error."""
    with (
        closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as old,
        closing(sqlite3.connect(target)) as fresh,
    ):
        old.backup(fresh)


def fold_in_log(path: Path) -> None:
    """Write what is still in a database's log into the database itself. Raises sqlite3.Error."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("pragma wal_checkpoint(truncate)")


def home_of(path: Path | None) -> Home:
    """Return where things lie, by a settings file, None: the usual one. Raises CannotStart.

    Settings that cannot be read are taken to keep the journal where it usually is.
    """
    folder = home()
    try:
        journal = journal_path(load(path))
    except CannotStart:
        journal = folder / JOURNAL
    return Home(folder, journal, path or settings_path())


def holding(folder: Path, home: Home | None = None) -> Holding:
    """Return what a folder holds; with a home, its boxes and settings, and the databases of ``folder``."""
    rest = home.folder if home else folder
    settings = (home.settings if home else folder / SETTINGS, rest / CHOSEN)
    journal = home.journal if home and folder == home.folder else folder / JOURNAL
    tables, entries, newest = _asked(journal, COUNT_JOURNAL) or (0, 0, "")
    (pictures,) = _asked(folder / EVIDENCE, "select count(*) from exhibits") or (0,)
    boxes = sorted(path.parent.name for path in (rest / "boxes").glob(f"*/{CATALOGUE}"))
    return Holding(
        tables=int(tables),
        entries=int(entries),
        newest_utc=str(newest or ""),
        boxes=tuple(name for name in boxes if not name.startswith(".")),
        has_settings=any(path.is_file() for path in settings),
        pictures=int(pictures),
    )


def _asked(path: Path, question: str) -> tuple[Any, ...]:
    """Return the first row of an answer; nothing where there is no such database."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            return tuple(database.execute(question).fetchone())
    except sqlite3.Error:
        return ()


def _in_folders(folder: Path) -> Iterator[tuple[str, Path]]:
    for top in FOLDERS:
        for inside, folders, names in os.walk(folder / top):
            folders[:] = sorted(one for one in folders if not one.startswith("."))
            for name in sorted(names):
                path = Path(inside) / name
                called = path.relative_to(folder).as_posix()
                if ALLOWED.fullmatch(called) and path.is_file() and not path.is_symlink():
                    yield called, path


def now_utc() -> str:
    """Return now, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
