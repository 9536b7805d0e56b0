"""Tables for the tests: positions built by hand, what follows from commands, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from companion.game import RuleBroken, Seat
from companion.games.monster_graveyard.components import SEATS
from companion.games.monster_graveyard.game import GAME
from companion.games.monster_graveyard.rules.taking_over import with_the_rest
from companion.games.monster_graveyard.state import Deck, Lab, Monster, Phase, Stage, State

SOPHIA, OLIVER, WENDY, FOURTH, FIFTH = SEATS
EMPTY: State = GAME.initial(GAME.stand_in)

SKELETAL = ("skeletal_head", "skeletal_torso", *["skeletal_arm"] * 2, *["skeletal_leg"] * 2)
PUTREFIED = ("putrefied_head", "putrefied_torso", *["putrefied_arm"] * 2, *["putrefied_leg"] * 2)


def laboratory(labs: Mapping[Seat, Lab], *, discards: Mapping[str, tuple[str, ...]] | None = None) -> State:
    """Return the Laboratory of turn 2, chosen by the first of its seats; the decks hold all the rest."""
    first = next(iter(labs))
    state = replace(
        EMPTY,
        phase=Phase.LABORATORY,
        turn=2,
        first=first,
        active=first,
        chosen={Phase.LABORATORY.value: first},
        labs=dict(labs),
        decks={**EMPTY.decks, **{name: Deck(0, cards) for name, cards in (discards or {}).items()}},
    )
    return with_the_rest(state)


def acting(lab: Lab | None = None, **changes: Any) -> State:
    """Return a Laboratory in which Wendy acts first and Oliver and Sophia are still to come."""
    wendy = replace(lab or Lab(), stage=Stage.ACT, **changes)
    waiting = Lab(stage=Stage.WAIT)
    return laboratory({WENDY: wendy, SOPHIA: waiting, OLIVER: waiting})


def after(state: State, *commands: object) -> State:
    """Return what commands lead to."""
    for command in commands:
        for event in GAME.decide(state, command):
            state = GAME.evolve(state, event)
    return state


def events_of(state: State, command: object, kind: type) -> list[Any]:
    """Return the events of one kind that follow from a command."""
    return [event for event in GAME.decide(state, command) if isinstance(event, kind)]


def refused(state: State, command: object) -> RuleBroken:
    """Return why the rules refuse a command."""
    with pytest.raises(RuleBroken) as caught:
        GAME.decide(state, command)
    return caught.value


def values(monster: Monster | None) -> tuple[int, int, int]:
    assert monster is not None
    return monster.terror, monster.science, monster.health


Vector = Callable[[], None]


class Vectors:
    """The vectors of a game: every function is one case, its id made of its name."""

    def __init__(self) -> None:
        self.cases: list[object] = []

    def __call__(self, vector: Vector) -> Vector:
        _, number, name = vector.__name__.split("_", 2)
        self.cases.append(pytest.param(vector, id=f"MG-{number}-{name.replace('_', '-')}"))
        return vector
