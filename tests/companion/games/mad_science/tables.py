"""Tables for the tests: a small synthetic box, positions built by hand, and what follows from a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from companion.game import RuleBroken, Seat
from companion.games.mad_science.components import FACES, SEATS, Column, Kind, Rank, cell
from companion.games.mad_science.game import GAME
from companion.games.mad_science.moves import Roll, TellCatalogue
from companion.games.mad_science.state import Creature, Phase, Stage, State, Turn

A, B, C, D, E, F = SEATS
HEAD, ARM, WEAPON, LEGS = Kind

CHART = {
    Column.PURPLE: "lose_1 lose_2 roll_again roll_twice lose_2 free_ride",
    Column.MIDDLE: "arrow_purple arrow_red roll_twice double_hit special_move lose_1",
    Column.RED: "arm_drop roll_again legs_drop weapon_drop lose_2 adaptor_loss",
}
CONFLICT = {
    Rank.ONE: "head_lost lose_2 lose_1 roll_twice double_strike lose_5",
    Rank.TWO: "arm_lost lose_1 lose_1 roll_twice double_strike lose_1",
    Rank.THREE: "legs_lost lose_1 lose_1 roll_twice double_strike roll_again",
}


def _cells(chart: Mapping[Any, str]) -> dict[str, str]:
    return {
        cell(column, face): word
        for column, words in chart.items()
        for face, word in zip(FACES, words.split(), strict=True)
    }


def part(kind: str, connector: str, life: int = 0, number: int = 1, special: int | None = None) -> Any:
    name = f"{kind} {connector} {life} {number} {special}"
    row = {"name": name, "kind": kind, "connector": connector, "life": life, "number": number, "copies": 2}
    return row if special is None else {**row, "special": special}


CATALOGUE = {
    "name": "synthetic",
    "players": list(SEATS),
    "bodies": {
        f"body_{letter}": {"name": f"Body {letter}", "connector": "screws", "life": 6} for letter in "abcdef"
    },
    "parts": {
        "head_2": part("head", "screws", 2, 2),
        "arm_1": part("arm", "screws", 1, 2),
        "weapon_4": part("weapon", "screws", 0, 5, 4),
        "legs_0": part("legs", "screws", 0, 6),
        "head_hoses": part("head", "hoses", 1, 3),
        "head_any": part("head", "universal", 0, 1),
        **{f"{kind}_more": part(kind, "screws", 0, 4, 3 if kind == "weapon" else None) for kind in Kind},
        **{f"{kind}_spare": part(kind, "universal", 1, 3, 5 if kind == "weapon" else None) for kind in Kind},
        "weapon_3": part("weapon", "plugs", 0, 5, 3),
        "weapon_5": part("weapon", "hoses", 0, 5, 5),
    },
    "adaptors": {"adaptor_1": {"name": "Adaptor", "copies": 4}},
    "experiments": {
        "thing": {
            "name": "Thing",
            "life": 10,
            "move": "Everybody loses 1.",
            "move_does": ["everybody_lose_1"],
            **_cells(CHART),
        },
        "riddle": {"name": "Riddle", "life": 10, "move": "Only words.", **_cells(CHART)},
    },
    "conflicts": {"end": {"name": "The End", **_cells(CONFLICT)}},
}
"""Synthetic cards; every number is invented for the tests."""

BARE = GAME.initial(CATALOGUE)
WHOLE = {HEAD: "head_2", ARM: "arm_1", WEAPON: "weapon_4", LEGS: "legs_0"}
"""LIFE +2 +1 +0 +0, break numbers 2, 2, 5, 6, SPECIAL 4."""


def creature(number: int, **fields: Any) -> Creature:
    """Return a creature with a body of its own; with ``life`` it is whole and fights."""
    body = f"body_{'abcdef'[number]}"
    if "life" in fields:
        fields = {"parts": WHOLE, "is_built": True, **fields}
    return Creature(body=body, **fields)


def playing(*creatures: Mapping[str, Any], stage: Stage = Stage.ROLL, turn: int = 0, **fields: Any) -> State:
    """Return a table in Build and Battle; each creature as its fields say, the first seat on turn."""
    laid = {seat: creature(n, **one) for n, (seat, one) in enumerate(zip(SEATS, creatures, strict=False))}
    seats = tuple(laid)
    state = replace(
        BARE,
        phase=Phase.PLAY,
        round=3,
        creatures=laid,
        order=seats,
        turn=Turn(seats[turn], stage),
        experiment="thing",
        experiment_life=10,
        is_bonus_given=any(one.is_built for one in laid.values()),
        pile=20,
    )
    return replace(state, **fields)


def breaking(*creatures: Mapping[str, Any], target: int | None = None, **fields: Any) -> State:
    """Return a table in Break, the first seat on turn; with a target it is about to roll."""
    state = playing(*creatures)
    ranks = list(Rank)
    laid = {
        seat: replace(one, rank=ranks[n % len(ranks)])
        for n, (seat, one) in enumerate(state.creatures.items())
    }
    stage = Stage.TARGET if target is None else Stage.ROLL
    turn = Turn(SEATS[0], stage, target=None if target is None else SEATS[target])
    state = replace(state, phase=Phase.BREAK, creatures=laid, turn=turn, experiment_life=0, killer=SEATS[0])
    return replace(state, conflict="end", **fields)


def after(state: State, *commands: Any) -> State:
    """Return the state after commands."""
    for command in commands:
        for event in GAME.decide(state, command):
            state = GAME.evolve(state, event)
    return state


def rolled(state: State, *faces: int) -> State:
    """Return the state after rolls of whoever is asked for them."""
    for face in faces:
        assert state.turn.seat is not None
        state = after(state, Roll(state.turn.seat, face))
    return state


def refused(state: State, command: Any) -> RuleBroken:
    """Return the refusal of a command; fails if it is taken."""
    with pytest.raises(RuleBroken) as broken:
        GAME.decide(state, command)
    return broken.value


def why(state: State, command: Any) -> str:
    """Return the key of a refusal."""
    return refused(state, command).why.key.removeprefix("ms.no.")


def life(state: State, seat: Seat) -> int | None:
    return state.creatures[seat].life


def told(**rows: Any) -> TellCatalogue:
    return TellCatalogue(rows)


class Vectors:
    """Marks functions ``ms_<number>_<sentence>`` as cases; pytest shows each by the id of its vector."""

    def __init__(self) -> None:
        self.cases: list[Any] = []

    def __call__(self, case: Callable[[], None]) -> Callable[[], None]:
        number, _, sentence = case.__name__.removeprefix("ms_").partition("_")
        self.cases.append(pytest.param(case, id=f"MS-{number}-{sentence}"))
        return case
