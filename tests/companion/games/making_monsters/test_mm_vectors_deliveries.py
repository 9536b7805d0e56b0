"""Vectors MM-29 to MM-46: the bust, placing tokens, the bag, L.E.S.T.E.R. cards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.board import PieceKind
from companion.game import Weight
from companion.games.making_monsters.components import CART_SPOTS, TOKEN_COUNTS, Order
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import (
    OVERFLOW,
    AddPart,
    Decide,
    Deliver,
    Draw,
    KeepCard,
    MoveParts,
    PlayLester,
    TakeItems,
    TurnBoard,
)
from companion.games.making_monsters.parts import minus, plus
from companion.games.making_monsters.rules.taking_over import in_play
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from tests.companion.games.making_monsters.tables import (
    BAG,
    BLUE,
    GOOP,
    LIMB,
    MUTATION,
    RED,
    ROT,
    SPIKE,
    STITCH,
    ZAPPER,
    Vectors,
    after,
    drawing,
    refused,
    rejects,
    table,
)

vector = Vectors()

FULL_TABLE = {"sort1": GOOP, "sort2": ZAPPER}


@vector
def mm_29_five_rejects_bust_nobody() -> None:
    state = drawing(Order.RED, parts=rejects(ROT, ROT, ROT, ROT))
    state = after(state, Draw(RED, {ROT: 1, LIMB: 1}), AddPart(RED, LIMB))
    lab = state.labs[RED]
    assert (lab.rejects, lab.is_bust, lab.stage) == (5, False, Stage.DECIDE)


@vector
def mm_30_the_sixth_reject_ends_single_draws() -> None:
    state = drawing(Order.RED, is_super=True, parts=rejects(ROT, ROT, ROT, ROT, ROT), drawn=1)
    bust = after(state, Draw(RED, {ROT: 1}))
    assert bust.labs[RED].is_bust
    assert bust.labs[RED].drawn == 2
    assert refused(bust, Draw(RED, {LIMB: 1})).why.key == "mm.no.not_now"
    both = Deliver(RED, ((ROT, "reject6"), (LIMB, "card1.part0")))
    assert refused(state, both).rule == "MM-R11"


@vector
def mm_31_a_grab_is_placed_whole_before_the_bust_is_tested() -> None:
    parts = rejects(ROT, ROT, ROT, ROT)
    state = drawing(Order.BLUE, parts=parts, cards={"card3": "limb3"})
    placements = (
        (ROT, "reject5"),
        (ROT, "reject6"),
        (ROT, OVERFLOW),
        (LIMB, "card3.part0"),
        (LIMB, "card3.part1"),
        (LIMB, "card3.part2"),
    )
    bust = after(state, Deliver(RED, placements))
    lab = bust.labs[RED]
    assert lab.is_bust
    assert (lab.overflow, lab.rejects) == ((ROT,), 7)
    assert lab.earned["monsters"] == 5  # the monster counts; the reanimation followed at once
    assert "bonus" not in lab.earned


@vector
def mm_32_nothing_moves_after_a_bust() -> None:
    parts = {**rejects(ROT, ROT, ROT, ROT, ROT), "sort1": LIMB, "card1.part1": STITCH}
    state = drawing(Order.BLUE, is_super=True, parts=parts, drawn=3)
    bust = after(state, Draw(RED, {ROT: 1}))
    assert refused(bust, MoveParts(RED, (("sort1", "card1.part0"),))).rule == "MM-R22"


@vector
def mm_33_no_rot_on_the_sorting_table() -> None:
    assert refused(drawing(Order.RED), Deliver(RED, ((ROT, "sort1"),))).rule == "Lab board, section 3"


@vector
def mm_34_no_part_is_rejected_while_the_sorting_table_has_room() -> None:
    assert refused(drawing(Order.RED), Deliver(RED, ((GOOP, "reject1"),))).rule == "MM-R21"


@vector
def mm_35_a_part_without_a_place_is_a_reject() -> None:
    state = drawing(Order.RED, parts={**FULL_TABLE, **rejects(ROT, ROT, ROT, ROT)})
    lab = after(state, Deliver(RED, ((GOOP, "reject5"),))).labs[RED]
    assert lab.parts["reject5"] is GOOP
    assert lab.rejects == 5


@vector
def mm_36_a_part_on_a_monster_stays_there() -> None:
    state = drawing(Order.RED, parts={"card1.part0": LIMB}, cards={"card3": "limbs"})
    assert refused(state, MoveParts(RED, (("card1.part0", "card3.part0"),))).rule == "MM-R23"
    assert refused(state, MoveParts(RED, (("card1.part0", "sort1"),))).rule == "MM-R23"


@vector
def mm_37_a_new_card_may_take_a_part_from_the_sorting_table_at_once() -> None:
    lab = Lab(bag=BAG, stage=Stage.KEEP, parts={"sort1": ZAPPER})
    state = table(Phase.REFRESH, {RED: lab, BLUE: Lab(bag=BAG, stage=Stage.KEEP)})
    moved = after(state, KeepCard(RED, "zapping", "card3"), MoveParts(RED, (("sort1", "card3.part0"),)))
    assert moved.labs[RED].parts == {"card3.part0": ZAPPER}


@vector
def mm_38_a_mutation_fills_any_slot() -> None:
    state = drawing(Order.RED, bag={MUTATION: 1, LIMB: 1}, cards={"card3": "zapping"})
    assert after(state, Deliver(RED, ((MUTATION, "card3.part0"),))).labs[RED].parts == {
        "card3.part0": MUTATION
    }


@vector
def mm_39_a_small_bag_is_drawn_empty() -> None:
    state = drawing(Order.BLUE, bag={LIMB: 1, STITCH: 1, ROT: 1})
    lab = after(state, Draw(RED, {LIMB: 1, STITCH: 1, ROT: 1})).labs[RED]
    assert (lab.drawn, lab.stage) == (3, Stage.DECIDE)


def playing(**lab: object) -> State:
    """Return red about to play a card after Blue's Super."""
    return drawing(Order.BLUE, is_super=True, stage=Stage.LESTER, drawn=3, **lab)


