"""Three depths of tracking, one set of rules: what a seat tells, what follows, and what stays unknown."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from companion.game import Seat
from companion.games.making_monsters import events as e
from companion.games.making_monsters.components import SEATS, STARTING_BAG, Order
from companion.games.making_monsters.depth import Depth, Feat
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import (
    ChooseOrder,
    Decide,
    Draw,
    Finish,
    PlayLester,
    TurnBoard,
)
from companion.games.making_monsters.parts import plus, total
from companion.games.making_monsters.printed import UNKNOWN_TILE
from companion.games.making_monsters.reports import (
    Complete,
    CountRot,
    GoBust,
    NotComplete,
    SetDepth,
    SetTotal,
    TellPoints,
)
from companion.games.making_monsters.rules.depth import least_supply
from companion.games.making_monsters.rules.final import winners
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from tests.companion.games.making_monsters.depth_tables import reporting, set_up
from tests.companion.games.making_monsters.promises import check_pieces
from tests.companion.games.making_monsters.tables import (
    BAG,
    BLUE,
    GREEN,
    LIMB,
    MUTATION,
    RED,
    ROT,
    SPIKE,
    YELLOW,
    after,
    refused,
    table,
)


def ordered(state: State, *orders: Order) -> State:
    """Return the table after its seats have laid these orders, clockwise."""
    return after(state, *(ChooseOrder(seat, order) for seat, order in zip(state.labs, orders, strict=True)))


def told(state: State, command: Any, kind: type) -> Any:
    """Return the event of a kind that a command brings about."""
    return next(event for event in GAME.decide(state, command) if isinstance(event, kind))


# --- results -------------------------------------------------------------------------------


def test_in_depth_results_the_game_begins_with_the_orders():
    state = set_up(Depth.RESULTS)
    assert (state.phase, state.round) == (Phase.ORDER, 1)
    assert all(lab.held == STARTING_BAG and lab.unnamed == 1 for lab in state.labs.values())
    assert state.deck == len(state.box.deck) - 4
    check_pieces(state)


def test_a_round_of_results_takes_fifteen_taps():
    """One red super, three monsters, two monsters, a bust with one, one pushes on; the budget is 18."""
    state = set_up(Depth.RESULTS)
    taps = [
        ChooseOrder(RED, Order.RED),
        *(ChooseOrder(seat, Order.YELLOW) for seat in (BLUE, GREEN, YELLOW)),
        Complete(RED, prestige=5),
        Complete(RED, prestige=7),
        Complete(RED, "printed_1"),
        Decide(RED, True),
        Complete(BLUE, prestige=4),
        Complete(BLUE, prestige=9),
        Decide(BLUE, True),
        Complete(GREEN, prestige=6),
        GoBust(GREEN),
        Decide(YELLOW, False),
        TurnBoard(),
    ]
    state = after(state, *taps)
    assert len(taps) == 15
    assert (state.phase, state.round) == (Phase.ORDER, 2)
    scores = {seat: lab.score for seat, lab in state.labs.items()}
    assert scores == {RED: 3 + 14 + 6, BLUE: 13 + 3, GREEN: 6, YELLOW: 0}
    assert state.track == 12 - 2 - 1 - 1
    assert [lab.unnamed for lab in state.labs.values()] == [2, 2, 2, 2]
    check_pieces(state)


def test_a_bust_loses_the_bonus_and_nothing_else():
    state = after(reporting(), Complete(RED, prestige=6), Complete(RED, prestige=4))
    bust = told(state, GoBust(RED), e.Reanimated)
    assert (bust.points, bust.bonus, bust.from_track, bust.items) == (10, 0, 1, 3)


def test_no_monster_still_gives_one_item_and_no_rot():
    given = told(reporting(), Decide(RED, True), e.Reanimated)
    assert (given.points, given.bonus, given.from_track, given.items) == (0, 0, 0, 1)


def test_rot_comes_from_the_track_and_then_from_the_supply():
    state = replace(reporting(done=(Feat(4), Feat(4), Feat(4))), track=1)
    given = told(state, Decide(RED, True), e.Reanimated)
    assert (given.from_track, given.from_supply) == (1, 1)


def test_what_is_not_told_is_not_there():
    state = reporting()
    facts = GAME.view(state, RED).facts
    assert not {"bag", "rejects", "slots", "drawn"} & set(facts)
    assert RED not in facts["labs"]
    assert not state.knows_bag(RED)
    assert state.knows_bag(BLUE)
    lab = state.labs[RED]
    assert (lab.bag, lab.parts, lab.overflow) == ({}, {}, ())


def test_known_cards_are_reported_by_name_and_go_to_the_pile():
    state = reporting(cards={"card3": "spiky", "card4": "limbs"})
    state = after(state, Complete(RED, "spiky"), Complete(RED, "printed_1"), Decide(RED, True))
    lab = state.labs[RED]
    assert (lab.pile, lab.cards, lab.done) == (("spiky",), {"card4": "limbs"}, ())
    assert lab.score == 8 + 2 + 3
    assert refused(reporting(), Complete(RED, "spiky")).why.key == "mm.no.not_known_there"


def test_a_monster_may_be_taken_back_and_there_are_five_at_most():
    state = after(reporting(), *[Complete(RED, prestige=n) for n in range(1, 6)])
    assert refused(state, Complete(RED, prestige=1)).why.key == "mm.no.five_at_most"
    assert after(state, NotComplete(RED, 1)).labs[RED].done == (Feat(1), Feat(3), Feat(4), Feat(5))


def test_who_pushes_on_keeps_the_reported_monsters():
    state = after(reporting(), Complete(RED, prestige=6), Decide(RED, False), TurnBoard())
    assert state.labs[RED].done == (Feat(6),)


def test_the_card_of_blue_super_is_named_before_the_decision():
    state = reporting(order=Order.BLUE, is_super=True)
    assert refused(state, Decide(RED, True)).why.key == "mm.no.stop_first"
    state = after(state, Finish(RED), PlayLester(RED, "publicity"))
    assert (state.labs[RED].stage, state.labs[RED].score) == (Stage.DECIDE, 3)
    bust = after(reporting(order=Order.BLUE, is_super=True), GoBust(RED))
    assert bust.labs[RED].stage is Stage.LESTER
    assert after(bust, PlayLester(RED, "compost")).labs[RED].has_reanimated


def test_the_supply_is_a_most_and_a_least_once_something_is_taken_untold():
    state = after(reporting(order=Order.RED), Decide(RED, False))
    assert least_supply(state)[LIMB] == state.supply[LIMB] - 1
    assert least_supply(state)[MUTATION] == state.supply[MUTATION]
    assert least_supply(state)[ROT] == state.supply[ROT]
    supply = next(panel for panel in GAME.view(state, BLUE).panels if panel.key == "supply")
    said = next(value for what, value in supply.rows if what.key == "mm.token.limb")
    assert (said.key, said.values["most"]) == ("mm.panel.between", state.supply[LIMB])


def test_red_super_adds_its_mutation_for_certain():
    state = after(reporting(order=Order.RED, is_super=True), Decide(RED, False))
    assert state.labs[RED].held == plus(BAG, {MUTATION: 1})
    assert not state.labs[RED].untold


def test_nobody_knows_what_lies_on_a_cart_after_untold_items():
    state = replace(
        reporting(), carts={"cart1_upgrade1": "teleporter", "cart2_upgrade1": "warehouse"}, stack=38
    )
    state = after(state, Decide(RED, True))
    assert state.carts["cart1_upgrade1"] == UNKNOWN_TILE
    assert state.carts["cart2_upgrade1"] == "warehouse"
    check_pieces(state)


# --- points --------------------------------------------------------------------------------


def test_where_only_points_are_told_no_orders_are_laid():
    state = set_up(Depth.SCORE, seats=2)
    assert (state.phase, state.round) == (Phase.DELIVERIES, 1)
    state = after(state, TellPoints(RED, 17, 2), Decide(BLUE, False))
    assert (state.phase, state.track, state.labs[RED].score) == (Phase.REFRESH, 10, 17)
    assert after(state, TurnBoard()).round == 2


def test_points_are_secret_until_all_have_decided():
    state = after(set_up(Depth.SCORE, seats=2), TellPoints(RED, 17, 2))
    assert state.labs[RED].score == 0
    events = GAME.decide(set_up(Depth.SCORE, seats=2), TellPoints(RED, 17, 2))
    for event in events:
        for seat in (None, BLUE):
            said = GAME.told(state, event, seat)
            assert said is None or "17" not in str(said.values)


def test_the_last_rot_asks_for_the_points_of_who_pushed_on():
    state = after(set_up(Depth.SCORE, seats=2, track=2), TellPoints(RED, 17, 2), Decide(BLUE, False))
    assert (state.phase, state.labs[BLUE].stage) == (Phase.REANIMATE, Stage.REPORT)
    state = after(state, TellPoints(BLUE, 4, 1))
    assert (state.phase, state.labs[BLUE].score) == (Phase.FAIR, 4)
    state = after(state, TellPoints(RED, 9), TellPoints(BLUE, 30))
    assert (state.phase, winners(state)) == (Phase.OVER, (BLUE,))


def test_a_new_total_needs_a_reason_and_says_it_in_the_sum():
    state = after(set_up(Depth.SCORE, seats=2), TellPoints(RED, 17, 2), Decide(BLUE, False))
    assert refused(state, SetTotal(RED, 15, "  ")).why.key == "mm.no.reason"
    command = SetTotal(RED, 15, "two counted twice")
    history = [(state, GAME.decide(state, command)[0])]
    sums = {one.key: one for one in GAME.sums(after(state, command), history, RED)}
    (line,) = sums["score.red"].tallies
    assert (line.amount, line.say.values) == (-2, {"reason": "two counted twice"})


def test_a_tie_asks_who_is_not_followed_for_the_rot_in_the_bag():
    state = after(set_up(Depth.RESULTS, seats=2, track=1), *(ChooseOrder(s, Order.BLUE) for s in (RED, BLUE)))
    for _ in range(2):
        state = after(state, *(Complete(s, prestige=5) for s in (RED, BLUE)))
        is_fair = state.phase is Phase.FAIR
        state = after(state, *(Finish(s) if is_fair else Decide(s, True) for s in (RED, BLUE)))
    assert (state.phase, state.waited_for()) == (Phase.FAIR, (RED, BLUE))
    state = after(state, CountRot(RED, 9), CountRot(BLUE, 8))
    assert (state.phase, winners(state)) == (Phase.OVER, (BLUE,))


# --- mixed tables --------------------------------------------------------------------------


def test_neighbours_of_every_depth_lift_each_other():
    """MM-06 with one seat of each lower depth among two that are followed."""
    state = set_up(Depth.FULL)
    for n, seat in enumerate(SEATS):
        wire = {"do": "place_card", "seat": seat, "card": f"card_{n:02d}"}
        draw = {"do": "draw", "seat": seat, "rot": 1, "limb": 2, "stitch": 2}
        state = after(state, GAME.codec.command_in(wire), GAME.codec.command_in(draw))
    state = after(state, SetDepth(BLUE, Depth.RESULTS), SetDepth(GREEN, Depth.SCORE))
    state = ordered(state, Order.YELLOW, Order.RED, Order.BLUE, Order.RED)
    assert [seat for seat, lab in state.labs.items() if lab.is_super] == [BLUE, GREEN, YELLOW]
    assert {seat: lab.score for seat, lab in state.labs.items()} == {RED: 0, BLUE: 3, GREEN: 0, YELLOW: 3}
    state = after(
        state,
        GAME.codec.command_in({"do": "draw", "seat": RED, "rot": 1, "spike": 3}),
        Decide(RED, False),
        Complete(BLUE, prestige=8),
        Decide(BLUE, True),
        TellPoints(GREEN, 12, 1),
        Draw(YELLOW, {SPIKE: 1}),
        Decide(YELLOW, False),
    )
    assert state.phase is Phase.REFRESH
    # The printed monster that blue's first tokens had finished was known, and came along.
    assert [state.labs[seat].score for seat in (BLUE, GREEN)] == [3 + 2 + 8 + 3, 12]
    assert state.track == 10
    assert [seat for seat, lab in state.labs.items() if lab.stage is Stage.KEEP] == [RED, YELLOW]
    check_pieces(state)


def test_rot_is_taken_by_priority_whatever_the_depth():
    """Cart 1 faces blue after one turn: blue takes the last Rot of the track before red does."""
    labs = {
        RED: Lab(bag=BAG, stage=Stage.DECIDED, reanimates=True, order=Order.RED, **one_limb()),
        BLUE: Lab(depth=Depth.RESULTS, held=BAG, stage=Stage.DECIDE, order=Order.RED, done=(Feat(3),)),
    }
    state = table(Phase.DELIVERIES, labs, track=1, quarter=1)
    given = [event for event in GAME.decide(state, Decide(BLUE, True)) if isinstance(event, e.Reanimated)]
    assert [(one.seat, one.from_track, one.from_supply) for one in given] == [(BLUE, 1, 0), (RED, 0, 1)]


def one_limb() -> dict[str, Any]:
    return {"cards": {"card3": "one_limb"}, "parts": {"card3.part0": LIMB}}


@pytest.mark.parametrize("depth", [Depth.RESULTS, Depth.SCORE])
@pytest.mark.parametrize("player", GAME.players, ids=lambda player: player.name)
def test_simulated_players_answer_in_every_depth(player: Any, depth: Depth):
    chance = random.Random(3)
    state = after(set_up(depth, seats=3, track=4))
    for _ in range(400):
        if state.phase is Phase.OVER:
            break
        seat = chance.choice(state.waited_for() or (Seat("red"),))
        view = GAME.view(state, seat)
        wire = player.choose(view, view.prompts[0], chance.random())
        command = GAME.codec.command_in(wire) if wire else TurnBoard()
        state = after(state, command)
    assert state.phase is Phase.OVER
    assert total(state.labs[RED].bag) == 0
