"""``companion watch``: the live eyes on a folder of stills, a video or a camera."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import click

from companion.plugins import PartUnusable
from companion.ports import DeviceLost, Frame, Reading, Watch
from vision.changes import Change, Known, compare
from vision.shelf import open_box
from vision.sources import NothingToWatch, frames_of

NO_BOARD = (
    "No board was found. Boards are found by their corner tags (tag36h11), or by their printed art as the "
    "box was taught. See that a whole board of this box is in view and well lit, and try one picture with "
    "`companion read`."
)


@click.command()
@click.argument("source")
@click.option("--box", "box_name", required=True, metavar="BOX", help="Name of a taught box, or its folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line for each change.")
@click.option(
    "--speed",
    type=click.FloatRange(min=0.1),
    help="Show a folder or a video in its own time, so many times faster. Without it: at once.",
)
def watch(source: str, box_name: str, as_json: bool, speed: float | None) -> None:
    """Watch SOURCE (a folder of stills, a video, http://..., usb:DEVICE) and print what changes.

    A folder is shown as a camera would show it, each still for two seconds. The first settled picture
    is the state it begins with; hands change nothing.
    """
    try:
        eyes = open_box(box_name).watch(source)
        has_board = _print_changes(frames_of(source, speed=speed), eyes, as_json=as_json)
    except (NothingToWatch, DeviceLost, PartUnusable, ValueError) as fault:
        raise click.ClickException(str(fault)) from fault
    if Path(source).is_file():
        click.echo(f"The video {source} was shown to its end.", err=True)
    if not has_board:
        raise click.ClickException(NO_BOARD)


def _print_changes(frames: Iterable[Frame], eyes: Watch, *, as_json: bool) -> bool:
    """Print every change as it is noticed; return whether any board was ever read."""
    known, has_board = Known(), False
    try:
        for frame in frames:
            reading = eyes.see(frame)
            if reading is None or not reading.boards:
                continue
            has_board = True
            known, changes = compare(known, reading)
            for change in changes:
                click.echo(_as_json(change, reading) if as_json else _as_line(change, reading))
    except KeyboardInterrupt:
        click.echo("Stopped.", err=True)
        return True
    return has_board


def _as_json(change: Change, reading: Reading) -> str:
    return json.dumps(
        {
            "frame": reading.frame,
            "board": change.place.board,
            "space": change.place.space,
            "was": change.was,
            "reads": change.reads,
            "sure": change.sure,
        }
    )


def _as_line(change: Change, reading: Reading) -> str:
    doubt = "" if change.sure else "  unsure"
    return f"{reading.frame:>4}  {change.place}  {change.was} -> {change.reads}{doubt}"
