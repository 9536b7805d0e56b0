"""A whole game in memory: players who see their views, a dealer for hands and luck, nothing else.

Works by the ``Game`` protocol alone; nothing is written and no device is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.game import Chance, Dealer, Game, Player, Prompt, Seat, Tone, View

MOST_STEPS = 20_000


class CannotPlay(Exception):
    """A game that cannot be played without its table, or that came to a standstill."""


@dataclass(frozen=True, slots=True)
class Step:
    """One command that was carried out: the state before it, and the events that came of it."""

    state: Any
    command: Any
    events: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """How a game ended. ``counts`` has the events worth counting, by kind and seat."""

    scores: Mapping[Seat, int]
    winners: tuple[Seat, ...]
    rounds: int
    decisions: int
    counts: Mapping[str, Mapping[Seat, int]]


def steps(
    game: Game[Any, Any, Any], catalogue: Any, players: Mapping[Seat, Player], chance: Chance
) -> Iterator[Step]:
    """Play a game to its end, one command after the other.

    ``players`` are given for the game's first seats, in its order. Raises CannotPlay.
    """
    dealer = game.dealer
    if dealer is None:
        raise CannotPlay(f"{game.name} has nobody who deals; it can only be played at its table.")
    dealer = dealer.for_one_game()
    state = game.initial(catalogue)
    command = game.codec.command_in(dealer.opening(state, len(players)))
    anybody = next(iter(players.values()))
    audience: list[Seat | None] = [None, *players]
    at = quiet = 0
    for _ in range(MOST_STEPS):
        events = tuple(game.decide(state, command))
        yield Step(state, command, events)
        for event in events:
            state = game.evolve(state, event)
        found = None
        while found is None:
            seat = audience[at % len(audience)]
            view = game.view(state, seat)
            if view.is_over:
                return
            player = anybody if seat is None else players[seat]
            found = _answer(game, state, dealer, _Asked(seat, view, player), chance)
            quiet = 0 if found is not None else quiet + 1
            at += found is None
            if quiet > len(audience):
                raise CannotPlay(f"{game.name} came to a standstill at: {game.position(state)}")
        command = found
    raise CannotPlay(f"{game.name} did not end within {MOST_STEPS} steps.")


@dataclass(frozen=True, slots=True)
class _Asked:
    """Who is asked: a seat with its own view, or the whole table."""

    seat: Seat | None
    view: View
    player: Player


def _answer(game: Game[Any, Any, Any], state: Any, dealer: Dealer[Any], asked: _Asked, chance: Chance) -> Any:
    """Return the command of whoever is asked in a view, None if nobody has to do anything."""
    for prompt in asked.view.prompts:
        if prompt.seat != asked.seat or not _asks(prompt):
            continue
        is_own = asked.seat is not None
        wire = asked.player.choose(asked.view, prompt, chance.random()) if is_own else None
        if wire is None:
            wire = dealer.deal(state, asked.view, prompt, asked.player, chance)
        if wire is not None:
            return game.codec.command_in(wire)
    return None


def _asks(prompt: Prompt) -> bool:
    """Say whether a prompt waits for its seat; what the whole table may do is always looked at."""
    is_open = prompt.choices or prompt.deed or prompt.expects_die or prompt.expects_turn
    return bool(is_open) and (prompt.seat is None or prompt.tone is not Tone.WAIT)


def play(game: Game[Any, Any, Any], catalogue: Any, players: Mapping[Seat, Player], chance: Chance) -> Played:
    """Play a game to its end and say how it went. Raises CannotPlay."""
    counts: dict[str, Counter[Seat]] = {
        kind: Counter() for kind in (game.dealer.counts if game.dealer else ())
    }
    state, decisions = game.initial(catalogue), 0
    for step in steps(game, catalogue, players, chance):
        decisions += 1
        state = step.state
        for event in step.events:
            state = game.evolve(state, event)
            kind = game.codec.event_out(event)[0]
            if kind in counts:
                counts[kind].update(seat for seat in players if seat in game.touched(event))
    view = game.view(state, None)
    return Played(
        scores={one.seat: one.score for one in view.seats},
        winners=tuple(one.seat for one in view.seats if one.rank == 1),
        rounds=view.round or 0,
        decisions=decisions,
        counts={kind: dict(of_seats) for kind, of_seats in counts.items()},
    )
