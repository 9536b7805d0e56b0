"""Vectors MM-01 to MM-28: the box, setting up, orders and what they draw."""

from __future__ import annotations

import pytest

from companion.game import Seat
from companion.games.making_monsters.components import TOKEN_COUNTS, Order
from companion.games.making_monsters.moves import (
    AddPart,
    ChooseOrder,
    Decide,
    Deliver,
    Draw,
    Finish,
    PlaceCard,
    PlayLester,
    SetUp,
)
from companion.games.making_monsters.parts import plus, total
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from tests.companion.games.making_monsters.tables import (
    BAG,
    BLUE,
    EMPTY,
    GOOP,
    GREEN,
    LIMB,
    MUTATION,
    RED,
    ROT,
    SEATS,
    SPIKE,
    STITCH,
    YELLOW,
    ZAPPER,
    Vectors,
    after,
    drawing,
    refused,
    rejects,
    table,
)

vector = Vectors()


@vector
def mm_01_the_box_holds_344_tokens() -> None:
    assert total(TOKEN_COUNTS) == 344
    assert total(plus(after(EMPTY, SetUp(SEATS, 8)).supply, {ROT: 8})) + 4 * 22 == 344


@vector
def mm_02_a_starting_bag_holds_22_of_which_7_rot() -> None:
    bag = after(EMPTY, SetUp((RED, BLUE), 8)).labs[RED].bag
    assert total(bag) == 22
    assert bag[ROT] == 7


@vector
def mm_03_the_supply_of_four_players() -> None:
    state = after(EMPTY, SetUp(SEATS, 12))
    supply = plus(state.supply, {ROT: state.track})
    assert supply == {ROT: 30, LIMB: 50, STITCH: 36, SPIKE: 40, GOOP: 40, ZAPPER: 40, MUTATION: 20}


@vector
def mm_04_the_supply_of_two_players() -> None:
    state = after(EMPTY, SetUp((RED, BLUE), 12))
    supply = plus(state.supply, {ROT: state.track})
    assert supply == {ROT: 44, LIMB: 60, STITCH: 44, SPIKE: 46, GOOP: 44, ZAPPER: 42, MUTATION: 20}


@vector
def mm_05_five_rot_at_setup_fill_five_rejects_and_bust_nobody() -> None:
    state = after(EMPTY, SetUp((RED, BLUE), 12), PlaceCard(RED, "limbs"), Draw(RED, {ROT: 5}))
    lab = state.labs[RED]
    assert lab.rejects == 5
    assert not lab.is_bust
    assert (total(lab.bag), lab.bag[ROT]) == (17, 2)


def revealed(**orders: str) -> State:
    """Return the table after these seats laid these orders, clockwise."""
    seats = {Seat(seat): Order(order) for seat, order in orders.items()}
    labs = {seat: Lab(bag=BAG, stage=Stage.ORDER) for seat in seats}
    state = table(Phase.ORDER, labs)
    return after(state, *(ChooseOrder(seat, order) for seat, order in seats.items()))


def supers(**orders: str) -> set[str]:
    return {seat for seat, lab in revealed(**orders).labs.items() if lab.is_super}


@vector
def mm_06_the_example_of_beth_jacob_damon_and_geneva() -> None:
    beth_jacob_damon_geneva = {"red": "yellow", "blue": "red", "green": "blue", "yellow": "red"}
    assert supers(**beth_jacob_damon_geneva) == {BLUE, GREEN, YELLOW}


@vector
def mm_07_two_players_red_is_lifted_by_yellow() -> None:
    assert supers(red="red", blue="yellow") == {RED}


@vector
def mm_08_two_players_yellow_is_lifted_by_blue() -> None:
    assert supers(red="yellow", blue="blue") == {RED}


@vector
def mm_09_two_players_blue_is_lifted_by_red() -> None:
    assert supers(red="blue", blue="red") == {RED}


@vector
def mm_10_two_players_of_the_same_colour_stay_base() -> None:
    assert all(supers(red=order, blue=order) == set() for order in Order)


