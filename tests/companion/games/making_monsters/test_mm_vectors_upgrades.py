"""Vectors MM-60 to MM-73 and MM-77: what upgrades give, hold and pay."""

from __future__ import annotations

import pytest

from companion.game import Seat
from companion.games.making_monsters.moves import (
    AddPart,
    Chill,
    ChooseFive,
    Decide,
    MoveParts,
    TakeItems,
    TakeTile,
)
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
    refused,
    rejects,
    table,
)

vector = Vectors()

CARTS = {f"cart{cart}_upgrade{spot}": "sorting_table" for cart in range(1, 5) for spot in (1, 2)}


def owning(*tiles: str) -> dict[str, str]:
    return {f"upgrade{number + 1}": tile for number, tile in enumerate(tiles)}


def deciding(*tiles: str, carts: dict[str, str] | None = None, **more: object) -> State:
    """Return red about to decide with these upgrades, blue having pushed on."""
    track = more.pop("track", 8)
    options = more.pop("options", {})
    fields = {"bag": BAG, "stage": Stage.DECIDE, "tiles": owning(*tiles), **more}
    labs = {RED: Lab(**fields), BLUE: Lab(bag=BAG, stage=Stage.DECIDED)}  # type: ignore[arg-type]
    return table(Phase.DELIVERIES, labs, carts={**CARTS, **(carts or {})}, track=track, options=options)


def reanimated(state: State, *, seat: Seat = RED) -> State:
    """Return the table after red's decision, or its bust, has been shown."""
    if state.labs[seat].is_bust:
        return after(state, Decide(BLUE, False))
    return after(state, Decide(seat, True))


def gained(before: State, done: State, kind: object) -> int:
    return done.labs[RED].bag.get(kind, 0) - before.labs[RED].bag.get(kind, 0)  # type: ignore[call-overload]


def two_done(**more: object) -> dict[str, object]:
    """Return a lab with both printed monsters completed: 2 and 3 prestige."""
    parts = {"card1.part0": LIMB, "card1.part1": STITCH, "card2.part0": SPIKE, "card2.part1": SPIKE}
    return {"parts": {**parts, **more}}


@vector
def mm_60_a_replicator_gives_at_once_and_at_the_next_reanimation() -> None:
    start = deciding(carts={"cart1_upgrade1": "stitches_replicator"})
    state = reanimated(start)
    taken = after(state, TakeTile(RED, "cart1_upgrade1"))
    assert gained(state, taken, STITCH) == 1
    again = deciding("stitches_replicator")
    done = after(reanimated(again), TakeItems(RED, {LIMB: 1}))
    assert (gained(again, done, STITCH), gained(again, done, LIMB)) == (1, 1)


@vector
def mm_61_the_reanimation_that_takes_a_replicator_gains_once() -> None:
    start = deciding(carts={"cart1_upgrade1": "stitches_replicator"})
    done = after(reanimated(start), TakeItems(RED, {}, {"cart1_upgrade1": ""}))
    assert gained(start, done, STITCH) == 1
    assert done.labs[RED].tiles == {"upgrade1": "stitches_replicator"}


@vector
def mm_62_a_meat_replicator_gives_two_limbs() -> None:
    start = deciding("meat_replicator")
    assert gained(start, after(reanimated(start), TakeItems(RED)), LIMB) == 2


@vector
def mm_63_universal_adds_one() -> None:
    start = deciding("universal_replicator", "spikes_replicator")
    assert gained(start, after(reanimated(start), TakeItems(RED)), SPIKE) == 2


@vector
def mm_64_universal_adds_one_to_two_limbs_or_two_if_the_table_says_so() -> None:
    start = deciding("universal_replicator", "meat_replicator")
    assert gained(start, after(reanimated(start), TakeItems(RED)), LIMB) == 3
    start = deciding("universal_replicator", "meat_replicator", options={"universal_meat": "four"})
    assert gained(start, after(reanimated(start), TakeItems(RED)), LIMB) == 4


@vector
def mm_65_two_universals_add_one_each() -> None:
    start = deciding("universal_replicator", "universal_replicator", "goop_replicator")
    assert gained(start, after(reanimated(start), TakeItems(RED)), GOOP) == 3


@vector
def mm_66_a_coupon_brings_a_part_of_choice_but_no_mutation_and_no_rot() -> None:
    start = deciding("bogo_coupon_printer")
    state = after(reanimated(start), TakeItems(RED))
    assert state.labs[RED].stage is Stage.COUPON
    for kind in (MUTATION, ROT):
        assert refused(state, AddPart(RED, kind)).rule == "MM-R17"
    done = after(state, AddPart(RED, ZAPPER))
    assert gained(start, done, ZAPPER) == 1
    assert done.labs[RED].stage is not Stage.COUPON
    by_option = deciding("bogo_coupon_printer", options={"bogo": "mutation"})
    state = after(reanimated(by_option), TakeItems(RED), AddPart(RED, MUTATION))
    assert gained(by_option, state, MUTATION) == 1
    assert refused(after(reanimated(by_option), TakeItems(RED)), AddPart(RED, ROT)).rule == "MM-R17"


@vector
def mm_67_med_school_with_both_parts_pays_two() -> None:
    school = {"upgrade1.hold1": GOOP, "upgrade1.hold2": ZAPPER}
    start = deciding("med_school", **two_done(**school))
    state = reanimated(start)
    assert state.labs[RED].earned == {"monsters": 5, "bonus": 3, "med_school": 2}
    done = after(state, TakeItems(RED))
    assert (gained(start, done, GOOP), gained(start, done, ZAPPER)) == (1, 1)
    assert done.labs[RED].parts == {}


