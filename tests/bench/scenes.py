"""Scenes: pictures read alone under other names by the product's own command, then held against truth.

The judge is the scenes' own ``score.py``.
"""

from __future__ import annotations

import importlib.util
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from companion.cli import CALM
from tests.bench.table import Line, Section, at_least, at_most

Readings = Mapping[str, dict[str, Any]]
Truths = Sequence[dict[str, Any]]

RIGHT = {"easy": 99.8, "normal": 99.5, "hard": 96.5}  # per cent of the spaces that can be seen
GROUPS = ("card", "part", "token", "upgrade", "rot")
GROUP_BELOW = 1.0  # points that a group may stay below its bar
ORDERS_RIGHT = 97.0
MISSED_WITHOUT_TAGS = 1


def companion(*words: str, home: Path) -> str:
    """Run a companion command in one thread and return what it printed, whatever its answer."""
    one_thread = {**CALM, "OPENCV_FOR_THREADS_NUM": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "companion", *words],
        env={**os.environ, **one_thread, "COMPANION_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 2 or "Traceback" in done.stderr:
        raise RuntimeError(done.stderr)
    return done.stdout


def copied_alone(pictures: Sequence[Path], folder: Path, *, seed: int = 4) -> dict[str, str]:
    """Copy pictures into an empty folder under names in shuffled order; return own name by new name."""
    folder.mkdir(parents=True)
    order = random.Random(seed).sample(list(pictures), len(pictures))
    names = {}
    for number, picture in enumerate(order):
        name = f"table-{number:03}{picture.suffix}"
        (folder / name).write_bytes(picture.read_bytes())
        names[name] = picture.name
    return names


def read_alone(pictures: Sequence[Path], folder: Path, home: Path) -> dict[str, dict[str, Any]]:
    """Read pictures with ``companion read`` and return the readings by the pictures' own names."""
    names = copied_alone(pictures, folder)
    photos = [str(folder / name) for name in sorted(names)]
    printed = companion("read", *photos, "--box", "A", "--json", home=home)
    readings = [json.loads(line) for line in printed.splitlines()]
    return {names[Path(reading["photo"]).name]: reading for reading in readings}


def judge_of(scenes: Path, name: str) -> ModuleType:
    """Load one of the scenes' own judges."""
    sys.path.insert(0, str(scenes))
    try:
        spec = importlib.util.spec_from_file_location(name, scenes / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(scenes))
    return module


def truths_in(folder: Path) -> list[dict[str, Any]]:
    """Return the truth of each picture."""
    return [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]


class Judged:
    """Readings of many pictures beside their truth, to be judged by any part."""

    def __init__(self, judge: ModuleType, truths: Truths, readings: Readings) -> None:
        self._judge = judge
        self._truths = truths
        self._readings = readings

    def result(self, wanted: Callable[[dict[str, Any]], bool] = lambda _: True) -> dict[str, Any]:
        """Return what ``score.py`` finds in those of the pictures that are wanted."""
        tally = self._judge.Tally()
        for truth in filter(wanted, self._truths):
            tally.frame(truth, self._readings.get(Path(truth["frame"]).name, {"boards": {}}))
        result: dict[str, Any] = tally.result(True)
        return result

    def worst(self) -> tuple[str, int]:
        """Return the picture with most that is wrong and sure, and how much that is."""
        counts = {}
        for truth in self._truths:
            result = self.result(lambda one, this=truth: one is this)
            counts[Path(truth["frame"]).stem] = max(
                len(result["wrong_spaces"]), sum(result["faults"].values())
            )
        return max(counts.items(), key=lambda pair: pair[1])


def scene_sections(scenes: Path, work: Path, home: Path) -> Iterator[Section]:
    """Read all single pictures of the scenes and judge them."""
    judge = judge_of(scenes, "score")
    pictures = sorted((scenes / "A/frames").glob("*.jpg"))
    readings = read_alone(pictures, work / "frames", home)
    judged = Judged(judge, truths_in(scenes / "A/truth"), readings)
    command = "companion read PICTURE... --box A --json, judged by score.py"
    yield Section("Scenes: right and wrong", command, tuple(_right_and_wrong(judged)))
    yield Section("Scenes: places", command, tuple(_places(judged.result())))
    yield Section("Scenes: orders and markers", command, tuple(_loose(judged.result())))
    hard = judged.result(lambda truth: truth["difficulty"] == "hard")
    yield Section("Confidence on hard pictures", command, tuple(_confidence(hard)))
    foreign = sorted((scenes / "A/foreign/frames").glob("*.jpg"))
    readings = read_alone(foreign, work / "foreign", home)
    judged = Judged(judge, truths_in(scenes / "A/foreign/truth"), readings)
    yield Section("Pieces that were never taught", command, tuple(_foreign(judged.result())))


def _right_and_wrong(judged: Judged) -> Iterator[Line]:
    for difficulty, bar in RIGHT.items():
        of_this = judged.result(lambda truth, this=difficulty: truth["difficulty"] == this)
        yield _right(f"{difficulty}, all", of_this["spaces"][f"all/{difficulty}"], bar)
        for has_tags in (True, False):
            part = judged.result(
                lambda truth, this=difficulty, tags=has_tags: (
                    truth["difficulty"] == this and truth["fiducials_present"] == tags
                )
            )
            row = part["spaces"].get(f"all/{difficulty}")
            if row is not None:
                yield _right(f"{difficulty}, {'with tags' if has_tags else 'without tags'}", row, bar)
        for group in GROUPS:
            row = of_this["spaces"].get(f"{group}/{difficulty}")
            if row is not None:
                yield _right(f"{difficulty}, {group}", row, bar - GROUP_BELOW)
    result = judged.result()
    spaces = result["spaces"]["all/all"]["n"]
    yield at_most(f"wrong and sure, of {spaces} spaces", result["wrong_and_sure"], 0.1, " %", digits=3)
    easy = judged.result(lambda truth: truth["difficulty"] == "easy")
    yield at_most("wrong and sure, easy", easy["wrong_and_sure"], 0, " %", digits=3)
    picture, count = judged.worst()
    yield Line("wrong and sure, worst picture", f"{count} ({picture})" if count else "none")


def _right(what: str, row: Mapping[str, float], bar: float) -> Line:
    line = at_least(f"{what} (n = {row['n']})", row["right"], bar, " %")
    return Line(line.what, f"{line.found}, unsure {row['unsure']} %", line.bar, line.is_met)


def _places(result: Mapping[str, Any]) -> Iterator[Line]:
    for how, bar in (("tags", 0), ("no tags", MISSED_WITHOUT_TAGS)):
        found = Counter(result["boards"].get(how, {}))
        what = "with tags" if how == "tags" else "without tags"
        yield at_most(f"boards missed {what}, of {sum(found.values())}", found["missed"], bar, digits=0)
        yield at_most(f"boards misplaced {what}", found["misplaced"], 0, digits=0)
    errors = result["corner_error_px_median"]
    yield at_most("corners off with tags, median", errors.get("tags", float("inf")), 2, " px")
    if "no tags" in errors:
        yield Line("corners off without tags, median", f"{errors['no tags']} px")
    yield at_most("angle of the centre off, worst", result["centre_angle_error_deg_worst"], 2, "°")


def _loose(result: Mapping[str, Any]) -> Iterator[Line]:
    for what in ("orders", "markers"):
        counts = Counter(result[what])
        total = sum(counts.values())
        yield at_least(f"{what} right, of {total}", 100 * counts["right"] / (total or 1), ORDERS_RIGHT, " %")
        yield at_most(f"{what} wrong", counts["wrong"], 0, digits=0)
    yield at_most("invented (boards, spaces, pieces)", result["faults"].get("invented", 0), 0, digits=0)


def _confidence(result: Mapping[str, Any]) -> Iterator[Line]:
    yield at_most("calibration gap", result["calibration_gap"], 0.02, digits=3)
    yield at_least("area under the curve", result["confidence_auc"] or 0.0, 0.97, digits=4)


def _foreign(result: Mapping[str, Any]) -> Iterator[Line]:
    row = result["spaces"]["foreign/all"]
    wrong = round(row["n"] * row["wrong"] / 100)
    yield at_most(f"taken for a taught piece or for nothing, of {row['n']}", wrong, 0, digits=0)
    yield Line("other spaces of those pictures right", f"{_others(result['spaces'])} %")
    yield at_most("wrong and sure, all spaces", result["wrong_and_sure"], 0.1, " %", digits=3)


def _others(spaces: Mapping[str, Mapping[str, float]]) -> float:
    rows = [
        row for key, row in spaces.items() if key.endswith("/all") and key not in ("all/all", "foreign/all")
    ]
    total = sum(row["n"] for row in rows)
    return round(sum(row["n"] * row["right"] for row in rows) / total, 2)


def sequence_section(scenes: Path, work: Path, home: Path) -> Section:
    """Show each sequence to the live eyes and judge what they noticed."""
    lines = []
    for sequence in sorted((scenes / "A/sequences").iterdir()):
        folder = work / "sequences" / sequence.name
        folder.mkdir(parents=True)
        for number, still in enumerate(sorted(sequence.glob("frame_*.jpg"))):
            (folder / f"still-{number:02}.jpg").write_bytes(still.read_bytes())
        noticed = folder.with_suffix(".jsonl")
        noticed.write_text(companion("watch", str(folder), "--box", "A", "--json", home=home))
        words = [sys.executable, scenes / "score_sequence.py", sequence, noticed, "--json"]
        found = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
        lines.append(_noticed(sequence.name, found))
    command = "companion watch FOLDER --box A --json, judged by score_sequence.py"
    return Section("Sequences", command, tuple(lines))


def _noticed(name: str, found: Mapping[str, Any]) -> Line:
    in_time, events = found["in_time"], found["events"]
    faults = (*found["missed"], *(f"false: {one}" for one in found["false"]))
    told = f"{in_time} of {events} in time, {found['late']} late, {_count(found, 'missed')} missed"
    told += f", {_count(found, 'false')} false" + "".join(f"; {one}" for one in faults)
    return Line(name, told, "all in time, none false", in_time == events and not found["false"])


def _count(found: Mapping[str, Any], what: str) -> int:
    return len(found[what])
