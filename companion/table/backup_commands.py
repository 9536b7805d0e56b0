"""The commands ``companion backup`` and ``companion restore``."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import click

from companion.settings import load
from companion.table.archive import MB
from companion.table.archive_faults import ArchiveRefused
from companion.table.backup import Holding, Home, holding, home_of, make_backup
from companion.table.home_lock import HomeTaken, take_home
from companion.table.restore import (
    Outcome,
    asides,
    forget_staged,
    go_back,
    put_back,
    put_in_place,
    settle,
    wanted,
)
from companion.table.restore import want as want_restored
from companion.table.sqlite_journal import journal_path, open_sqlite_journal
from companion.table.stage_backup import stage

SETTINGS_FILE = click.option(
    "--settings", "path", type=click.Path(path_type=Path), help="The settings file; else the usual one."
)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--with-pictures", is_flag=True, help="With the pictures of proposals that were taken.")
@SETTINGS_FILE
def backup(file: Path, *, with_pictures: bool, path: Path | None) -> None:
    """Write evenings, boxes, seats and settings into one archive FILE. A table may be open meanwhile.

    It holds names of players and pictures of your game: keep it where you keep such things.
    """
    home = home_of(path)
    try:
        with tempfile.NamedTemporaryFile(prefix=".backup-", dir=file.absolute().parent, delete=False) as out:
            fresh = Path(out.name)
            try:
                told = make_backup(home, out.file, with_pictures=with_pictures)
                out.close()
                fresh.chmod(0o600)
                fresh.replace(file)
            except BaseException:
                fresh.unlink(missing_ok=True)
                raise
    except OSError as fault:
        raise click.ClickException(f"{file} cannot be written: {fault.strerror or fault}.") from fault
    except sqlite3.Error as fault:
        raise click.ClickException(
            f"A database cannot be read: {fault}. `companion doctor` says more."
        ) from fault
    click.echo(f"{file}: {told.files} files, {file.stat().st_size / MB:.1f} MB.")


@click.command()
@click.argument("file", type=click.File("rb"), required=False)
@click.option("--back", "is_back", is_flag=True, help="Go back to what was there before the last restore.")
@click.option("--without-settings", is_flag=True, help="Keep the settings of this computer.")
@click.option("--yes", "is_sure", is_flag=True, help="Do not ask.")
@SETTINGS_FILE
def restore(
    file: BinaryIO | None, *, is_back: bool, without_settings: bool, is_sure: bool, path: Path | None
) -> None:
    """Put a backup FILE in the place of what is there: all of it or nothing.

    Says first what it holds and what it replaces. What was there is kept aside.
    """
    if (file is None) != is_back:
        raise click.UsageError("Name a backup, or say --back.")
    home = home_of(path)
    try:
        with take_home(home.folder, wait_s=0):
            _restore(home, path, file, with_settings=not without_settings, is_sure=is_sure)
    except HomeTaken as taken:
        raise click.ClickException(
            f"The table is open (process {taken.pid}). Restore on the host's page, or stop the service first."
        ) from taken


def _restore(
    home: Home, path: Path | None, file: BinaryIO | None, *, with_settings: bool, is_sure: bool
) -> None:
    half = wanted(home.folder)
    if half is not None:
        put_back(home.folder, half, "The restore before this one was cut off.")
    try:
        held = stage(file, home.folder, with_settings=with_settings) if file else _back(home)
    except ArchiveRefused as refused:
        raise click.ClickException(f"{refused} Nothing was changed.") from refused
    except OSError as fault:
        raise click.ClickException(f"It cannot be unpacked: {fault}. Nothing was changed.") from fault
    click.echo(f"It holds:     {in_words(held)}")
    click.echo(f"It replaces:  {in_words(holding(home.folder, home))}")
    if not (is_sure or click.confirm("Replace it?")):
        with suppress(FileNotFoundError):
            _leave(home)
        raise click.ClickException("Nothing was changed.")
    if wanted(home.folder) is None:
        want_restored(home, with_settings=with_settings)
    outcome = _put_in_place(home, path)
    if not outcome.is_done:
        raise click.ClickException(f"It cannot be used: {outcome.why} All is as it was before.")
    click.echo(f"Done. What was there before is kept in {home.folder / outcome.aside}.")
    click.echo("`companion restore --back` goes back to it.", err=True)


def _back(home: Home) -> Holding:
    kept = asides(home.folder)
    if not kept:
        raise click.ClickException("Nothing was restored here, so there is nothing to go back to.")
    held = holding(home.folder / kept[-1])
    go_back(home, kept[-1], held)
    return held


def _leave(home: Home) -> None:
    """Forget what was staged; a state that was kept aside goes back to where it was kept."""
    intent = wanted(home.folder)
    if intent is not None:
        put_back(home.folder, intent, "Nobody wanted it.")
    forget_staged(home.folder)


def _put_in_place(home: Home, path: Path | None) -> Outcome:
    intent = wanted(home.folder)
    assert intent is not None
    try:
        begun = put_in_place(home.folder, intent)
        open_sqlite_journal(journal_path(load(path))).close()
    except Exception as fault:  # whatever it is, everything goes back to where it was
        return put_back(home.folder, wanted(home.folder) or intent, str(fault))
    return settle(home.folder, begun)


def in_words(held: Holding) -> str:
    """Return what is held, for people at a console."""
    newest = f" (the newest entry of {held.newest_utc[:16].replace('T', ' ')} UTC)" if held.newest_utc else ""
    boxes = f"the boxes {', '.join(held.boxes)}" if held.boxes else "no box"
    settings = "settings" if held.has_settings else "no settings"
    pictures = f", {held.pictures} pictures" if held.pictures else ""
    return f"{held.tables} evenings of {held.entries} entries{newest}, {boxes}, {settings}{pictures}"
