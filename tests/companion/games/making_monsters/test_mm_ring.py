"""The table from above: what the big screen shows of orders, supers and carts, and when it does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.game import Ring
from companion.games.making_monsters.components import Order
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import SetUp
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from companion.sentences import Speaker
from tests.companion.games.making_monsters.tables import BLUE, GREEN, RED, YELLOW, after

WORDS = Speaker([GAME.package])
EMPTY = GAME.initial(GAME.stand_in)


def at(phase: Phase, labs: dict[str, Lab], **given: object) -> State:
    seats = tuple(seat for seat in (RED, BLUE, GREEN, YELLOW) if seat in labs)
    state = after(EMPTY, SetUp(seats, 12))
    return replace(state, phase=phase, labs={seat: labs[seat] for seat in seats}, **given)  # type: ignore[arg-type]


def ring(state: State) -> Ring:
    found = GAME.view(state, None).ring
    assert found is not None
    return found


def lifted(order: Order, is_super: bool = True) -> Lab:
    return Lab(stage=Stage.DRAW, order=order, is_super=is_super)


def test_before_the_reveal_it_tells_who_laid_an_order_and_never_which():
    laid = Lab(stage=Stage.LAID, order=Order.RED)
    for phase, other in ((Phase.ORDER, Stage.ORDER), (Phase.REVEAL, Stage.TELL)):
        shown = ring(at(phase, {RED: laid, BLUE: Lab(stage=other)}))
        assert shown.places[0].sign == "order-back"
        assert "red" not in {place.sign.removeprefix("order-") for place in shown.places}
        assert shown.sparks == ()
        assert shown.places[1].sign == ("" if phase is Phase.ORDER else "order-back")


def test_after_the_reveal_it_shows_colours_supers_and_who_lifts_whom():
    labs = {
        RED: lifted(Order.RED),
        BLUE: lifted(Order.YELLOW),
        GREEN: lifted(Order.BLUE),
        YELLOW: lifted(Order.BLUE),
    }
    shown = ring(at(Phase.DELIVERIES, labs))
    assert [place.sign for place in shown.places] == ["order-red", "order-yellow", "order-blue", "order-blue"]
    assert all(place.is_lifted for place in shown.places)
    # Red is lifted by yellow, yellow by blue, blue by red; two blues lift nobody.
    assert shown.sparks == ((0, 1), (1, 2), (3, 0))


def test_two_seats_lift_each_other_once():
    labs = {RED: lifted(Order.RED), GREEN: lifted(Order.YELLOW, False)}
    assert ring(at(Phase.DELIVERIES, labs)).sparks == ((0, 2),)


@pytest.mark.parametrize("quarter", range(4))
def test_every_cart_stands_before_the_place_that_the_centre_turned_it_to(quarter: int):
    shown = ring(at(Phase.DELIVERIES, {RED: Lab(), GREEN: Lab()}, quarter=quarter))
    assert [int(place.sector) - 1 for place in shown.places] == [(index - quarter) % 4 for index in range(4)]
    assert [place.seat for place in shown.places] == [RED, None, GREEN, None]
    assert WORDS.say(shown.centre).startswith("The centre stands")


def test_it_says_when_hands_must_turn_the_centre():
    labs = {RED: Lab(), BLUE: Lab()}
    assert ring(at(Phase.DELIVERIES, labs)).turn is None
    due = ring(at(Phase.REFRESH, labs)).turn
    assert due is not None
    assert WORDS.say(due) == "Turn the centre one step clockwise."
    astray = ring(at(Phase.DELIVERIES, labs, astray=1)).turn
    assert astray is not None
    assert WORDS.say(astray) == "Turn the centre 3 steps clockwise."
    assert ring(at(Phase.REFRESH, labs, is_turned=True)).turn is None


def test_a_seat_has_no_ring_and_neither_has_a_table_without_orders():
    state = at(Phase.DELIVERIES, {RED: lifted(Order.RED), BLUE: lifted(Order.BLUE)})
    assert GAME.view(state, RED).ring is None
    for phase in (Phase.OPEN, Phase.SETUP, Phase.FAIR):
        assert GAME.view(replace(state, phase=phase), None).ring is None
