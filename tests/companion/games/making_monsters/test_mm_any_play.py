"""Whatever is legal may be played: nothing is lost, nothing leaks, and every game ends."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from companion.games.making_monsters.components import SEATS
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import SetUp
from companion.games.making_monsters.rules.final import winners
from companion.games.making_monsters.state import Phase, State
from tests.chaos import so_many
from tests.companion.games.making_monsters.any_play import (
    BEGINNINGS,
    CHANCE,
    PICK,
    depths,
    evening,
    filled,
    is_taken,
    named,
    offers,
    played,
)
from tests.companion.games.making_monsters.tables import CATALOGUE, after

SHARED = Path(__file__).parents[4] / "../shared/scenes/A/reference/layout.json"


class AnyPlay(RuleBasedStateMachine):
    """Plays what ``legal`` and the forms offer, and what they do not, in every box, depth and option."""

    @initialize(beginning=BEGINNINGS, chance=CHANCE)
    def set_up(self, beginning: State, chance: random.Random) -> None:
        self.said: list[Any] = []
        self.state = named(beginning, chance)

    def say(self, command: Any) -> None:
        self.said.append(command)
        self.state = played(self.state, command)

    @rule(which=PICK)
    def play(self, which: int) -> None:
        if self.state.phase is Phase.OVER:
            return
        commands = offers(self.state)
        assert commands, "the table stands still"
        self.say(commands[which % len(commands)])

    @rule(which=PICK)
    def change_depth(self, which: int) -> None:
        commands = depths(self.state)
        if commands:
            self.say(commands[which % len(commands)])

    @rule(chance=CHANCE)
    def fill_in_a_form(self, chance: random.Random) -> None:
        command = filled(self.state, chance)
        if command is not None and is_taken(self.state, command):
            self.say(command)

    @rule(which=PICK)
    def say_again_what_was_said(self, which: int) -> None:
        if self.said and is_taken(self.state, self.said[which % len(self.said)]):
            self.say(self.said[which % len(self.said)])


@pytest.mark.timeout(300)  # what fails is made small first
def test_anything_legal_may_be_played() -> None:
    run_state_machine_as_test(AnyPlay, settings=so_many(games=12, steps=60))


def by_chance(
    catalogue: Any, seats: int, seed: int, *, checked: bool, depth: Depth = Depth.FULL, hops: float = 0.0
) -> State:
    """Play a whole game by chance; every choice is one of the legal ones."""
    step = played if checked else after
    state = step(GAME.initial(catalogue), SetUp(SEATS[:seats], 3, depth=depth))
    *_, state = evening(state, seed, step, hops)
    return state


@pytest.mark.parametrize(
    ("seats", "seed"),
    [pytest.param(seats, seed, id=f"MM-94-{seats}-seats-{seed}") for seats, seed in ((2, 1), (3, 2), (4, 1))],
)
def test_every_piece_is_somewhere_after_every_event(seats: int, seed: int) -> None:
    state = by_chance(GAME.stand_in, seats, seed, checked=True)
    assert winners(state)
    assert GAME.view(state, None).is_over


@pytest.mark.parametrize("depth", [Depth.RESULTS, Depth.SCORE])
def test_a_game_in_a_lower_depth_ends_with_a_winner(depth: Depth) -> None:
    assert winners(by_chance(GAME.stand_in, 3, 7, checked=True, depth=depth))


@pytest.mark.parametrize("seed", range(4))
def test_depths_may_change_at_any_time_of_a_game(seed: int) -> None:
    assert winners(by_chance(GAME.stand_in, 2 + seed % 3, seed, checked=True, hops=0.2))


@pytest.mark.parametrize("seed", range(6))
def test_a_game_by_chance_ends_with_a_winner(seed: int) -> None:
    state = by_chance(CATALOGUE, 2 + seed % 3, seed, checked=False)
    assert winners(state)


def test_a_taught_box_is_played_like_the_stand_in() -> None:
    layout = json.loads(SHARED.read_text())
    catalogue = {
        name: layout[name] for name in ("cards", "order_secondary", "upgrades", "lesters", "players")
    }
    slots = {slot["id"]: slot for slot in layout["boards"]["central"]["slots"]}
    catalogue["carts"] = {f"cart{n}": slots[f"cart{n}_upgrade1"]["cart_parts"] for n in range(1, 5)}
    assert winners(by_chance(catalogue, 3, 5, checked=True))
    # Another box may print its two monsters on other spaces.
    catalogue["printed_monsters"] = {"card2": "printed_2", "card4": "printed_1"}
    assert winners(by_chance(catalogue, 2, 6, checked=True))
