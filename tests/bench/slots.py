"""Wooden pieces of five colours on a real printed board, taught from one laid board and read from another.

Photos are copied alone under shuffled names. The board is known from its one empty photo; what lies there is
told of the photo that teaches, as an owner tells it, and read by the judge only of all others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from companion.board import EMPTY, PieceKind
from tests.bench.dice import shuffled
from tests.bench.real_board import board_eyes, outlines_of
from tests.bench.table import Line, Section, at_least
from vision.box import ART_PX_PER_MM
from vision.flatten import flatten
from vision.photos import load_photo
from vision.reader import Reader
from vision.slot_colours import SlotColours, SlotLooks, SlotTold, see_slots

ANSWERED, RIGHT = 77.0, 93.0
"""Bars in percent: what a difference of colours with a margin reaches at its best, on the same photos."""


def slot_section(photos: Path, work: Path) -> Section:
    """Teach from each laid board in turn and read every other one, laid or empty."""
    told = json.loads((photos / "labels.json").read_text(encoding="utf-8"))
    truths = truths_of(told)
    outlines, reader = outlines_of(told), board_eyes(photos, told)
    copies = shuffled(photos, sorted(truths), work)
    looks = {name: looks_at(copy, reader, outlines) for copy, name in copies.items()}
    laid = [name for name, lying in truths.items() if set(lying) != {EMPTY}]
    lines = []
    for number, teacher in enumerate(laid):
        colours = SlotColours.of(looks[teacher], truths[teacher])
        for name in truths:
            if name != teacher and (name in laid or number == 0):
                title = "pieces on it" if name in laid else "empty"
                answered, right, named = judged(colours.tell(looks[name]), truths[name])
                what = f"{title}, taught from laid board {number + 1}"
                lines.append(at_least(f"{what}: spaces answered", answered, ANSWERED, " %", digits=1))
                lines.append(at_least(f"{what}: of those right", right, RIGHT, " %", digits=1))
                lines.append(Line("pieces of those where none lies", f"{named}"))
    return Section("Wooden pieces on a printed board", "python -m tests.bench --only slots", tuple(lines))


def truths_of(told: Mapping[str, Any]) -> Mapping[str, Sequence[PieceKind]]:
    """Return what lies on each space of the photos that say so, but for the one that is the art."""
    count = len(told["slot_polygons"])
    truths = {}
    for name, row in told["images"].items():
        if "slots" in row and "enrolment" not in row["conditions"]:
            lying = row["slots"] if isinstance(row["slots"], dict) else {}
            truths[name] = [PieceKind(lying.get(str(n), EMPTY)) for n in range(count)]
    return truths


def looks_at(photo: Path, reader: Reader, outlines: Sequence[np.ndarray]) -> SlotLooks:
    """Find the board in a photo and look at its spaces."""
    pixels = load_photo(photo)
    (pose,) = reader.find(pixels)
    flat, _ = flatten(pixels, pose, px_per_mm=ART_PX_PER_MM)
    return see_slots(flat, reader.box.boards[pose.board], outlines)


def judged(told: Sequence[SlotTold], lying: Sequence[PieceKind]) -> tuple[float, float, int]:
    """Return percent answered, percent of those right, and how many pieces were named where none is."""
    answers = [(one.reads, truth) for one, truth in zip(told, lying, strict=True) if one.reads is not None]
    right = sum(reads == truth for reads, truth in answers)
    named = sum(truth == EMPTY != reads for reads, truth in answers)
    return 100 * len(answers) / len(lying), 100 * right / max(1, len(answers)), named