@vector
def mm_11_three_players_of_three_colours_are_all_lifted() -> None:
    assert supers(red="red", blue="yellow", green="blue") == {RED, BLUE, GREEN}


@vector
def mm_12_three_players_two_reds_and_a_yellow() -> None:
    assert supers(red="red", blue="red", green="yellow") == {RED, BLUE}


@vector
def mm_13_four_players_blues_between_reds() -> None:
    assert supers(red="red", blue="blue", green="red", yellow="blue") == {BLUE, YELLOW}


@vector
def mm_14_a_yellow_that_sits_opposite_lifts_no_red() -> None:
    assert supers(red="red", blue="blue", green="yellow", yellow="blue") == {BLUE, GREEN, YELLOW}


@vector
def mm_15_a_yellow_between_two_blues_is_lifted_once() -> None:
    lab = revealed(red="yellow", blue="blue", yellow="blue").labs[RED]
    assert lab.is_super
    state = drawing(Order.YELLOW, is_super=True, parts=rejects(ROT, ROT), drawn=2)
    assert after(state, Decide(RED, False)).labs[RED].rejects == 1


@vector
def mm_16_red_base_draws_two_and_adds_a_limb() -> None:
    state = drawing(Order.RED)
    after_grab = after(state, Draw(RED, {LIMB: 1, STITCH: 1}))
    assert total(after_grab.labs[RED].bag) == 15
    added = after(after_grab, AddPart(RED, LIMB))
    assert total(added.labs[RED].bag) == 17 - 2 + 1
    assert added.supply[LIMB] == state.supply[LIMB] - 1


@vector
def mm_17_red_base_adds_neither_mutation_nor_rot() -> None:
    state = after(drawing(Order.RED), Draw(RED, {LIMB: 2}))
    assert refused(state, AddPart(RED, MUTATION)).rule == "Order Tokens, Red"
    assert refused(state, AddPart(RED, ROT)).rule == "Order Tokens, Red"


@vector
def mm_18_red_super_scores_first_and_adds_a_mutation_after() -> None:
    state = revealed(red="red", blue="yellow")
    assert state.labs[RED].score == 3
    assert state.labs[RED].drawn == 0
    assert state.supply[MUTATION] == 20
    one = after(state, Draw(RED, {LIMB: 1}))
    assert one.labs[RED].stage is Stage.DRAW
    stopped = after(one, Finish(RED))
    assert stopped.supply[MUTATION] == 19
    assert stopped.labs[RED].bag[MUTATION] == 1


@vector
def mm_19_red_super_draws_one_to_five() -> None:
    state = drawing(Order.RED, is_super=True)
    assert refused(state, Finish(RED)).rule == "MM-R12"
    kinds = ((LIMB, "card1.part0"), (STITCH, "card1.part1"), (SPIKE, "card2.part0"), (SPIKE, "card2.part1"))
    four = after(state, Deliver(RED, kinds))
    with_sixth = ((LIMB, "sort1"), (GOOP, "sort2"))
    assert refused(four, Deliver(RED, with_sixth)).why.key == "mm.no.too_many"
    assert after(four, Deliver(RED, with_sixth[:1])).labs[RED].stage is Stage.DECIDE


@vector
def mm_20_red_super_without_mutations_adds_another_part() -> None:
    supply = {LIMB: 3, GOOP: 2, ROT: 5}
    state = after(drawing(Order.RED, is_super=True, supply=supply), Draw(RED, {LIMB: 1}), Finish(RED))
    assert state.labs[RED].stage is Stage.ADD
    assert refused(state, AddPart(RED, ROT)).rule == "Order Tokens, Red"
    assert after(state, AddPart(RED, GOOP)).labs[RED].bag[GOOP] == BAG[GOOP] + 1


@vector
def mm_21_yellow_base_draws_exactly_four() -> None:
    state = after(drawing(Order.YELLOW), Deliver(RED, tuple((ROT, f"reject{n}") for n in (1, 2, 3))))
    assert refused(state, Finish(RED)).why.values["count"] == 1
    assert after(state, Draw(RED, {LIMB: 1})).labs[RED].stage is Stage.DECIDE


