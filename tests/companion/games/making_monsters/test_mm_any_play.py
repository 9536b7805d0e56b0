"""Whatever is legal may be played: nothing is lost, nothing leaks, and every game ends."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)

from companion.games.making_monsters.components import SEATS
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import ChooseOptions, KeepCard, NameTiles, PlaceCard, SetUp
from companion.games.making_monsters.options import ALL
from companion.games.making_monsters.printed import UNKNOWN_TILE
from companion.games.making_monsters.reports import Resume, SetDepth, SetTotal
from companion.games.making_monsters.rules.final import winners
from companion.games.making_monsters.state import Phase, State
from tests.companion.games.making_monsters.promises import check_event, check_rest
from tests.companion.games.making_monsters.tables import CATALOGUE, after

OF_DEPTH = (SetDepth, Resume, SetTotal)
SHARED = Path(__file__).parents[4] / "../shared/scenes/A/reference/layout.json"


def played(state: State, command: Any) -> State:
    """Carry a command out, checking every promise on the way."""
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
    named = [c for c in every if isinstance(c, NameTiles)]
    chosen = [c for c in every if isinstance(c, ChooseOptions)]
    rest = [c for c in every if not isinstance(c, (KeepCard, PlaceCard, NameTiles, ChooseOptions, *OF_DEPTH))]
    return rest + cards[:: max(1, len(cards) // 8)] + named[::5] + chosen[::6]


def named(state: State, chance: random.Random) -> State:
    """Name every upgrade that lies on a cart unnamed, as a host or a camera does."""
    places = [f"central/{spot}" for spot, tile in state.carts.items() if tile == UNKNOWN_TILE]
    tiles = {place: chance.choice(state.box.tiles) for place in places}
    return played(state, NameTiles(tiles)) if tiles else state


def depths(state: State) -> list[Any]:
    """Return the legal commands that change how closely a seat is followed, or correct its total."""
    return [command for command in GAME.legal(state) if isinstance(command, OF_DEPTH)]


class AnyPlay(RuleBasedStateMachine):
    """Plays what ``legal`` offers at tables of two to four seats, in every depth and across its changes."""

    @initialize(
        seats=st.sets(st.sampled_from(SEATS), min_size=2),
        track=st.integers(1, 6),
        depth=st.sampled_from(Depth),
        options=st.fixed_dictionaries(
            {}, optional={name: st.sampled_from(option.values) for name, option in ALL.items()}
        ),
        chance=st.randoms(use_true_random=False),
    )
    def set_up(
        self, seats: set[Any], track: int, depth: Depth, options: dict[str, str], chance: random.Random
    ) -> None:
        ring = tuple(seat for seat in SEATS if seat in seats)
        begun = played(GAME.initial(GAME.stand_in), SetUp(ring, track, options=options, depth=depth))
        self.state = named(begun, chance)

    @rule(which=st.integers(0, 10_000))
    def play(self, which: int) -> None:
        if self.state.phase is Phase.OVER:
            return
        commands = offers(self.state)
        assert commands, "the table stands still"
        self.state = played(self.state, commands[which % len(commands)])

    @rule(which=st.integers(0, 10_000))
    def change_depth(self, which: int) -> None:
        commands = depths(self.state)
        if commands:
            self.state = played(self.state, commands[which % len(commands)])


def test_anything_legal_may_be_played() -> None:
    quick = settings(
        max_examples=10, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(AnyPlay, settings=quick)


def by_chance(
    catalogue: Any, seats: int, seed: int, *, checked: bool, depth: Depth = Depth.FULL, hops: float = 0.0
) -> State:
    """Play a whole game by chance; every choice is one of the legal ones.

    ``hops`` is the chance, before a choice, that a seat is followed otherwise or a total is corrected.
    """
    chance = random.Random(seed)
    step = played if checked else after
    state = step(GAME.initial(catalogue), SetUp(SEATS[:seats], 3, depth=depth))
    for _ in range(3000):
        if state.phase is Phase.OVER:
            return state
        if chance.random() < hops:
            state = step(state, chance.choice(depths(state)))
            continue
        state = named(state, chance)
        state = step(state, chance.choice(offers(state)))
    raise AssertionError("the game does not end")


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
