"""Scarce things go to who comes first; a seat waits only for what one before it may still use up (R36)."""

from __future__ import annotations

from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import AddPart, Finish, PlayLester, TakeItems, TakeTile
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from tests.companion.games.making_monsters.tables import (
    BAG,
    BLUE,
    GOOP,
    LIMB,
    MUTATION,
    RED,
    ROT,
    STITCH,
    ZAPPER,
    Order,
    after,
    refused,
    table,
)

CARTS = {f"cart{cart}_upgrade{spot}": "sorting_table" for cart in range(1, 5) for spot in (1, 2)}


def taking(red: Lab, blue: Lab, **more: object) -> State:
    """Return red, who comes first, and blue, both taking items."""
    return table(Phase.REANIMATE, {RED: red, BLUE: blue}, **{"carts": CARTS, **more})


def choosing(*tiles: str, items: int = 2) -> Lab:
    lab = {f"upgrade{number + 1}": tile for number, tile in enumerate(tiles)}
    return Lab(bag=BAG, stage=Stage.ITEMS, items=items, tiles=lab, working=tiles, has_reanimated=True)


def ordering(order: Order, **more: object) -> Lab:
    return Lab(bag=BAG, stage=Stage.DRAW, order=order, is_super=True, drawn=3, **more)  # type: ignore[arg-type]


def test_a_teleporter_of_a_later_seat_waits_for_the_cart_of_an_earlier_one():
    state = taking(choosing(), choosing("teleporter"))
    broken = refused(state, TakeTile(BLUE, "cart1_upgrade1"))
    assert (broken.why.key, broken.rule) == ("mm.no.tile_claimed", "MM-R36")
    assert after(state, TakeItems(RED), TakeTile(BLUE, "cart1_upgrade1")).labs[BLUE].items == 1
    assert after(state, TakeTile(BLUE, "cart2_upgrade1")).labs[BLUE].items == 1


def test_a_teleporter_of_an_earlier_seat_may_take_the_tile_before_a_later_one():
    state = taking(choosing("teleporter"), choosing())
    assert refused(state, TakeTile(BLUE, "cart2_upgrade1")).rule == "MM-R36"
    taken = after(state, TakeTile(RED, "cart2_upgrade1"), TakeItems(RED))
    assert after(taken, TakeTile(BLUE, "cart2_upgrade2")).labs[BLUE].items == 1


def test_what_a_replicator_will_give_an_earlier_seat_is_left_for_it():
    supply = {GOOP: 2, LIMB: 40, STITCH: 40, ROT: 9}
    state = taking(choosing("goop_replicator"), choosing(), supply=supply)
    assert refused(state, TakeItems(BLUE, {GOOP: 2})).rule == "MM-R36"
    assert after(state, TakeItems(BLUE, {GOOP: 1})).supply[GOOP] == 1


def test_a_later_replicator_waits_when_its_own_gain_is_not_sure():
    supply = {LIMB: 3, STITCH: 40, ROT: 9}
    state = taking(choosing(), choosing("meat_replicator"), supply=supply)
    assert refused(state, TakeItems(BLUE)).rule == "MM-R36"
    done = after(state, TakeItems(RED, {LIMB: 2}), TakeItems(BLUE))
    # A replicator gives what there is and no substitute (MM-R20).
    assert LIMB not in done.supply
    assert done.labs[BLUE].bag[LIMB] == BAG[LIMB] + 1


def test_a_replicator_with_nothing_left_gives_nothing_and_the_table_goes_on():
    state = taking(choosing("zapper_replicator", items=0), Lab(bag=BAG), supply={LIMB: 9, ROT: 9})
    done = after(state, TakeItems(RED))
    assert done.labs[RED].bag.get(ZAPPER, 0) == BAG[ZAPPER]
    assert done.phase is not Phase.REANIMATE


def test_two_seats_that_expand_take_tiles_in_their_order():
    labs = {RED: ordering(Order.BLUE), BLUE: ordering(Order.BLUE)}
    state = table(Phase.DELIVERIES, labs, carts={"cart1_upgrade1": "med_school"})
    state = after(state, Finish(BLUE))
    assert refused(state, PlayLester(BLUE, "expand", spot="cart1_upgrade1")).rule == "MM-R36"
    state = after(state, Finish(RED), PlayLester(RED, "publicity"))
    taken = after(state, PlayLester(BLUE, "expand", spot="cart1_upgrade1"))
    assert taken.labs[BLUE].tiles == {"upgrade1": "med_school"}


def test_the_last_mutation_goes_to_the_red_super_that_comes_first():
    labs = {RED: ordering(Order.RED), BLUE: ordering(Order.RED)}
    state = table(Phase.DELIVERIES, labs, supply={MUTATION: 1, GOOP: 9, ROT: 9})
    state = after(state, Finish(BLUE))
    assert state.labs[BLUE].stage is Stage.ADD
    waiting = next(prompt for prompt in GAME.prompts(state) if prompt.seat == BLUE)
    assert (waiting.tone, waiting.rule) == ("wait", "Reanimate")  # the heading under which MM-R36 stands
    assert "add_part" not in {choice.command["do"] for choice in waiting.choices}
    state = after(state, Finish(RED))
    assert state.labs[RED].bag[MUTATION] == 1
    assert after(state, AddPart(BLUE, GOOP)).labs[BLUE].bag[GOOP] == BAG[GOOP] + 1
