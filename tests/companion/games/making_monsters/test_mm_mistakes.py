"""The mistakes that the rulebook invites: each is refused, said before it is made, or seen by a camera."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.game import Choice, Prompt, Seat
from companion.games.making_monsters.components import Order
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import ChooseOrder, Decide, Deliver, KeepCard, TakeItems, TurnBoard
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from companion.sentences import Speaker
from tests.companion.games.making_monsters.readings import reading, with_board
from tests.companion.games.making_monsters.tables import (
    BAG,
    BLUE,
    GOOP,
    GREEN,
    LIMB,
    RED,
    ROT,
    SPIKE,
    YELLOW,
    after,
    drawing,
    refused,
    rejects,
    table,
)

WORDS = Speaker([GAME.package])


def prompt_of(state: State, seat: Seat | None = RED) -> Prompt:
    return next(prompt for prompt in GAME.view(state, seat).prompts if prompt.seat == seat)


def read_on_the_phone(state: State, seat: Seat = RED) -> str:
    """Return everything that the prompt of a seat says."""
    prompt = prompt_of(state, seat)
    return " ".join(WORDS.say(line) for line in (prompt.say, *prompt.more))


def labels(choices: tuple[Choice, ...]) -> list[str]:
    return [WORDS.say(choice.label) for choice in choices]


def deciding(*, track: int = 8, **lab: Any) -> State:
    """Return red with two finished monsters, everybody else decided."""
    fields: dict[str, Any] = {
        "bag": BAG,
        "cards": {"card3": "one_limb", "card4": "spiky"},
        "parts": {"card3.part0": LIMB, "card4.part0": SPIKE},
        "stage": Stage.DECIDE,
        "order": Order.YELLOW,
    }
    waiting = Lab(bag=BAG, stage=Stage.DECIDED, order=Order.RED)
    return table(Phase.DELIVERIES, {RED: Lab(**(fields | lab)), BLUE: waiting}, track=track)


def bust(*, track: int = 8) -> State:
    """Return red after the sixth reject, with two finished monsters; its items are not taken yet."""
    state = deciding(
        track=track,
        stage=Stage.DRAW,
        order=Order.BLUE,
        drawn=5,
        parts={**rejects(*[ROT] * 5), "card3.part0": LIMB, "card4.part0": SPIKE},
    )
    return after(state, Deliver(RED, ((ROT, "reject6"),)))


def test_the_bust_is_the_sixth_reject_and_no_seventh_is_drawn():
    five = drawing(Order.YELLOW, is_super=False, drawn=3, parts=rejects(*[ROT] * 5))
    assert "The sixth reject is a bust." in read_on_the_phone(five)
    assert after(five, Deliver(RED, ((ROT, "reject6"),))).labs[RED].is_bust
    singly = drawing(Order.RED, is_super=True, drawn=1, parts=rejects(*[ROT] * 5))
    seventh = refused(singly, Deliver(RED, ((ROT, "reject6"), (ROT, "overflow"))))
    assert (seventh.rule, seventh.why.key) == ("MM-R11", "mm.no.drawn_after_bust")


def test_a_bust_takes_its_rot_all_the_same():
    state = bust()
    assert (state.track, state.labs[RED].stage) == (7, Stage.ITEMS)
    said = read_on_the_phone(state)
    assert "One rot from the Rot track into your bag" in said
    assert "A bust costs the bonus only: Rot and items as always." in said


def test_a_bust_gets_no_bonus():
    state = bust()
    assert state.labs[RED].earned == {"monsters": 18}
    sums = {one.key: one for one in GAME.sums(state, [], RED)}
    assert "bust: no bonus" in [WORDS.say(line.say) for line in sums["reanimation"].tallies]


def test_no_monster_still_brings_one_item():
    state = after(deciding(parts={}), Decide(RED, True))
    assert (state.labs[RED].items, state.track) == (1, 8)
    said = read_on_the_phone(state)
    assert "Take up to one item." in said
    assert "No monster, and still one item." in said
    assert "rot" not in said.lower()


def test_the_player_opposite_lifts_nobody():
    """Green sits opposite red: its yellow token gives red no Super, and red's phone says who was asked."""
    seats = {RED: Order.RED, BLUE: Order.BLUE, GREEN: Order.YELLOW, YELLOW: Order.BLUE}
    state = table(Phase.ORDER, {seat: Lab(bag=BAG, stage=Stage.ORDER) for seat in seats})
    state = after(state, *(ChooseOrder(seat, order) for seat, order in seats.items()))
    assert not state.labs[RED].is_super
    assert "No Super: Blue and Yellow beside you did not lay Yellow." in read_on_the_phone(state)
    assert state.labs[BLUE].is_super
    assert "Super: Red beside you laid Red." in read_on_the_phone(state, BLUE)


