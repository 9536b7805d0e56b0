"""The boxes that were taught: one folder each under ``boxes`` in the home folder.

A box's ``catalogue.json`` is what it prints (cards, carts); the rest of its folder is the
recogniser's own. Imports the settings only.
"""

from __future__ import annotations

import difflib
import json
from pathlib import Path

from companion.game import Wire
from companion.settings import CannotStart, home


class BoxUnusable(CannotStart):
    """A box that was not taught, or whose catalogue cannot be read."""


def box_folder(box: str) -> Path:
    """Return the folder of a box, taught or not."""
    return home() / "boxes" / box


def taught_boxes() -> tuple[str, ...]:
    """Return the names of the taught boxes, sorted."""
    found = (path.parent.name for path in (home() / "boxes").glob("*/catalogue.json"))
    return tuple(sorted(name for name in found if not name.startswith(".")))  # a dot: being taught


def catalogue_of(box: str) -> Wire:
    """Read what a taught box prints. Raises BoxUnusable with the near match."""
    taught = taught_boxes()
    if box not in taught:
        near = difflib.get_close_matches(box, taught, n=1, cutoff=0.4)
        hint = f"Did you mean {near[0]}?" if near else f"Taught: {', '.join(taught) or 'none yet'}."
        raise BoxUnusable(
            f"There is no taught box {box!r}. {hint} Teach it with `companion box teach FOLDER --name {box}`."
        )
    path = box_folder(box) / "catalogue.json"
    try:
        catalogue = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(catalogue, dict):
            raise ValueError("it is no JSON object")
    except (OSError, ValueError) as error:
        raise BoxUnusable(
            f"The catalogue {path} cannot be read: {error}. "
            f"Teach the box anew with `companion box teach FOLDER --name {box}`."
        ) from error
    return catalogue
