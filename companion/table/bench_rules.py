"""How fast a game's rules are on this machine: ``companion bench rules``.

Each figure is of games that the game's own players play in memory, the same ones every time. What one
core does is counted in its own seconds, so that other work on the machine does not blur it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

import click

from companion.game import Game, Player, Seat, replay
from companion.plugins import load
from companion.table.self_play import Step, steps
from companion.table.simulation import GAMES, Plan, cores_here, played, players_of

WARM_UP = 2


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: what was measured, how much of it, in which unit."""

    name: str
    amount: float
    unit: str


@click.command()
@click.option("--games", type=click.IntRange(2), default=12, show_default=True, help="How many to play.")
@click.option("--game", "name", default="making_monsters", show_default=True, help="Which game.")
@click.option("--json", "as_values", is_flag=True, help="One JSON object a figure, a line each.")
def bench(games: int, name: str, as_values: bool) -> None:
    """Measure the rules: decisions, whole games on one core and two, odds, and replaying a journal."""
    game: Game[Any, Any, Any] = load(GAMES, name)
    if game.dealer is None or not game.players:
        raise click.ClickException(f"{name} has nobody who plays without a table.")
    for figure in figures(game, games):
        if as_values:
            click.echo(json.dumps(asdict(figure)))
        else:
            click.echo(f"{figure.name:52}{figure.amount:10.1f} {figure.unit}")


def figures(game: Game[Any, Any, Any], games: int) -> Iterator[Figure]:
    """Measure one figure after the other."""
    walked = list(_game(game, seed=1))
    yield Figure("decided and evolved", decided_per_s(game, walked), "decisions/s")
    for names in (game.players[:-1], game.players):
        plan = Plan(
            game.name, dict(game.stand_in), len(game.seats), tuple(player.name for player in names), seed=1
        )
        who = ", ".join(plan.strengths)
        for cores in sorted({1, min(2, cores_here())}):
            yield Figure(
                f"games on {cores} core{'s' * (cores > 1)}: {who}", _per_s(plan, games, cores), "games/s"
            )
    yield Figure("worst advised view of a game", max(advised_ms(game), default=0.0), "ms")
    yield Figure(f"replay of a journal of {_events(walked)} events", replayed_ms(game, walked), "ms")


def _game(game: Game[Any, Any, Any], *, seed: int) -> Iterator[Step]:
    return steps(game, game.stand_in, _seated(game), Random(seed))


def _seated(game: Game[Any, Any, Any]) -> Mapping[Seat, Player]:
    """Seat all strengths in turn, the strongest at the first seat."""
    players = list(players_of(game).values())[::-1]
    return {seat: players[number % len(players)] for number, seat in enumerate(game.seats)}


def _events(walked: list[Step]) -> int:
    return sum(len(step.events) for step in walked)


def decided_per_s(game: Game[Any, Any, Any], walked: list[Step]) -> float:
    """Decide every command of a game again and carry out what follows, nobody looking on."""
    began_s = time.process_time()
    for step in walked:
        state = step.state
        for event in game.decide(state, step.command):
            state = game.evolve(state, event)
    return len(walked) / (time.process_time() - began_s)


def _per_s(plan: Plan, games: int, cores: int) -> float:
    """Play whole games; starting the processes is not counted."""
    clock = time.process_time if cores == 1 else time.perf_counter
    coming = played(plan, games + WARM_UP, cores=cores)
    for _ in range(WARM_UP):
        next(coming)
    began_s = clock()
    for _ in coming:
        pass
    return games / (clock() - began_s)


def advised_ms(game: Game[Any, Any, Any]) -> Iterator[float]:
    """Give how long each view took that has advice in it."""
    if game.dealer is None or game.dealer.advises is None:
        return
    advises = game.codec.command_in(game.dealer.advises)
    for step in list(_game(game, seed=2))[1:]:
        state = step.state
        for event in game.decide(state, advises):
            state = game.evolve(state, event)
        for seat in _seated(game):
            began_s = time.process_time()
            view = game.view(state, seat)
            took_ms = 1000 * (time.process_time() - began_s)
            if any(panel.is_advice for panel in view.panels):
                yield took_ms


def replayed_ms(game: Game[Any, Any, Any], walked: list[Step]) -> float:
    """Read a whole journal back and carry out its events."""
    lines = [
        json.dumps(game.codec.event_out(event), default=dict) for step in walked for event in step.events
    ]
    began_s = time.process_time()
    told = (json.loads(line) for line in lines)
    replay(game, game.stand_in, (game.codec.event_in(kind, version, body) for kind, version, body in told))
    return 1000 * (time.process_time() - began_s)