@vector
def mm_22_yellow_super_is_saved_by_the_rot_it_returns() -> None:
    state = drawing(Order.YELLOW, is_super=True, parts=rejects(ROT, ROT, ROT, ROT))
    state = after(state, Draw(RED, {LIMB: 2}), Draw(RED, {ROT: 1}), Draw(RED, {ROT: 1}))
    lab = state.labs[RED]
    assert (lab.stage, lab.rejects, lab.is_bust) == (Stage.DECIDE, 5, False)
    assert lab.bag[ROT] == BAG[ROT] - 2 + 1
    assert after(state, Decide(RED, False)).labs[RED].reanimates is False


@vector
def mm_23_yellow_super_without_rot_among_six_rejects_is_bust() -> None:
    full = {"card1.part0": LIMB, "card1.part1": STITCH, "sort1": GOOP, "sort2": GOOP}
    parts = {**full, **rejects(LIMB, LIMB, LIMB, LIMB, LIMB)}
    state = drawing(Order.YELLOW, is_super=True, parts=parts, drawn=2)
    assert after(state, Draw(RED, {LIMB: 1})).labs[RED].is_bust


@vector
def mm_24_yellow_super_that_stops_early_returns_a_rot() -> None:
    state = drawing(Order.YELLOW, is_super=True, parts=rejects(ROT, ROT), drawn=3)
    lab = after(state, Finish(RED)).labs[RED]
    assert lab.rejects == 1
    assert lab.bag[ROT] == BAG[ROT] + 1


@vector
def mm_25_yellow_super_with_seven_rejects_is_bust_all_the_same() -> None:
    state = drawing(Order.YELLOW, is_super=True, parts=rejects(ROT, ROT, ROT, ROT, ROT))
    lab = after(state, Draw(RED, {ROT: 2})).labs[RED]
    assert (lab.rejects, lab.is_bust) == (6, True)


@vector
def mm_26_yellow_super_returns_a_rot_when_a_part_fills_the_sixth() -> None:
    full = {"card1.part0": LIMB, "card1.part1": STITCH, "sort1": GOOP, "sort2": GOOP}
    parts = {**full, **rejects(LIMB, LIMB, LIMB, LIMB, ROT)}
    state = after(drawing(Order.YELLOW, is_super=True, parts=parts, drawn=2), Draw(RED, {LIMB: 1}))
    lab = state.labs[RED]
    assert (lab.rejects, lab.is_bust, lab.stage) == (5, False, Stage.DECIDE)


@vector
def mm_27_blue_super_draws_three_to_nine_then_plays_a_lester() -> None:
    state = drawing(Order.BLUE, is_super=True)
    assert refused(state, Finish(RED)).rule == "MM-R12"
    three = after(state, Draw(RED, {LIMB: 2, STITCH: 1}))
    assert after(three, Finish(RED)).labs[RED].stage is Stage.LESTER
    six_more = (SPIKE, SPIKE, LIMB, GOOP, ROT, ROT)
    nine = after(three, *(Draw(RED, {kind: 1}) for kind in six_more))
    assert (nine.labs[RED].drawn, nine.labs[RED].stage) == (9, Stage.LESTER)
    assert after(nine, PlayLester(RED, "publicity")).labs[RED].stage is Stage.DECIDE


@vector
def mm_28_blue_super_plays_its_lester_after_a_bust() -> None:
    state = drawing(Order.BLUE, is_super=True, parts=rejects(ROT, ROT, ROT, ROT, ROT), drawn=3)
    bust = after(state, Draw(RED, {ROT: 1}))
    assert (bust.labs[RED].is_bust, bust.labs[RED].stage) == (True, Stage.LESTER)
    played = after(bust, PlayLester(RED, "publicity"))
    assert played.labs[RED].score == 3
    assert played.labs[RED].stage is Stage.ITEMS  # the reanimation was forced at once


@pytest.mark.parametrize("case", vector.cases)
def test_vector_of_orders(case: object) -> None:
    case()  # type: ignore[operator]
