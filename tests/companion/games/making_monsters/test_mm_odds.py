"""Odds are exact where they say so, and never promise what no play can reach."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.making_monsters.components import REJECT_SPACES, STARTING_BAG, Token
from companion.games.making_monsters.odds import Drawing, Want, next_bust, unplaced
from companion.games.making_monsters.stopping import Between, weigh
from tests.companion.games.making_monsters.every_way import EveryWay, bust_of_grab, heap_of

NEAR = 1e-9
KINDS = (Token.LIMB, Token.STITCH, Token.GOOP)
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))

heaps = st.dictionaries(st.sampled_from([Token.ROT, *KINDS, Token.MUTATION]), st.integers(1, 3), min_size=1)
needs = st.dictionaries(st.sampled_from(KINDS), st.integers(1, 2), max_size=2)
wants = st.lists(st.tuples(needs, st.integers(0, 9)), max_size=3).map(
    lambda rows: tuple(Want(f"card{at}", parts, prestige) for at, (parts, prestige) in enumerate(rows))
)


@st.composite
def drawings(draw: st.DrawFn, *, grab: int, most: int) -> Drawing:
    bag = draw(heaps)
    while sum(bag.values()) > 7:
        kind = max(bag, key=lambda kind: bag[kind])
        bag = {**bag, kind: bag[kind] - 1}
    rejects = draw(st.integers(0, REJECT_SPACES - 1))
    aside = draw(st.integers(0, 2))
    held = draw(st.lists(st.sampled_from([*KINDS, Token.MUTATION]), max_size=aside))
    return Drawing(
        bag,
        draw(wants),
        aside,
        grab,
        max(grab, draw(st.integers(0, 1))),
        most,
        {kind: held.count(kind) for kind in sorted(set(held))},
        rejects,
        draw(st.integers(0, rejects)),
        draw(st.booleans()),
    )


@QUICK
@given(drawings(grab=0, most=3))
def test_single_draws_are_worth_no_less_than_low_and_no_more_than_high(drawing: Drawing) -> None:
    odds, best = weigh(drawing), EveryWay(drawing).drawn_on()
    assert odds.draw.low - NEAR <= best <= odds.draw.high + NEAR


@QUICK
@given(drawings(grab=2, most=4))
def test_a_grab_and_singles_after_it_lie_between_low_and_high(drawing: Drawing) -> None:
    odds, best = weigh(drawing), EveryWay(drawing).drawn_on()
    assert odds.draw.low - NEAR <= best <= odds.draw.high + NEAR


@QUICK
@given(drawings(grab=0, most=5), st.sampled_from([1, 8, 40]))
def test_a_drawing_that_is_not_followed_to_its_end_still_lies_between_low_and_high(
    drawing: Drawing, states: int
) -> None:
    odds, best = weigh(drawing, most_states=states), EveryWay(drawing).drawn_on()
    assert odds.draw.low - NEAR <= best <= odds.draw.high + NEAR


@QUICK
@given(drawings(grab=3, most=3))
def test_a_whole_grab_is_exact(drawing: Drawing) -> None:
    odds = weigh(drawing)
    assert odds.draw.is_exact
    assert odds.draw.low == pytest.approx(EveryWay(drawing).drawn_on())
    assert odds.next_bust == pytest.approx(odds.order_bust)
    assert odds.order_bust == pytest.approx(bust_of_grab(drawing, drawing.draws))


@QUICK
@given(drawings(grab=0, most=2))
def test_the_chance_to_finish_a_monster_lies_between_its_bounds(drawing: Drawing) -> None:
    odds = weigh(drawing)
    for at, want in enumerate(drawing.wants):
        best = EveryWay(drawing, goal=at).drawn_on()
        assert odds.finish[want.space].low - NEAR <= best <= odds.finish[want.space].high + NEAR


@QUICK
@given(drawings(grab=0, most=1))
def test_the_next_draw_busts_as_often_as_trying_every_token_says(drawing: Drawing) -> None:
    assert next_bust(drawing) == pytest.approx(bust_of_grab(drawing, 1))
    assert weigh(drawing).next_bust == next_bust(drawing)


@QUICK
@given(drawings(grab=0, most=3))
def test_parts_that_no_two_monsters_ask_for_are_weighed_exactly(drawing: Drawing) -> None:
    asked = [kind for want in drawing.wants for kind in want.needs]
    if len(set(asked)) < len(asked) or Token.MUTATION in {*drawing.bag, *drawing.held}:
        return
    odds = weigh(drawing)
    assert odds.draw.is_exact
    assert odds.draw.low == pytest.approx(EveryWay(drawing).drawn_on())
    assert all(chance.is_exact for chance in odds.finish.values())


def test_stopping_is_offered_with_what_it_scores_now() -> None:
    done = Want("card1", {}, 5)
    drawing = Drawing(heap_of("rot rot limb"), (done,), 0, 0, 0, 4, rejects=5, rot_rejected=5)
    odds = weigh(drawing)
    assert odds.stop == 6  # five and one of bonus
    assert odds.draw == Between(5.0, 5.0)  # whatever comes has no place: the bonus is lost
    assert not odds.draws_on and odds.order_bust == 0 and odds.next_bust == 1


def test_a_monster_one_limb_away_is_drawn_for_while_the_limb_is_likely() -> None:
    drawing = Drawing(
        heap_of("rot limb limb limb"), (Want("card1", {Token.LIMB: 1}, 4),), 2, 0, 0, 4, rejects=5
    )
    odds = weigh(drawing)
    assert odds.stop == 0 and odds.draws_on
    assert odds.draw.low == pytest.approx(0.75 * 5)
    assert odds.finish["card1"].low == pytest.approx(0.75)
    assert odds.order_bust == pytest.approx(0.25)


def test_yellow_has_no_bust_to_fear_with_rot_among_the_rejects() -> None:
    wants = (Want("card1", {Token.LIMB: 1}, 4),)
    drawing = Drawing(
        heap_of("rot rot rot limb"), wants, 2, 0, 0, 4, rejects=5, rot_rejected=1, is_rescued=True
    )
    odds = weigh(drawing)
    assert odds.next_bust == odds.order_bust == 0
    assert odds.draw.low == pytest.approx(0.25 * 5)


def test_an_empty_bag_leaves_nothing_to_weigh() -> None:
    odds = weigh(Drawing({}, (Want("card1", {}, 3),), 2, 0, 0, 5))
    assert odds.stop == 4 and odds.draw == Between(4.0, 4.0) and odds.finish["card1"].low == 1.0


def test_parts_without_a_place_are_counted_as_rejects() -> None:
    drawing = Drawing({}, (Want("card1", {Token.LIMB: 1}, 3),), 1, 0, 0, 5)
    assert unplaced(drawing, heap_of("limb goop goop mutation")) == 2
    assert unplaced(drawing, heap_of("mutation goop")) == 0


def test_a_bag_too_big_to_be_followed_to_its_end_says_so() -> None:
    bag = {kind: 9 for kind in Token}
    kinds = (Token.LIMB, Token.STITCH, Token.SPIKE, Token.GOOP, Token.ZAPPER)
    wants = tuple(Want(f"card{n}", dict.fromkeys(kinds, 1), 10 + n) for n in range(5))
    odds = weigh(Drawing(bag, wants, 2, 0, 0, 1000))
    assert not odds.draw.is_exact
    assert odds.stop == 0 < odds.draw.low < odds.draw.high <= sum(want.prestige for want in wants) + 15


def test_the_starting_bag_weighs_the_same_whatever_the_monsters_are_called() -> None:
    names = ("card1", "card2"), ("card2", "card1")
    parts = (Want("", {Token.LIMB: 2}, 4), Want("", {Token.LIMB: 1, Token.GOOP: 1}, 5))
    worths = {
        weigh(
            Drawing(
                STARTING_BAG,
                tuple(Want(name, want.needs, want.prestige) for name, want in zip(pair, parts, strict=True)),
                2,
                0,
                1,
                5,
            )
        ).draw
        for pair in names
    }
    assert len(worths) == 1
