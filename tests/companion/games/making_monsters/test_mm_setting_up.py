"""Setting up A to I, who sits where, which cart is before whom, and tidying away."""

from __future__ import annotations

from dataclasses import replace

from companion.game import Panel, Seat
from companion.games.making_monsters.components import STARTING_BAG
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import SetUp
from companion.games.making_monsters.parts import plus
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from companion.sentences import Speaker
from tests.companion.games.making_monsters.tables import (
    BLUE,
    GREEN,
    LIMB,
    MUTATION,
    RED,
    ROT,
    SPIKE,
    YELLOW,
    after,
    table,
)

WORDS = Speaker([GAME.package])
EMPTY = GAME.initial(GAME.stand_in)


def panel(state: State, seat: Seat | None, key: str) -> dict[str, str]:
    panels: dict[str, Panel] = {one.key: one for one in GAME.view(state, seat).panels}
    return {WORDS.say(what): said(value) for what, value in panels[key].rows} if key in panels else {}


def said(value: object) -> str:
    return WORDS.say(value) if hasattr(value, "key") else str(value)  # type: ignore[arg-type]


def more(state: State, seat: Seat) -> list[str]:
    return [WORDS.say(line) for line in GAME.view(state, seat).prompts[0].more]


def test_every_letter_is_said_before_and_after_the_seats_are_chosen():
    for state in (EMPTY, after(EMPTY, SetUp((RED, BLUE, GREEN), 12))):
        for seat in (None, RED):
            assert list(panel(state, seat, "set_up")) == list("ABCDEFGH")


def test_the_numbers_are_those_of_this_table():
    steps = panel(after(EMPTY, SetUp((RED, BLUE, GREEN), 12)), None, "set_up")
    assert "55 limbs, 40 stitches, 43 spikes, 42 goop, 41 zappers and 20 mutations" in steps["A"]
    assert steps["B"].startswith("Seats, clockwise: Red, Blue and Green.")
    assert "22 tokens: 7 rot, 5 limbs, 4 stitches, 3 spikes, 2 goop and 1 zapper" in steps["C"]
    assert (steps["G"], steps["H"]) == ("12 rot on the Rot track.", "The other 25 rot on their grave.")


def test_each_seat_reads_who_sits_on_which_side_and_which_cart_is_before_whom():
    state = after(EMPTY, SetUp((RED, GREEN, YELLOW), 12))
    assert panel(state, GREEN, "around") == {
        "You": "cart 3",
        "On your left: Yellow": "cart 4",
        "Opposite: Red": "cart 1",
    }
    assert panel(state, YELLOW, "around")["On your right: Green"] == "cart 3"
    assert panel(state, None, "around") == {"Red": "cart 1", "Green": "cart 3", "Yellow": "cart 4"}


def test_every_round_says_which_cart_is_before_a_seat():
    labs = {seat: Lab(stage=Stage.ORDER) for seat in (RED, BLUE)}
    assert "Cart 1 now stands before you." in more(table(Phase.ORDER, labs), RED)
    assert "Cart 4 now stands before you." in more(table(Phase.ORDER, labs, quarter=1), RED)


def test_tidying_away_says_what_leaves_each_bag_and_what_it_lacks():
    bag = plus(STARTING_BAG, {ROT: 2, MUTATION: 1})
    bag[SPIKE] -= 1
    labs = {RED: Lab(bag=bag, pile=()), BLUE: Lab(bag=dict(STARTING_BAG))}
    state = table(Phase.OVER, labs, track=0)
    assert more(state, RED)[:2] == [
        "Out of your bag, to the graves: 2 rot and 1 mutation.",
        "Into your bag, from the graves: 1 spike.",
    ]
    assert more(state, BLUE)[0].startswith("Then it holds 22 tokens again")
    assert list(panel(state, None, "tidy")) == ["Rot", "Parts", "Upgrades", "Markers"]


def test_a_bag_that_nobody_counted_is_counted_back():
    labs = {RED: Lab(bag={LIMB: 3}), BLUE: Lab()}
    state = replace(table(Phase.OVER, labs, track=0), bags_guessed=True)
    assert more(state, RED)[0].startswith("Count your bag back to 22 tokens: 7 rot")
