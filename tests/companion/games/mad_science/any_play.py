"""Playing anything at all: what may be said at a table now, and carrying it out with every promise kept."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

from hypothesis import strategies as st

from companion.game import Choice, Field, Line, NotACommand, Pick, RuleBroken
from companion.games.mad_science.components import SEATS
from companion.games.mad_science.game import GAME
from companion.games.mad_science.moves import DealBody, Discard, Play, Roll, SetLife, SetUp, TellBox
from companion.games.mad_science.options import ALL
from companion.games.mad_science.state import Phase, Stage, State
from tests.companion.games.mad_science.promises import check_event, check_rest
from tests.companion.games.mad_science.tables import CATALOGUE, after

PICK = st.integers(0, 10_000)
CHANCE = st.randoms(use_true_random=False)


def _forgetful(rows: dict[str, Any], *columns: str, keep: int = 2) -> dict[str, Any]:
    """Return rows of which most do not know some columns."""
    return {
        card: {name: value for name, value in row.items() if number % keep == 0 or name not in columns}
        for number, (card, row) in enumerate(rows.items())
    }


BOX: dict[str, Any] = CATALOGUE
UNTOLD = {
    **BOX,
    "bodies": _forgetful(BOX["bodies"], "life", "connector"),
    "parts": _forgetful(BOX["parts"], "life", "number", "special", "connector"),
    "experiments": {
        card: {name: value for name, value in row.items() if name[-1] not in "135"}
        for card, row in BOX["experiments"].items()
    },
    "conflicts": {"end": {"name": "The End"}},
}
"""A box of which hardly anything is told: numbers and boxes are asked when they are needed."""

BOXES = (GAME.stand_in, CATALOGUE, UNTOLD)

OPENINGS = st.builds(
    lambda seats, options: SetUp(tuple(seat for seat in SEATS if seat in seats), options),
    seats=st.sets(st.sampled_from(SEATS), min_size=2),
    options=st.fixed_dictionaries(
        {}, optional={name: st.sampled_from(option.values) for name, option in ALL.items()}
    ),
)
"""Two to six on every choice of seats, with every choice of options."""


def played(state: State, command: Any) -> State:
    """Carry a command out, checking every promise on the way. Raises RuleBroken."""
    assert GAME.codec.command_in(json.loads(json.dumps(GAME.codec.command_out(command)))) == command
    for event in GAME.decide(state, command):
        state = GAME.evolve(state, event)
        check_event(state, event)
    check_rest(state)
    return state


def offers(state: State) -> list[Any]:
    """Return the legal commands, thinned out so that no kind of command crowds out the others."""
    every = list(GAME.legal(state))
    thin = [c for c in every if isinstance(c, Play | Discard | TellBox | DealBody)]
    rest = [c for c in every if not isinstance(c, Play | Discard | TellBox | DealBody | SetLife)]
    plays = [c for c in thin if isinstance(c, Play)]
    return rest + thin[:: max(1, len(thin) // 6)] + plays[:: max(1, len(plays) // 6)]


def onward(state: State) -> list[Any]:
    """Return legal commands that bring a game nearer to its end."""
    every = offers(state)
    if state.turn.stage is Stage.MOVE:  # the die may be rolled there for ever
        every = [c for c in every if not isinstance(c, Roll)]
    going = [c for c in every if isinstance(c, Roll | Play | DealBody | TellBox)]
    return going or [c for c in every if getattr(c, "seat", None) in state.waited_for()] or every


def filled(state: State, chance: random.Random) -> Any:
    """Return the command of some choice that a prompt offers, its form filled in somehow; else None."""
    choices = [choice for prompt in GAME.prompts(state) for choice in prompt.choices]
    if not choices:
        return None
    choice: Choice = chance.choice(choices)
    fields = {field.name: _answer(field, chance) for field in choice.fields}
    try:
        return GAME.codec.command_in({**choice.command, **fields})
    except NotACommand:
        return None


def _answer(field: Field, chance: random.Random) -> Any:
    if isinstance(field, Pick):
        values = [option.value for option in field.options]
        if field.most == 1:
            return chance.choice(values) if values else ""
        return chance.sample(values, min(len(values), chance.randint(field.least, field.most)))
    if isinstance(field, Line):
        return field.value or chance.choice(["", "Odd One", "x" * 50])
    return chance.choice([field.least, field.most, field.value or 0, chance.randint(field.least, field.most)])


def is_taken(state: State, command: Any) -> bool:
    """Say whether the rules take a command now."""
    try:
        GAME.decide(state, command)
    except RuleBroken:
        return False
    return True


def evening(state: State, seed: int, step: Any) -> list[State]:
    """Play a game that is set up to its end by chance; give every state of it."""
    chance, states = random.Random(seed), [state]
    for _ in range(6000):
        if state.phase is Phase.OVER:
            return states
        state = step(state, chance.choice(onward(state)))
        states.append(state)
    raise AssertionError("the game does not end")


@cache
def middles(number: int) -> tuple[State, ...]:
    """Return every state of one of six games: machines begin in the middle of them."""
    options = {"unfinished": "keeps_building", "last": "life_or_parts"} if number % 2 else {}
    opening = SetUp(SEATS[: 2 + number % 5], options)
    return tuple(evening(after(GAME.initial(BOXES[number % 3]), opening), number, after))


BEGINNINGS = st.one_of(
    st.builds(lambda box, opening: after(GAME.initial(box), opening), st.sampled_from(BOXES), OPENINGS),
    st.builds(lambda game, at: middles(game)[at % len(middles(game))], st.integers(0, 5), PICK),
)
"""A table that was just set up, or one in the middle of a game."""
