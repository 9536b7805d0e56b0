"""Hold the strong player against itself with other weights, or against weaker ones.

``python -m tests.companion.games.making_monsters.measure_strengths [--games N] [--seed N] RIVAL``, where
RIVAL is ``toll=0.7`` (the strong player with one weight of its outlook changed) or the name of a player.

Prints the share of games won, with the 95 % interval, after every tenth game. A seed plays the same games.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import click

from companion.game import Player
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.outlook import Weights
from companion.games.making_monsters.strong import Strong
from companion.table.self_play import play
from companion.table.simulation import players_of, uncertainty


@click.command()
@click.option("--games", default=200, show_default=True)
@click.option("--seed", default=3, show_default=True)
@click.option("--seats", default=2, show_default=True)
@click.argument("rival")
def measure(games: int, seed: int, seats: int, rival: str) -> None:
    """Play games between RIVAL and the strong player, who change seats from game to game."""
    two: tuple[Player, Player] = (player(rival), players_of(GAME)["strong"])
    won = 0.0
    for number in range(games):
        at = {seat: (number + place) % 2 for place, seat in enumerate(GAME.seats[:seats])}
        end = play(
            GAME, GAME.stand_in, {seat: two[who] for seat, who in at.items()}, Random(f"{seed} {number}")
        )
        won += sum(at[seat] == 0 for seat in end.winners) / len(end.winners)
        if number % 10 == 9:
            share = won / (number + 1)
            about = 100 * uncertainty(share, number + 1)
            click.echo(f"{number + 1} games: {rival} {100 * share:.1f} % +- {about:.1f}")


def player(words: str) -> Player:
    """Return a player by name, or the strong one with another weight, such as ``toll=0.7``."""
    name, _, value = words.partition("=")
    if not value:
        return players_of(GAME)[name]
    return Strong(words, replace(Weights(), **{name: float(value)}))


if __name__ == "__main__":
    measure()
