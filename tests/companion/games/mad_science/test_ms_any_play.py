"""Whatever is legal may be played: nothing is lost, nothing leaks, all can be taken back, every game ends."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from companion.games.mad_science.components import SEATS
from companion.games.mad_science.game import GAME
from companion.games.mad_science.moves import SetLife, SetUp
from companion.games.mad_science.state import Phase, State
from tests.chaos import so_many
from tests.companion.games.mad_science.any_play import (
    BEGINNINGS,
    BOXES,
    CHANCE,
    PICK,
    evening,
    filled,
    is_taken,
    offers,
    played,
)
from tests.companion.games.mad_science.tables import after


class AnyPlay(RuleBasedStateMachine):
    """Plays what ``legal`` and the forms offer, and what they do not; takes back and plays again."""

    @initialize(beginning=BEGINNINGS)
    def set_up(self, beginning: State) -> None:
        self.states = [beginning]
        self.said: list[Any] = []

    @property
    def state(self) -> State:
        return self.states[-1]

    def say(self, command: Any) -> None:
        self.said.append(command)
        self.states.append(played(self.state, command))

    @rule(which=PICK)
    def play(self, which: int) -> None:
        if self.state.phase is not Phase.OVER:
            commands = offers(self.state)
            assert commands, "the table stands still"
            self.say(commands[which % len(commands)])

    @rule(which=PICK)
    def put_a_life_right(self, which: int) -> None:
        lives = [command for command in GAME.legal(self.state) if isinstance(command, SetLife)]
        if lives:
            self.say(lives[which % len(lives)])

    @rule(chance=CHANCE)
    def fill_in_a_form(self, chance: random.Random) -> None:
        command = filled(self.state, chance)
        if command is not None and is_taken(self.state, command):
            self.say(command)

    @rule()
    def take_the_last_one_back(self) -> None:
        """Striking restores exactly: the rest, said again, leads to the very state before."""
        if self.said:
            self.said.pop()
            self.states.pop()
            assert after(self.states[0], *self.said) == self.state


@pytest.mark.timeout(300)  # what fails is made small first
def test_anything_legal_may_be_played() -> None:
    run_state_machine_as_test(AnyPlay, settings=so_many(games=14, steps=60))


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("box", range(len(BOXES)))
def test_a_game_by_chance_ends_with_a_winner(box: int, seats: int) -> None:
    state = evening(after(GAME.initial(BOXES[box]), SetUp(SEATS[:seats])), seats, after)[-1]
    assert [seat.rank for seat in GAME.view(state, None).seats].count(1) == 1


def test_every_promise_is_kept_through_a_whole_game() -> None:
    options = {"unfinished": "keeps_building", "virtual_die": "yes"}
    begun = after(GAME.initial(GAME.stand_in), SetUp(SEATS[:4], options))
    assert evening(begun, 11, played)[-1].phase is Phase.OVER
