"""The commands of the eyes. Results go to stdout, remarks to stderr."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from companion.ports import Frame, Reading, Recogniser
from vision.photos import NotAPicture, load_photo
from vision.report import as_json, as_lines
from vision.shelf import open_box
from vision.watch_command import watch

__all__ = ["read", "watch"]


@click.command()
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...")
@click.option("--box", "box_name", required=True, metavar="BOX", help="Name of a taught box, or its folder.")
@click.option("--json", "as_values", is_flag=True, help="One JSON object a photo, a line each.")
def read(photos: Sequence[str], box_name: str, as_values: bool) -> None:
    """Read photos of the table.

    A photo that shows no board, or is no picture, is answered `unreadable`. Exits 1 when no photo
    could be read or when a file cannot be opened.
    """
    try:
        eyes = open_box(box_name)
    except ValueError as fault:
        raise click.ClickException(str(fault)) from fault
    readable, missing = 0, 0
    for number, photo in enumerate(photos):
        try:
            reading = read_photo(eyes, Path(photo), number)
        except OSError as fault:
            missing += 1
            click.echo(f"{photo} cannot be opened: {fault.strerror or fault}.", err=True)
            continue
        readable += reading.answer == "read"
        if as_values:
            click.echo(json.dumps(as_json(photo, reading)))
        else:
            click.echo("\n".join(as_lines(photo, reading)))
    if missing or not readable:
        raise SystemExit(1)


def read_photo(eyes: Recogniser, photo: Path, number: int = 0) -> Reading:
    """Read one photo; one that is none gives an unreadable reading. Raises OSError."""
    try:
        pixels = load_photo(photo)
    except NotAPicture as fault:
        return Reading(str(photo), number, 0, {}, obstacle=fault.obstacle)
    return eyes.read(Frame(pixels, number, 0, str(photo)))
