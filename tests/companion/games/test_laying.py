"""What hands lay on a table of cards: where the box has a place for it, and where it then lies."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion.board import Lying, Place
from companion.game import Game, Lays
from companion.games.mad_science.game import GAME as MAD_SCIENCE
from companion.games.monster_graveyard.components import PART_SPACES
from companion.games.monster_graveyard.game import GAME as GRAVEYARD
from companion.table.self_play import steps

LAID_DOWN = {"mad_science": {"deal_body", "play"}, "monster_graveyard": {"reanimate", "play", "terrorize"}}


@pytest.mark.parametrize("game", [MAD_SCIENCE, GRAVEYARD], ids=lambda game: game.name)
def test_what_a_command_lays_lies_there_afterwards_or_was_discarded(game: Game[Any, Any, Any]) -> None:
    lays, state = game.dealer, game.initial(game.stand_in)
    assert isinstance(lays, Lays)
    places = {Place(board.id, space) for board in game.box.boards for space in board.spaces}
    done = set()
    seats = dict.fromkeys(game.seats[:3], game.players[-1])
    for step in islice(steps(game, game.stand_in, seats, Random(4)), 250):
        wire = game.codec.command_out(step.command)
        laid = lays.laid(state, wire)
        for event in step.events:
            state = game.evolve(state, event)
        lying = lays.lying(state)
        assert set(laid) | set(lying) <= places
        assert all(1 <= value <= 6 for one in lying.values() for _, value in one.dice)
        if laid:
            done.add(wire["do"])
            assert wire["do"] == "reanimate" or _stays(laid, lying)
    assert done >= LAID_DOWN[game.name]


def _stays(laid: Mapping[Place, Lying], lying: Mapping[Place, Lying]) -> bool:
    """Say whether all that was laid lies there still; the round that ends with it may ready a monster."""
    return all(lying[place].kind.startswith(one.kind.removesuffix("_turned")) for place, one in laid.items())


def test_parts_of_a_monster_are_laid_out_whole_and_gone_once_it_lives() -> None:
    state = GRAVEYARD.initial(GRAVEYARD.stand_in)
    seat = GRAVEYARD.seats[0]
    assert isinstance(GRAVEYARD.dealer, Lays)
    command = {"do": "reanimate", "seat": seat, "parts": ["fresh_head"], "is_filled": True}
    kinds = sorted(one.kind for one in GRAVEYARD.dealer.laid(state, command).values())
    assert len(kinds) == PART_SPACES
    assert kinds[0] == "fresh_head" and all(kind.startswith("skeletal") for kind in kinds[1:])


def test_what_is_only_tapped_lays_nothing() -> None:
    state = GRAVEYARD.initial(GRAVEYARD.stand_in)
    assert isinstance(GRAVEYARD.dealer, Lays)
    assert not GRAVEYARD.dealer.laid(state, {"do": "choose_phase", "seat": "orange", "phase": "castle"})
    assert not GRAVEYARD.dealer.lying(state)
