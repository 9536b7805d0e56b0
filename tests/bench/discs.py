"""Coins on real photographs, as a stand-in for round pieces: ten photos of a kind taught, the rest asked.

Photos are copied alone under shuffled names; the kinds of those that are taught are told, as an owner tells
them, those of all others are read by the judge only.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.dice import shuffled
from tests.bench.table import Line, Section, at_least, at_most
from vision.disc_views import DiscView, view_of
from vision.discs import DiscSet
from vision.photos import load_photo

TAUGHT = 10
SPLITS = range(100, 106)
ANSWERED, WRONG, STRANGERS = 75.0, 1.5, 1.0
"""Bars in percent: answered, at least; answered wrong, at most; of a kind left out accepted, at most."""


@dataclass(slots=True)
class Tally:
    """What came of some coins: of kinds that were taught, and of a kind that was not."""

    asked: int = 0
    right: int = 0
    wrong: int = 0
    strangers: int = 0
    accepted: int = 0

    @property
    def answered(self) -> float:
        return 100 * (self.right + self.wrong) / max(1, self.asked)

    @property
    def wrongly(self) -> float:
        return 100 * self.wrong / max(1, self.asked)

    @property
    def strangely(self) -> float:
        return 100 * self.accepted / max(1, self.strangers)


def disc_section(photos: Path, work: Path) -> Section:
    """Teach and ask, another ten of each kind every time; then leave out each kind in turn."""
    kinds, views = coins_of(photos, work)
    tally = Tally()
    for seed in SPLITS:
        ask(tally, kinds, views, ten_of_each(kinds, seed))
    lines = (
        at_least(f"coins answered, of {tally.asked} looks", tally.answered, ANSWERED, " %", digits=1),
        at_most("answered wrong", tally.wrongly, WRONG, " %"),
        at_most(f"of a kind left out accepted, of {tally.strangers} looks", tally.strangely, STRANGERS, " %"),
        Line("kinds, photos of each taught, times", f"{len(set(kinds.values()))}, {TAUGHT}, {len(SPLITS)}"),
    )
    return Section("Coins on photographs", "python -m tests.bench --only discs", lines)


def coins_of(photos: Path, work: Path) -> tuple[Mapping[Path, str], Mapping[Path, DiscView]]:
    """Return the kind of each copied photo, for the judge, and what the eyes see on it."""
    images = json.loads((photos / "labels.json").read_text(encoding="utf-8"))["images"]
    names = sorted(name for name, row in images.items() if "token" in row)
    copies = shuffled(photos, names, work)
    views = {copy: view_of(load_photo(copy)) for copy in copies}
    return {copy: images[name]["token"] for copy, name in copies.items()}, views


def ten_of_each(kinds: Mapping[Path, str], seed: int) -> Sequence[Path]:
    """Return the photos that are taught."""
    draw = random.Random(seed)
    taught: list[Path] = []
    for kind in sorted(set(kinds.values())):
        taught += draw.sample(sorted(copy for copy in kinds if kinds[copy] == kind), TAUGHT)
    return taught


def ask(
    tally: Tally, kinds: Mapping[Path, str], views: Mapping[Path, DiscView], taught: Sequence[Path]
) -> None:
    """Ask about every photo that was not taught, then about each kind as though it never had been."""
    known = DiscSet.of_views([(kinds[copy], views[copy]) for copy in taught])
    for copy in kinds.keys() - set(taught):
        told = known.tell(views[copy]).kind
        tally.asked += 1
        tally.right += told == kinds[copy]
        tally.wrong += told not in (None, kinds[copy])
    for kind in sorted(set(kinds.values())):
        others = DiscSet.of_views([(kinds[copy], views[copy]) for copy in taught if kinds[copy] != kind])
        strangers = [copy for copy in kinds if kinds[copy] == kind]
        tally.strangers += len(strangers)
        tally.accepted += sum(others.tell(views[copy]).kind is not None for copy in strangers)
