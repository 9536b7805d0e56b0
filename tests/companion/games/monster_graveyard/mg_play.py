"""Playing anything at all: what may be said at a table now, and carrying it out with every promise kept."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from companion.game import Choice, Field, Line, NotACommand, Pick, RuleBroken
from companion.games.monster_graveyard.components import DECKS, SEATS
from companion.games.monster_graveyard.game import GAME
from companion.games.monster_graveyard.moves import EndRound, LoseMonster, SetUp
from companion.games.monster_graveyard.options import ALL
from companion.games.monster_graveyard.rules.taking_over import why_impossible
from companion.games.monster_graveyard.state import Phase, State, hidden_cards
from tests.companion.games.monster_graveyard.mg_tables import after

PICK = st.integers(0, 10_000)
CHANCE = st.randoms(use_true_random=False)

OPENINGS = st.builds(
    lambda seats, gp, rp, options: SetUp(
        tuple(seat for seat in SEATS if seat in seats), gp=gp, rp=rp, options=options
    ),
    seats=st.sets(st.sampled_from(SEATS), min_size=2),
    gp=st.integers(0, 5),
    rp=st.sampled_from((0, 3, 20)),
    options=st.fixed_dictionaries(
        {}, optional={name: st.sampled_from(option.values) for name, option in ALL.items()}
    ),
)
"""Every number of players on every choice of seats, every choice of options."""


def without_chores(state: State) -> State:
    return replace(state, chores=(), chores_given=0)


def played(state: State, command: Any) -> State:
    """Carry a command out, checking every promise on the way. Raises RuleBroken."""
    assert GAME.codec.command_in(json.loads(json.dumps(GAME.codec.command_out(command)))) == command
    for event in GAME.decide(state, command):
        state = GAME.evolve(state, event)
        kind, version, body = GAME.codec.event_out(event)
        assert GAME.codec.event_in(kind, version, json.loads(json.dumps(body))) == event
        line = GAME.position(state)
        assert GAME.from_position(line, state.box.catalogue) == without_chores(state)
    check(state)
    return state


def check(state: State) -> None:
    """Check what must hold when everything that follows by itself has followed."""
    if state.phase is Phase.OPEN:
        return
    assert why_impossible(state) is None
    for deck in DECKS:
        assert state.decks[deck].cards == sum(hidden_cards(state, deck).values())
    for lab in state.labs.values():
        assert min(lab.gp, lab.rp, lab.vp, lab.minions) >= 0
    prompts = GAME.prompts(state)
    asked = {prompt.seat for prompt in prompts if prompt.tone != "wait" and prompt.choices}
    assert set(state.waited_for()) <= asked
    assert asked or state.phase is Phase.OVER
    for prompt in prompts:
        assert sum(choice.weight == "primary" for choice in prompt.choices) <= 1, prompt.key
        assert not prompt.why or prompt.seat is not None


def is_taken(state: State, command: Any) -> bool:
    """Say whether the rules take a command now."""
    try:
        GAME.decide(state, command)
    except RuleBroken:
        return False
    return True


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
        return chance.choice([field.value, "A new one", "terrorize: 2 gp"])
    return chance.choice([field.least, field.most, field.value or 0, chance.randint(field.least, field.most)])


def evening(state: State, seed: int) -> Iterator[State]:
    """Play a game that is set up to its end by chance; give the state after every choice."""
    chance = random.Random(seed)
    for step in range(2000):
        yield state
        if state.phase is Phase.OVER:
            return
        offers = [one for one in GAME.legal(state) if not isinstance(one, EndRound | LoseMonster)]
        done = [one for one in offers if getattr(one, "is_done", False) or type(one).__name__ == "Finish"]
        command = chance.choice(done) if done and chance.random() < 0.3 else chance.choice(offers)
        if step % 150 == 149 and state.rounds_done < 2:
            command = EndRound("village")
        state = played(state, command)
    raise AssertionError("the game does not end")


BEGINNINGS = st.builds(lambda opening: after(GAME.initial(GAME.stand_in), opening), OPENINGS)
