"""Vectors MM-47 to MM-59 and MM-74 to MM-76: the Reanimate Table, items, the last round."""

from __future__ import annotations

import pytest

from companion.games.making_monsters.components import CART_SPOTS
from companion.games.making_monsters.moves import Decide, TakeItems, TakeTile
from companion.games.making_monsters.parts import counted, total
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from tests.companion.games.making_monsters.tables import (
    BAG,
    BLUE,
    GOOP,
    GREEN,
    LIMB,
    RED,
    ROT,
    SEATS,
    SPIKE,
    STITCH,
    YELLOW,
    ZAPPER,
    Vectors,
    after,
    refused,
    rejects,
    table,
)

vector = Vectors()

FINISHED = {
    "card3": ("zapping", ZAPPER, 7),
    "card4": ("spiky", SPIKE, 8),
    "card5": ("stitched", STITCH, 9),
    "card1": ("one_limb", LIMB, 10),
    "card2": ("goops", GOOP, 6),
}
"""Five monsters: what lies where, what each needs, what it scores."""


def finished(count: int, **more: object) -> Lab:
    """Return a lab that has completed so many monsters and decides now."""
    spaces = list(FINISHED)[:count]
    cards = {space: FINISHED[space][0] for space in spaces}
    parts = {f"{space}.part0": FINISHED[space][1] for space in spaces}
    if count == 5:
        parts["card2.part1"] = GOOP
    fields = {"bag": BAG, "stage": Stage.DECIDE, "cards": cards, "parts": parts, **more}
    return Lab(**fields)  # type: ignore[arg-type]


def points(count: int) -> int:
    return sum(prestige for _, _, prestige in list(FINISHED.values())[:count])


def reanimated(count: int, *, is_bust: bool = False, track: int = 8) -> tuple[State, State]:
    """Return the table before and after red reanimates so many monsters, blue pushing on."""
    lab = finished(count, is_bust=is_bust)
    state = table(Phase.DELIVERIES, {RED: lab, BLUE: Lab(bag=BAG, stage=Stage.DECIDE)}, track=track)
    # A bust decides by itself, with whatever happens next.
    commands = [Decide(BLUE, False)] if is_bust else [Decide(BLUE, False), Decide(RED, True)]
    return state, after(state, *commands)


def check_row(count: int, bonus: int, rot: int, items: int, *, is_bust: bool = False) -> None:
    before, done = reanimated(count, is_bust=is_bust)
    lab = done.labs[RED]
    assert lab.score == points(count) + bonus
    assert before.track - done.track == rot
    assert lab.bag[ROT] == BAG[ROT] + rot
    assert lab.items == items


@vector
def mm_47_no_monster_gives_one_item_and_clears_the_lab() -> None:
    lab = finished(0, parts={"card1.part0": LIMB, **rejects(ROT, GOOP)})
    state = table(Phase.DELIVERIES, {RED: lab, BLUE: Lab(bag=BAG, stage=Stage.DECIDE)})
    state = after(state, Decide(BLUE, False), Decide(RED, True))
    assert (state.labs[RED].score, state.track, state.labs[RED].items) == (0, 8, 1)
    cleared = after(state, TakeItems(RED)).labs[RED]
    assert cleared.parts == {}
    assert total(cleared.bag) == total(BAG) + 3


@vector
def mm_48_one_monster() -> None:
    check_row(1, bonus=1, rot=1, items=2)


@vector
def mm_49_two_monsters() -> None:
    check_row(2, bonus=3, rot=1, items=3)


@vector
def mm_50_beth_reanimates_three_and_takes_any_mix_of_four_items() -> None:
    check_row(3, bonus=6, rot=2, items=4)
    _, state = reanimated(3)
    two_and_two = TakeItems(RED, {LIMB: 1, STITCH: 1}, {"cart1_upgrade1": "", "cart1_upgrade2": ""})
    taken = after(state, two_and_two).labs[RED]
    assert len(taken.tiles) == 2
    four = after(state, TakeItems(RED, {LIMB: 4})).labs[RED]
    assert four.bag[LIMB] == BAG[LIMB] + 4


