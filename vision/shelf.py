"""The shelf of taught boxes: by name under the companion's home, or a folder anywhere."""

from __future__ import annotations

import difflib
from pathlib import Path

from companion.settings import home
from vision.box import BOX_FILE, BoxNotTaught
from vision.loose.recogniser import LooseRecogniser
from vision.recogniser import OpenCvRecogniser, open_recogniser


def boxes_folder() -> Path:
    """Return the folder that taught boxes are kept in."""
    return home() / "boxes"


def taught_names() -> list[str]:
    """Return the names of all taught boxes."""
    folder = boxes_folder()
    if not folder.is_dir():
        return []
    return sorted(p.name for p in folder.iterdir() if (p / BOX_FILE).is_file() and not p.name.startswith("."))


def open_box(named: str) -> OpenCvRecogniser | LooseRecogniser:
    """Open the eyes for a box by name or folder. Raises BoxNotTaught, a ValueError, in plain words."""
    by_name = boxes_folder() / named
    folder = by_name if (by_name / BOX_FILE).is_file() else Path(named)
    if not (folder / BOX_FILE).is_file():
        raise BoxNotTaught(_no_such_box(named))
    return open_recogniser(str(folder))


def _no_such_box(named: str) -> str:
    known = taught_names()
    if Path(named).is_dir():
        return f"{named} holds no taught box. Teach one from scans with `companion box teach`."
    if not known:
        return f"There is no box {named}; none is taught yet. Teach it with `companion box teach`."
    plain = {name.casefold(): name for name in known}
    near = difflib.get_close_matches(named.casefold(), plain, n=1, cutoff=0.5)
    hint = f" Did you mean {plain[near[0]]}?" if near else ""
    return f"There is no box {named}.{hint} Taught: {', '.join(known)}."
