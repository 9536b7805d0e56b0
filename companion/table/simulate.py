"""The command ``companion simulate``: games among the game's own players, without a table."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import click

from companion.game import Game
from companion.plugins import load
from companion.sentences import Speaker
from companion.settings import CannotStart
from companion.table.boxes import BoxUnusable, catalogue_of
from companion.table.self_play import CannotPlay, Played
from companion.table.simulation import (
    GAMES,
    Group,
    Plan,
    Spread,
    Summary,
    cores_here,
    played,
    players_of,
    summed_up,
)


@click.command()
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="How many to play.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--seats", type=click.IntRange(1, 8), default=4, show_default=True, help="How many play.")
@click.option(
    "--strength",
    "strengths",
    multiple=True,
    metavar="NAME",
    help="A player of the game; repeat to mix. Dealt to the seats in turn. Default: all of them.",
)
@click.option("--game", "name", default="making_monsters", show_default=True, help="Which game.")
@click.option("--box", default="", metavar="BOX", help="Name of a taught box; default: the game's stand-in.")
@click.option("--cores", type=click.IntRange(1), default=None, help="Processes at once. Default: all cores.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(
    *,
    games: int,
    seed: int,
    seats: int,
    strengths: tuple[str, ...],
    name: str,
    box: str,
    cores: int | None,
    as_json: bool,
) -> None:
    """Play whole games in memory and print scores, lengths, and who wins."""
    game: Game[Any, Any, Any] = load(GAMES, name)
    plan = _plan(game, seats, strengths, seed=seed, box=box)
    ends: list[Played] = []
    try:
        with click.progressbar(
            played(plan, games, cores=cores or cores_here()),
            length=games,
            label="Playing",
            file=sys.stderr,
            hidden=not sys.stderr.isatty(),
        ) as coming:
            ends.extend(coming)
    except CannotPlay as error:
        raise click.ClickException(str(error)) from error
    summary = summed_up(plan, ends)
    if as_json:
        click.echo(json.dumps({"plan": _as_json(plan), **asdict(summary)}, indent=2))
        return
    counts = game.dealer.counts if game.dealer else {}
    speaker = Speaker((game.package, "companion"))
    click.echo(report(summary, {kind: speaker.say(called) for kind, called in counts.items()}))


def _plan(game: Game[Any, Any, Any], seats: int, strengths: Sequence[str], *, seed: int, box: str) -> Plan:
    known = players_of(game)
    unknown = [strength for strength in strengths if strength not in known]
    if unknown:
        raise click.UsageError(f"{game.name} has no player {unknown[0]!r}; known: {', '.join(known)}.")
    if game.dealer is None or not known:
        raise click.ClickException(f"{game.name} has nobody who plays without a table.")
    if seats > len(game.seats):
        raise click.UsageError(f"{game.name} has {len(game.seats)} seats.")
    try:
        catalogue = catalogue_of(box) if box else game.stand_in
    except (BoxUnusable, CannotStart) as error:
        raise click.ClickException(str(error)) from error
    return Plan(game.name, dict(catalogue), seats, tuple(strengths or known), seed)


def _as_json(plan: Plan) -> dict[str, Any]:
    return {"game": plan.game, "seats": plan.seats, "strengths": plan.strengths, "seed": plan.seed}


def report(summary: Summary, counts: Mapping[str, str]) -> str:
    """Return what games came to, in a few lines; ``counts`` is what each kind of event is called."""
    heads = "".join(f"{called:>15}" for called in counts.values())
    lines = [
        f"{summary.games} games, {summary.decisions} decisions",
        f"{'':16}{'mean':>8}{'quarter':>10}{'half':>8}{'quarter':>10}",
        _spread("rounds", summary.rounds),
        _spread("scores", summary.scores),
        "",
        f"{'':16}{'played':>8}{'won':>17}{'score':>8}{'quartiles':>16}{heads}",
    ]
    lines += [_group(name, group, counts) for name, group in summary.by_seat.items()]
    lines += ["", *(_group(name, group, counts) for name, group in summary.by_strength.items())]
    return "\n".join(lines)


def _spread(name: str, spread: Spread) -> str:
    return f"{name:16}{spread.mean:8.1f}{spread.low:10.1f}{spread.middle:8.1f}{spread.high:10.1f}"


def _group(name: str, group: Group, counts: Mapping[str, str]) -> str:
    scores = group.scores
    quarters = f"{scores.low:.0f} / {scores.middle:.0f} / {scores.high:.0f}"
    numbers = "".join(f"{group.counts.get(kind, 0):15.2f}" for kind in counts)
    won = f"{100 * group.share:8.1f} % ± {100 * group.about:4.1f}"
    return f"{name:16}{group.played:8}{won}{scores.mean:8.1f}{quarters:>16}{numbers}"
