"""The steps by which a table is set up for the first time, and how far it is: pure, but for one small file.

A step is done when what it asks for is known, from wherever; it may be skipped. Only that is kept: what was
skipped, and whether somebody said that it is enough.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from companion.whole_files import write_whole

FILE = "wizard.json"
FORMAT = 1


class Step(StrEnum):
    """What is asked, in this order; rendered as ``wizard.step.<value>``."""

    LANGUAGE = "language"
    CAMERA = "camera"
    BOARDS = "boards"
    DIE = "die"
    ROTOR = "rotor"
    PLAYERS = "players"


RIG = (Step.CAMERA, Step.BOARDS, Step.DIE, Step.ROTOR)
"""What a group does without that has nothing but phones."""


class Standing(StrEnum):
    """How a step is; rendered as ``wizard.standing.<value>``."""

    DONE = "done"
    SKIPPED = "skipped"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a table without asking."""

    is_language_settled: bool = False
    cameras: tuple[str, ...] = ()
    box: str = ""
    is_box_taught: bool = False
    is_set_up: bool = False
    dice: tuple[str, ...] = ()
    rotors: tuple[str, ...] = ()
    has_begun: bool = False

    def settles(self, step: Step) -> bool:
        """Tell whether a step need not be asked."""
        # Without a camera a taught box is all that photos by phones need.
        boards = self.is_box_taught and (self.is_set_up or not self.cameras)
        known = {
            Step.LANGUAGE: self.is_language_settled,
            Step.CAMERA: bool(self.cameras),
            Step.BOARDS: boards,
            Step.DIE: bool(self.dice),
            Step.ROTOR: bool(self.rotors),
            Step.PLAYERS: self.has_begun,
        }
        return known[step]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far somebody went: the steps that were skipped, and whether that was said to be enough."""

    skipped: frozenset[Step] = frozenset()
    is_closed: bool = False

    def standing(self, step: Step, known: Known) -> Standing:
        """Tell how a step is. What became known since it was skipped is done."""
        if known.settles(step):
            return Standing.DONE
        return Standing.SKIPPED if step in self.skipped else Standing.OPEN

    def next_after(self, step: Step | None, known: Known) -> Step | None:
        """Return the next open step after one, from the front again at the end; None if none is open."""
        steps = list(Step)
        at = 0 if step is None else steps.index(step) + 1
        turned = steps[at:] + steps[: max(0, at - 1)]
        return next((one for one in turned if self.standing(one, known) is Standing.OPEN), None)

    def skip(self, *steps: Step) -> Progress:
        return Progress(self.skipped | {*steps}, self.is_closed)

    def close(self) -> Progress:
        return Progress(self.skipped, is_closed=True)


def kept_progress(folder: Path) -> Progress:
    """Return how far somebody went; nothing was done if there is no file, or none that can be read."""
    try:
        told = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Progress()
    if not isinstance(told, Mapping) or told.get("format") != FORMAT:
        return Progress()
    skipped = told.get("skipped")
    names = {str(one) for one in skipped} if isinstance(skipped, list) else set()
    return Progress(frozenset(step for step in Step if step in names), told.get("is_closed") is True)


def keep_progress(folder: Path, progress: Progress) -> None:
    """Remember how far somebody went. Raises OSError."""
    told = {
        "format": FORMAT,
        "skipped": [step for step in Step if step in progress.skipped],
        "is_closed": progress.is_closed,
    }
    write_whole(folder / FILE, json.dumps(told).encode())
