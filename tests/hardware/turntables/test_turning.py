"""The turn state machine of hardware.md 3.3, fed with angles and with switches."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.turntables.turning import (
    Cancelled,
    Completed,
    Found,
    LeftBetween,
    Phase,
    Sample,
    Turning,
    follow,
)

STEP_MS = 20


def happenings(angles, *, board=None, start_ms=0):
    """Return what happens when an angle is seen every 20 ms, and the board after it."""
    board, happened, at_ms = board or Turning(), [], start_ms
    for angle_deg in angles:
        at_ms += STEP_MS
        board, one = follow(board, Sample(angle_deg, at_ms))
        if one is not None:
            happened.append(one)
    return happened, board, at_ms


def rest(angle_deg, for_ms=500):
    return [angle_deg] * (for_ms // STEP_MS)


def swing(start_deg, end_deg, *, deg_a_step=3.0):
    steps = max(1, round(abs(end_deg - start_deg) / deg_a_step))
    return [(start_deg + (end_deg - start_deg) * step / steps) % 360 for step in range(1, steps + 1)]


def ways(happened):
    return [(one.from_quarter, one.to_quarter, one.delta) for one in happened if isinstance(one, Completed)]


def test_a_board_seen_at_rest_in_a_detent_is_found_and_has_not_turned():
    happened, board, _ = happenings(rest(91.0))
    assert happened == [Found(1)]
    assert (board.phase, board.quarter) == (Phase.LOCKED, 1)


@pytest.mark.parametrize(
    ("end_deg", "way"),
    [
        (90, (0, 1, 1)),
        (-90, (0, 3, -1)),
        (180, (0, 2, 2)),
        (-180, (0, 2, -2)),
        (270, (0, 3, 3)),
        (360, (0, 0, 4)),
    ],
)
def test_a_turn_is_told_with_its_signed_way_when_it_has_settled(end_deg, way):
    happened, _, _ = happenings([*rest(0.0), *swing(0, end_deg), *rest(end_deg % 360)])
    assert ways(happened) == [way]


def test_a_turn_is_not_told_before_the_board_has_been_still_for_400_ms():
    happened, board, at_ms = happenings([*rest(0.0), *swing(0, 90), *rest(90.0, 380)])
    assert ways(happened) == [] and board.phase is Phase.MOVING
    happened, _, _ = happenings(rest(90.0, 40), board=board, start_ms=at_ms)
    assert ways(happened) == [(0, 1, 1)]


def test_play_within_twenty_degrees_is_no_turn():
    happened, board, _ = happenings([*rest(0.0), *swing(0, 19), *swing(19, -19), *swing(-19, 0), *rest(0.0)])
    assert happened == [Found(0)] and board.phase is Phase.LOCKED


def test_a_board_that_comes_back_to_its_detent_is_a_turn_cancelled():
    happened, _, _ = happenings([*rest(0.0), *swing(0, 70), *swing(70, 0), *rest(0.0)])
    assert happened == [Found(0), Cancelled(0)]


def test_a_board_left_between_two_detents_for_three_seconds_is_said_once_with_its_angle():
    happened, board, at_ms = happenings([*rest(0.0), *swing(0, 45), *rest(45.0, 9000)])
    assert happened == [Found(0), LeftBetween(45.0)] and board.phase is Phase.UNFINISHED
    happened, _, _ = happenings([*swing(45, 90), *rest(90.0)], board=board, start_ms=at_ms)
    assert ways(happened) == [(0, 1, 1)]


def test_a_board_switched_on_between_two_detents_is_unknown_until_it_clicks():
    happened, board, at_ms = happenings(rest(45.0, 3100))
    assert happened == [LeftBetween(45.0)] and board.quarter is None
    happened, _, _ = happenings([*swing(45, 90), *rest(90.0)], board=board, start_ms=at_ms)
    assert happened == [Found(1)]


def test_a_trembling_angle_settles_all_the_same():
    trembling = [angle + 0.8 * (-1) ** number for number, angle in enumerate(rest(90.0))]
    happened, _, _ = happenings([*rest(0.0), *swing(0, 90), *trembling])
    assert ways(happened) == [(0, 1, 1)]


@pytest.mark.parametrize(
    ("quarters", "way"),
    [
        ([1], (0, 1, 1)),
        ([3], (0, 3, -1)),
        ([1, 2], (0, 2, 2)),
        ([3, 2], (0, 2, -2)),
        ([1, 2, 3], (0, 3, 3)),
        ([1, 3], (0, 3, 3)),
    ],
)
def test_switches_tell_the_direction_by_their_order_even_if_one_is_missed(quarters, way):
    passed = [angle for quarter in quarters for angle in [*[None] * 5, *[quarter * 90.0] * 3]]
    happened, _, _ = happenings([*rest(0.0), *passed, *rest(quarters[-1] * 90.0)])
    assert ways(happened) == [way]


@settings(deadline=None)
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=8), st.floats(2, 40), st.floats(-9, 9))
def test_however_a_board_is_turned_the_ways_add_up(deltas, deg_a_step, off_deg):
    board, at_ms = Turning(), 0
    _, board, at_ms = happenings(rest(off_deg % 360), board=board)
    at_deg = off_deg
    for delta in deltas:
        angles = [*swing(at_deg, at_deg + 90 * delta, deg_a_step=deg_a_step)]
        at_deg += 90 * delta
        happened, board, at_ms = happenings([*angles, *rest(at_deg % 360)], board=board, start_ms=at_ms)
        assert sum(way[2] for way in ways(happened)) == delta
        assert board.phase is Phase.LOCKED and board.quarter == round((at_deg - off_deg) / 90) % 4


@settings(deadline=None)
@given(st.lists(st.none() | st.floats(-720, 720), max_size=60))
def test_no_samples_whatever_raise_and_quarters_stay_quarters(angles):
    happened, board, _ = happenings(angles)
    assert board.quarter in (None, 0, 1, 2, 3)
    assert all(
        (one.from_quarter + one.delta) % 4 == one.to_quarter for one in happened if isinstance(one, Completed)
    )
