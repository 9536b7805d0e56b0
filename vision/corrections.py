"""What people corrected, kept in the box: how a space looked, what was read, what lies there.

``corrections`` in the box's folder holds ``corrections.json`` and a picture of each, in the colours of
the box's art and at its scale, so that a picture can be laid beside art. Reads and writes files.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.board import BoardId, PieceKind, Place, SpaceId
from companion.ports import Pixels

FOLDER, BOOK = "corrections", "corrections.json"
FORMAT = 1
NO_CARD = PieceKind("")
MOST = 400
"""Corrections that a box keeps; the oldest go first."""


class Use(StrEnum):
    """What became of a correction; rendered as ``teach.correction.<value>``."""

    USED = "used"  # the eyes compare with it
    ASIDE = "aside"  # with it they would take another piece, or nothing, for this one
    KEPT = "kept"  # nothing to compare with: a kind that no picture teaches


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction. ``offset_mm`` and ``turn_deg`` say how the piece lies in the picture kept of it.

    ``group`` is that of the look (``token``, ``part``, ``card``, ``tile``); ``against`` names the kind
    for whose sake it was put aside; ``on`` the card on which the place lies, if it is none of the board's.
    """

    number: int
    place: Place
    group: str
    seen: PieceKind
    said: PieceKind
    at_utc: str
    offset_mm: tuple[float, float]
    turn_deg: float
    use: Use
    against: str = ""
    on: PieceKind = NO_CARD


class CorrectionBook:
    """The corrections of one box on the disk. Not for several threads."""

    def __init__(self, box_folder: Path) -> None:
        self.folder = box_folder / FOLDER
        self._all = tuple(_read(self.folder / BOOK))

    @property
    def all(self) -> Sequence[Correction]:
        """Return every correction, oldest first."""
        return self._all

    def picture(self, number: int) -> Pixels | None:
        """Return the picture kept of a correction; None if it is gone."""
        seen = cv2.imread(str(self.folder / f"{number}.png"))
        return None if seen is None else np.asarray(seen, np.uint8)

    def add(self, correction: Correction, picture: Pixels) -> Correction:
        """Keep a correction under a number of its own and return it. Raises OSError."""
        kept = replace(correction, number=max((one.number for one in self._all), default=0) + 1)
        self.folder.mkdir(exist_ok=True)
        coded = cv2.imencode(".png", picture)[1].tobytes()
        (self.folder / f"{kept.number}.png").write_bytes(coded)
        everything = (*self._all, kept)
        for old in everything[:-MOST]:
            (self.folder / f"{old.number}.png").unlink(missing_ok=True)
        self._write(everything[-MOST:])
        return kept

    def change(self, correction: Correction) -> None:
        """Keep a correction otherwise than before."""
        self._write([correction if one.number == correction.number else one for one in self._all])

    def take_back(self, number: int) -> bool:
        """Forget a correction and its picture. False if there is none of that number."""
        rest = [one for one in self._all if one.number != number]
        if len(rest) == len(self._all):
            return False
        self._write(rest)
        (self.folder / f"{number}.png").unlink(missing_ok=True)
        return True

    def _write(self, corrections: Sequence[Correction]) -> None:
        told = {"format": FORMAT, "corrections": [_out(one) for one in corrections]}
        handle, name = tempfile.mkstemp(prefix=".corrections-", dir=self.folder)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(told, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(self.folder / BOOK)
        self._all = tuple(corrections)


def _out(one: Correction) -> dict[str, Any]:
    return {
        "number": one.number,
        "place": str(one.place),
        "group": one.group,
        "seen": one.seen,
        "said": one.said,
        "at_utc": one.at_utc,
        "offset_mm": list(one.offset_mm),
        "turn_deg": one.turn_deg,
        "use": one.use.value,
        "against": one.against,
        "on": one.on,
    }


def _read(path: Path) -> list[Correction]:
    """Read the book; a broken one is as good as none: the box itself is whole without it."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return [_in(one) for one in told["corrections"]] if told["format"] == FORMAT else []
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []


def _in(told: Mapping[str, Any]) -> Correction:
    x, y = told["offset_mm"]
    board, _, space = str(told["place"]).partition("/")
    return Correction(
        int(told["number"]),
        Place(BoardId(board), SpaceId(space)),
        str(told["group"]),
        PieceKind(told["seen"]),
        PieceKind(told["said"]),
        str(told["at_utc"]),
        (float(x), float(y)),
        float(told["turn_deg"]),
        Use(told["use"]),
        str(told.get("against", "")),
        PieceKind(told.get("on", NO_CARD)),
    )