@vector
def mm_51_four_monsters() -> None:
    check_row(4, bonus=10, rot=2, items=5)


@vector
def mm_52_five_monsters() -> None:
    check_row(5, bonus=15, rot=3, items=6)


@vector
def mm_53_the_own_cart_has_no_third_upgrade() -> None:
    _, state = reanimated(3)
    spots = {"cart1_upgrade1": "", "cart1_upgrade2": "", "cart2_upgrade1": ""}
    assert refused(state, TakeItems(RED, {}, spots)).why.key == "mm.no.not_your_cart"


@vector
def mm_54_a_bust_with_three_monsters_loses_only_the_bonus() -> None:
    check_row(3, bonus=0, rot=2, items=4, is_bust=True)


@vector
def mm_55_a_bust_without_monsters_still_takes_one_item() -> None:
    check_row(0, bonus=0, rot=0, items=1, is_bust=True)


@vector
def mm_56_who_pushes_on_keeps_everything() -> None:
    parts = {"card1.part0": LIMB, **rejects(ROT, ROT)}
    lab = Lab(bag=BAG, stage=Stage.DECIDE, parts=parts)
    state = after(table(Phase.DELIVERIES, {RED: lab, BLUE: lab}), Decide(RED, False), Decide(BLUE, False))
    assert state.phase is Phase.REFRESH
    assert state.labs[RED].parts == parts
    back = [chore.deed for chore in state.chores if chore.seat == RED]
    assert back == [{"order_back": True}]


@vector
def mm_57_an_unfinished_card_stays_and_gives_its_tokens_back() -> None:
    lab = finished(1)
    cards = {**lab.cards, "card4": "limbs"}
    parts = {**lab.parts, "card4.part0": LIMB}
    state = table(
        Phase.DELIVERIES,
        {RED: finished(1, cards=cards, parts=parts), BLUE: Lab(bag=BAG, stage=Stage.DECIDE)},
    )
    state = after(state, Decide(BLUE, False), Decide(RED, True), TakeItems(RED))
    cleared = state.labs[RED]
    assert cleared.pile == ("zapping",)
    assert cleared.cards == {"card4": "limbs"}
    assert cleared.bag[LIMB] == BAG[LIMB] + 1


@vector
def mm_58_a_printed_monster_scores_every_time_and_never_leaves() -> None:
    parts = {"card1.part0": LIMB, "card1.part1": STITCH}
    lab = Lab(bag=BAG, stage=Stage.DECIDE, parts=parts)
    for earned in ({}, {"monsters": 2, "bonus": 1}):
        first = table(
            Phase.DELIVERIES,
            {RED: Lab(bag=BAG, stage=Stage.DECIDE, parts=parts, earned=earned), BLUE: lab},
        )
        state = after(first, Decide(BLUE, False), Decide(RED, True), TakeItems(RED))
        assert state.labs[RED].score == sum(earned.values()) + 3
        assert state.labs[RED].pile == ()


@vector
def mm_59_a_part_that_ran_out_is_refused_and_others_are_offered() -> None:
    lab = Lab(bag=BAG, stage=Stage.ITEMS, items=2, has_reanimated=True)
    supply = {STITCH: 5, SPIKE: 5, ROT: 9}
    state = table(Phase.REANIMATE, {RED: lab, BLUE: Lab(bag=BAG, stage=Stage.DONE)}, supply=supply)
    broken = refused(state, TakeItems(RED, {LIMB: 1}))
    assert broken.rule == "MM-R20"
    assert broken.instead is not None
    assert after(state, TakeItems(RED, {STITCH: 2})).labs[RED].bag[STITCH] == BAG[STITCH] + 2


