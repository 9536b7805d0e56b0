"""Vectors MS-01 to MS-17: who begins, dealing, building, the first LIFE."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.games.mad_science.components import Kind
from companion.games.mad_science.events import Begun, Tied
from companion.games.mad_science.game import GAME
from companion.games.mad_science.moves import (
    DealBody,
    DealHands,
    Discard,
    Draw,
    Finish,
    Play,
    Roll,
    SetUp,
    Skip,
    Source,
    TurnUp,
)
from companion.games.mad_science.rules.setup import dealt_in_order
from companion.games.mad_science.state import Phase, Stage, Turn
from tests.companion.games.mad_science.tables import (
    ARM,
    BARE,
    HEAD,
    LEGS,
    WEAPON,
    WHOLE,
    A,
    B,
    C,
    Vectors,
    after,
    life,
    playing,
    rolled,
    why,
)

vector = Vectors()

HAND = {"hand": 5}


@vector
def ms_01_the_lowest_roll_begins() -> None:
    state = rolled(after(BARE, SetUp((A, B, C))), 4, 2, 5)
    assert state.order == (B, C, A)


@vector
def ms_02_who_ties_for_the_lowest_rolls_again() -> None:
    state = rolled(after(BARE, SetUp((A, B, C))), 2, 2)
    assert GAME.decide(state, Roll(C, 5))[-1] == Tied((A, B))
    state = rolled(state, 5)
    assert why(state, Roll(C, 1)) == "not_your_turn"
    assert GAME.decide(rolled(state, 6), Roll(B, 1))[-1] == Begun(B)


@vector
def ms_03_hands_are_dealt_from_player_two_on() -> None:
    state = rolled(after(BARE, SetUp((A, B, C))), 4, 2, 5)
    bodies = (DealBody(A, "body_a"), DealBody(B, "body_b"), DealBody(C, "body_c"))
    state = after(state, TurnUp(B, "thing"), *bodies)
    assert dealt_in_order(state) == (C, A, B)
    [prompt] = [one for one in GAME.prompts(state) if one.seat == B]
    assert prompt.deed == {"deal_hands": 5, "to": [C, A, B]}
    state = after(state, DealHands(B))
    assert [one.hand for one in state.creatures.values()] == [5, 5, 5]
    assert state.pile == state.box.pile - 15
    assert (state.phase, state.turn.seat, state.turn.stage) == (Phase.PLAY, B, Stage.PLAY)


@vector
def ms_04_player_one_first_plays_draws_from_the_pile_and_discards() -> None:
    state = playing(HAND, HAND, stage=Stage.PLAY, heap=())
    state = after(state, Play(A, "head_2"))
    assert why(state, Draw(A, Source.HEAP)) == "heap_empty"
    state = after(state, Draw(A, Source.PILE), Discard(A))
    assert (state.creatures[A].hand, len(state.heap)) == (4, 1)


@vector
def ms_05_without_a_match_the_hand_stays_at_five() -> None:
    state = playing(HAND, HAND, stage=Stage.PLAY)
    state = after(state, Skip(A), Draw(A, Source.PILE), Discard(A))
    assert state.creatures[A].hand == 5
    assert state.turn.seat == B


@vector
def ms_06_player_two_may_take_the_heap() -> None:
    state = after(playing(HAND, HAND, stage=Stage.PLAY, turn=1, heap=("arm_1",)), Skip(B))
    from_pile = after(state, Draw(B, Source.PILE))
    from_heap = after(state, Draw(B, Source.HEAP))
    assert (from_pile.pile, from_pile.heap) == (19, ("arm_1",))
    assert (from_heap.pile, from_heap.heap) == (20, ())
    assert after(from_heap, Discard(B, "arm_1")).heap == ("arm_1",)  # MS-R4


@vector
def ms_07_after_drawing_no_part_is_played() -> None:
    state = after(playing(HAND, HAND, stage=Stage.PLAY), Skip(A), Draw(A, Source.PILE))
    assert why(state, Play(A, "head_2")) == "after_draw"
    state = after(state, Discard(A), Finish(B, Source.PILE))
    assert after(state, Play(A, "head_2")).creatures[A].parts == {HEAD: "head_2"}


@vector
def ms_08_a_part_with_another_connector_is_refused() -> None:
    assert why(playing(HAND, HAND, stage=Stage.PLAY), Play(A, "head_hoses")) == "connector"


@vector
def ms_09_a_universal_part_fits() -> None:
    state = after(playing(HAND, HAND, stage=Stage.PLAY), Play(A, "head_any"))
    assert state.creatures[A].parts == {HEAD: "head_any"}


@vector
def ms_10_an_adaptor_of_an_earlier_turn_lets_it_fit() -> None:
    laid = {"hand": 5, "adaptor": "adaptor_1", "adaptor_on": HEAD}
    state = after(playing(laid, HAND, stage=Stage.PLAY), Play(A, "head_hoses"))
    assert state.creatures[A].held_by_adaptor is HEAD
    assert why(playing(laid, HAND, stage=Stage.PLAY), Play(A, "weapon_3")) == "connector"


@vector
def ms_11_one_adaptor_a_game() -> None:
    laid = {"hand": 5, "adaptor": "adaptor_1", "adaptor_on": HEAD}
    assert why(playing(laid, HAND, stage=Stage.PLAY), Play(A, "adaptor_1", ARM)) == "second_adaptor"


@vector
def ms_12_an_adaptor_takes_the_turn_of_a_part() -> None:
    state = after(playing(HAND, HAND, stage=Stage.PLAY), Play(A, "adaptor_1", HEAD))
    assert why(state, Play(A, "head_hoses")) == "one_card"


@vector
def ms_13_one_part_of_a_kind() -> None:
    state = playing({"hand": 5, "parts": {HEAD: "head_2"}}, HAND, stage=Stage.PLAY)
    assert why(state, Play(A, "head_any")) == "kind_taken"


@vector
def ms_14_the_finishing_turn_ends_with_the_hand_on_the_heap_and_no_roll() -> None:
    three = {kind: WHOLE[kind] for kind in (HEAD, ARM, WEAPON)}
    state = playing({"hand": 3, "parts": three}, HAND, stage=Stage.PLAY, heap=())
    state = after(state, Play(A, "legs_0"))
    assert (state.creatures[A].hand, len(state.heap)) == (0, 2)
    assert life(state, A) == 12
    assert state.turn == Turn(B, Stage.PLAY)


@vector
def ms_15_the_first_to_finish_gets_three_more() -> None:
    three = {kind: card for kind, card in WHOLE.items() if kind is not LEGS}
    state = after(playing({"hand": 2, "parts": three}, HAND, stage=Stage.PLAY), Play(A, "legs_0"))
    assert life(state, A) == 6 + 2 + 1 + 0 + 0 + 3


@vector
def ms_16_the_second_gets_none() -> None:
    three = {kind: card for kind, card in WHOLE.items() if kind is not LEGS}
    state = playing({"hand": 2, "parts": three}, {"life": 5}, stage=Stage.PLAY)
    assert life(after(state, Play(A, "legs_0")), A) == 9


@vector
def ms_17_each_builds_on_while_others_battle() -> None:
    state = playing({"life": 5}, {"hand": 4, "parts": {WEAPON: "weapon_4"}})
    state = rolled(state, 6)
    assert state.turn == Turn(B, Stage.PLAY)
    state = after(state, Play(B, "head_2"), Finish(B, Source.PILE))
    assert state.turn.seat == A
    assert state.turn.stage is Stage.ROLL


@pytest.mark.parametrize("case", vector.cases)
def test_vector_of_building(case: Callable[[], None]) -> None:
    case()


def test_an_empty_hand_draws_one_and_keeps_it() -> None:
    state = playing({"hand": 0}, HAND, stage=Stage.PLAY)
    assert why(state, Play(A, "head_2")) == "empty_hand"
    state = after(state, Finish(A, Source.PILE))
    assert state.creatures[A].hand == 1
    assert state.turn.seat == B
    last = after(playing({"hand": 1}, HAND, stage=Stage.PLAY), Play(A, "head_2"), Draw(A, Source.PILE))
    assert last.turn.stage is Stage.DISCARD  # its hand was not empty when the turn began


def test_an_empty_pile_is_made_anew_from_the_heap_but_its_top() -> None:
    state = playing(HAND, HAND, stage=Stage.PLAY, pile=0, heap=("", "arm_1", "head_2"))
    state = after(state, Skip(A), Draw(A, Source.PILE))
    assert (state.pile, state.heap) == (1, ("head_2",))
    scarce = playing(HAND, HAND, stage=Stage.PLAY, pile=0, heap=("head_2",))
    assert why(scarce, Draw(A, Source.PILE)) == "pile_empty"


def test_a_part_that_fits_by_itself_leaves_the_adaptor_idle() -> None:
    laid = {"hand": 5, "adaptor": "adaptor_1", "adaptor_on": HEAD}
    state = after(playing(laid, HAND, stage=Stage.PLAY), Play(A, "head_2"))
    assert state.creatures[A].held_by_adaptor is None


def test_a_card_that_lies_elsewhere_cannot_be_played() -> None:
    both = {"parts": {HEAD: "head_2"}, "hand": 4}
    state = playing(HAND, both, both, stage=Stage.PLAY)
    assert why(state, Play(A, "head_2")) == "card_elsewhere"


def test_the_bonus_is_given_once_even_if_two_finish_in_one_lap() -> None:
    three = {kind: card for kind, card in WHOLE.items() if kind is not LEGS}
    state = playing(
        {"hand": 2, "parts": three}, {"hand": 2, "parts": {**three, ARM: "arm_more"}}, stage=Stage.PLAY
    )
    state = after(state, Play(A, "legs_0"), Play(B, "legs_more"))
    assert (life(state, A), life(state, B)) == (12, 8)
    assert replace(state.turn, seat=A) == Turn(A, Stage.ROLL)
    assert set(state.creatures[B].parts) == set(Kind)
