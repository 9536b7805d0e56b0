"""The shelf of taught dice sets: with a box, by name under the companion's home, or a file anywhere."""

from __future__ import annotations

from pathlib import Path

from companion.settings import home
from vision.box import DICE_FILE


def set_path(named: str) -> Path:
    """Return where a set lies: the file that was named, with the box of that name, or by its own name."""
    given = Path(named).expanduser()
    if given.suffix == ".json":
        return given
    own = home() / "dice" / f"{named}.json"
    with_box = box_set_path(named)
    return with_box if with_box.is_file() and not own.is_file() else own


def box_set_path(box: str) -> Path:
    """Return where the dice of a taught box lie, taught or not."""
    return home() / "boxes" / box / DICE_FILE
