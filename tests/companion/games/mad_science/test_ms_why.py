"""Why a LIFE is what it is: printed numbers, the bonus, and every blow with what dealt it."""

from __future__ import annotations

from typing import Any

from companion.game import replay
from companion.games.mad_science.components import Kind
from companion.games.mad_science.game import GAME
from companion.games.mad_science.moves import (
    DealBody,
    DealHands,
    DoMove,
    Finish,
    Play,
    Roll,
    SetLife,
    SetUp,
    Source,
    TurnUp,
)
from companion.sentences import Speaker
from tests.companion.games.mad_science.tables import BARE, CATALOGUE, WHOLE, A, B

WORDS = Speaker([GAME.package])


def told(*commands: Any) -> tuple[Any, dict[str, list[tuple[int, str]]]]:
    """Return the state after commands from an empty table, and each sum as (amount, words)."""
    state, history = BARE, []
    for command in commands:
        for event in GAME.decide(state, command):
            history.append((state, event))
            state = GAME.evolve(state, event)
    sums = GAME.sums(state, history, None)
    assert replay(GAME, CATALOGUE, [event for _, event in history]) == state
    return state, {one.key: [(line.amount, WORDS.say(line.say)) for line in one.tallies] for one in sums}


def test_every_line_says_what_gave_or_took_life() -> None:
    opening = (
        SetUp((A, B)),
        *(Roll(A, 1), Roll(B, 2), TurnUp(A, "thing"), DealBody(A, "body_a"), DealBody(B, "body_b")),
        DealHands(A),
    )
    build: list[Any] = []
    for kind in Kind:
        build.append(Play(A, WHOLE[kind]))
        if kind is not Kind.LEGS:  # the last part ends the turn by itself
            build.append(Finish(A, Source.PILE))
        build.append(Finish(B, Source.PILE))
    battle = (
        *(Roll(A, 3), Roll(A, 3)),  # the same number again: SPECIAL 4
        Finish(B, Source.PILE),
        *(Roll(A, 5), DoMove(A)),  # everybody loses 1
        Finish(B, Source.PILE),
        *(Roll(A, 2), Roll(A, 4)),  # a red arrow, the weapon drops
        Finish(B, Source.PILE),
        Roll(A, 1),  # it does not come back
        SetLife(A, 8),
    )
    state, sums = told(*opening, *build, *battle)
    lines = sums[f"score.{A}"]
    assert [amount for amount, _ in lines] == [6, 2, 1, 3, -1, -1, -2]
    assert [words for _, words in lines] == [
        "Body a",
        "head screws 2 2 None",
        "arm screws 1 2 None",
        "first creature completed",
        "middle, 5: special move",
        "a part did not come back",
        "put right",
    ]
    assert sums["experiment"] == [(10, "Thing"), (-4, "Cyclops: a weapon's SPECIAL")]
    assert state.experiment_life == 6
