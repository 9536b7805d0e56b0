"""What a seat is told of its odds, in words; who is told, and who never."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.making_monsters.advice import in_words, odds_now, orders_compared
from companion.games.making_monsters.components import Order
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import ShowOdds
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from companion.sentences import Speaker
from tests.companion.games.making_monsters.tables import (
    BAG,
    BLUE,
    LIMB,
    RED,
    ROT,
    STITCH,
    after,
    drawing,
    refused,
    rejects,
    table,
)

SPEAKER = Speaker((GAME.package, "companion"))


def told(state: State, seat: object = RED) -> list[str]:
    """Return what a seat reads of its odds, a line each."""
    panels = [panel for panel in GAME.view(state, seat).panels if panel.key == "odds"]
    assert all(panel.is_advice for panel in panels)
    return [f"{SPEAKER.say(what)}: {SPEAKER.say(value)}" for panel in panels for what, value in panel.rows]


def ordering(**lab: object) -> State:
    red = Lab(bag=BAG, stage=Stage.ORDER, **lab)
    return table(Phase.ORDER, {RED: red, BLUE: Lab(bag=BAG, stage=Stage.ORDER)})


def test_odds_are_silent_until_the_host_turns_them_on_for_everybody() -> None:
    state = ordering()
    assert told(state) == told(state, BLUE) == []
    state = after(state, ShowOdds(True))
    assert told(state) and told(state, BLUE) and not told(state, None)
    assert told(after(state, ShowOdds(False))) == []


def test_turning_on_what_is_on_changes_nothing() -> None:
    assert refused(after(ordering(), ShowOdds(True)), ShowOdds(True)).why.key == "mm.no.odds_as_they_are"


def test_a_table_with_odds_is_a_line_and_back() -> None:
    state = after(ordering(), ShowOdds(True))
    assert GAME.from_position(GAME.position(state), state.box.catalogue).odds


def test_the_host_has_the_switch_and_a_seat_has_not() -> None:
    def switches(seat: object) -> list[object]:
        prompts = GAME.view(ordering(), seat).prompts
        return [c.command for prompt in prompts for c in prompt.choices if c.command["do"] == "show_odds"]

    assert switches(None) == [{"do": "show_odds", "is_on": True}]
    assert switches(RED) == []


@pytest.mark.parametrize("stage", [Stage.ORDER, Stage.LAID])
def test_no_order_of_another_seat_changes_what_a_seat_is_told(stage: Stage) -> None:
    state = after(ordering(), ShowOdds(True))
    blue = state.labs[BLUE]
    lines = set()
    for order in (None, *Order):
        laid = replace(state, labs={**state.labs, BLUE: replace(blue, stage=stage, order=order)})
        lines.add(tuple(told(laid)))
    assert len(lines) == 1


def test_a_bag_that_nobody_counted_is_not_guessed_at() -> None:
    state = after(ordering(), ShowOdds(True))
    assert told(replace(state, bags_guessed=True)) == []
    unfollowed = replace(state.labs[RED], depth=Depth.RESULTS)
    assert told(replace(state, labs={**state.labs, RED: unfollowed})) == []
    assert orders_compared(replace(state, bags_guessed=True), RED) == {}


def test_single_draws_are_told_in_plain_words() -> None:
    # Five rejects, a finished monster of ten, and a bag of which one token in three is Rot.
    state = drawing(
        Order.BLUE,
        is_super=True,
        bag={ROT: 1, LIMB: 2},
        drawn=3,
        cards={"card3": "one_limb", "card4": "limbs"},
        parts={**rejects(*[ROT] * 5), "card3.part0": LIMB, "card1.part0": LIMB, "card4.part0": LIMB},
    )
    lines = told(after(state, ShowOdds(True)))
    assert "The next draw busts: 1 in 3" in lines
    assert "Stopping now scores: 11" in lines
    # Two in three for the second monster: 10 + 4 and 3 of bonus; else 10 alone.
    assert "Drawing on is worth: 14.7 on average" in lines
    assert "limbs gets complete: 2 in 3" in lines


def test_a_grab_is_told_as_a_whole() -> None:
    odds = odds_now(grabbing(), RED)
    assert odds is not None and odds.stop is None
    assert odds.next_bust == odds.order_bust == pytest.approx(0.0987, abs=5e-5)  # MM-96


def grabbing() -> State:
    """Red draws six at once with three rejects, and every part has a place."""
    cards = {"card3": "limb3", "card4": "goops", "card5": "stitched"}
    cards |= {"card1": "spare_1", "card2": "spare_2"}
    return drawing(Order.BLUE, cards=cards, parts=rejects(ROT, ROT, STITCH), bag={ROT: 4, LIMB: 13})


def test_orders_are_compared_base_and_super() -> None:
    lines = told(after(ordering(), ShowOdds(True)))
    assert len(lines) == 3
    assert all("bust" in line and "as Super" in line for line in lines)


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (0.0, "never"),
        (0.001, "hardly ever"),
        (1 / 3, "1 in 3"),
        (0.4, "2 in 5"),
        (0.5, "1 in 2"),
        (0.05, "1 in 20"),
        (0.95, "19 in 20"),
        (0.999, "almost surely"),
        (1.0, "for sure"),
    ],
)
def test_chances_are_said_as_people_say_them(chance: float, said: str) -> None:
    assert SPEAKER.say(in_words(chance)) == said


def test_what_is_said_is_never_far_from_the_truth() -> None:
    for number in range(1001):
        said = SPEAKER.say(in_words(number / 1000))
        if " in " in said:
            times, out_of = said.split(" in ")
            assert abs(int(times) / int(out_of) - number / 1000) <= 0.026
