"""How much a bad cable costs: ``companion bench line``, rolls over ever worse serial lines.

Two dice, each channel five times 400 s of virtual time unless told otherwise. No roll may ever be
wrong; none may be missed while at most 0.2 % of the bytes are damaged.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import click

from hardware.simulated.rough_line import CHANNELS, Channel, RoughRun, played

DICE = ("D-7F3A1C", "D-0BADBAD0")


@dataclass(frozen=True, slots=True)
class Row:
    """What became of the rolls over one channel. ``heal_ms`` is how late all but one in a hundred were."""

    channel: str
    rolls: int
    wrong: int
    missed: int
    damaged_lines: int
    heal_ms: int
    may_miss: bool

    @property
    def holds(self) -> bool:
        return self.wrong == 0 and (self.may_miss or self.missed == 0)


@click.command()
@click.option("--runs", type=click.IntRange(1), default=5, show_default=True, help="How often 400 s each.")
@click.option("--seed", type=int, default=2026, show_default=True, help="Another seed, another evening.")
@click.option("--json", "as_values", is_flag=True, help="One JSON object a channel, a line each.")
def bench(runs: int, seed: int, as_values: bool) -> None:
    """Measure the serial line: rolls wrong, missed and healed over ever worse cables."""
    held = True
    if not as_values:
        click.echo(f"{'channel':38}{'rolls':>7}{'wrong':>7}{'missed':>8}{'damaged':>9}{'healed in':>11}")
    for row in rows(runs, seed):
        held = held and row.holds
        if as_values:
            click.echo(json.dumps(asdict(row)))
        else:
            click.echo(
                f"{row.channel:38}{row.rolls:7}{row.wrong:7}{row.missed:8}{row.damaged_lines:9}"
                f"{row.heal_ms / 1000:9.1f} s"
            )
    if not held:
        raise click.ClickException(
            "A roll was wrong, or missed on a line that must bear it. Note the seed and tell the makers."
        )


def rows(runs: int, seed: int) -> Iterator[Row]:
    """Measure one channel after the other."""
    for name, channel in CHANNELS.items():
        yield _row(
            name,
            channel,
            [played(die, channel, f"{seed}/{die}/{number}") for number in range(runs) for die in DICE],
        )


def _row(name: str, channel: Channel, runs: Sequence[RoughRun]) -> Row:
    late_ms = sorted(late for run in runs for late in run.late_ms)
    return Row(
        name,
        rolls=sum(len(run.rolled) for run in runs),
        wrong=sum(run.wrong for run in runs),
        missed=sum(run.missed for run in runs),
        damaged_lines=sum(run.damaged_lines for run in runs),
        heal_ms=late_ms[len(late_ms) * 99 // 100] if late_ms else 0,
        may_miss=channel.may_miss,
    )
