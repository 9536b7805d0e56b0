"""Whatever is legal may be played: nothing is lost, nothing that is hidden is told, and every game ends."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from companion.game import replay
from companion.games.monster_graveyard.components import SEATS
from companion.games.monster_graveyard.game import GAME
from companion.games.monster_graveyard.moves import Decline, Play, SetUp
from companion.games.monster_graveyard.rules.turns import winners
from companion.games.monster_graveyard.state import Phase, Stage, State, hidden_cards
from companion.table.self_play import steps
from tests.chaos import so_many
from tests.companion.games.monster_graveyard.mg_play import (
    BEGINNINGS,
    CHANCE,
    PICK,
    evening,
    filled,
    is_taken,
    played,
)
from tests.companion.games.monster_graveyard.mg_tables import EMPTY, after
from web.values import out


class AnyPlay(RuleBasedStateMachine):
    """Plays what ``legal`` and the forms offer, and what they do not, with every option and seat count."""

    @initialize(beginning=BEGINNINGS)
    def set_up(self, beginning: State) -> None:
        self.said: list[Any] = []
        self.events: list[Any] = []
        self.start = self.state = beginning

    def say(self, command: Any) -> None:
        self.said.append(command)
        self.events += GAME.decide(self.state, command)
        self.state = played(self.state, command)

    @rule(which=PICK)
    def play(self, which: int) -> None:
        commands = list(GAME.legal(self.state))
        assert commands or self.state.phase is Phase.OVER, "the table stands still"
        if commands:
            self.say(commands[which % len(commands)])

    @rule(which=PICK)
    def get_on(self, which: int) -> None:
        """Say what the stage asks for, so that phases and turns come to their ends."""
        waited = self.state.waited_for()
        commands = list(GAME.legal(self.state, waited[0])) if waited else []
        if commands:
            self.say(commands[which % min(4, len(commands))])

    @rule(chance=CHANCE)
    def fill_in_a_form(self, chance: random.Random) -> None:
        command = filled(self.state, chance)
        if command is not None and is_taken(self.state, command):
            self.say(command)

    @rule(which=PICK)
    def say_again_what_was_said(self, which: int) -> None:
        if self.said and is_taken(self.state, self.said[which % len(self.said)]):
            self.say(self.said[which % len(self.said)])

    def teardown(self) -> None:
        if hasattr(self, "state"):
            state = self.start
            for event in self.events:
                state = GAME.evolve(state, event)
            assert state == self.state


@pytest.mark.timeout(300)  # what fails is made small first
def test_anything_legal_may_be_played() -> None:
    run_state_machine_as_test(AnyPlay, settings=so_many(games=12, steps=50))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_game_by_chance_comes_to_its_end_with_every_number_of_seats(seats: int) -> None:
    *_, end = evening(after(EMPTY, SetUp(SEATS[:seats])), seats)
    assert winners(end)


@pytest.mark.parametrize("strengths", [(0, 0), (1, 1, 1), (0, 1, 0, 1, 0)])
def test_players_play_by_their_views_alone_and_replay_gives_the_same(strengths: tuple[int, ...]) -> None:
    seats = {seat: GAME.players[which] for seat, which in zip(SEATS, strengths, strict=False)}
    happened = list(steps(GAME, GAME.stand_in, seats, random.Random(7)))
    events = [event for step in happened for event in step.events]
    end = replay(GAME, GAME.stand_in, events)
    assert end.phase is Phase.OVER
    assert end.rounds_done == 2


def test_nothing_tells_which_card_went_below_a_deck() -> None:
    """Two buyers who play the same card of different pairs leave the same events, views and records."""
    state = after(EMPTY, SetUp(SEATS[:3], rp=9), _choose("laboratory"))
    looking = after(state, _acquire("9"))
    assert looking.labs[SEATS[0]].stage is Stage.LOOK
    hidden = hidden_cards(looking, "9")
    for command in (Play(SEATS[0], next(iter(hidden))), Decline(SEATS[0])):
        events = GAME.decide(looking, command)
        told = json.dumps([GAME.codec.event_out(event) for event in events])
        card = getattr(command, "card", "")
        assert not [one for one in hidden if one in told and one != card]
        state = after(looking, command)
        for reader in (None, *SEATS[1:3]):
            view = out(GAME.view(state, reader))
            view["facts"].pop("hidden")  # what may be in a deck at all is what everybody can count
            shown = json.dumps(view)
            assert not [one for one in hidden if one in shown and one != card], reader


def _choose(phase: str) -> Any:
    return GAME.codec.command_in({"do": "choose_phase", "seat": SEATS[0], "phase": phase})


def _acquire(deck: str) -> Any:
    return GAME.codec.command_in({"do": "acquire", "seat": SEATS[0], "deck": deck})