@vector
def mm_40_compost_takes_a_rot_out_of_the_game() -> None:
    state = playing(bag={ROT: 7, LIMB: 2})
    played = after(state, PlayLester(RED, "compost"))
    assert played.labs[RED].bag[ROT] == 6
    assert played.removed == {ROT: 1}
    left = minus(plus(in_play(played), played.supply), played.removed)
    assert left[ROT] == TOKEN_COUNTS[ROT] - 1 == 57
    assert (played.track, played.supply) == (state.track, state.supply)


@vector
def mm_41_flexibility_with_one_mutation_left() -> None:
    state = playing(supply={MUTATION: 1, GOOP: 3})
    played = after(state, PlayLester(RED, "flexibility", (GOOP,)))
    bag = played.labs[RED].bag
    assert (bag[MUTATION], bag[GOOP]) == (1, BAG[GOOP] + 1)


@vector
def mm_42_scavenge_takes_three_parts_but_no_mutation() -> None:
    state = playing()
    assert after(state, PlayLester(RED, "scavenge", (LIMB, LIMB, LIMB))).labs[RED].bag[LIMB] == BAG[LIMB] + 3
    assert refused(state, PlayLester(RED, "scavenge", (LIMB, LIMB, MUTATION))).why.key == "mm.no.name_parts"


@vector
def mm_43_publicity_gains_three_prestige() -> None:
    assert after(playing(earned={"monsters": 47}), PlayLester(RED, "publicity")).labs[RED].score == 50


@vector
def mm_44_after_the_fifth_card_all_are_ready_again() -> None:
    state = playing(played=("compost", "flexibility", "scavenge", "expand"))
    played = after(state, PlayLester(RED, "publicity"))
    assert played.labs[RED].score == 3
    assert played.labs[RED].played == ()


@vector
def mm_45_expand_takes_a_tile_of_a_far_cart_whose_spot_stays_empty() -> None:
    carts = dict.fromkeys(CART_SPOTS, "teleporter")
    state = playing(tiles={"upgrade1": "warehouse", "upgrade2": "med_school"}, carts=carts)
    played = after(state, PlayLester(RED, "expand", spot="cart3_upgrade1"))
    assert played.labs[RED].tiles["upgrade3"] == "teleporter"
    assert "cart3_upgrade1" not in played.carts
    pushed = after(played, Decide(RED, False))
    assert pushed.phase is Phase.REFRESH
    assert "cart3_upgrade1" in pushed.carts
    assert pushed.stack == 31


