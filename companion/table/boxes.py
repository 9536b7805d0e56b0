"""The boxes of the shelf: one folder each under ``boxes`` in the home folder.

A box's ``catalogue.json`` is what it prints, ``pictures`` shows pieces of it by sheet and id; the
rest of its folder is the recogniser's own. A box without pictures of its own is only a catalogue.
Imports contracts and the settings.
"""

from __future__ import annotations

import difflib
import fcntl
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.catalogue import Row, rows_of, with_rows
from companion.game import Game, Wire
from companion.settings import CannotStart, home
from companion.sheets import Sheet
from companion.whole_files import write_whole

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
CATALOGUE, EYES, PICTURES = "catalogue.json", "box.json", "pictures"
PICTURE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class BoxUnusable(CannotStart):
    """A box that was not taught, or whose catalogue cannot be read."""


def box_folder(box: str) -> Path:
    """Return the folder of a box, taught or not."""
    return home() / "boxes" / box


def taught_boxes() -> tuple[str, ...]:
    """Return the names of the boxes that have a catalogue, sorted."""
    found = (path.parent.name for path in (home() / "boxes").glob(f"*/{CATALOGUE}"))
    return tuple(sorted(name for name in found if not name.startswith(".")))  # a dot: being taught


def has_eyes(box: str) -> bool:
    """Tell whether a box was taught from pictures, so that cameras know it."""
    return bool(box) and (box_folder(box) / EYES).is_file()


def catalogue_of(box: str) -> Wire:
    """Read what a box prints. Raises BoxUnusable with the near match and what to do."""
    taught = taught_boxes()
    if box not in taught:
        near = difflib.get_close_matches(box, taught, n=1, cutoff=0.4)
        hint = f"Did you mean {near[0]}?" if near else f"Taught: {', '.join(taught) or 'none yet'}."
        raise BoxUnusable(
            f"There is no taught box {box!r}. {hint} Teach it with `companion box teach FOLDER --name {box}`."
        )
    path = box_folder(box) / CATALOGUE
    try:
        catalogue = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(catalogue, dict):
            raise ValueError("it is no JSON object")
    except (OSError, ValueError, RecursionError) as error:
        raise BoxUnusable(
            f"The catalogue {path} cannot be read: {error}. Teach the box anew with `companion box teach "
            f"FOLDER --name {box}`, then bring in what was exported before with "
            f"`companion box cards import {box} FILE`."
        ) from error
    return catalogue


def correct(box: str, change: Callable[[Wire], Wire]) -> Wire:
    """Change what a box prints, all or nothing, and return it.

    Two programs never lose each other's changes. What ``change`` raises leaves the box as it was.
    Raises BoxUnusable if the box cannot be read or written.
    """
    catalogue_of(box)
    with _alone_with(box_folder(box)):
        changed = change(catalogue_of(box))
        write_catalogue(box_folder(box), changed)
    return changed


def merged(sheet: Sheet, catalogue: Wire, rows: Mapping[str, Row]) -> dict[str, Any]:
    """Return the catalogue with these rows changed or added, the others as they were."""
    return with_rows(sheet, catalogue, {**rows_of(sheet, catalogue), **rows})


def new_box(box: str, catalogue: Wire) -> None:
    """Put a box on the shelf that no camera knows. Raises BoxUnusable if there is one of that name."""
    if not NAME.fullmatch(box):
        raise BoxUnusable(f"{box!r} is no name for a box; use letters, digits, - and _, at most 40.")
    folder = box_folder(box)
    try:
        folder.mkdir(parents=True)
    except FileExistsError as error:
        raise BoxUnusable(f"There is a box {box} already. Choose another name.") from error
    except OSError as error:
        raise BoxUnusable(f"The folder {folder} cannot be made: {error.strerror or error}.") from error
    write_catalogue(folder, {**catalogue, "name": box})


def picture_of(box: str, sheet: str, row: str) -> bytes | None:
    """Return the taught picture of a piece as JPEG, None if the box has none."""
    if not (box and PICTURE_ID.fullmatch(row) and PICTURE_ID.fullmatch(sheet)):
        return None
    try:
        return (box_folder(box) / PICTURES / sheet / f"{row}.jpg").read_bytes()
    except OSError:
        return None


def write_catalogue(folder: Path, catalogue: Wire) -> None:
    """Write a catalogue whole or not at all, also through a power cut. Raises BoxUnusable."""
    text = json.dumps(catalogue, indent=1, ensure_ascii=False)
    try:
        write_whole(folder / CATALOGUE, text.encode())
    except OSError as error:
        raise BoxUnusable(f"{folder / CATALOGUE} cannot be written: {error.strerror or error}.") from error


@contextmanager
def _alone_with(folder: Path) -> Iterator[None]:
    try:
        file = (folder / ".lock").open("w")
    except OSError as error:
        raise BoxUnusable(f"The box in {folder} cannot be changed: {error.strerror or error}.") from error
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def check_still_fits(game: Game[Any, Any, Any], box: str, before: Wire, after: Wire) -> None:
    """Refuse what makes a box that could be played with one that cannot. Raises BoxUnusable."""
    try:
        game.initial(after)
    except (ValueError, LookupError, TypeError) as wrong:
        try:
            game.initial(before)
        except (ValueError, LookupError, TypeError):
            return  # a box that is being completed
        raise BoxUnusable(f"With that the box {box} could not be played: {wrong}") from wrong
