"""The commands that share a box: ``companion box export`` and ``companion box import``."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import BinaryIO

import click

from calibration.box_archive import export_box, import_box
from companion.settings import home
from companion.table.archive import MB
from companion.table.archive_faults import ArchiveRefused

BOXES = "boxes"


@click.command("export")
@click.argument("name", metavar="BOX")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--without-lessons", is_flag=True, help="Leave out the views it was taught from.")
def export_command(name: str, file: Path, *, without_lessons: bool) -> None:
    """Write BOX as one archive FILE, to keep it or to share it on purpose.

    It holds pictures of your game, which are its publisher's: share it with who owns the game, too.
    """
    folder = home() / BOXES / name
    if "/" in name or name.startswith(".") or not folder.is_dir():
        raise click.ClickException(f"There is no box {name}. `companion box list` lists the taught ones.")
    handle, fresh = tempfile.mkstemp(prefix=".box-", dir=file.absolute().parent)
    try:
        with os.fdopen(handle, "wb") as out:
            told = export_box(folder, out, with_lessons=not without_lessons)
        Path(fresh).chmod(0o644)
        Path(fresh).replace(file)
    except OSError as fault:
        Path(fresh).unlink(missing_ok=True)
        raise click.ClickException(f"{file} cannot be written: {fault.strerror or fault}.") from fault
    except ArchiveRefused as refused:
        Path(fresh).unlink(missing_ok=True)
        raise click.ClickException(str(refused)) from refused
    click.echo(f"{file}: box {name}, {told.files} files, {file.stat().st_size / MB:.1f} MB.")


@click.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--name", default="", help="What the box is called here; else as in the archive.")
def import_command(file: BinaryIO, name: str) -> None:
    """Put the box of an archive FILE on the shelf."""
    try:
        called = import_box(file, home() / BOXES, name=name)
    except ArchiveRefused as refused:
        raise click.ClickException(str(refused)) from refused
    except OSError as fault:
        raise click.ClickException(f"The box cannot be kept: {fault.strerror or fault}.") from fault
    click.echo(f"Box {called} is on the shelf. Name it in the settings, or choose it for a new game.")