@vector
def mm_46_expand_without_a_free_space_does_nothing_and_warns() -> None:
    tiles = {"upgrade1": "med_school", "upgrade2": "teleporter", "upgrade3": "teleporter"}
    state = playing(tiles=tiles)
    prompt = next(prompt for prompt in GAME.prompts(state) if prompt.seat == RED)
    warned = [choice for choice in prompt.choices if choice.command.get("card") == "expand"]
    assert [(choice.label.key, choice.weight) for choice in warned] == [
        ("mm.choice.lester_idle", Weight.COSTLY)
    ]
    played = after(state, PlayLester(RED, "expand", spot="cart3_upgrade1"))
    assert played.labs[RED].tiles == tiles
    assert played.labs[RED].played == ("expand",)
    assert played.carts == state.carts


@pytest.mark.parametrize("case", vector.cases)
def test_vector_of_deliveries(case: object) -> None:
    case()  # type: ignore[operator]


def test_a_token_that_the_bag_does_not_hold_is_refused() -> None:
    state = drawing(Order.RED, bag={LIMB: 3})
    assert refused(state, Deliver(RED, ((GOOP, "sort1"),))).why.key == "mm.no.not_in_bag"


def test_part_of_a_grab_may_be_taken_and_the_rest_later() -> None:
    state = after(drawing(Order.YELLOW), Deliver(RED, ((ROT, "reject1"), (LIMB, "card1.part0"))))
    assert state.labs[RED].stage is Stage.DRAW
    rest = after(state, Deliver(RED, ((ROT, "reject3"), (STITCH, "card1.part1"))))
    assert (rest.labs[RED].drawn, rest.labs[RED].stage) == (4, Stage.DECIDE)


def test_a_delivery_and_the_decision_may_be_one_tap() -> None:
    state = drawing(Order.YELLOW)
    placements = ((LIMB, "card1.part0"), (STITCH, "card1.part1"), (ROT, "reject1"), (ROT, "reject2"))
    done = after(state, Deliver(RED, placements, then="reanimate"))
    assert done.labs[RED].stage is Stage.ITEMS
    assert done.labs[RED].earned == {"monsters": 2, "bonus": 1}


def test_a_part_may_move_from_the_sorting_table_within_a_grab() -> None:
    state = drawing(Order.RED, parts={"sort1": LIMB, "sort2": GOOP})
    placed = after(state, Deliver(RED, ((ZAPPER, "sort1"), (ROT, "reject1")), (("sort1", "card1.part0"),)))
    assert placed.labs[RED].parts["card1.part0"] is LIMB
    assert placed.labs[RED].parts["sort1"] is ZAPPER


def test_a_choice_may_change_until_everybody_has_decided() -> None:
    lab = Lab(bag=BAG, stage=Stage.DECIDE, order=Order.YELLOW)
    state = table(Phase.DELIVERIES, {RED: lab, BLUE: lab})
    state = after(state, Decide(RED, True), Decide(RED, False), Decide(BLUE, True))
    assert (state.labs[RED].stage, state.labs[BLUE].stage) == (Stage.DONE, Stage.ITEMS)
    state = after(state, TakeItems(BLUE), TurnBoard())
    assert state.phase is Phase.REFRESH


def test_overflow_goes_back_to_the_bag_with_the_clean_up() -> None:
    parts = rejects(ROT, ROT, ROT, ROT, ROT, ROT)
    lab = Lab(
        bag={LIMB: 1}, stage=Stage.ITEMS, items=1, parts=parts, overflow=(ROT, GOOP), has_reanimated=True
    )
    state = table(Phase.REANIMATE, {RED: lab, BLUE: Lab(bag=BAG, stage=Stage.DONE)})
    cleared = after(state, TakeItems(RED)).labs[RED]
    assert cleared.bag == {LIMB: 1, ROT: 7, GOOP: 1}
    assert (cleared.parts, cleared.overflow) == ({}, ())


def test_a_typed_draw_says_at_which_space_it_lies() -> None:
    state = drawing(Order.RED, is_super=True)
    assert after(state, Draw(RED, {SPIKE: 1}, "sort2")).labs[RED].parts == {"sort2": SPIKE}


def test_a_guessed_bag_is_corrected_by_what_is_drawn() -> None:
    state = replace(drawing(Order.RED, bag={LIMB: 5}), bags_guessed=True)
    drawn = after(state, Deliver(RED, ((GOOP, "sort1"),)))
    assert drawn.labs[RED].bag == {LIMB: 5}
    assert drawn.supply[GOOP] == state.supply[GOOP] - 1
    assert plus(in_play(drawn), drawn.supply) == plus(in_play(state), state.supply)


def test_the_box_counts_its_pieces_by_kind() -> None:
    assert GAME.box.counts[PieceKind("rot")] == 58
