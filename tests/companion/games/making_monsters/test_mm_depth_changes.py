"""From one depth of tracking to another in the middle of a game, and back to every token."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.making_monsters.components import STARTING_BAG, Order
from companion.games.making_monsters.depth import Depth, Feat
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import (
    Decide,
    Draw,
)
from companion.games.making_monsters.parts import plus
from companion.games.making_monsters.reports import (
    Complete,
    Resume,
    SetDepth,
    TellPoints,
)
from companion.games.making_monsters.state import Lab, Phase
from tests.companion.games.making_monsters.depth_tables import reporting, set_up
from tests.companion.games.making_monsters.promises import check_pieces
from tests.companion.games.making_monsters.readings import reading
from tests.companion.games.making_monsters.tables import (
    BAG,
    BLUE,
    GOOP,
    LIMB,
    RED,
    ROT,
    after,
    drawing,
    refused,
    rejects,
)


def test_a_seat_followed_less_closely_keeps_what_is_known():
    state = drawing(Order.YELLOW, parts={"card3.part0": LIMB, **rejects(ROT)}, cards={"card3": "one_limb"})
    state = after(state, SetDepth(RED, Depth.RESULTS))
    lab = state.labs[RED]
    assert lab.done == (Feat(10, "one_limb"),)
    assert lab.held == plus(BAG, {LIMB: 1, ROT: 1})
    assert (lab.bag, lab.parts) == ({}, {})
    check_pieces(state)


@pytest.mark.parametrize("command", [Draw(RED, {LIMB: 4}), Complete(BLUE, prestige=3), TellPoints(RED, 3, 1)])
def test_what_does_not_fit_the_depth_is_refused(command: Any):
    assert refused(reporting(), command).why.key in ("mm.no.depth_results_says", "mm.no.depth_full_says")


def test_back_to_every_token_leads_a_count_of_lab_and_bag_only():
    state = after(reporting(), Decide(RED, False))
    assert refused(state, SetDepth(RED, Depth.FULL)).why.key == "mm.no.depth_full"
    parts = {"card1.part0": LIMB, "reject1": ROT}
    assert refused(state, Resume(RED, {}, {}, parts)).why.key == "mm.no.bag_uncounted"
    assert refused(state, Resume(RED, {LIMB: 71})).why.key == "mm.no.too_many_counted"
    assert (
        refused(state, Resume(RED, BAG, {}, {"reject1": ROT, "sort1": ROT})).why.key == "mm.no.lab_impossible"
    )
    state = after(state, Resume(RED, {**BAG, GOOP: 5}, {}, parts))
    lab = state.labs[RED]
    assert (lab.depth, lab.bag[GOOP], lab.parts, lab.held) == (Depth.FULL, 5, parts, {})
    assert state.knows_bag(RED)
    check_pieces(state)


def test_tokens_on_the_move_cannot_be_counted():
    assert refused(reporting(), Resume(RED, BAG)).why.key == "mm.no.resume_later"


def test_a_rot_too_few_has_left_the_game():
    """Only Compost takes a Rot from a seat, and only out of the game."""
    state = after(reporting(), Decide(RED, False))
    state = after(state, Resume(RED, {**BAG, ROT: BAG[ROT] - 1}))
    assert state.removed == {ROT: 1}
    check_pieces(state)


def test_cards_that_nobody_named_are_named_with_the_lab():
    state = after(set_up(Depth.RESULTS, seats=2))
    cards = {"card3": "card_07", "card4": "card_08"}
    assert refused(state, Resume(RED, STARTING_BAG, cards)).why.key == "mm.no.cards_too_many"
    state = after(state, Resume(RED, STARTING_BAG, {"card3": "card_07"}))
    assert (state.labs[RED].cards, state.labs[RED].unnamed) == ({"card3": "card_07"}, 0)
    check_pieces(state)


def test_a_reading_of_the_lab_leaves_only_the_bag_to_be_counted():
    lying: dict[str, Any] = {"cards": {"card3": "limbs"}, "parts": {"card3.part0": LIMB}}
    state = after(drawing(Order.YELLOW, **lying), SetDepth(RED, Depth.RESULTS), Decide(RED, False))
    there = replace(state, labs={**state.labs, RED: Lab(**lying)})
    (form,) = GAME.take_over(state, reading(there))
    fields = {field.name: field.value for field in form.fields}
    assert set(fields) == {"rot", "limb", "stitch", "spike", "goop", "zapper", "mutation"}
    counted = {kind.value: count for kind, count in BAG.items()}
    state = after(state, GAME.codec.command_in({**form.command, **fields, **counted}))
    assert (state.labs[RED].bag, state.labs[RED].parts) == (BAG, {"card3.part0": LIMB})


def test_without_a_camera_the_same_is_told_by_a_form():
    state = after(reporting(cards={"card3": "limbs"}), Decide(RED, False))
    form = next(c for c in GAME.view(state, RED).prompts[0].choices if c.command["do"] == "resume")
    fields = {field.name: field.value for field in form.fields}
    counted = {kind.value: str(count) for kind, count in BAG.items()}
    wire = {**form.command, **fields, **counted, "parts": "card3.part1:limb, reject1:rot"}
    lab = after(state, GAME.codec.command_in(wire)).labs[RED]
    assert (lab.cards, lab.parts) == ({"card3": "limbs"}, {"card3.part1": LIMB, "reject1": ROT})


def test_a_camera_is_silent_about_a_lab_that_is_not_followed():
    state = reporting()
    seen = reading(state, red={"card1.part0": "limb", "reject1": "rot"}, blue={})
    assert GAME.sighted(state, seen) == ()
    assert GAME.sighted(drawing(Order.YELLOW), reading(drawing(Order.YELLOW), red={"card1.part0": "limb"}))


def test_depths_of_a_game_that_is_over_stay():
    state = replace(reporting(), phase=Phase.OVER)
    assert refused(state, SetDepth(RED, Depth.SCORE)).why.key == "mm.no.depth_over"