def last_round() -> State:
    """Return four seats deciding with three Rot on the track: two for red, one for blue."""
    labs = {
        RED: finished(3),
        BLUE: Lab(bag=BAG, stage=Stage.DECIDE, parts={"card1.part0": LIMB, "card1.part1": STITCH}),
        GREEN: Lab(bag=BAG, stage=Stage.DECIDE, parts={"card2.part0": SPIKE, "card2.part1": SPIKE}),
        YELLOW: Lab(bag=BAG, stage=Stage.DECIDE),
    }
    state = table(Phase.DELIVERIES, labs, track=3)
    decisions = (Decide(RED, True), Decide(BLUE, True), Decide(GREEN, False), Decide(YELLOW, False))
    return after(state, *decisions)


@vector
def mm_74_the_last_rot_makes_everybody_reanimate_this_round() -> None:
    state = last_round()
    assert state.track == 0
    assert {state.labs[seat].stage for seat in (RED, BLUE)} == {Stage.ITEMS}
    forced = after(state, TakeItems(RED), TakeItems(BLUE))
    assert forced.labs[GREEN].earned == {"monsters": 3, "bonus": 1}
    assert {forced.labs[seat].stage for seat in (GREEN, YELLOW)} == {Stage.ITEMS}


@vector
def mm_75_rot_that_the_track_lacks_comes_from_the_supply() -> None:
    before, done = reanimated(5, track=1)
    assert done.track == 0
    assert before.supply[ROT] - done.supply[ROT] == 2
    assert done.labs[RED].bag[ROT] == BAG[ROT] + 3


@vector
def mm_76_with_the_track_empty_the_fair_is_prepared_at_once() -> None:
    state = after(last_round(), TakeItems(RED), TakeItems(BLUE), TakeItems(GREEN), TakeItems(YELLOW))
    assert state.phase is Phase.PREP
    assert state.quarter == 0
    assert state.deck == len(state.box.deck) - 3


@pytest.mark.parametrize("case", vector.cases)
def test_vector_of_reanimating(case: object) -> None:
    case()  # type: ignore[operator]


def wave(quarter: int, supply: dict[object, int]) -> State:
    """Return four seats that all take two items at the same time."""
    lab = Lab(bag=BAG, stage=Stage.ITEMS, items=2, has_reanimated=True)
    labs = dict.fromkeys(SEATS, lab)
    return table(Phase.REANIMATE, labs, quarter=quarter, supply=supply)


def test_priority_begins_with_who_faces_the_first_cart() -> None:
    # After one turn blue faces cart 1; then come green, yellow and red (MM-R36).
    state = wave(1, {LIMB: 3, GOOP: 9})
    assert refused(state, TakeItems(RED, {LIMB: 2})).rule == "MM-R36"
    assert after(state, TakeItems(BLUE, {LIMB: 2})).supply[LIMB] == 1


def test_nobody_waits_while_there_is_enough() -> None:
    state = wave(0, {LIMB: 70, GOOP: 9, ROT: 5})
    assert after(state, TakeItems(YELLOW, {LIMB: 2})).labs[YELLOW].stage is Stage.DONE


def test_a_tile_replaces_another_when_all_spaces_are_full() -> None:
    tiles = {"upgrade1": "med_school", "upgrade2": "teleporter", "upgrade3": "teleporter"}
    lab = Lab(bag=BAG, stage=Stage.ITEMS, items=2, has_reanimated=True, tiles=tiles)
    carts = dict.fromkeys(CART_SPOTS, "meat_replicator")
    state = table(Phase.REANIMATE, {RED: lab, BLUE: Lab(bag=BAG, stage=Stage.DONE)}, carts=carts)
    assert refused(state, TakeItems(RED, {}, {"cart1_upgrade1": ""})).rule == "MM-R46"
    taken = after(state, TakeTile(RED, "cart1_upgrade1", "upgrade2"))
    assert taken.labs[RED].tiles["upgrade2"] == "meat_replicator"
    assert (taken.tiles_out, taken.labs[RED].items) == (1, 1)


def test_more_items_than_the_table_gives_are_refused() -> None:
    state = wave(0, counted([LIMB] * 20))
    assert refused(state, TakeItems(RED, {LIMB: 3})).why.key == "mm.no.too_many_items"
