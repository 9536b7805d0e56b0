"""Every bar of the eyes in one table: ``python -m tests.bench [--only WORD]... [SHARED]``, or ``make bench``.

Stands beside the tests: it takes minutes. ``SHARED`` is the folder with ``scenes`` and ``photos``. The eyes
see pictures alone, copied under other names; truth is read by the judges only.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import cv2

from companion.cli import CALM
from tests.bench.costs import memory_section, stray_markers, teach, time_section
from tests.bench.creatures import creature_section
from tests.bench.dice import dice_sections
from tests.bench.discs import disc_section
from tests.bench.lens import lens_section
from tests.bench.loose_cards import loose_sections
from tests.bench.scenes import scene_sections, sequence_section
from tests.bench.side_by_side import side_sections
from tests.bench.slots import slot_section
from tests.bench.table import Section, as_markdown, in_short
from vision.box import load_box
from vision.reader import Reader

PARTS = (
    "dice",
    "lens",
    "discs",
    "slots",
    "teaching",
    "scenes",
    "sequences",
    "strays",
    "cost",
    "memory",
    "peers",
    "loose",
    "creatures",
)
UNTAUGHT = {"dice", "lens", "discs", "slots", "loose", "creatures"}
"""What is measured without box A."""


@click.command()
@click.argument("shared", type=click.Path(exists=True, file_okay=False, path_type=Path), default="../shared")
@click.option("--only", multiple=True, type=click.Choice(PARTS), help="Measure this part; may be repeated.")
def main(shared: Path, only: Sequence[str]) -> None:
    """Measure the eyes against their bars and print the table in Markdown."""
    cv2.setNumThreads(1)
    sections = []
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        for section in measured(shared, Path(folder), only or PARTS):
            sections.append(section)
            click.echo(as_markdown(section))
    click.echo(in_short(sections))


def measured(shared: Path, work: Path, parts: Sequence[str]) -> Iterator[Section]:
    """Measure part after part. What is quick and would blur others comes first."""
    if "dice" in parts:
        yield from dice_sections(shared / "photos/dice", work / "dice")
    if "lens" in parts:
        yield lens_section(shared / "photos/markers", work / "lens")
    if "discs" in parts:
        yield disc_section(shared / "photos/tokens", work / "discs")
    if "slots" in parts:
        yield slot_section(shared / "photos/tokens", work / "slots")
    home = work / "home"
    if set(parts) - UNTAUGHT:
        yield from _with_a_box(shared, work, home, parts)
    if "loose" in parts:
        yield from loose_sections(shared / "photos/cards", work, home)
    if "creatures" in parts:
        yield creature_section(work, home)


def _with_a_box(shared: Path, work: Path, home: Path, parts: Sequence[str]) -> Iterator[Section]:
    """Measure what needs box A to be taught, which takes a minute."""
    scenes = shared / "scenes"
    teaching = teach(scenes / "A/reference", home)
    reader = Reader(load_box(home / "boxes/A"))
    if "teaching" in parts:
        yield teaching
    if "scenes" in parts:
        yield from scene_sections(scenes, work, home)
    if "sequences" in parts:
        yield sequence_section(scenes, work, home)
    if "strays" in parts:
        yield stray_markers(shared / "photos", reader)
    if "cost" in parts:
        yield time_section(scenes, work, home)
    if "memory" in parts:
        stills = sorted((scenes / "A/sequences/seq1").glob("frame_*.jpg"))
        yield memory_section(stills, home, work / "stills")
    if "peers" in parts:
        yield from side_sections(scenes, reader, shared / "photos")


if __name__ == "__main__":
    if any(os.environ.get(name) != value for name, value in CALM.items()):  # read as numpy is loaded
        os.execve(sys.executable, [sys.executable, "-m", "tests.bench", *sys.argv[1:]], os.environ | CALM)
    main()
