"""Vectors MS-39 to MS-56: columns, targets, the Final Conflict's chart, parts that break, the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.mad_science.components import Column, Rank
from companion.games.mad_science.game import GAME
from companion.games.mad_science.moves import Roll, Take, Target, TurnUp
from companion.games.mad_science.state import Phase, Stage, State, on_turn
from tests.companion.games.mad_science.tables import (
    ARM,
    HEAD,
    LEGS,
    WEAPON,
    WHOLE,
    A,
    B,
    C,
    Vectors,
    after,
    breaking,
    life,
    playing,
    rolled,
    why,
)

vector = Vectors()

MIXED: dict[Any, str] = {HEAD: "head_2", ARM: "arm_1", WEAPON: "weapon_4", LEGS: "legs_0"}


def begun(seats: int) -> State:
    """Return a Break that has just begun with so many."""
    parts = [
        {HEAD: f"head_{word}", ARM: f"arm_{word}", WEAPON: f"weapon_{word}", LEGS: f"legs_{word}"}
        for word in ("more", "spare")
    ]
    creatures = [{"life": 5, "parts": parts[n // 2 % 2] if n < 4 else WHOLE} for n in range(seats)]
    state = on_turn(playing(*creatures, experiment_life=1), column=Column.PURPLE)
    return rolled(state, 1)


def columns(state: State) -> list[Rank | None]:
    return [state.creatures[seat].rank for seat in state.order]


@vector
def ms_39_five_share_three_columns() -> None:
    one, two, three = Rank
    assert columns(begun(5)) == [one, two, three, one, two]


@vector
def ms_40_the_sixth_has_the_third() -> None:
    assert columns(begun(6))[5] is Rank.THREE


@vector
def ms_41_a_part_lost_is_gone_for_good() -> None:
    state = breaking({"life": 5}, {"life": 5}, {"life": 5})
    state = rolled(after(state, Target(A, C)), 1)
    assert state.creatures[C].lost == (HEAD,)
    assert HEAD not in state.creatures[C].standing


@vector
def ms_42_a_part_that_is_gone_is_not_lost_again() -> None:
    state = breaking({"life": 5}, {"life": 5}, {"life": 5, "lost": (HEAD,)})
    state = rolled(after(state, Target(A, C)), 1)
    assert (state.creatures[C].lost, state.turn.seat) == ((HEAD,), B)


@vector
def ms_43_the_special_strikes_the_target() -> None:
    own = {"life": 5, "parts": {**WHOLE, WEAPON: "weapon_more"}}
    state = rolled(breaking(own, {"life": 5}, target=1), 4)
    assert state.turn.stage is Stage.TWICE
    assert life(rolled(state, 4), B) == 2


@vector
def ms_44_without_a_weapon_it_does_one() -> None:
    state = breaking({"life": 5, "lost": (WEAPON,)}, {"life": 5}, target=1)
    assert life(rolled(state, 4, 4), B) == 4


@vector
def ms_45_damage_beyond_nought_takes_no_part() -> None:
    state = rolled(breaking({"life": 5}, {"life": 2}, target=1), 6)
    assert (life(state, B), state.creatures[B].lost) == (0, ())


@vector
def ms_46_a_double_strike_costs_both_one() -> None:
    state = rolled(breaking({"life": 3}, {"life": 3}, target=1), 5)
    assert (life(state, A), life(state, B)) == (2, 2)


@vector
def ms_47_at_nought_both_strikes_hit_the_target() -> None:
    state = rolled(breaking({"life": 0}, {"life": 3}, target=1), 5)
    assert (life(state, A), life(state, B)) == (0, 1)


@vector
def ms_48_who_has_life_is_attacked_first() -> None:
    state = breaking({"life": 4}, {"life": 0}, {"life": 2}, target=2)
    assert why(state, Target(A, B)) == "life_first"


@vector
def ms_49_when_all_others_are_at_nought_any_may_be_attacked() -> None:
    state = after(breaking({"life": 4}, {"life": 0}, {"life": 0}), Target(A, B))
    assert (state.turn.target, state.turn.stage) == (B, Stage.ROLL)


@vector
def ms_50_of_two_parts_with_the_number_the_roller_picks_one() -> None:
    state = rolled(breaking({"life": 4}, {"life": 0, "parts": MIXED}, target=1), 2)
    assert state.turn.stage is Stage.TAKE
    assert why(state, Take(A, WEAPON)) == "take"
    state = after(state, Take(A, ARM))
    assert state.creatures[B].lost == (ARM,)
    assert state.creatures[B].standing == (HEAD, WEAPON, LEGS)
    assert state.turn.seat == B


@vector
def ms_51_a_number_that_no_part_has_does_nothing() -> None:
    state = rolled(breaking({"life": 4}, {"life": 0, "parts": MIXED}, target=1), 3)
    assert (state.creatures[B].lost, state.turn.seat) == ((), B)


@vector
def ms_52_the_adaptor_goes_with_its_part() -> None:
    holding = {"adaptor": "adaptor_1", "adaptor_on": LEGS, "is_adaptor_used": True}
    state = breaking({"life": 4}, {"life": 0, "parts": MIXED, **holding}, target=1)
    [_, lost, *_] = GAME.decide(state, Roll(A, 6))
    assert lost.adaptor
    assert rolled(state, 6).creatures[B].held_by_adaptor is None


@vector
def ms_53_at_nought_with_parts_one_attacks_as_ever() -> None:
    state = rolled(breaking({"life": 0}, {"life": 5}, target=1), 2)
    assert life(state, B) == 3


@vector
def ms_54_without_life_and_parts_one_is_out() -> None:
    last = {"life": 0, "lost": (HEAD, ARM, WEAPON)}
    state = rolled(breaking({"life": 4}, last, {"life": 0}, target=1), 6)
    assert state.creatures[B].is_out
    assert (state.phase, state.turn.seat) == (Phase.BREAK, C)


@vector
def ms_55_the_last_with_parts_wins() -> None:
    last = {"life": 0, "lost": (HEAD, ARM, WEAPON)}
    state = rolled(breaking({"life": 4}, last, target=1), 6)
    assert state.phase is Phase.OVER
    assert {seat.seat: seat.rank for seat in GAME.view(state, None).seats} == {A: 1, B: 2}


@vector
def ms_56_two_players_are_not_asked_whom_they_attack() -> None:
    state = after(begun(2), TurnUp(A, "end"))
    assert (state.turn.seat, state.turn.stage, state.turn.target) == (A, Stage.ROLL, B)
    assert columns(state) == [Rank.ONE, Rank.TWO]


@pytest.mark.parametrize("case", vector.cases)
def test_vector_of_the_break(case: Callable[[], None]) -> None:
    case()


def test_a_part_lost_takes_its_adaptor_along() -> None:
    holding = {"adaptor": "adaptor_1", "adaptor_on": HEAD, "is_adaptor_used": True}
    [_, _, lost, *_] = GAME.decide(breaking({"life": 4}, {"life": 4, **holding}, target=1), Roll(A, 1))
    assert lost.adaptor


def test_three_who_began_are_not_asked_when_two_are_left() -> None:
    gone = {"life": 0, "lost": (HEAD, ARM, WEAPON, LEGS), "is_out": True}
    state = rolled(breaking({"life": 4}, {"life": 4}, gone, target=1), 2)
    assert (state.turn.seat, state.turn.target, state.turn.stage) == (B, A, Stage.ROLL)


def test_who_has_life_but_no_parts_is_not_out_and_cannot_win_by_parts() -> None:
    bare = {"life": 3, "lost": (HEAD, ARM, WEAPON)}
    state = breaking({"life": 4}, bare, {"life": 4}, target=1, options={"last": "life_or_parts"})
    state = rolled(breaking({"life": 4}, {**bare, "lost": (ARM, WEAPON, LEGS)}, target=1), 1)
    assert state.phase is Phase.OVER  # only one player still has parts


def test_the_table_may_choose_that_life_counts_to_the_last() -> None:
    bare = {"life": 3, "lost": (ARM, WEAPON, LEGS)}
    chosen = {"last": "life_or_parts"}
    state = rolled(breaking({"life": 4}, bare, target=1, options=chosen), 1)
    assert (state.phase, state.creatures[B].is_out, state.turn.seat) == (Phase.BREAK, False, B)


def test_the_table_may_choose_that_the_unfinished_build_on_out_of_reach() -> None:
    state = playing(
        {"life": 5},
        {"life": 5},
        {"hand": 4, "parts": {kind: card for kind, card in WHOLE.items() if kind is not LEGS}},
        experiment_life=1,
        options={"unfinished": "keeps_building"},
    )
    state = after(rolled(on_turn(state, column=Column.PURPLE), 1), TurnUp(A, "end"))
    assert state.turn.target == B  # C cannot be attacked yet
    assert why(state, Target(A, C)) == "no_such_target"
    state = rolled(state, 2, 2)
    assert (state.turn.seat, state.turn.stage) == (C, Stage.PLAY)
