"""The commands that measure a rig: ``companion calibrate lens``, ``die`` and ``turntable``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import click

from calibration.die_command import die
from calibration.lens import LensWork, TooFewViews
from calibration.lens_sheet import CharucoSheet, Chessboard, LensSheet
from calibration.lens_views import is_name, keep_profile
from calibration.turntable_command import turntable
from companion.game import Sentence
from companion.plugins import load as load_part
from companion.ports import Camera, DeviceLost, Pixels
from companion.sentences import Speaker
from companion.settings import Settings, home, load
from companion.table.home_lock import take_home
from vision.photos import NotAPicture, load_photo
from vision.report import why_unreadable

READ_MS = 500
MOST_SILENT = 20  # reads without a picture
PATIENCE = 900  # pictures in a row that show nothing new


@click.group()
def calibrate() -> None:
    """Measure a rig."""


calibrate.add_command(die)
calibrate.add_command(turntable)


@calibrate.command()
@click.argument("photos", nargs=-1, type=click.Path(path_type=Path), metavar="[PHOTO...]")
@click.option("--camera", help="Look through this camera of the settings instead; the service must not run.")
@click.option("--name", help="What the lens is called; else as the camera.")
@click.option(
    "--chessboard",
    metavar="COLUMNSxROWS",
    help="Use a plain chessboard instead, of so many corners where four squares meet (9x6).",
)
@click.option("--settings", "path", type=click.Path(path_type=Path), help="The settings file.")
def lens(
    photos: Sequence[Path], camera: str | None, name: str | None, chessboard: str | None, path: Path | None
) -> None:
    """Measure how a lens bends lines, from a dozen views of the lens sheet.

    Print the sheet with `companion sheets --lens FILE`. With --camera the command says what view
    is missing until it has all; without, it takes PHOTOs made with the same camera setting.
    """
    if bool(photos) == bool(camera):
        raise click.UsageError("Give either photos of the lens sheet or --camera NAME.")
    called = name or camera or "photos"
    if not is_name(called):
        raise click.UsageError(f"{called!r} is no name for a lens; use letters, digits, - and _.")
    work = LensWork(sheet=_sheet(chessboard))
    if camera:
        with take_home(home(), wait_s=0):
            _watch(work, load(path), camera)
    else:
        _look_at_all(work, photos)
    try:
        profile, verdict = work.solve()
    except TooFewViews as few:
        raise click.ClickException(_say(few.said)) from few
    click.echo(_say(verdict.said))
    if not verdict.is_good:
        raise SystemExit(1)
    file = keep_profile(profile, called)
    click.echo(f'Write under its [[cameras]] in the settings:  lens = "{file}"')


def _sheet(chessboard: str | None) -> LensSheet:
    """Return the sheet to look for. Raises UsageError for what counts no chessboard."""
    if chessboard is None:
        return CharucoSheet()
    try:
        columns, rows = (int(count) for count in chessboard.lower().split("x"))
        return Chessboard(columns, rows)
    except ValueError as fault:
        raise click.UsageError(f"{chessboard!r} counts no chessboard: give its corners as 9x6.") from fault


def _say(sentence: Sentence) -> str:
    return Speaker(("calibration", "companion")).say(sentence)


def _look_at_all(work: LensWork, photos: Sequence[Path]) -> None:
    for photo in photos:
        try:
            advice = work.look(load_photo(photo))
        except NotAPicture as fault:
            raise click.ClickException(f"{photo}: {why_unreadable(fault.obstacle)}") from fault
        except OSError as fault:
            raise click.ClickException(f"{photo} cannot be opened: {fault.strerror or fault}.") from fault
        click.echo(f"{photo}: {_say(advice.said)}", err=True)


def _watch(work: LensWork, settings: Settings, name: str) -> None:
    """Look through a camera until all views are there, saying what is missing whenever that changes."""
    said, seen = "", 0
    for pixels in _pictures(settings, name):
        advice = work.look(pixels)
        seen = 0 if advice.is_taken else seen + 1
        if (words := _say(advice.said)) != said:
            said = words
            click.echo(said, err=True)
        if work.is_enough or seen > PATIENCE:
            return


def _pictures(settings: Settings, name: str) -> Iterator[Pixels]:
    known = {device.name: device for device in settings.cameras}
    if name not in known:
        there = ", ".join(known) or "none"
        raise click.UsageError(f"There is no camera {name!r} in the settings; there is {there}.")
    device = known[name]
    options = {key: value for key, value in device.options.items() if key != "lens"}  # as it really bends
    silent = 0
    try:
        camera: Camera = load_part("companion.cameras", device.driver)(name, options)
        with closing(camera):
            while silent < MOST_SILENT:
                frame = camera.read(timeout_ms=READ_MS)
                silent = silent + 1 if frame is None else 0
                if frame is not None:
                    yield frame.pixels
    except (DeviceLost, ValueError) as fault:
        click.echo(str(fault), err=True)
