"""``companion dice``: read dice from pictures, teach the colours of a set, watch a tray."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import numpy as np

from companion.plugins import PartUnusable
from companion.ports import DeviceLost, DieRoll, Frame, Pixels
from vision.dice import DiceEyes
from vision.dice_colours import LEAST_THROWS, DiceSet, load_set, look_of, save_set
from vision.dice_report import as_json, as_lines, throw_line
from vision.dice_shelf import box_set_path, set_path
from vision.photos import NotAPicture, load_photo
from vision.report import why_unreadable
from vision.sources import NothingToWatch, frames_of
from vision.tray_die import WHOLE, TrayDie, area_in

_SET = click.option("--set", "set_name", metavar="SET", help="Tell dice by the colours of a taught set.")


@click.group()
def dice() -> None:
    """Read six-sided dice with a camera: no board and no box are needed."""


@dice.command()
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...")
@_SET
@click.option("--json", "as_values", is_flag=True, help="One JSON object a photo, a line each.")
def read(photos: Sequence[str], set_name: str | None, as_values: bool) -> None:
    """Read the dice in photos: what looks up, and why where that is open.

    A picture without dice is an answer, too. Exits 1 when a file cannot be opened or is no picture.
    """
    eyes = DiceEyes(_set_named(set_name))
    failed = 0
    for photo in photos:
        pixels = _opened(photo)
        if pixels is None:
            failed += 1
            continue
        began = time.perf_counter()
        found = eyes.read(pixels)
        if as_values:
            told = as_json(photo, found, took_ms=1000 * (time.perf_counter() - began))
            click.echo(json.dumps(told))
        else:
            click.echo("\n".join(as_lines(photo, found)))
    if failed:
        raise SystemExit(1)


@dice.command()
@click.argument("set_name", metavar="SET")
@click.argument("throws", nargs=-1, required=True, metavar="KIND=PHOTO...")
@click.option(
    "--box", "is_box", is_flag=True, help="SET is a taught box, on whose boards these dice will lie."
)
def teach(set_name: str, throws: Sequence[str], is_box: bool) -> None:
    """Teach which dice belong to a SET: each photo shows dice of one kind only, thrown anywhere.

    Example: companion dice teach lab red=1.jpg red=2.jpg blue=3.jpg blue=4.jpg
    """
    eyes = DiceEyes()
    looks: dict[str, list[np.ndarray]] = {}
    for throw in throws:
        kind, sign, photo = throw.partition("=")
        if not sign or not kind or not photo:
            raise click.UsageError(f"{throw} is no KIND=PHOTO, such as red=throw1.jpg.")
        pixels = _opened(photo)
        if pixels is None:
            raise SystemExit(1)
        seen = eyes.see(pixels)
        if not seen:
            raise click.ClickException(
                f"There is no die in {photo}. Take it in better light, or from nearer."
            )
        looks.setdefault(kind, []).extend(look_of(die.view, die.lattice.corners) for die in seen)
    taught = DiceSet({kind: np.array(each) for kind, each in looks.items()})
    path = box_set_path(set_name) if is_box else set_path(set_name)
    if is_box and not path.parent.is_dir():
        raise click.ClickException(f"There is no box {set_name}. Teach it with `companion box teach`.")
    save_set(path, taught)
    for kind, each in looks.items():
        hint = "" if len(each) >= LEAST_THROWS else " Throw it a few times more, elsewhere on the table."
        click.echo(f"{kind}: {len(each)} dice seen.{hint}")
    for one, other in taught.alike():
        click.echo(f"{one} and {other} look alike in this light; they will often be asked about.", err=True)
    click.echo(f"Kept in {path}. Try `companion dice read --set {set_name} PHOTO`.")


@dice.command()
@click.argument("source")
@_SET
@click.option("--kind", default="", help="Which die of the set, where several lie in the tray.")
@click.option(
    "--area", metavar="L,T,W,H", help="The tray, as shares of the picture: left, top, width, height."
)
@click.option("--tilt", default=5.0, help="Degrees that the camera looks from straight down.")
def watch(source: str, set_name: str | None, kind: str, area: str | None, tilt: float) -> None:
    """Watch a tray at SOURCE and tell each throw that comes to rest.

    SOURCE is http://..., usb:DEVICE, a folder of stills, a video, or camera:DRIVER: try camera:drawn-tray.
    """
    where = WHOLE if area is None else area_in(area)
    if where is None:
        raise click.UsageError("--area wants four shares inside the picture, such as 0.1,0.2,0.5,0.5.")
    eyes = DiceEyes(_set_named(set_name), tilt_deg=tilt)
    try:
        shown = _Shown(source, frames_of(source))
        die = TrayDie("tray", lambda: shown, eyes, area=where, kind=kind)
        while not shown.is_over:
            told = die.read(timeout_ms=1000)
            if isinstance(told, DieRoll):
                click.echo(throw_line(told))
            elif told is not None:
                click.echo(f"{told.state}: {told.detail}", err=True)
    except KeyboardInterrupt:
        click.echo("Stopped.", err=True)
    except (NothingToWatch, DeviceLost, PartUnusable, ValueError) as fault:
        raise click.ClickException(str(fault)) from fault


class _Shown:
    """Frames of whatever can be watched, as a camera."""

    def __init__(self, name: str, frames: Iterator[Frame]) -> None:
        self.name = name
        self.is_over = False
        self._frames = frames

    def read(self, *, timeout_ms: int) -> Frame | None:
        frame = next(self._frames, None)
        self.is_over = frame is None
        return frame

    def close(self) -> None:
        self.is_over = True


def _set_named(name: str | None) -> DiceSet | None:
    try:
        return None if name is None else load_set(set_path(name))
    except ValueError as fault:
        raise click.ClickException(str(fault)) from fault


def _opened(photo: str) -> Pixels | None:
    """Open a photo; say why if that fails."""
    try:
        return load_photo(Path(photo))
    except OSError as fault:
        click.echo(f"{photo} cannot be opened: {fault.strerror or fault}.", err=True)
    except NotAPicture as fault:
        click.echo(f"{photo}: {why_unreadable(fault.obstacle)}", err=True)
    return None
