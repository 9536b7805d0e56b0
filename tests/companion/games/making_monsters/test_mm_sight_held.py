"""Tokens on upgrades: eyes see the one on top, the rules know the others below it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.board import BoardId, PieceKind, SpaceId
from companion.game import Proposal, Puzzled, Sighting
from companion.games.making_monsters.components import Order, lab_of
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from companion.ports import Reading
from tests.companion.games.making_monsters.readings import SURE, reading, space
from tests.companion.games.making_monsters.tables import (
    BAG,
    BLUE,
    GOOP,
    LIMB,
    RED,
    ROT,
    ZAPPER,
    after,
    drawing,
    rejects,
    table,
)

TILES = {"upgrade1": "sorting_table", "upgrade2": "med_school", "upgrade3": "refrigeration"}


def seen(state: State, changed: dict[str, str] | None = None, **on_top: str) -> Reading:
    """Return a reading of red's lab as it lies, with these tokens on top of its tiles (none: no token)."""
    full = reading(state, red=changed or {})
    lab = full.boards[lab_of(RED)]
    spaces = {at: one for at, one in lab.spaces.items() if ".hold" not in at}
    for tile, name in TILES.items():
        on_it = (PieceKind(on_top[tile]),) if tile in on_top else ()
        spaces[SpaceId(tile)] = replace(space(name), on_top=on_it)
    return replace(full, boards={BoardId(lab_of(RED)): replace(lab, spaces=spaces)})


def only(state: State, reading: Reading) -> Sighting:
    (sighting,) = GAME.sighted(state, reading)
    return sighting


def taken(state: State, sighting: Sighting) -> State:
    assert isinstance(sighting, Proposal) and sighting.command is not None, sighting
    return after(state, GAME.codec.command_in(sighting.command))


def test_a_token_laid_on_a_med_school_is_proposed():
    state = drawing(Order.YELLOW, tiles=TILES)
    state = taken(state, only(state, seen(state, upgrade2="goop")))
    assert state.labs[RED].parts == {"upgrade2.hold1": GOOP}
    assert GAME.sighted(state, seen(state, upgrade2="goop")) == ()


def test_a_second_token_of_another_kind_is_proposed_on_top_of_the_first():
    state = drawing(Order.YELLOW, tiles=TILES, parts={"upgrade2.hold1": GOOP})
    state = taken(state, only(state, seen(state, upgrade2="limb")))
    assert state.labs[RED].parts == {"upgrade2.hold1": GOOP, "upgrade2.hold2": LIMB}


def test_a_part_that_left_a_sorting_table_upgrade_for_a_monster_is_a_move():
    parts = {"upgrade1.hold1": GOOP, "upgrade1.hold2": ZAPPER}
    state = drawing(Order.YELLOW, tiles=TILES, parts=parts, cards={"card3": "zapping"})
    moved = only(state, seen(state, {"card3.part0": "zapper"}, upgrade1="goop"))
    assert taken(state, moved).labs[RED].parts == {"upgrade1.hold1": GOOP, "card3.part0": ZAPPER}


def test_the_cold_part_may_go_to_a_monster_before_the_next_order():
    lab = Lab(
        bag=BAG,
        stage=Stage.ORDER,
        tiles=TILES,
        parts={"upgrade3.hold1": ZAPPER},
        cards={"card3": "zapping"},
    )
    state = table(Phase.ORDER, {RED: lab, BLUE: Lab(bag=BAG, stage=Stage.ORDER)})
    assert GAME.sighted(state, seen(state, upgrade3="zapper")) == ()
    moved = only(state, seen(state, {"card3.part0": "zapper"}))
    assert taken(state, moved).labs[RED].parts == {"card3.part0": ZAPPER}


def test_a_token_that_vanished_from_a_med_school_is_puzzling():
    state = drawing(Order.YELLOW, tiles=TILES, parts={"upgrade2.hold1": GOOP})
    gone = only(state, seen(state))
    assert isinstance(gone, Puzzled)
    assert [str(one.place) for one in gone.spaces] == ["lab_red/upgrade2.hold1"]


@pytest.mark.parametrize("kind", ["rot", "goop"])
def test_a_token_that_may_not_lie_on_its_tile_is_puzzling(kind: str):
    state = drawing(Order.YELLOW, tiles=TILES)
    tile = "upgrade2" if kind == "rot" else "upgrade3"
    assert isinstance(only(state, seen(state, **{tile: kind})), Puzzled)


def test_a_tile_that_a_hand_hides_says_nothing_of_its_tokens():
    state = drawing(Order.YELLOW, tiles=TILES, parts={"upgrade2.hold1": GOOP})
    covered = seen(state)
    lab = covered.boards[lab_of(RED)]
    spaces = {**lab.spaces, SpaceId("upgrade2"): replace(space("hidden"), sure=False)}
    assert GAME.sighted(state, replace(covered, boards={lab.board: replace(lab, spaces=spaces)})) == ()


def test_what_a_person_says_of_a_token_on_a_tile_stands():
    state = drawing(Order.YELLOW, tiles=TILES)
    first = seen(state, upgrade2="goop")
    lab = first.boards[lab_of(RED)]
    said = {SpaceId("upgrade2.hold2"): replace(space("goop"), confidence=SURE)}
    both = replace(first, boards={lab.board: replace(lab, spaces={**lab.spaces, **said})})
    assert set(taken(state, only(state, both)).labs[RED].parts) == {"upgrade2.hold1", "upgrade2.hold2"}


def test_tokens_that_still_lie_on_a_tile_after_a_clean_up_are_leftovers():
    left = {"upgrade1.hold1": GOOP, "upgrade1.hold2": LIMB}
    state = drawing(Order.YELLOW, tiles=TILES, leftovers=left)
    still = only(state, seen(state, upgrade1="limb"))
    assert isinstance(still, Puzzled | Proposal)
    assert "upgrade1.hold2" in {str(one.place.space) for one in still.spaces}


def test_a_table_that_lies_as_it_should_is_not_worth_a_word_with_full_tiles():
    parts = {f"upgrade{tile}.hold{n}": GOOP for tile, n in ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1))}
    state = drawing(Order.BLUE, tiles=TILES, parts={**parts, **rejects(ROT)})
    on_top = dict.fromkeys(TILES, "goop")
    assert GAME.sighted(state, seen(state, **on_top)) == ()
