"""Files that are whole or not there, however the power fails: written aside, synced, renamed.

A rename is on the disk once the folder is synced, and not before. Text: ``companion.whole_files``.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from companion.whole_files import sync_folder

PART = ".part"
"""The end of a name that nobody reads: what a power cut leaves behind."""


def copy_whole(source: Path, target: Path, *, like: Path | None = None) -> None:
    """Copy a file, or leave the one that is there as it is; owned as ``like`` is, if given."""
    with _aside(target) as fresh:
        shutil.copyfile(source, fresh)
        if like is not None:
            told = like.stat()
            os.chown(fresh, told.st_uid, told.st_gid)
            fresh.chmod(told.st_mode & 0o666)


def point(link: Path, target: str) -> None:
    """Let a link lead to ``target`` from one moment to the next; it is never away."""
    fresh = link.with_name(link.name + PART)
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(target)
    fresh.replace(link)
    sync_folder(link.parent)


def remove(path: Path) -> None:
    """Take a file or link away for good; it need not be there."""
    if path.is_symlink() or path.exists():
        path.unlink()
        sync_folder(path.parent)


def clear_folder(folder: Path) -> None:
    """Take a folder away with all that is in it; it need not be there.

    Raises OSError if something else is mounted in it: what is not ours is not removed.
    """
    if not folder.is_dir() or folder.is_symlink():
        return
    device = folder.lstat().st_dev
    for inside, _, _ in os.walk(folder):
        if Path(inside).lstat().st_dev != device or os.path.ismount(inside):
            raise OSError(0, "Another disk is mounted here; unmount it first", inside)
    shutil.rmtree(folder)
    sync_folder(folder.parent)


def copy_database(source: Path, target: Path) -> None:
    """Copy an SQLite file as it stands at one moment, also while it is written to."""
    with (
        _aside(target) as fresh,
        closing(sqlite3.connect(source)) as from_,
        closing(sqlite3.connect(fresh)) as to,
    ):
        from_.backup(to)
        to.execute("PRAGMA journal_mode=DELETE")


def fold_in_log(database: Path) -> None:
    """Write what stands in an SQLite file's log into the file itself, so that the file is all there is."""
    with closing(sqlite3.connect(database)) as opened:
        opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        opened.execute("PRAGMA journal_mode=DELETE")


@contextmanager
def _aside(target: Path) -> Iterator[Path]:
    """Give a name to write to; what was written takes the target's place, once it is on the disk."""
    fresh = target.with_name(target.name + PART)
    fresh.unlink(missing_ok=True)
    try:
        yield fresh
        with fresh.open("rb+") as file:
            os.fsync(file.fileno())
        fresh.replace(target)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)
