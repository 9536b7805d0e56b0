"""Whatever a phone or a line says: it is taken, or refused with a reason, and nothing else."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game import NotACommand, RuleBroken
from companion.games.making_monsters.components import CART_SPOTS, LESTERS, Order, Token
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import Draw, SetUp, TakeOver
from companion.games.making_monsters.position import position
from companion.games.making_monsters.records import COMMANDS
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from tests.companion.games.making_monsters.promises import check_event, check_rest
from tests.companion.games.making_monsters.tables import (
    BAG,
    BLUE,
    CATALOGUE,
    EMPTY,
    GOOP,
    LIMB,
    RED,
    ROT,
    after,
    drawing,
    refused,
    rejects,
    table,
)

LYING = {"card1.part0": LIMB, "sort1": GOOP, **rejects(ROT)}
TABLES: dict[str, State] = {
    "open": EMPTY,
    "setup": after(EMPTY, SetUp((RED, BLUE), 5)),
    "draw": drawing(Order.BLUE, is_super=True, parts=LYING, cards={"card3": "goops"}),
    "lester": drawing(Order.BLUE, is_super=True, stage=Stage.LESTER, parts=LYING),
    "items": table(
        Phase.REANIMATE,
        {RED: Lab(bag=BAG, stage=Stage.ITEMS, items=3, parts=LYING), BLUE: Lab(bag=BAG, stage=Stage.DONE)},
    ),
    "keep": table(Phase.REFRESH, dict.fromkeys((RED, BLUE), Lab(bag=BAG, stage=Stage.KEEP, parts=LYING))),
    "prep": table(Phase.PREP, dict.fromkeys((RED, BLUE), Lab(bag=BAG, stage=Stage.CHOOSE)), track=0),
}

SCRAPS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 10**9),
    st.text(max_size=4),
    st.sampled_from([*Token, *Order, *LESTERS, *CART_SPOTS, "red", "blue", "green", "pile", "overflow"]),
    st.sampled_from(
        ["card1.part0", "card3.part1", "sort1", "reject6", "upgrade1", "card3", "goops", "limbs"]
    ),
)
VALUES = st.one_of(
    SCRAPS,
    st.lists(st.one_of(SCRAPS, st.lists(SCRAPS, max_size=2)), max_size=3),
    st.dictionaries(st.sampled_from(["rot", "limb", "red", "cart1_upgrade1", "x"]), SCRAPS, max_size=2),
)
NAMES = """
seat card space spot kind kinds parts tiles placements moves order then reanimate delta cards other
position seats track rot limb phase
"""
FIELDS = st.sampled_from(NAMES.split())


@settings(max_examples=400, deadline=None)
@given(
    name=st.sampled_from(sorted(TABLES)),
    verb=st.sampled_from(sorted(COMMANDS)),
    fields=st.dictionaries(FIELDS, VALUES, max_size=4),
    is_red=st.booleans(),
)
def test_a_tap_of_any_shape_is_taken_or_refused(
    name: str, verb: str, fields: dict[str, Any], is_red: bool
) -> None:
    state = TABLES[name]
    wire = {"do": verb, **fields} | ({"seat": "red"} if is_red else {})
    with contextlib.suppress(NotACommand, RuleBroken):
        for event in GAME.decide(state, GAME.codec.command_in(wire)):
            before, state = state, GAME.evolve(state, event)
            check_event(before, event, state)
        check_rest(state)


@settings(max_examples=300, deadline=None)
@given(at=st.integers(0, 600), cut=st.integers(0, 3), put=st.text("01-9:,|= abcmorst.?", max_size=3))
def test_a_damaged_position_is_refused_or_adds_up(at: int, cut: int, put: str) -> None:
    line = position(TABLES["draw"])
    at %= len(line)
    damaged = line[:at] + put + line[at + cut :]
    with contextlib.suppress(ValueError):
        GAME.from_position(damaged, CATALOGUE)
    state = EMPTY
    with contextlib.suppress(RuleBroken):
        for event in GAME.decide(state, TakeOver(damaged)):
            before, state = state, GAME.evolve(state, event)
            check_event(before, event, state)
        check_rest(state)


@pytest.mark.parametrize("count", [10**9, 40])
def test_a_draw_of_more_than_there_is_comes_back_at_once(count: int) -> None:
    assert refused(TABLES["draw"], Draw(RED, {ROT: count})).why.key == "mm.no.too_many"