@vector
def mm_68_med_school_with_one_part_pays_nothing() -> None:
    start = deciding("med_school", parts={"upgrade1.hold1": GOOP})
    done = after(reanimated(start), TakeItems(RED))
    assert done.labs[RED].score == 0
    assert gained(start, done, GOOP) == 1


@vector
def mm_69_med_school_pays_after_a_bust_too() -> None:
    school = {"upgrade1.hold1": GOOP, "upgrade1.hold2": ZAPPER}
    start = deciding("med_school", is_bust=True, **two_done(**school, **rejects(*[ROT] * 6)))
    state = reanimated(table_with_blue_deciding(start))
    assert state.labs[RED].earned == {"monsters": 5, "med_school": 2}


def table_with_blue_deciding(state: State) -> State:
    """Return the same table while blue still thinks: a bust then decides by itself."""
    blue = Lab(bag=BAG, stage=Stage.DECIDE)
    return table(
        state.phase, {**state.labs, BLUE: blue}, carts=dict(state.carts), options=dict(state.options)
    )


@vector
def mm_70_all_four_parts_of_the_sorting_tables_go_back() -> None:
    held = {"sort1": GOOP, "sort2": LIMB, "upgrade1.hold1": SPIKE, "upgrade1.hold2": ZAPPER}
    start = deciding("sorting_table", parts=held)
    done = after(reanimated(start), TakeItems(RED))
    assert [gained(start, done, kind) for kind in (GOOP, LIMB, SPIKE, ZAPPER)] == [1, 1, 1, 1]
    assert done.labs[RED].parts == {}


@vector
def mm_71_the_refrigeration_keeps_a_part_that_may_go_to_a_monster_next_round() -> None:
    start = deciding("refrigeration", parts={"sort1": ZAPPER, "sort2": GOOP}, cards={"card3": "zapping"})
    state = after(reanimated(start), TakeItems(RED))
    assert state.labs[RED].stage is Stage.CHILL
    kept = after(state, Chill(RED, ("sort1",)))
    assert kept.labs[RED].parts == {"upgrade1.hold1": ZAPPER}
    assert (gained(start, kept, ZAPPER), gained(start, kept, GOOP)) == (0, 1)
    moved = after(kept, MoveParts(RED, (("upgrade1.hold1", "card3.part0"),)))
    assert moved.labs[RED].parts == {"card3.part0": ZAPPER}


@vector
def mm_72_a_teleporter_takes_each_item_from_any_cart_also_after_a_bust() -> None:
    parts = {**two_done()["parts"], "card3.part0": ZAPPER}  # type: ignore[dict-item]
    for is_bust in (False, True):
        start = deciding("teleporter", is_bust=is_bust, parts=parts, cards={"card3": "zapping"})
        state = reanimated(table_with_blue_deciding(start) if is_bust else start)
        assert state.labs[RED].items == 4
        spots = {"cart1_upgrade1": "", "cart2_upgrade1": ""}
        # Spikes lie on cart 3, zappers on cart 4, neither on cart 1's list beside limbs and stitches.
        done = after(state, TakeItems(RED, {GOOP: 1, ZAPPER: 1}, spots))
        assert (gained(start, done, GOOP), gained(start, done, ZAPPER)) == (1, 1 + 1)
        assert set(done.labs[RED].tiles.values()) == {"teleporter", "sorting_table"}
    own_only = deciding("teleporter", is_bust=True, parts=parts, options={"teleporter": "not_bust"})
    state = reanimated(table_with_blue_deciding(own_only))
    assert refused(state, TakeItems(RED, {GOOP: 1})).why.key == "mm.no.not_on_cart"


@vector
def mm_73_a_fourth_upgrade_replaces_one_and_its_tokens_go_back() -> None:
    tiles = ("med_school", "teleporter", "sorting_table")
    start = deciding(*tiles, parts={"upgrade1.hold1": GOOP, "upgrade3.hold1": LIMB})
    state = reanimated(start)
    assert refused(state, TakeTile(RED, "cart1_upgrade1")).rule == "MM-R46"
    taken = after(state, TakeTile(RED, "cart1_upgrade1", "upgrade1"))
    assert taken.labs[RED].tiles == owning("sorting_table", *tiles[1:])
    assert taken.tiles_out == start.tiles_out + 1
    assert gained(start, taken, GOOP) == 1
    assert taken.labs[RED].parts == {"upgrade3.hold1": LIMB}


@vector
def mm_77_prep_empties_the_lab_and_the_refrigeration() -> None:
    cards = {"card3": "limbs", "card4": "zapping", "card5": "spiky"}
    cold = {"upgrade1.hold1": GOOP}
    start = deciding("refrigeration", parts=cold, cards=cards, pile=("goops", "limb3"))
    blue = Lab(bag=BAG, stage=Stage.DECIDE)
    start = table(Phase.DELIVERIES, {**start.labs, BLUE: blue}, carts=CARTS, track=0)
    state = after(start, Decide(RED, True), Decide(BLUE, True), TakeItems(RED), TakeItems(BLUE))
    assert state.phase is Phase.PREP
    red = state.labs[RED]
    assert (red.parts, red.cards, red.score) == ({}, {}, 0)
    assert gained(start, state, GOOP) == 1
    assert set(red.pile) == {"goops", "limb3", *cards.values()}
    chosen = after(state, ChooseFive(RED, tuple((card, "") for card in red.pile)))
    assert set(chosen.labs[RED].cards.values()) == set(red.pile)


@pytest.mark.parametrize("case", vector.cases)
def test_vector_of_upgrades(case: object) -> None:
    case()  # type: ignore[operator]
