"""Dice on real photographs: ours beside the recipe that everybody copies, in the same run.

Photos are copied alone under shuffled names; what lies there is read by the judge only.
"""

from __future__ import annotations

import json
import math
import random
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.ports import DieReading, Pixels
from tests.bench.dice_kinds import kinds_section
from tests.bench.table import Line, Section, at_least, at_most
from vision.dice import DiceEyes
from vision.photos import load_photo

PHONE, COLOURED = "wk_", "nb_"
BARS = {PHONE: (92.0, 0.5), COLOURED: (75.0, 1.5)}
"""Share of dice answered, at least, and wrong, at most, in percent."""

NEAR = 0.6  # of half a die's box: an answer further off is not about that die


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer about a die: its value, None for a refusal, and where."""

    value: int | None
    centre_px: tuple[float, float]


@dataclass(slots=True)
class Tally:
    """What came of the dice of some photos."""

    dice: int = 0
    right: int = 0
    wrong: int = 0
    strays: int = 0  # answers where no die lies
    photos: int = 0
    whole: int = 0  # photos of which every die was answered right
    took_s: float = 0.0

    @property
    def answered(self) -> float:
        return 100 * (self.right + self.wrong) / max(1, self.dice)

    @property
    def wrongly(self) -> float:
        """Return the share of wrong answers, strays among them, of all dice."""
        return 100 * (self.wrong + self.strays) / max(1, self.dice)


def dice_sections(photos: Path, work: Path) -> Iterator[Section]:
    """Measure the phone set and the coloured set."""
    truth = json.loads((photos / "labels.json").read_text(encoding="utf-8"))["images"]
    copies = shuffled(photos, sorted(truth), work)
    eyes = DiceEyes()
    ours, blobs = {}, {}
    for copy, name in copies.items():
        pixels = load_photo(copy)
        ours[name] = _timed(lambda shown=pixels: [_answer(die) for die in eyes.read(shown)])
        blobs[name] = _timed(lambda shown=pixels: blob_recipe(shown))
    for prefix, title in ((PHONE, "phone photos"), (COLOURED, "many colours")):
        names = [name for name in sorted(truth) if name.startswith(prefix)]
        yield _section(title, prefix, [judge(names, truth, each) for each in (ours, blobs)])
    yield kinds_section(photos, eyes)


def shuffled(photos: Path, names: Sequence[str], work: Path) -> Mapping[Path, str]:
    """Copy photos under names that say nothing; return which was which."""
    work.mkdir(parents=True, exist_ok=True)
    order = random.Random(5).sample(list(names), len(names))
    copies = {}
    for number, name in enumerate(order):
        copy = work / f"{number:03}.jpg"
        shutil.copyfile(photos / name, copy)
        copies[copy] = name
    return copies


def judge(
    names: Sequence[str], truth: Mapping[str, Any], told: Mapping[str, tuple[Sequence[Answer], float]]
) -> Tally:
    """Hold what was told of each photo against what lies there."""
    tally = Tally()
    for name in names:
        answers, took_s = told[name]
        tally.photos += 1
        tally.took_s += took_s
        tally.whole += _judge_photo(truth[name], answers, tally)
    return tally


def _judge_photo(lying: Mapping[str, Any], answers: Sequence[Answer], tally: Tally) -> bool:
    """Count one photo; tell whether every die was answered right and nothing else was."""
    left = [answer for answer in answers if answer.value is not None]
    before = (tally.wrong + tally.strays, tally.right)
    for die in lying["dice"]:
        tally.dice += 1
        reach = NEAR * _half(die)
        near = [a for a in left if math.dist(a.centre_px, die["center"]) <= reach]
        if not near:
            continue
        nearest = min(near, key=lambda a: math.dist(a.centre_px, die["center"]))
        left.remove(nearest)
        if nearest.value == die["value"]:
            tally.right += 1
        else:
            tally.wrong += 1
    ignored = [region["box"] for region in lying.get("ignore_regions", [])]
    tally.strays += sum(not any(_inside(a.centre_px, box) for box in ignored) for a in left)
    return (tally.wrong + tally.strays, tally.right - before[1]) == (before[0], len(lying["dice"]))


def _half(die: Mapping[str, Any]) -> float:
    """Return half of a die's width in pixels; where no box was marked, of a common one."""
    return max(die["box"][2:]) / 2 if "box" in die else 50.0


def _inside(spot: tuple[float, float], box: Sequence[float]) -> bool:
    return box[0] <= spot[0] <= box[0] + box[2] and box[1] <= spot[1] <= box[1] + box[3]


def _answer(die: DieReading) -> Answer:
    return Answer(die.value if die.sure else None, die.centre_px)


def _timed(read: Any) -> tuple[Sequence[Answer], float]:
    began = time.process_time()
    answers = read()
    return answers, time.process_time() - began


def blob_recipe(pixels: Pixels) -> list[Answer]:
    """Read dice as the recipe does that is found everywhere: round blobs, gathered where they lie close.

    OpenCV's blob detector on a median-blurred picture, inertia at least .6, clusters within 40 px (the
    published figures), each cluster one die of as many pips.
    """
    parameters = cv2.SimpleBlobDetector.Params()
    parameters.filterByInertia = True
    parameters.minInertiaRatio = 0.6
    grey = cv2.medianBlur(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), 7)
    spots = np.array([point.pt for point in cv2.SimpleBlobDetector.create(parameters).detect(grey)])
    groups: list[list[int]] = []
    left = set(range(len(spots)))
    while left:
        group, edge = [], [left.pop()]
        while edge:
            here = edge.pop()
            group.append(here)
            near = {k for k in left if math.dist(spots[here], spots[k]) <= 40}
            left -= near
            edge += near
        groups.append(group)
    answers = []
    for group in groups:
        x, y = spots[group].mean(0)
        answers.append(Answer(len(group), (float(x), float(y))))
    return answers


def _section(title: str, prefix: str, tallies: Sequence[Tally]) -> Section:
    least, most = BARS[prefix]
    ours, blobs = tallies
    lines = [
        at_least(f"dice answered, {title}", ours.answered, least, " %", digits=1),
        at_most(f"wrong, or where no die lies, {title}", ours.wrongly, most, " %"),
    ]
    for name, tally in (("ours", ours), ("the blob recipe", blobs)):
        share = 100 * tally.right / max(1, tally.dice)
        ms = 1000 * tally.took_s / max(1, tally.photos)
        told = f"{share:.1f} % right, {tally.wrong} wrong, {tally.strays} where no die lies; "
        told += f"{tally.whole} of {tally.photos} photos whole; {ms:.0f} ms a photo"
        lines.append(Line(name, told))
    heading = f"Dice, {title}: {ours.dice} on {ours.photos} photos"
    return Section(heading, "python -m tests.bench --only dice", tuple(lines))
