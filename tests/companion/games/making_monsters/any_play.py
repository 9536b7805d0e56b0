"""Playing anything at all: what may be said at a table now, and carrying it out with every promise kept."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from hypothesis import strategies as st

from companion.game import Choice, Field, Line, NotACommand, Pick, RuleBroken
from companion.games.making_monsters.components import SEATS
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import ChooseOptions, KeepCard, NameTiles, PlaceCard, SetUp
from companion.games.making_monsters.options import ALL
from companion.games.making_monsters.printed import UNKNOWN_TILE
from companion.games.making_monsters.reports import Resume, SetDepth, SetTotal
from companion.games.making_monsters.state import Phase, State
from tests.companion.games.making_monsters.promises import check_event, check_rest
from tests.companion.games.making_monsters.tables import CATALOGUE, after

OF_DEPTH = (SetDepth, Resume, SetTotal)
PICK = st.integers(0, 10_000)
CHANCE = st.randoms(use_true_random=False)

TALKATIVE = {
    **CATALOGUE,
    "cards": {
        card: {**row, "action": "1 limb, 2 prestige" if number % 3 else "draw one more token"}
        if number % 4
        else {"name": row["name"], "part_spaces": 2}
        for number, (card, row) in enumerate(CATALOGUE["cards"].items())
    },
}
"""A box whose cards have actions, and some of which nobody has told yet."""

BOXES = (GAME.stand_in, CATALOGUE, TALKATIVE)

OPENINGS = st.builds(
    lambda seats, track, depth, options: SetUp(
        tuple(seat for seat in SEATS if seat in seats), track, options=options, depth=depth
    ),
    seats=st.sets(st.sampled_from(SEATS), min_size=2),
    track=st.integers(1, 6),
    depth=st.sampled_from(Depth),
    options=st.fixed_dictionaries(
        {}, optional={name: st.sampled_from(option.values) for name, option in ALL.items()}
    ),
)
"""Every number of players on every choice of seats, every depth, every choice of options; games are short."""


def played(state: State, command: Any) -> State:
    """Carry a command out, checking every promise on the way. Raises RuleBroken."""
    assert GAME.codec.command_in(json.loads(json.dumps(GAME.codec.command_out(command)))) == command
    for event in GAME.decide(state, command):
        before, state = state, GAME.evolve(state, event)
        check_event(before, event, state)
    check_rest(state)
    return state


def offers(state: State) -> list[Any]:
    """Return the legal commands, cards thinned out so that no kind of command crowds out the others."""
    every = list(GAME.legal(state))
    cards = [c for c in every if isinstance(c, KeepCard | PlaceCard)]
    tiles = [c for c in every if isinstance(c, NameTiles)]
    chosen = [c for c in every if isinstance(c, ChooseOptions)]
    rest = [c for c in every if not isinstance(c, (KeepCard, PlaceCard, NameTiles, ChooseOptions, *OF_DEPTH))]
    return rest + cards[:: max(1, len(cards) // 8)] + tiles[::5] + chosen[::6]


def depths(state: State) -> list[Any]:
    """Return the legal commands that change how closely a seat is followed, or correct its total."""
    return [command for command in GAME.legal(state) if isinstance(command, OF_DEPTH)]


def naming(state: State, chance: random.Random) -> Iterator[NameTiles]:
    """Name the first upgrade that lies on a cart unnamed, as a host or a camera does, if the box has one."""
    unnamed = [spot for spot, tile in state.carts.items() if tile == UNKNOWN_TILE]
    for spot in unnamed[:1]:
        name = NameTiles({f"central/{spot}": chance.choice(state.box.tiles)})
        if is_taken(state, name):
            yield name


def is_taken(state: State, command: Any) -> bool:
    """Say whether the rules take a command now."""
    try:
        GAME.decide(state, command)
    except RuleBroken:
        return False
    return True


def named(state: State, chance: random.Random) -> State:
    """Name all that can be named."""
    for _ in range(8):
        for command in naming(state, chance):
            state = played(state, command)
    return state


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
        return field.value
    return chance.choice([field.least, field.most, field.value or 0, chance.randint(field.least, field.most)])


def evening(
    state: State, seed: int, step: Callable[[State, Any], State], hops: float = 0.0
) -> Iterator[State]:
    """Play a game that is set up to its end by chance; give the state after every choice.

    ``hops`` is the chance, before a choice, that a seat is followed otherwise or a total is corrected.
    """
    chance = random.Random(seed)
    for _ in range(4000):
        yield state
        if state.phase is Phase.OVER:
            return
        if chance.random() < hops:
            state = step(state, chance.choice(depths(state)))
            continue
        for command in naming(state, chance):
            state = step(state, command)
        state = step(state, chance.choice(offers(state)))
    raise AssertionError("the game does not end")


@cache
def middles(number: int) -> tuple[State, ...]:
    """Return every state of one of six games: machines begin in the middle of them."""
    options = {"bogo": "mutation", "expand": "may_replace"} if number % 2 else {}
    opening = SetUp(SEATS[: 2 + number % 3], 3 + number, options=options)
    begun = after(GAME.initial(BOXES[number // 2]), opening)
    return tuple(evening(begun, number, after, hops=0.05 * (number % 2)))


BEGINNINGS = st.one_of(
    st.builds(
        lambda box, opening: after(GAME.initial(box), opening),
        st.sampled_from(BOXES),
        OPENINGS,
    ),
    st.builds(lambda game, at: middles(game)[at % len(middles(game))], st.integers(0, 5), PICK),
)
"""A table that was just set up, or one in the middle of a game."""
