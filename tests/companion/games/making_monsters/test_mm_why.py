"""Why a number is what it is: sums from the journal, line by line, that add up to what is shown."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from companion.game import Sum
from companion.games.making_monsters import why
from companion.games.making_monsters.components import Order, Token
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import Decide, Deliver, TakeItems
from companion.games.making_monsters.parts import total
from companion.games.making_monsters.rulebook import SECTIONS
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from companion.sentences import Speaker
from tests.companion.games.making_monsters.tables import (
    BLUE,
    GREEN,
    LIMB,
    RED,
    ROT,
    SPIKE,
    STITCH,
    drawing,
    rejects,
    table,
)

WORDS = Speaker([GAME.package])
History = list[tuple[State, Any]]


def moments(seed: int, every: int = 40, most: int = 900) -> Iterator[tuple[State, History]]:
    """Play at random and stop now and then; the last moment is the end of the game."""
    chance = random.Random(seed)
    state, history = GAME.initial(GAME.stand_in), []
    for step in range(most):
        waited = state.waited_for()
        own = GAME.legal(state, chance.choice(waited)) if waited else ()
        offers = list(islice(own, 60)) or list(islice(GAME.legal(state), 60))
        if state.phase is Phase.OVER:
            break
        for event in GAME.decide(state, chance.choice(offers)):
            history.append((state, event))
            state = GAME.evolve(state, event)
        if step % every == 0:
            yield state, history
    yield state, history


def played(state: State, *commands: Any) -> tuple[State, History]:
    history: History = []
    for command in commands:
        for event in GAME.decide(state, command):
            history.append((state, event))
            state = GAME.evolve(state, event)
    return state, history


def by_key(state: State, history: History, seat: Any) -> dict[str, Sum]:
    return {one.key: one for one in GAME.sums(state, history, seat)}


@pytest.mark.parametrize("seed", range(4))
def test_every_sum_adds_up_to_the_number_on_the_table(seed: int):
    for state, history in moments(seed):
        for seat, lab in state.labs.items():
            sums = by_key(state, history, seat)
            assert {one: sums[f"score.{one}"].total for one in state.labs} == {
                one: other.score for one, other in state.labs.items()
            }
            assert sums["track"].total == state.track
            assert ("bag" in sums) == lab.is_followed, "a bag that nobody follows has no sum"
            for kind in Token:
                assert sums[f"supply.{kind}"].total == state.supply.get(kind, 0)
            if not lab.is_followed:
                continue
            assert sums["bag"].total == total(lab.bag)
            assert sums["rejects"].total == lab.rejects
            assert sums["pile"].total == len(lab.pile)
            for kind in Token:
                assert sums[f"bag.{kind}"].total == lab.bag.get(kind, 0)


def test_every_line_has_words_a_round_and_a_heading_of_the_rulebook():
    rounds = set()
    for state, history in moments(8, every=25):
        for seat in (None, *state.labs):
            for one in GAME.sums(state, history, seat):
                said = [WORDS.say(one.title), *(WORDS.say(line.say) for line in one.tallies)]
                assert not any("[" in text or "{" in text for text in said), said
                assert all(line.rule in SECTIONS for line in one.tallies), one
                rounds |= {line.round for line in one.tallies}
    assert {None, 1, 2} <= rounds


def test_a_watcher_and_other_seats_see_no_bag():
    state, history = next(islice(moments(1), 2, None))
    for seat in (None, RED):
        is_counted = seat is not None and state.labs[seat].is_followed
        assert ("bag" in by_key(state, history, seat)) == is_counted
    assert all(
        not one.key.startswith(("bag", "rejects", "reanimation")) for one in GAME.sums(state, history, None)
    )


def reanimating(**lab: Any) -> State:
    """Return red about to decide with one_limb (10) and spiky (8) finished, and nobody else to wait for."""
    fields: dict[str, Any] = {
        "bag": {LIMB: 3, ROT: 2},
        "cards": {"card3": "one_limb", "card4": "spiky"},
        "parts": {"card3.part0": LIMB, "card4.part0": SPIKE},
        "stage": Stage.DECIDE,
        "order": Order.YELLOW,
    }
    others = Lab(bag={LIMB: 3}, stage=Stage.DECIDED, order=Order.RED)
    return table(Phase.DELIVERIES, {RED: Lab(**(fields | lab)), BLUE: others, GREEN: others})


def lines(one: Sum) -> list[tuple[int, str, int | None, str]]:
    return [(line.amount, WORDS.say(line.say), line.round, line.rule) for line in one.tallies]


def test_a_reanimation_is_explained_before_and_after_it():
    state = reanimating()
    expected = [
        (10, "one_limb", 2, "Monster Cards"),
        (8, "spiky", 2, "Monster Cards"),
        (3, "bonus for 2 monsters at once", 2, "Reanimate Table"),
    ]
    assert lines(by_key(state, [], RED)["reanimation"]) == expected
    state, history = played(state, Decide(RED, True))
    sums = by_key(state, history, RED)
    assert lines(sums["score.red"]) == expected
    assert lines(sums["reanimation.items"]) == [(3, "2 monsters completed", 2, "Reanimate Table")]
    assert lines(sums["reanimation.rot"]) == [(1, "2 monsters completed", 2, "Reanimate Table")]
    assert lines(sums["rot"]) == [(1, "2 monsters, from the track", 2, "Reanimate Table")]
    assert (-1, "rot of a reanimation", 2, "Reanimate Table") in lines(sums["track"])


def test_a_bust_shows_that_the_bonus_is_missing_and_why():
    bust = {"stage": Stage.DRAW, "order": Order.BLUE, "drawn": 5, "bag": {ROT: 3}}
    state = reanimating(**bust, parts={**rejects(*[ROT] * 5), "card3.part0": LIMB})
    state, history = played(state, Deliver(RED, ((ROT, "reject6"),)))
    assert lines(by_key(state, history, RED)["score.red"]) == [
        (10, "one_limb", 2, "Monster Cards"),
        (0, "bust: no bonus", 2, "Reanimate"),
    ]


def test_items_and_the_cleared_lab_are_lines_of_the_bag():
    state, history = played(reanimating(), Decide(RED, True), TakeItems(RED, {LIMB: 2}))
    assert lines(by_key(state, history, RED)["bag"])[-3:] == [
        (1, "rot of a reanimation", 2, "Reanimate Table"),
        (2, "items from the cart", 2, "Reanimate Table"),
        (2, "lab cleared", 2, "Reanimate"),
    ]
    assert (-2, "Red: items from the cart", 2, "Reanimate Table") in lines(
        by_key(state, history, RED)["supply.limb"]
    )


def test_tokens_drawn_singly_are_one_line():
    state = drawing(Order.BLUE, is_super=True)
    state, history = played(
        state,
        *(
            Deliver(RED, ((kind, space),))
            for kind, space in ((LIMB, "sort1"), (STITCH, "sort2"), (ROT, "reject1"))
        ),
    )
    assert lines(by_key(state, history, RED)["bag"]) == [(-3, "drawn", 2, "Receive Deliveries")]


def test_nothing_is_explained_before_the_table_is_set_up():
    assert why.sums(GAME.initial(GAME.stand_in), [], RED) == ()
