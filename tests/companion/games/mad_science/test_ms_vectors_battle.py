"""Vectors MS-18 to MS-38: the Experiment's chart, drops, 0 LIFE, how the Battle ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.mad_science.components import Column
from companion.games.mad_science.events import BoxRead
from companion.games.mad_science.game import GAME
from companion.games.mad_science.moves import DoMove, EndMove, Hit, Roll, TellBox, TurnUp
from companion.games.mad_science.state import Dropped, Parity, Phase, Rest, Stage, State, on_turn
from tests.companion.games.mad_science.tables import (
    ARM,
    CATALOGUE,
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

BUILDS: dict[str, Any] = {"hand": 5}


def in_column(state: State, column: Column) -> State:
    return on_turn(state, column=column)


def dropped(kind: Any, face: int) -> dict[str, Any]:
    return {"dropped": {kind: Dropped(Parity.of(face))}}


@vector
def ms_18_a_purple_arrow_reads_the_next_roll_in_the_purple_column() -> None:
    state = rolled(playing({"life": 7}, BUILDS), 1)
    assert GAME.decide(state, Roll(A, 5))[1] == BoxRead(A, "purple", 5, "lose_2")


@vector
def ms_19_a_red_arrow_alone_costs_nothing() -> None:
    state = rolled(playing({"life": 7}, BUILDS), 2)
    assert life(state, A) == 7
    assert (state.turn.seat, state.turn.stage, state.turn.column) == (A, Stage.ROLL, Column.RED)


@vector
def ms_20_roll_again_stays_in_its_column() -> None:
    state = rolled(in_column(playing({"life": 7}, BUILDS), Column.RED), 2)
    assert GAME.decide(state, Roll(A, 5))[1] == BoxRead(A, "red", 5, "lose_2")


@vector
def ms_21_the_same_number_again_fires_the_special() -> None:
    state = rolled(playing({"life": 7}, BUILDS), 3)
    assert state.turn.stage is Stage.TWICE
    state = rolled(state, 3)
    assert (state.experiment_life, state.turn.seat) == (6, B)


@vector
def ms_22_another_number_ends_the_turn() -> None:
    state = rolled(playing({"life": 7}, BUILDS), 3, 2)
    assert (state.experiment_life, state.turn.seat) == (10, B)


@vector
def ms_23_the_player_loses_life_in_the_red_column() -> None:
    assert life(rolled(in_column(playing({"life": 7}, BUILDS), Column.RED), 5), A) == 5


@vector
def ms_24_the_experiment_loses_life_in_the_purple_column() -> None:
    state = in_column(playing({"life": 7}, BUILDS, experiment_life=7), Column.PURPLE)
    assert rolled(state, 2).experiment_life == 5


@vector
def ms_25_a_double_hit_costs_both_one() -> None:
    state = rolled(playing({"life": 4}, BUILDS, experiment_life=9), 4)
    assert (life(state, A), state.experiment_life) == (3, 8)


@vector
def ms_26_a_part_dropped_on_an_even_number_comes_back_on_one() -> None:
    state = rolled(in_column(playing({"life": 5}, {"life": 5}), Column.RED), 4)
    assert state.creatures[A].dropped == {WEAPON: Dropped(Parity.EVEN)}
    assert state.turn.seat == B
    state = rolled(state, 6)
    assert (state.turn.seat, state.turn.stage) == (A, Stage.RECOVER)
    state = rolled(state, 2)
    assert state.creatures[A].dropped == {}
    assert (state.turn.seat, state.turn.stage, state.turn.column) == (A, Stage.ROLL, Column.MIDDLE)


@vector
def ms_27_if_it_fails_it_costs_one_life_and_the_part_is_back_the_turn_after() -> None:
    state = playing({"life": 5, **dropped(WEAPON, 4)}, {"life": 5}, stage=Stage.RECOVER)
    state = rolled(state, 5)
    assert (life(state, A), state.turn.seat) == (4, B)
    assert WEAPON in state.creatures[A].dropped
    state = rolled(state, 6)
    assert state.creatures[A].dropped == {}
    assert (state.turn.seat, state.turn.stage) == (A, Stage.ROLL)


@vector
def ms_28_a_part_dropped_on_an_odd_number_comes_back_on_one() -> None:
    state = rolled(in_column(playing({"life": 5}, {"life": 5}), Column.RED), 3)
    assert state.creatures[A].dropped == {LEGS: Dropped(Parity.ODD)}
    assert rolled(state, 6, 1).creatures[A].dropped == {}


@vector
def ms_29_a_failed_roll_at_one_life_loses_the_next_turn() -> None:
    state = playing({"life": 1, **dropped(ARM, 2)}, {"life": 9}, stage=Stage.RECOVER)
    state = rolled(state, 3)
    assert (life(state, A), state.turn.seat) == (0, B)
    state = rolled(state, 6)  # the lost turn passes by itself
    assert (state.turn.seat, state.creatures[A].rest) == (B, Rest.COMES_BACK)
    state = rolled(state, 6)
    assert (life(state, A), state.creatures[A].dropped) == (1, {})
    assert (state.turn.seat, state.turn.stage) == (A, Stage.ROLL)


@vector
def ms_30_an_adaptor_fails_until_the_next_turn() -> None:
    holding = {"adaptor": "adaptor_1", "adaptor_on": WEAPON, "is_adaptor_used": True}
    whole = {**WHOLE, WEAPON: "weapon_3"}
    state = playing({"life": 5, "parts": whole, **holding}, {"life": 5})
    state = rolled(in_column(state, Column.RED), 6)
    assert state.creatures[A].is_adaptor_out
    assert state.turn.seat == B
    state = rolled(state, 6)
    assert not state.creatures[A].is_adaptor_out
    assert (state.turn.seat, state.turn.stage) == (A, Stage.ROLL)


@vector
def ms_31_without_an_adaptor_it_is_a_free_ride() -> None:
    state = rolled(in_column(playing({"life": 5}, {"life": 5}), Column.RED), 6)
    assert (life(state, A), state.creatures[A].is_adaptor_out, state.turn.seat) == (5, False, B)


@vector
def ms_32_life_never_falls_below_nought() -> None:
    assert life(rolled(in_column(playing({"life": 1}, BUILDS), Column.RED), 5), A) == 0


@vector
def ms_33_at_nought_a_turn_is_lost_and_then_one_life_comes_back() -> None:
    state = playing({"life": 5}, {"life": 0, "rest": Rest.LOSES_TURN})
    state = rolled(state, 6)
    assert (state.turn.seat, state.creatures[B].rest) == (A, Rest.COMES_BACK)
    state = rolled(state, 6)
    assert (life(state, B), state.creatures[B].rest) == (1, Rest.NONE)
    assert (state.turn.seat, state.turn.stage) == (B, Stage.ROLL)


@vector
def ms_34_who_kills_the_experiment_is_player_one_of_the_break() -> None:
    state = playing({"life": 5}, {"life": 5}, {"life": 5}, turn=1, experiment_life=1)
    state = rolled(in_column(state, Column.PURPLE), 1)
    assert (state.phase, state.order) == (Phase.BREAK, (B, C, A))
    assert (state.turn.seat, state.turn.stage) == (B, Stage.REVEAL)
    state = after(state, TurnUp(B, "end"))
    assert (state.turn.seat, state.turn.stage) == (B, Stage.TARGET)


@vector
def ms_35_a_double_hit_may_kill_both() -> None:
    state = rolled(playing({"life": 1}, {"life": 5}, experiment_life=1), 4)
    assert (state.phase, state.killer, life(state, A)) == (Phase.BREAK, A, 0)
    assert (state.experiment_life, state.order) == (0, (A, B))


@vector
def ms_36_an_unfinished_creature_fights_with_what_it_has() -> None:
    state = playing({"life": 5}, {"life": 5}, {"hand": 4, "parts": {HEAD: "head_spare"}}, experiment_life=1)
    state = rolled(in_column(state, Column.PURPLE), 1)
    assert (life(state, C), state.creatures[C].standing) == (7, (HEAD,))


@vector
def ms_37_a_dropped_part_is_up_again_when_the_break_begins() -> None:
    state = playing({"life": 5}, {"life": 5}, {"life": 5, **dropped(WEAPON, 4)}, experiment_life=1)
    state = rolled(in_column(state, Column.PURPLE), 1)
    assert state.creatures[C].dropped == {}
    assert WEAPON in state.creatures[C].standing


@vector
def ms_38_who_skips_at_nought_acts_in_turn_in_the_break() -> None:
    state = playing({"life": 5}, {"life": 0, "rest": Rest.LOSES_TURN}, {"life": 5}, experiment_life=1)
    state = after(rolled(in_column(state, Column.PURPLE), 1), TurnUp(A, "end"))
    state = rolled(state, 2)  # only C has LIFE, so it is the target
    assert (state.turn.seat, state.turn.stage) == (B, Stage.TARGET)
    assert life(state, B) == 0


@pytest.mark.parametrize("case", vector.cases)
def test_vector_of_battle(case: Callable[[], None]) -> None:
    case()


def test_a_special_move_befalls_all_in_turn_order_from_the_roller() -> None:
    state = rolled(playing({"life": 5}, {"life": 1}, BUILDS), 5)
    assert state.turn.stage is Stage.MOVE
    hurt = [event.seat for event in GAME.decide(state, DoMove(A)) if hasattr(event, "by")]
    assert hurt == [A, B]
    state = after(state, DoMove(A))
    assert (life(state, A), life(state, B)) == (4, 0)
    assert state.creatures[B].rest is Rest.COMES_BACK  # B lost its turn at once, C builds


def test_a_special_move_in_words_is_told_effect_by_effect() -> None:
    state = rolled(playing({"life": 5}, {"life": 5}, experiment="riddle"), 5)
    assert why(state, DoMove(A)) == "move_in_words"
    state = rolled(state, 6)
    assert (state.turn.stage, state.turn.rolls) == (Stage.MOVE, (6,))
    state = after(state, Hit(A, (B, "experiment"), "lose_2"), Hit(A, (B,), "head_drop"), EndMove(A))
    assert (life(state, B), state.experiment_life) == (3, 8)
    assert state.creatures[B].dropped == {HEAD: Dropped(Parity.ODD)}  # it stood in row 5
    assert (state.turn.seat, state.turn.stage) == (B, Stage.RECOVER)


def test_the_experiment_may_die_of_its_own_move() -> None:
    state = rolled(playing({"life": 5}, {"life": 5}, experiment="riddle", experiment_life=2), 5)
    state = after(state, Hit(A, ("experiment",), "lose_2"))
    assert (state.phase, state.killer) == (Phase.BREAK, A)


def test_roll_twice_in_the_purple_column_fires_at_the_experiment_too() -> None:
    state = rolled(in_column(playing({"life": 7}, BUILDS), Column.PURPLE), 4, 4)
    assert state.experiment_life == 6


def test_a_box_that_nobody_told_is_asked_once() -> None:
    cells = {**CATALOGUE["experiments"]["thing"], "middle_4": None}  # type: ignore[index]
    box = GAME.initial({**CATALOGUE, "experiments": {"thing": cells}}).box
    state = rolled(playing({"life": 7}, {"life": 7}, box=box), 4)
    assert state.turn.stage is Stage.TELL
    assert life(state, A) == 7
    state = after(state, TellBox(A, "double_hit"))
    assert (life(state, A), state.experiment_life, state.turn.seat) == (6, 9, B)
    assert life(rolled(state, 4), B) == 6  # it is known now
