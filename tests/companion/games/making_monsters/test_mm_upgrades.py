"""Rulings on upgrades that no vector names: Warehouse, LESTER Upgrade, interplay, naming, the Fair."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import (
    AddPart,
    Chill,
    Decide,
    Deliver,
    Draw,
    Finish,
    LeaveLester,
    MoveParts,
    NameTiles,
    PlayLester,
    TakeItems,
    TakeTile,
)
from companion.games.making_monsters.printed import UNKNOWN_TILE, read_catalogue
from companion.games.making_monsters.rules.upgrades import tile_spaces
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from tests.companion.games.making_monsters.tables import (
    BAG,
    BLUE,
    CATALOGUE,
    GOOP,
    LIMB,
    RED,
    ROT,
    SPIKE,
    STITCH,
    ZAPPER,
    Order,
    after,
    drawing,
    refused,
    rejects,
    table,
)


def lying(*tiles: str) -> dict[str, str]:
    return {f"upgrade{number + 1}": tile for number, tile in enumerate(tiles)}


def taking(*tiles: str, cart: str = "sorting_table", **more: object) -> State:
    """Return red, with these upgrades, taking four items; its cart bears two tiles of a kind."""
    carts = {f"cart{n}_upgrade{spot}": cart for n in range(1, 5) for spot in (1, 2)}
    fields: dict[str, object] = {
        "bag": BAG,
        "stage": Stage.ITEMS,
        "items": 4,
        "tiles": lying(*tiles),
        "working": tiles,
        "has_reanimated": True,
    }
    table_more = {name: more.pop(name) for name in ("options", "supply", "track") if name in more}
    labs = {RED: Lab(**(fields | more)), BLUE: Lab(bag=BAG)}  # type: ignore[arg-type]
    return table(Phase.REANIMATE, labs, carts=carts, **table_more)


def gained(before: State, done: State, kind: object) -> int:
    return done.labs[RED].bag.get(kind, 0) - before.labs[RED].bag.get(kind, 0)  # type: ignore[call-overload]


FULL = ("med_school", "teleporter", "universal_replicator")


def test_a_warehouse_lies_beside_a_full_board_and_adds_a_space():
    state = after(taking(*FULL, cart="warehouse"), TakeTile(RED, "cart1_upgrade1"))
    lab = state.labs[RED]
    assert lab.tiles == {**lying(*FULL), "beside1": "warehouse"}
    assert tile_spaces(state, lab) == ("upgrade1", "upgrade2", "upgrade3", "upgrade4")
    state = after(replace(state, carts={"cart1_upgrade2": "sorting_table"}), TakeTile(RED, "cart1_upgrade2"))
    assert state.labs[RED].tiles["upgrade4"] == "sorting_table"
    assert state.tiles_out == 0


def test_the_table_says_how_many_spaces_a_warehouse_adds():
    state = after(
        taking(*FULL, cart="warehouse", options={"warehouse": "2"}), TakeTile(RED, "cart1_upgrade1")
    )
    assert tile_spaces(state, state.labs[RED])[-1] == "upgrade5"


def test_a_warehouse_makes_room_for_nothing_else():
    tiles = {**lying(*FULL), "beside1": "warehouse", "upgrade4": "sorting_table"}
    state = taking(*FULL, tiles=tiles)
    assert refused(state, TakeTile(RED, "cart1_upgrade1", "beside1")).rule == "MM-R46"
    assert after(state, TakeTile(RED, "cart1_upgrade1", "upgrade4")).tiles_out == 1


def test_a_lester_upgrade_lets_its_owner_play_one_card_when_it_is_gained():
    state = after(taking(cart="lester_upgrade"), TakeItems(RED, {}, {"cart1_upgrade1": ""}))
    assert state.labs[RED].stage is Stage.SPARE
    played = after(state, PlayLester(RED, "publicity"))
    assert played.labs[RED].score == 3
    assert played.labs[RED].played == ("publicity",)
    assert played.phase is not Phase.REANIMATE


def test_the_card_of_a_lester_upgrade_may_be_left():
    state = after(taking(cart="lester_upgrade"), TakeItems(RED, {}, {"cart1_upgrade1": ""}), LeaveLester(RED))
    assert (state.labs[RED].played, state.labs[RED].stage) == ((), Stage.KEEP)


def test_a_lester_upgrade_plays_at_every_reanimation_if_the_table_says_so():
    lab = Lab(bag=BAG, stage=Stage.DECIDE, tiles=lying("lester_upgrade"))
    labs = {RED: lab, BLUE: Lab(bag=BAG, stage=Stage.DECIDED)}
    state = table(Phase.DELIVERIES, labs, options={"lester_tile": "every_time"})
    assert after(state, Decide(RED, True), TakeItems(RED)).labs[RED].stage is Stage.SPARE
    usual = table(Phase.DELIVERIES, labs)
    assert after(usual, Decide(RED, True), TakeItems(RED)).labs[RED].stage is Stage.KEEP


def test_a_lester_upgrade_that_expand_brings_is_played_in_the_same_round():
    carts = {"cart3_upgrade1": "lester_upgrade"}
    lab = Lab(bag=BAG, stage=Stage.LESTER, order=Order.BLUE, is_super=True)
    state = table(Phase.DELIVERIES, {RED: lab, BLUE: Lab(bag=BAG, stage=Stage.DECIDED)}, carts=carts)
    state = after(state, PlayLester(RED, "expand", spot="cart3_upgrade1"))
    assert state.labs[RED].stage is Stage.SPARE
    assert refused(state, PlayLester(RED, "expand")).why.key == "mm.no.card_used"
    assert after(state, PlayLester(RED, "publicity")).labs[RED].stage is Stage.DECIDE


def test_universal_taken_first_counts_for_the_gain_at_once():
    state = taking("universal_replicator", cart="meat_replicator")
    assert gained(state, after(state, TakeTile(RED, "cart1_upgrade1")), LIMB) == 3
    bare = taking(cart="meat_replicator")
    assert gained(bare, after(bare, TakeTile(RED, "cart1_upgrade1")), LIMB) == 2


def test_what_is_replaced_has_paid_for_this_reanimation_already():
    state = taking("goop_replicator", "med_school", "teleporter")
    done = after(state, TakeItems(RED, {}, {"cart1_upgrade1": "upgrade1"}))
    assert gained(state, done, GOOP) == 1


def test_a_coupon_printer_or_a_teleporter_taken_now_works_from_the_next_reanimation():
    state = after(taking(cart="bogo_coupon_printer"), TakeItems(RED, {}, {"cart1_upgrade1": ""}))
    assert state.labs[RED].stage is Stage.KEEP
    state = after(taking(cart="teleporter"), TakeTile(RED, "cart1_upgrade1"))
    assert refused(state, TakeItems(RED, {GOOP: 1})).why.key == "mm.no.not_on_cart"


def test_every_coupon_printer_brings_a_part():
    state = after(taking("bogo_coupon_printer", "bogo_coupon_printer"), TakeItems(RED), AddPart(RED, GOOP))
    assert state.labs[RED].stage is Stage.COUPON
    assert after(state, AddPart(RED, SPIKE)).labs[RED].stage is not Stage.COUPON


def test_a_med_school_that_is_replaced_has_paid_and_its_tokens_go_back():
    lab = Lab(
        bag=BAG,
        stage=Stage.DECIDE,
        tiles=lying("med_school", "teleporter", "teleporter"),
        parts={"upgrade1.hold1": GOOP, "upgrade1.hold2": LIMB},
    )
    carts = {"cart1_upgrade1": "sorting_table"}
    state = table(Phase.DELIVERIES, {RED: lab, BLUE: Lab(bag=BAG, stage=Stage.DECIDED)}, carts=carts)
    state = after(state, Decide(RED, True), TakeTile(RED, "cart1_upgrade1", "upgrade1"))
    assert state.labs[RED].earned == {"med_school": 2}
    assert state.labs[RED].parts == {}
    deeds = [chore.deed for chore in state.chores if chore.seat == RED]
    assert {"tokens_to_bag": ["upgrade1.hold1", "upgrade1.hold2"]} in deeds


def test_two_med_schools_pay_twice_each_with_its_own_two_parts():
    parts = {f"upgrade{tile}.hold{n}": GOOP for tile in (1, 2) for n in (1, 2)}
    lab = Lab(bag=BAG, stage=Stage.DECIDE, tiles=lying("med_school", "med_school"), parts=parts)
    state = table(Phase.DELIVERIES, {RED: lab, BLUE: Lab(bag=BAG, stage=Stage.DECIDED)})
    assert after(state, Decide(RED, True)).labs[RED].earned == {"med_school": 4}


def test_a_part_is_not_rejected_while_an_upgrade_takes_it():
    full = {"sort1": LIMB, "sort2": LIMB}
    state = drawing(Order.YELLOW, tiles=lying("sorting_table"), parts=full)
    refusal = refused(state, Deliver(RED, ((GOOP, "reject1"),)))
    assert refusal.rule == "MM-R21"
    placed = after(state, Deliver(RED, ((GOOP, "upgrade1.hold1"), (GOOP, "upgrade1.hold2"))))
    assert placed.labs[RED].parts["upgrade1.hold2"] == GOOP
    assert refused(state, Deliver(RED, ((ROT, "upgrade1.hold1"),))).why.key == "mm.no.no_rot_there"


def test_a_part_on_a_sorting_table_upgrade_moves_to_a_monster_and_one_on_a_med_school_does_not():
    tiles, cards = lying("sorting_table", "med_school"), {"card3": "zapping"}
    parts = {"upgrade1.hold1": ZAPPER, "upgrade2.hold1": ZAPPER}
    state = drawing(Order.YELLOW, tiles=tiles, parts=parts, cards=cards)
    to_monster = "card3.part0"
    assert refused(state, MoveParts(RED, (("upgrade2.hold1", to_monster),))).rule == "MM-R23"
    moved = after(state, MoveParts(RED, (("upgrade1.hold1", to_monster),)))
    assert moved.labs[RED].parts[to_monster] == ZAPPER


def test_the_refrigeration_takes_no_drawn_token():
    state = drawing(Order.YELLOW, tiles=lying("refrigeration"))
    assert refused(state, Deliver(RED, ((GOOP, "upgrade1.hold1"),))).rule == "MM-R69"


def cold(**parts: object) -> State:
    """Return red, all items taken, choosing what stays cold; ``__`` in a name stands for the dot."""
    on_spaces = {space.replace("__", "."): kind for space, kind in parts.items()}
    return after(taking("refrigeration", parts=on_spaces), TakeItems(RED))


def test_what_stays_cold_is_chosen_anew_from_the_whole_lab():
    state = cold(upgrade1__hold1=GOOP, reject1=SPIKE, reject2=ROT, card1__part0=LIMB)
    assert refused(state, Chill(RED, ("reject2",))).rule == "MM-R69"
    assert refused(state, Chill(RED, ("reject1", "card1.part0"))).why.key == "mm.no.too_cold"
    swapped = after(state, Chill(RED, ("reject1",)))
    assert swapped.labs[RED].parts == {"upgrade1.hold1": SPIKE}
    assert gained(state, swapped, GOOP) == 1
    assert after(state, Chill(RED, ("upgrade1.hold1",))).labs[RED].parts == {"upgrade1.hold1": GOOP}
    assert after(state, Chill(RED)).labs[RED].parts == {}


def test_hands_make_room_in_the_cold_before_they_keep_and_sweep():
    state = after(cold(upgrade1__hold1=GOOP, reject1=SPIKE, reject2=ROT), Chill(RED, ("reject1",)))
    deeds = [chore.deed for chore in state.chores if chore.seat == RED]
    assert deeds[-4:] == [
        {"tokens_to_bag": ["upgrade1.hold1"]},
        {"keep": [["spike", "reject1", "upgrade1.hold1"]]},
        {"clear": ["reject2"]},
        {"order_back": True},
    ]


def test_nothing_is_asked_of_a_refrigeration_in_the_last_round():
    state = after(taking("refrigeration", parts={"sort1": GOOP}, track=0), TakeItems(RED))
    assert state.labs[RED].stage is not Stage.CHILL


def test_parts_stay_where_they_are_while_the_own_reanimation_is_resolved():
    state = cold(sort1=LIMB, card3__part0=ZAPPER)
    assert refused(state, MoveParts(RED, (("sort1", "card1.part0"),))).rule == "MM-R71"


def test_an_upgrade_that_is_named_only_in_the_lab_gives_what_it_gives_at_once():
    state = after(taking(cart=UNKNOWN_TILE), TakeTile(RED, "cart1_upgrade1"))
    named = after(state, NameTiles({"lab_red/upgrade1": "meat_replicator"}))
    assert gained(state, named, LIMB) == 2
    assert gained(state, after(named, NameTiles({"lab_red/upgrade1": "goop_replicator"})), GOOP) == 0
    spare = after(state, NameTiles({"lab_red/upgrade1": "lester_upgrade"}), TakeItems(RED))
    assert spare.labs[RED].stage is Stage.SPARE


def test_a_warehouse_named_on_a_space_of_the_board_gives_that_space_too():
    state = after(taking(cart=UNKNOWN_TILE), TakeTile(RED, "cart1_upgrade1"))
    named = after(state, NameTiles({"lab_red/upgrade1": "warehouse"}))
    assert len(tile_spaces(named, named.labs[RED])) == 5


@pytest.mark.parametrize(
    ("options", "rot", "pays"),
    [({}, 5, True), ({}, 6, False), ({"fair_school": "two"}, 6, True)],
)
def test_med_school_pays_at_the_fair_but_not_after_a_bust(options: dict[str, str], rot: int, *, pays: bool):
    parts = {"upgrade1.hold1": GOOP, "upgrade1.hold2": LIMB, "card1.part0": LIMB, "card1.part1": STITCH}
    lab = Lab(
        bag={ROT: 1, LIMB: 1},
        stage=Stage.DRAW,
        tiles=lying("med_school"),
        parts={**parts, **rejects(*[ROT] * 5)},
    )
    state = table(Phase.FAIR, {RED: lab, BLUE: Lab(bag=BAG)}, track=0, options=options)
    done = after(state, Draw(RED, {ROT: 1}) if rot == 6 else Finish(RED)).labs[RED]
    assert done.earned.get("med_school", 0) == (2 if pays else 0)
    assert done.fair == done.score


def test_expand_replaces_an_upgrade_only_where_the_table_says_so():
    lab = Lab(bag=BAG, stage=Stage.LESTER, order=Order.BLUE, is_super=True, tiles=lying(*FULL))
    labs = {RED: lab, BLUE: Lab(bag=BAG, stage=Stage.DECIDED)}
    carts = {"cart3_upgrade1": "goop_replicator"}
    usual = table(Phase.DELIVERIES, labs, carts=carts)
    wish = PlayLester(RED, "expand", spot="cart3_upgrade1", space="upgrade1")
    assert after(usual, wish).labs[RED].tiles == lying(*FULL)
    state = table(Phase.DELIVERIES, labs, carts=carts, options={"expand": "may_replace"})
    assert refused(state, replace(wish, space="")).rule == "MM-R29"
    done = after(state, wish)
    assert done.labs[RED].tiles["upgrade1"] == "goop_replicator"
    # The Universal that lies there adds one to what the replicator gives at once.
    assert gained(state, done, GOOP) == 2


def test_a_full_lab_still_expands_with_a_warehouse():
    lab = Lab(bag=BAG, stage=Stage.LESTER, order=Order.BLUE, is_super=True, tiles=lying(*FULL))
    labs = {RED: lab, BLUE: Lab(bag=BAG, stage=Stage.DECIDED)}
    state = table(Phase.DELIVERIES, labs, carts={"cart3_upgrade1": "warehouse"})
    done = after(state, PlayLester(RED, "expand", spot="cart3_upgrade1"))
    assert done.labs[RED].tiles["beside1"] == "warehouse"


def test_a_grab_stops_at_the_sixth_reject_only_where_the_table_says_so():
    almost = rejects(ROT, ROT, ROT, ROT)
    kinds = {ROT: 3, LIMB: 3}
    usual = after(drawing(Order.BLUE, parts=almost), Draw(RED, kinds)).labs[RED]
    assert (len(usual.overflow), usual.is_bust) == (1, True)
    state = drawing(Order.BLUE, parts=almost, options={"grab": "one_by_one"})
    cut = after(state, Draw(RED, kinds)).labs[RED]
    assert (cut.overflow, cut.rejects, cut.is_bust) == ((), 6, True)
    assert cut.bag[ROT] == BAG[ROT] - 2
    rot_first = Deliver(RED, ((ROT, "reject5"), (ROT, "reject6"), (LIMB, "card1.part0")))
    assert refused(state, rot_first).rule == "MM-R11"


def test_what_upgrades_paid_is_a_line_of_the_score():
    state = taking(earned={"monsters": 5, "med_school": 2})
    red = next(seat for seat in GAME.view(state, None).seats if seat.seat == RED)
    assert ("mm.why.med_school", 2) in {(tally.say.key, tally.amount) for tally in red.tallies}


def test_a_lester_upgrade_named_after_its_reanimation_brings_its_card_with_the_next_one():
    deciding = Lab(bag=BAG, stage=Stage.DECIDE)
    labs = {RED: replace(deciding, tiles=lying(UNKNOWN_TILE)), BLUE: deciding}
    state = after(table(Phase.DELIVERIES, labs), NameTiles({"lab_red/upgrade1": "lester_upgrade"}))
    assert state.labs[RED].spare == 1
    state = after(state, Decide(RED, True), Decide(BLUE, False), TakeItems(RED))
    assert state.labs[RED].stage is Stage.SPARE
    assert after(state, PlayLester(RED, "publicity")).labs[RED].spare == 0


def test_no_more_upgrades_of_a_kind_are_named_than_the_box_holds():
    catalogue = {**CATALOGUE, "upgrade_counts": {"med_school": 1, "teleporter": 39}}
    box = read_catalogue(catalogue)
    labs = dict.fromkeys((RED, BLUE), Lab(bag=BAG, stage=Stage.ORDER))
    state = replace(table(Phase.ORDER, labs), box=box)
    state = after(state, NameTiles({"central/cart1_upgrade1": "med_school"}))
    again = refused(state, NameTiles({"central/cart2_upgrade1": "med_school"}))
    assert (again.why.key, again.why.values["count"]) == ("mm.no.no_more_tiles", 1)
    swapped = {"central/cart1_upgrade1": "teleporter", "central/cart2_upgrade1": "med_school"}
    assert after(state, NameTiles(swapped)).carts["cart2_upgrade1"] == "med_school"
