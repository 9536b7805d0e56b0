"""The job that teaches the colours of a box's dice (entry point ``companion.jobs``), throw by throw.

Every throw is on the disk before it is answered, in the file that the eyes read (``vision.dice_shelf``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.lessons import all_lessons
from calibration.teach_job import Refused, photo_of
from companion.game import Wire
from companion.ports import Workbench
from companion.table.boxes import taught_boxes
from vision.dice import DiceEyes
from vision.dice_colours import DiceSet, load_set, look_of, save_set
from vision.dice_shelf import box_set_path

KIND = re.compile(r"[a-z0-9][a-z0-9_-]{0,30}")
MOST_LOOKS = 40
"""Of one kind; the oldest go first: the light of tonight counts."""


def dice(bench: Workbench, told: Wire, coded: bytes) -> Wire:
    """Take in a throw of dice of one kind (``do`` is ``throw``) or forget a kind (``forget``)."""
    try:
        box, kind = str(told["box"]), str(told["kind"]).strip().lower()
        if box not in (*all_lessons(), *taught_boxes()):
            raise Refused("teach.dice.no_box", {"box": box})
        path, known = box_set_path(box), kinds_of(box)
        if told["do"] == "forget":
            return _kept(path, {name: looks for name, looks in known.items() if name != kind})
        if not KIND.fullmatch(kind):
            raise Refused("teach.dice.name")
        seen = DiceEyes().see(photo_of(bench, told, coded))
        if not seen:
            raise Refused("teach.dice.none")
        fresh = np.array([look_of(die.view, die.lattice.corners) for die in seen])
        looks = np.concatenate([known[kind], fresh]) if kind in known else fresh
        return {**_kept(path, {**known, kind: looks[-MOST_LOOKS:]}), "seen": len(seen)}
    except Refused as refused:
        return refused.answer
    except OSError as fault:
        return Refused("teach.plainly", {"text": fault.strerror or str(fault)}).answer


def kinds_of(box: str) -> Mapping[str, NDArray[np.float64]]:
    """Return how the throws of each kind looked so far; nothing if none was taught, or a file is broken."""
    try:
        return load_set(box_set_path(box)).kinds
    except ValueError:
        return {}


def _kept(path: Path, kinds: Mapping[str, NDArray[np.float64]]) -> Wire:
    if kinds:
        save_set(path, DiceSet(kinds))
    else:
        path.unlink(missing_ok=True)
    return {"ok": True}
