"""How well the firmware of a die tells a throw from a hand: ``companion bench die``.

Every scene is drawn anew by its seed and felt by an IMU in software; the firmware's own file decides.
No handled die may ever roll; of thrown ones 99 in 100 must, with the face that lies up.
"""

from __future__ import annotations

import importlib
import json
import math
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import click

from hardware.boards import FIRMWARE
from hardware.simulated.die_motion import HANDLED, Scene, handled, thrown

MISSED_AT_MOST = 0.01


@dataclass(frozen=True, slots=True)
class Row:
    """What the firmware made of one kind of scene: how often it told all throws right, and false rolls."""

    scenes: str
    count: int
    right: int
    false_rolls: int

    @property
    def holds(self) -> bool:
        return self.false_rolls == 0 and self.right >= self.count * (1 - MISSED_AT_MOST)


@click.command()
@click.option("--scenes", type=click.IntRange(1), default=200, show_default=True, help="How many of each.")
@click.option("--seed", default="2026", show_default=True, help="Another seed, other hands.")
@click.option("--json", "as_values", is_flag=True, help="One JSON object a kind of scene, a line each.")
def bench(scenes: int, seed: str, as_values: bool) -> None:
    """Measure the firmware of the die: false rolls of handled dice, missed rolls of thrown ones."""
    held = True
    for row in rows(scenes, seed):
        held = held and row.holds
        if as_values:
            click.echo(json.dumps(asdict(row)))
        else:
            click.echo(
                f"{row.scenes:10}{row.right:6} of {row.count} told right{row.false_rolls:6} false rolls"
            )
    if not held:
        raise click.ClickException("A handled die rolled, or too many throws were missed. Note the seed.")


def rows(count: int, seed: str) -> Iterator[Row]:
    """Measure one kind of scene after the other."""
    for kind in HANDLED:
        yield _row(kind, (handled(kind, f"{seed}/{number}") for number in range(count)))
    yield _row("thrown", (thrown(f"{seed}/{number}") for number in range(count)))
    yield _row("cocked", (thrown(f"{seed}/{number}", is_cocked=True) for number in range(count)))


def rolls_told(scene: Scene) -> tuple[int, ...]:
    """Return the faces that the firmware tells of a scene, as it tells them."""
    die: Any = _firmware().Die()
    told = []
    for felt in scene.felt:
        if die.sense(felt.force_g, math.hypot(*felt.spin_dps), felt.at_ms) == "ROLL":
            told.append(die.face)
    return tuple(told)


def _row(kind: str, scenes: Iterable[Scene]) -> Row:
    count = right = false_rolls = 0
    for scene in scenes:
        told, count = rolls_told(scene), count + 1
        true = () if kind == "cocked" else scene.thrown  # a cocked die is rolled again, and counts nothing
        right += told == true
        false_rolls += len(told) if told != true else 0
    return Row(kind, count, right, false_rolls)


def _firmware() -> Any:
    """Import the firmware as a board does: its files lie side by side."""
    folder = str(FIRMWARE / "micropython")
    sys.path.insert(0, folder)
    try:
        return importlib.import_module("die")
    finally:
        sys.path.remove(folder)
