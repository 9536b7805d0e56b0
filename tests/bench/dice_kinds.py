"""Which die of a set: taught by the dice of three photographs, asked about those of three others.

What the dice are was looked at by eye; their places are rough, the nearest die that was read counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from tests.bench.table import Line, Section, at_most
from vision.dice import DiceEyes
from vision.dice_colours import DiceSet, Look, look_of
from vision.photos import load_photo

Spots = Mapping[str, tuple[tuple[str, int, int], ...]]

TAUGHT: Spots = {
    "nb_20191209_095348.jpg": (
        ("green", 224, 252), ("green", 113, 345), ("blue", 141, 323),
        ("blue", 220, 317), ("green", 479, 335), ("green", 301, 408),
    ),
    "nb_20191209_100232.jpg": (
        ("green", 206, 116), ("purple", 444, 229), ("red", 371, 325),
        ("blue", 442, 369), ("purple", 295, 397), ("purple", 165, 426),
    ),
    "nb_20191209_100541.jpg": (("red", 225, 290), ("black", 328, 215)),
}  # fmt: skip
ASKED: Spots = {
    "nb_20191209_095721.jpg": (
        ("blue", 34, 218), ("green", 266, 228), ("green", 194, 260),
        ("blue", 333, 270), ("green", 406, 273), ("green", 279, 420),
    ),
    "nb_20191209_100308.jpg": (
        ("red", 225, 178), ("purple", 212, 232), ("purple", 389, 281),
        ("blue", 380, 317), ("purple", 243, 428), ("green", 227, 482),
    ),
    "nb_20191209_100620.jpg": (
        ("green", 359, 225), ("green", 256, 318), ("red", 411, 340), ("black", 320, 441),
    ),
}  # fmt: skip
NEAR_PX = 25.0


def kinds_section(photos: Path, eyes: DiceEyes) -> Section:
    """Measure how many dice are told by their colours."""
    looks: dict[str, list[Look]] = {}
    for kind, look in _looks(photos, TAUGHT, eyes):
        looks.setdefault(kind, []).append(look)
    taught = DiceSet({kind: np.array(each) for kind, each in looks.items()})
    told = [(kind, taught.tell(look).kind) for kind, look in _looks(photos, ASKED, eyes)]
    right = sum(kind == answer for kind, answer in told)
    wrong = sum(answer not in (None, kind) for kind, answer in told)
    throws = ", ".join(f"{len(each)} {kind}" for kind, each in sorted(looks.items()))
    asked = sum(len(spots) for spots in ASKED.values())
    lines = (
        Line(f"right, of {asked} dice on {len(ASKED)} other photos", str(right)),
        at_most("another kind named", wrong, 0, digits=0),
        Line("taught by", throws),
    )
    return Section("Dice, which of a taught set", "python -m tests.bench --only dice", lines)


def _looks(photos: Path, spots: Spots, eyes: DiceEyes) -> Iterator[tuple[str, Look]]:
    for name, lying in spots.items():
        seen = eyes.see(load_photo(photos / name))
        for kind, x, y in lying:
            nearest = min(seen, key=lambda die: math.dist(die.reading.centre_px, (x, y)))
            if math.dist(nearest.reading.centre_px, (x, y)) < NEAR_PX:
                yield kind, look_of(nearest.view, nearest.lattice.corners)
