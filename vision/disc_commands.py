"""``companion discs``: teach round pieces by photos of each kind, and tell which kind a photo shows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from companion.ports import Pixels
from vision.disc_finder import cropped, find_discs
from vision.disc_shelf import load_set, save_set, set_path
from vision.disc_views import shows_one, view_of
from vision.discs import DiscSet
from vision.photos import NotAPicture, load_photo
from vision.report import why_unreadable

PHOTOS_WANTED = 10


@click.group()
def discs() -> None:
    """Tell round pieces apart: coins, chips, printed discs."""


@discs.command()
@click.argument("set_name", metavar="SET")
@click.argument("photos", nargs=-1, required=True, metavar="KIND=PHOTO...")
def teach(set_name: str, photos: Sequence[str]) -> None:
    """Teach which round pieces belong to a SET, by photos of each kind at any turn and in any light.

    Each photo shows one piece and is cropped to it. Show both faces if both may lie up; a kind may have
    several. Example: companion discs teach money gold=1.jpg gold=2.jpg gold=3.jpg silver=4.jpg
    silver=5.jpg silver=6.jpg
    """
    path = set_path(set_name)
    try:
        shown = _shown(photos)
        taught = DiscSet.of(shown)
        save_set(path, taught)
    except ValueError as fault:
        raise click.ClickException(str(fault)) from fault
    except OSError as fault:
        raise click.ClickException(f"{path} cannot be written: {fault.strerror or fault}.") from fault
    for kind, each in shown.items():
        hint = "" if len(each) >= PHOTOS_WANTED else f" {PHOTOS_WANTED}, in other lights, are better."
        click.echo(f"{kind}: {len(each)} photos.{hint}")
    for one, other in taught.alike():
        click.echo(f"{one} and {other} look alike; they will often be left open.", err=True)
    click.echo(f"Kept in {path}. Try `companion discs read {set_name} PHOTO`.")


@discs.command()
@click.argument("set_name", metavar="SET")
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...")
@click.option("--json", "as_values", is_flag=True, help="One JSON object a piece, a line each.")
def read(set_name: str, photos: Sequence[str], as_values: bool) -> None:
    """Tell which kinds of a SET photos show, and why where that is open.

    A photo is cropped to one piece, or shows several apart from one another. Exits 1 when a file cannot
    be opened or is no picture.
    """
    try:
        known = load_set(set_path(set_name))
    except ValueError as fault:
        raise click.ClickException(str(fault)) from fault
    failed = 0
    for photo in photos:
        try:
            pixels = _opened(photo)
        except ValueError as fault:
            click.echo(str(fault), err=True)
            failed += 1
            continue
        for line in _told(known, photo, pixels, as_values=as_values):
            click.echo(line)
    if failed:
        raise SystemExit(1)


def _told(known: DiscSet, photo: str, pixels: Pixels, *, as_values: bool) -> Iterator[str]:
    """Give a line for each piece of a photo, and one that says so where none was found."""
    is_one = shows_one(pixels)
    pieces = [None] if is_one else list(find_discs(pixels))
    if not pieces and not as_values:
        yield f"{photo}: no round piece was found. Let pieces lie apart, or crop the photo to one."
    for disc in pieces:
        told = known.tell(view_of(pixels if disc is None else cropped(pixels, disc)))
        at = None if disc is None else [round(disc.x), round(disc.y)]
        if as_values:
            row = {
                "photo": photo,
                "kind": told.kind,
                "obstacle": told.obstacle,
                "alike": round(told.alike, 3),
            }
            yield json.dumps({**row, "centre_px": at})
        else:
            why = "" if told.obstacle is None else why_unreadable(told.obstacle)
            where = "" if at is None else f" at {at[0]},{at[1]}"
            yield f"{photo}{where}: {told.kind or f'unknown. {why}'}"


def _shown(photos: Sequence[str]) -> Mapping[str, Sequence[Pixels]]:
    """Open photos by their kinds. Raises UsageError, and ValueError for what is no picture."""
    shown: dict[str, list[Pixels]] = {}
    for given in photos:
        kind, sign, photo = given.partition("=")
        if not sign or not kind or not photo:
            raise click.UsageError(f"{given} is no KIND=PHOTO, such as gold=1.jpg.")
        shown.setdefault(kind, []).append(_opened(photo))
    return shown


def _opened(photo: str) -> Pixels:
    """Open a photo. Raises ValueError in plain words."""
    try:
        return load_photo(Path(photo))
    except OSError as fault:
        raise ValueError(f"{photo} cannot be opened: {fault.strerror or fault}.") from fault
    except NotAPicture as fault:
        raise ValueError(f"{photo}: {why_unreadable(fault.obstacle)}") from fault