def test_rot_comes_from_the_track_while_there_is_some():
    state = after(deciding(), Decide(RED, True))
    assert "One rot from the Rot track into your bag" in read_on_the_phone(state)
    assert (state.track, state.supply[ROT]) == (7, deciding().supply[ROT])
    later = replace(state, phase=Phase.ORDER)
    spots = {f"rot_{number}": "rot" if number <= 8 else "empty" for number in range(1, 21)}
    seen = GAME.sighted(later, with_board(reading(later), "score", spots))
    assert [WORDS.say(one.say) for one in seen] == ["The Rot track shows 8, 7 are expected."]


def test_rot_comes_from_the_grave_only_when_the_track_is_empty():
    state = after(deciding(track=0), Decide(RED, True))
    assert "The track is empty: one rot from the grave into your bag." in read_on_the_phone(state)


def test_the_round_waits_for_the_turn_of_the_board():
    labs = {seat: Lab(bag=BAG, stage=Stage.DONE) for seat in (RED, BLUE)}
    state = table(Phase.REFRESH, labs)
    turn = prompt_of(state, None)
    assert (WORDS.say(turn.say), turn.expects_turn) == ("Turn the board one step clockwise.", True)
    assert "Waiting for the board to turn." in read_on_the_phone(state)
    wrong = after(state, TurnBoard(-1))
    assert wrong.phase is Phase.REFRESH
    assert "2 steps" in WORDS.say(prompt_of(wrong, None).say)
    assert after(wrong, TurnBoard(2)).phase is Phase.ORDER


def test_replicators_are_not_forgotten():
    state = after(deciding(tiles={"upgrade1": "meat_replicator"}), Decide(RED, True), TakeItems(RED))
    gained = state.labs[RED].bag[LIMB] - BAG[LIMB] - 1  # one limb came back from the lab
    assert gained == 2
    assert "From the graves into your bag: 2 limbs." in read_on_the_phone(state)


def test_the_yellow_rescue_is_not_forgotten():
    parts = rejects(ROT, GOOP, GOOP, GOOP, GOOP)
    state = drawing(Order.YELLOW, is_super=True, drawn=2, parts=parts)
    assert "one rot goes back first" in read_on_the_phone(state)
    state = after(state, Deliver(RED, ((ROT, "reject6"),)))
    assert (state.labs[RED].is_bust, state.labs[RED].stage) == (False, Stage.DECIDE)
    assert "Put one rot back into your bag: reject 6." in read_on_the_phone(state)


def test_the_sorting_table_is_cleared_with_the_rest():
    parts = {"card3.part0": LIMB, "card4.part0": SPIKE, "sort1": GOOP}
    state = after(deciding(parts=parts), Decide(RED, True), TakeItems(RED))
    assert state.labs[RED].parts == {}
    assert "those of the sorting table, too" in read_on_the_phone(state)
    # In Refresh a camera takes no new card for kept while any token of the last round still lies there.
    keeping = replace(state.labs[RED], stage=Stage.KEEP)
    state = table(Phase.REFRESH, {RED: keeping, BLUE: Lab(bag=BAG)})
    assert GAME.sighted(state, reading(state, red={"sort1": "goop", "card3": "limbs"})) == ()
    (kept,) = GAME.sighted(state, reading(state, red={"card3": "limbs"}))
    assert kept.command["is_clear"]


def test_a_card_with_tokens_is_not_replaced():
    cards = {f"card{number}": card for number, card in enumerate(("limbs", "limb3", "goops"), 3)}
    cards |= {"card1": "zapping", "card2": "spiky"}
    lab = Lab(bag=BAG, stage=Stage.KEEP, cards=cards, parts={"card3.part0": LIMB})
    state = table(Phase.REFRESH, {RED: lab, BLUE: Lab(bag=BAG)})
    assert "A card with tokens on it stays where it is." in read_on_the_phone(state)
    spaces = next(field for field in prompt_of(state).choices[0].fields if field.name == "space")
    assert "card3" not in {option.value for option in spaces.options}
    broken = refused(state, KeepCard(RED, "one_limb", "card3"))
    assert WORDS.say(broken.instead) == "Replace one without tokens, or put the new one on your pile."


def test_nobody_takes_items_at_the_fair():
    lab = Lab(bag=BAG, cards={"card3": "one_limb"}, parts={"card3.part0": LIMB}, stage=Stage.DRAW)
    state = table(Phase.FAIR, {RED: lab, BLUE: lab}, track=0)
    assert refused(state, TakeItems(RED, {LIMB: 1})).why.key == "mm.no.no_items_at_fair"
    assert not any("items" in label.lower() for label in labels(prompt_of(state).choices))
