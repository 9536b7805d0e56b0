"""From readings to proposals: what newly lies there, what is puzzling, what is nobody's business yet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.board import PieceKind
from companion.game import Proposal, Puzzled, Sighting
from companion.games.making_monsters.components import CART_SPOTS, Order
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import ChooseOrder, Decide, Finish, KeepCard, Ready, TakeItems
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from companion.ports import HIDDEN, UNKNOWN, Reading
from tests.companion.games.making_monsters.readings import (
    place,
    reading,
    space,
    with_board,
    with_loose,
)
from tests.companion.games.making_monsters.tables import (
    BAG,
    BLUE,
    GOOP,
    LIMB,
    RED,
    ROT,
    SPIKE,
    STITCH,
    ZAPPER,
    after,
    drawing,
    rejects,
    table,
)


def only(state: State, seen: Reading) -> Sighting:
    sightings = GAME.sighted(state, seen)
    assert len(sightings) == 1, sightings
    return sightings[0]


def proposed(state: State, seen: Reading) -> Proposal:
    sighting = only(state, seen)
    assert isinstance(sighting, Proposal), sighting
    return sighting


def puzzled(state: State, seen: Reading) -> Puzzled:
    sighting = only(state, seen)
    assert isinstance(sighting, Puzzled), sighting
    return sighting


def taken(state: State, proposal: Proposal) -> State:
    assert proposal.command is not None
    return after(state, GAME.codec.command_in(proposal.command))


def test_a_table_that_lies_as_it_should_is_not_worth_a_word() -> None:
    state = drawing(Order.BLUE, parts={"card1.part0": LIMB, "sort1": GOOP, **rejects(ROT, SPIKE)})
    assert GAME.sighted(state, reading(state)) == ()


def test_one_proposal_grows_with_the_tokens_laid() -> None:
    state = drawing(Order.YELLOW)
    one = proposed(state, reading(state, red={"reject1": "rot"}))
    two = proposed(state, reading(state, red={"reject1": "rot", "card1.part0": "limb"}))
    assert [len(one.spaces), len(two.spaces)] == [1, 2]
    assert two.is_sure
    state = taken(state, two)
    assert GAME.sighted(state, reading(state)) == ()
    rest = proposed(state, reading(state, red={"sort1": "goop"}))
    assert [str(seen.place) for seen in rest.spaces] == ["lab_red/sort1"]


def test_the_sixth_reject_comes_last() -> None:
    state = drawing(Order.BLUE, is_super=True, parts=rejects(ROT, ROT, ROT, ROT, ROT), drawn=3)
    changed = {"reject6": "rot", "card1.part0": "limb", "card1.part1": "stitch"}
    proposal = proposed(state, reading(state, red=changed))
    assert proposal.command is not None
    assert proposal.command["placements"][-1] == ["rot", "reject6"]
    assert taken(state, proposal).labs[RED].is_bust


def test_an_unknown_space_stays_in_the_proposal_to_be_checked() -> None:
    state = drawing(Order.YELLOW)
    doubtful = space(UNKNOWN, sure=False, others=("goop", "zapper"))
    seen = reading(state, red={"reject1": "rot", "sort1": doubtful})
    proposal = proposed(state, seen)
    assert proposal.command is None
    checked = next(one for one in proposal.spaces if one.place == place("lab_red/sort1"))
    assert checked.may_be[:2] == ("goop", "zapper")
    assert "rot" not in checked.may_be
    corrected = proposed(state, seen.corrected({place("lab_red/sort1"): PieceKind("goop")}))
    assert taken(state, corrected).labs[RED].parts == {"reject1": ROT, "sort1": GOOP}


def test_an_unsure_kind_may_be_taken_but_is_marked() -> None:
    state = drawing(Order.YELLOW)
    proposal = proposed(state, reading(state, red={"sort1": space("goop", sure=False)}))
    assert (proposal.command is not None, proposal.is_sure) == (True, False)


def test_a_space_corrected_to_empty_leaves_the_proposal() -> None:
    state = drawing(Order.YELLOW)
    seen = reading(state, red={"reject1": "rot", "sort1": space("goop", sure=False)})
    corrected = proposed(state, seen.corrected({place("lab_red/sort1"): PieceKind("empty")}))
    assert [str(seen.place) for seen in corrected.spaces] == ["lab_red/reject1"]


def test_hidden_spaces_say_nothing() -> None:
    parts = {"card1.part0": LIMB, **rejects(ROT)}
    state = drawing(Order.YELLOW, parts=parts)
    hidden = {"card1.part0": HIDDEN, "reject1": HIDDEN, "sort1": HIDDEN, "card3": HIDDEN}
    assert GAME.sighted(state, reading(state, red=hidden)) == ()


def test_a_token_that_is_surely_gone_is_puzzling() -> None:
    state = drawing(Order.YELLOW, parts={"card1.part0": LIMB})
    assert puzzled(state, reading(state, red={"card1.part0": "empty"})).spaces[0].was == "limb"
    unsure = space("empty", sure=False)
    assert GAME.sighted(state, reading(state, red={"card1.part0": unsure})) == ()


def test_a_token_swapped_unseen_is_puzzling_at_any_stage() -> None:
    parts = {"card1.part0": LIMB, **rejects(ROT)}
    for stage in (Stage.DRAW, Stage.DECIDE, Stage.DECIDED):
        state = drawing(Order.YELLOW, parts=parts, stage=stage)
        assert puzzled(state, reading(state, red={"reject1": "spike"})).say.key == "mm.saw.changed"
    ordering = table(Phase.ORDER, {RED: Lab(bag=BAG, stage=Stage.ORDER, parts=parts), BLUE: Lab(bag=BAG)})
    assert puzzled(ordering, reading(ordering, red={"reject1": "spike"})).seat == RED


def test_a_token_on_a_place_that_does_not_take_it_is_puzzling() -> None:
    state = drawing(Order.YELLOW)
    sighting = puzzled(state, reading(state, red={"card1.part0": "spike", "reject1": "rot"}))
    assert [str(seen.place) for seen in sighting.spaces] == ["lab_red/card1.part0"]


def test_a_reject_with_room_elsewhere_is_puzzling() -> None:
    state = drawing(Order.YELLOW)
    assert puzzled(state, reading(state, red={"reject1": "goop"})).say.key == "mm.saw.illegal"


def test_more_tokens_than_the_order_draws_are_puzzling() -> None:
    state = drawing(Order.RED)
    changed = {"reject1": "rot", "reject2": "rot", "sort1": "limb"}
    assert puzzled(state, reading(state, red=changed)).say.key == "mm.saw.not_allowed"
    decided = drawing(Order.RED, stage=Stage.DECIDE)
    assert puzzled(decided, reading(decided, red={"reject1": "rot"})).say.key == "mm.saw.undrawn"


def test_rejects_that_changed_places_make_no_difference() -> None:
    state = drawing(Order.YELLOW, parts=rejects(ROT, SPIKE))
    shuffled = {"reject1": "empty", "reject5": "rot"}
    assert GAME.sighted(state, reading(state, red=shuffled)) == ()
    with_one_more = {**shuffled, "reject3": "rot"}
    assert len(proposed(state, reading(state, red=with_one_more)).spaces) == 1


def test_a_part_that_left_the_sorting_table_is_a_move() -> None:
    state = drawing(Order.YELLOW, parts={"sort1": LIMB})
    moved = proposed(state, reading(state, red={"sort1": "empty", "card1.part0": "limb"}))
    assert moved.command == {"do": "move", "seat": "red", "moves": [["sort1", "card1.part0"]]}
    changed = {"sort1": "zapper", "card1.part0": "limb", "reject1": "rot"}
    both = taken(state, proposed(state, reading(state, red=changed)))
    assert both.labs[RED].parts == {"sort1": ZAPPER, "card1.part0": LIMB, "reject1": ROT}
    assert both.labs[RED].drawn == 2


def test_the_decision_may_go_with_the_same_tap() -> None:
    state = drawing(Order.RED, is_super=True, parts={"card1.part0": LIMB})
    proposal = proposed(state, reading(state, red={"card1.part1": "stitch"}))
    keys = {choice.label.key: choice.command for choice in proposal.others}
    done = after(state, GAME.codec.command_in(keys["mm.choice.right_reanimate"]))
    assert done.labs[RED].stage is Stage.ITEMS
    assert "mm.choice.right_push_on" in keys


def test_a_token_of_the_grab_that_found_no_room_goes_with_the_same_tap() -> None:
    state = drawing(Order.YELLOW, parts=rejects(ROT, ROT, ROT, ROT), bag={ROT: 3, LIMB: 2})
    changed = {"reject5": "rot", "reject6": "rot", "card1.part0": "limb"}
    proposal = proposed(state, reading(state, red=changed))
    more = next(choice for choice in proposal.others if choice.label.key == "mm.choice.right_overflow")
    bust = after(state, GAME.codec.command_in(more.command))
    assert bust.labs[RED].is_bust


def refreshing(lab: Lab) -> State:
    return table(Phase.REFRESH, {RED: lab, BLUE: Lab(bag=BAG, stage=Stage.KEEP)})


def test_the_kept_card_is_read_off_the_lab() -> None:
    state = refreshing(Lab(bag=BAG, stage=Stage.KEEP))
    proposal = proposed(state, reading(state, red={"card4": "spiky", "card4.part0": "empty"}))
    assert taken(state, proposal).labs[RED].cards == {"card4": "spiky"}


def test_a_card_that_cannot_be_read_is_asked_with_its_likely_names() -> None:
    state = refreshing(Lab(bag=BAG, stage=Stage.KEEP))
    unsure = space(UNKNOWN, sure=False, others=("goops",))
    proposal = proposed(state, reading(state, red={"card4": unsure}))
    assert proposal.command is None
    assert proposal.spaces[0].may_be[0] == "goops"
    assert len(proposal.spaces[0].may_be) == len(state.box.deck) + 1


def test_a_card_that_lies_somewhere_else_is_puzzling() -> None:
    other = Lab(bag=BAG, stage=Stage.KEEP, cards={"card3": "spiky"})
    state = table(Phase.REFRESH, {RED: Lab(bag=BAG, stage=Stage.KEEP), BLUE: other})
    assert puzzled(state, reading(state, red={"card4": "spiky"})).say.key == "mm.saw.not_allowed"


CLEARED = Lab(
    bag=BAG,
    stage=Stage.KEEP,
    has_reanimated=True,
    leftovers={"card1.part0": LIMB, "card1.part1": STITCH, "reject1": ROT},
)


def test_leftovers_do_not_count_until_the_lab_was_seen_cleared() -> None:
    state = refreshing(CLEARED)
    still = {"card1.part0": "limb", "card1.part1": "stitch", "reject1": "rot"}
    assert GAME.sighted(state, reading(state, red=still)) == ()
    # The card is proposed only once the lab lies there without them.
    assert GAME.sighted(state, reading(state, red={**still, "card3": "spiky"})) == ()
    kept = taken(state, proposed(state, reading(state, red={"card3": "spiky"})))
    assert kept.labs[RED].leftovers == {}


def test_leftovers_at_the_next_delivery_are_said_not_counted() -> None:
    lab = replace(CLEARED, stage=Stage.DRAW, order=Order.YELLOW)
    waiting = Lab(bag=BAG, stage=Stage.DECIDED, order=Order.RED)
    state = table(Phase.DELIVERIES, {RED: lab, BLUE: waiting})
    still = {"card1.part0": "limb", "card1.part1": "stitch", "reject1": "rot"}
    assert puzzled(state, reading(state, red=still)).say.key == "mm.saw.leftovers"
    fresh = proposed(state, reading(state, red={"reject1": "rot", "sort1": "goop"}))
    assert len(fresh.spaces) == 2


def ordering() -> State:
    lab = Lab(bag=BAG, stage=Stage.ORDER)
    return table(Phase.ORDER, {RED: lab, BLUE: lab})


def test_a_face_up_order_is_nobodys_business_before_the_reveal() -> None:
    state = ordering()
    assert GAME.sighted(state, with_loose(reading(state), red="order_blue")) == ()
    down = proposed(state, with_loose(reading(state), red="order_back"))
    assert GAME.codec.command_in(down.command or {}) == Ready(RED)


def test_orders_are_read_when_all_lie_face_up() -> None:
    state = ordering()
    both = GAME.sighted(state, with_loose(reading(state), red="order_blue", blue="order_red"))
    commands = [GAME.codec.command_in(sighting.command or {}) for sighting in both]
    assert commands == [ChooseOrder(RED, Order.BLUE), ChooseOrder(BLUE, Order.RED)]
    others = {choice.command["order"] for choice in both[0].others}
    assert others == {"red", "yellow"}


def test_orders_are_read_one_by_one_at_the_reveal() -> None:
    state = after(ordering(), Ready(RED), Ready(BLUE))
    assert state.phase is Phase.REVEAL
    told = proposed(state, with_loose(reading(state), blue="order_yellow"))
    assert (told.seat, told.say.values["order"].key) == (BLUE, "mm.order.yellow")


def test_upgrades_are_named_for_the_table() -> None:
    state = ordering()
    seen = with_board(reading(state), "central", dict.fromkeys(CART_SPOTS, "teleporter"))
    proposal = proposed(state, seen)
    assert proposal.seat is None
    assert set(taken(state, proposal).carts.values()) == {"teleporter"}


def test_an_upgrade_taken_from_the_own_cart_is_an_item() -> None:
    lab = Lab(bag=BAG, stage=Stage.ITEMS, items=3, has_reanimated=True)
    carts = dict.fromkeys(CART_SPOTS, "teleporter")
    state = table(Phase.REANIMATE, {RED: lab, BLUE: Lab(bag=BAG)}, carts=carts)
    item = taken(state, proposed(state, reading(state, red={"upgrade2": "teleporter"})))
    assert (item.labs[RED].tiles, item.labs[RED].items) == ({"upgrade2": "teleporter"}, 2)
    assert after(item, TakeItems(RED)).phase is Phase.REFRESH


def test_five_cards_for_the_fair_are_read_together() -> None:
    pile = ("limbs", "limb3", "goops", "zapping", "spiky", "stitched")
    lab = Lab(bag=BAG, stage=Stage.CHOOSE, pile=pile)
    state = table(Phase.PREP, {RED: lab, BLUE: Lab(bag=BAG, stage=Stage.CHOOSE, pile=("spare_1",))}, track=0)
    laid = {f"card{n + 1}": card for n, card in enumerate(pile[:5])}
    four = {space_id: card for space_id, card in laid.items() if space_id != "card5"}
    assert GAME.sighted(state, reading(state, red=four)) == ()
    assert taken(state, proposed(state, reading(state, red=laid))).labs[RED].cards == laid


def test_a_rot_track_of_another_length_is_said_between_rounds() -> None:
    state = ordering()
    spots = {f"rot_{n}": "rot" if n <= 7 else "empty" for n in range(1, 21)}
    assert puzzled(state, with_board(reading(state), "score", spots)).say.key == "mm.saw.track"
    spots["rot_8"] = "rot"
    assert GAME.sighted(state, with_board(reading(state), "score", spots)) == ()


def test_yellow_takes_its_rot_back_in_its_own_time() -> None:
    state = after(drawing(Order.YELLOW, is_super=True, parts=rejects(ROT, ROT), drawn=3), Finish(RED))
    assert GAME.sighted(state, reading(state, red={"reject2": "rot"})) == ()


@pytest.mark.parametrize("stage", [Stage.ITEMS, Stage.DONE])
def test_hands_may_clear_before_and_after_the_items(stage: Stage) -> None:
    parts = {"card1.part0": LIMB, **rejects(ROT)}
    lab = Lab(bag=BAG, stage=stage, has_reanimated=True, items=1, parts=parts)
    state = table(Phase.REANIMATE, {RED: lab, BLUE: Lab(bag=BAG, stage=Stage.ITEMS, items=1)})
    cleared = {"card1.part0": "empty", "reject1": "empty"}
    assert GAME.sighted(state, reading(state, red=cleared)) == ()


def test_a_game_that_is_over_sees_nothing() -> None:
    state = table(Phase.OVER, {RED: Lab(bag=BAG), BLUE: Lab(bag=BAG)}, track=0)
    assert GAME.sighted(state, reading(state, red={"reject1": "rot"})) == ()


def test_a_decision_is_not_touched_by_what_another_seat_lays() -> None:
    state = after(drawing(Order.YELLOW), Decide(BLUE, True))
    assert proposed(state, reading(state, red={"reject1": "rot"})).seat == RED
    assert GAME.touched(GAME.decide(state, Decide(BLUE, False))[0]) == (BLUE,)


def test_keeping_by_hand_does_not_say_that_the_lab_is_clear() -> None:
    kept = after(refreshing(CLEARED), KeepCard(RED, "spiky"))
    assert kept.labs[RED].leftovers == CLEARED.leftovers


FIVE_CARDS = {
    "card1": "limbs",
    "card2": "goops",
    "card3": "limb3",
    "card4": "one_limb",
    "card5": "stitched",
}


def test_a_card_on_its_way_to_the_pile_is_no_news() -> None:
    state = refreshing(Lab(bag=BAG, stage=Stage.KEEP, pile=("stitched",), has_reanimated=True))
    assert GAME.sighted(state, reading(state, red={"card3": "stitched"})) == ()
    both = proposed(state, reading(state, red={"card3": "stitched", "card4": "spiky"}))
    assert (both.command or {})["card"] == "spiky"


def test_a_card_that_is_being_replaced_is_no_news_until_the_new_one_lies_there() -> None:
    state = refreshing(Lab(bag=BAG, stage=Stage.KEEP, cards=FIVE_CARDS))
    assert GAME.sighted(state, reading(state, red={"card5": "empty"})) == ()
    replaced = taken(state, proposed(state, reading(state, red={"card5": "spiky"})))
    assert replaced.labs[RED].pile == ("stitched",)


def test_a_card_beside_a_full_lab_goes_to_the_pile() -> None:
    parts = {f"{space_id}.part0": LIMB for space_id in ("card1", "card3", "card4")}
    parts |= {"card2.part0": GOOP, "card5.part0": STITCH}
    state = refreshing(Lab(bag=BAG, stage=Stage.KEEP, cards=FIVE_CARDS, parts=parts))
    kept = taken(state, proposed(state, with_loose(reading(state), red="spiky")))
    assert kept.labs[RED].pile == ("spiky",)


def test_an_unsure_kind_that_the_bag_does_not_hold_is_checked_not_puzzled_over() -> None:
    state = drawing(Order.YELLOW, bag={LIMB: 3, ROT: 3})
    unsure = space("goop", sure=False, others=("limb",))
    asked = proposed(state, reading(state, red={"sort1": unsure}))
    assert (asked.command, asked.spaces[0].may_be[0]) == (None, "limb")
    assert puzzled(state, reading(state, red={"sort1": "goop"})).say.key == "mm.saw.not_allowed"
