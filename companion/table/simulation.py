"""Many games in memory, on all cores: what they come to does not depend on how many there are."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from math import sqrt
from random import Random
from statistics import mean, quantiles
from typing import Any

from companion.game import Game, Player, Seat
from companion.plugins import load
from companion.table.self_play import Played, play

GAMES = "companion.games"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played: ``strengths`` are names of players, dealt to the seats in turn.

    Who sits where moves on by one seat from game to game, so that no strength keeps a good seat.
    """

    game: str
    catalogue: Mapping[str, Any]
    seats: int
    strengths: tuple[str, ...]
    seed: int

    def at(self, number: int) -> tuple[str, ...]:
        """Return which strength sits at each seat in a game."""
        return tuple(self.strengths[(number + seat) % len(self.strengths)] for seat in range(self.seats))


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and quartiles of some numbers."""

    mean: float
    low: float
    middle: float
    high: float

    @classmethod
    def of(cls, numbers: Sequence[int]) -> Spread:
        quarters = quantiles(numbers, n=4, method="inclusive") if len(numbers) > 1 else [numbers[0]] * 3
        return cls(mean(numbers), *quarters)


@dataclass(frozen=True, slots=True)
class Group:
    """What all who sat at one seat, or played with one strength, came to.

    ``wins`` shares a victory among its winners; ``counts`` are for one who played one game.
    """

    played: int
    wins: float
    scores: Spread
    counts: Mapping[str, float]

    @property
    def share(self) -> float:
        """The share of its games that the group won."""
        return self.wins / self.played

    @property
    def about(self) -> float:
        """How far the share may be off by chance."""
        return uncertainty(self.share, self.played)


def uncertainty(share: float, games: int) -> float:
    """Return by how much a share of so many games is uncertain: half the 95 % interval (Wald)."""
    return 1.96 * sqrt(share * (1 - share) / games)


@dataclass(frozen=True, slots=True)
class Summary:
    """What all games came to."""

    games: int
    decisions: int
    rounds: Spread
    scores: Spread
    by_seat: Mapping[str, Group]
    by_strength: Mapping[str, Group]


def players_of(game: Game[Any, Any, Any]) -> dict[str, Player]:
    """Return the players of a game by name, from the weakest to the strongest."""
    return {player.name: player for player in game.players}


def play_one(plan: Plan, number: int) -> Played:
    """Play one game of a plan; its number and the plan's seed decide everything."""
    game: Game[Any, Any, Any] = load(GAMES, plan.game)
    known = players_of(game)
    seats = dict(zip(game.seats, (known[name] for name in plan.at(number)), strict=False))
    return play(game, plan.catalogue, seats, Random(f"{plan.seed} {number}"))


def played(plan: Plan, games: int, *, cores: int) -> Iterator[Played]:
    """Play so many games, and give them in order as they come. Raises CannotPlay."""
    one = partial(play_one, plan)
    if cores == 1:
        yield from map(one, range(games))
        return
    # A fresh interpreter for each: no thread or lock of ours is copied in the middle of something.
    with multiprocessing.get_context("spawn").Pool(min(cores, games)) as pool:
        yield from pool.imap(one, range(games), chunksize=max(1, min(8, games // (4 * cores))))


def cores_here() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0))


def summed_up(plan: Plan, games: Sequence[Played]) -> Summary:
    """Return what games of a plan came to, the first of ``games`` being number 0."""
    rows = [(number, seat, one) for number, one in enumerate(games) for seat in one.scores]
    names = list(dict.fromkeys(seat for _, seat, _ in rows))

    def strength(number: int, seat: Seat) -> str:
        return plan.at(number)[names.index(seat)]

    by_seat = {str(name): _group([(seat, one) for _, seat, one in rows if seat == name]) for name in names}
    by_strength = {
        name: _group([(seat, one) for number, seat, one in rows if strength(number, seat) == name])
        for name in dict.fromkeys(plan.strengths)
        if any(name in plan.at(number) for number in range(len(games)))
    }
    return Summary(
        games=len(games),
        decisions=sum(one.decisions for one in games),
        rounds=Spread.of([one.rounds for one in games]),
        scores=Spread.of([one.scores[seat] for _, seat, one in rows]),
        by_seat=by_seat,
        by_strength=by_strength,
    )


def _group(rows: Sequence[tuple[Seat, Played]]) -> Group:
    kinds = list(islice(rows[0][1].counts, 8))
    return Group(
        played=len(rows),
        wins=sum((seat in one.winners) / len(one.winners) for seat, one in rows if one.winners),
        scores=Spread.of([one.scores[seat] for seat, one in rows]),
        counts={kind: mean(one.counts[kind].get(seat, 0) for seat, one in rows) for kind in kinds},
    )
