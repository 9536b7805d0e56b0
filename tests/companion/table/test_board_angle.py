"""Sensor and camera both say how the turning board stands; neither is believed against the other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.board import BoardId
from companion.ports import BoardReading, DeviceStanding, DeviceState, Need, Reading
from companion.table.board_angle import Agreement, BoardAngle, ToldBy, seen_turning
from tests.lantern.evening import BLUE, HOST, PATIENCE_S, RED, Evening
from tests.lantern.moves import ChooseWind, TurnMill

TABLE, DISC = BoardId("table"), BoardId("disc")


def square(middle: float, half: float) -> tuple[tuple[float, float], ...]:
    low, high = middle - half, middle + half
    return ((low, low), (high, low), (high, high), (low, high))


def seen(angle_deg: float | None, *, at_ms: int = 0, leans_deg: float = 0.0) -> Reading:
    """Return a reading of a table, and of a disc on it unless that was lifted."""
    boards = {TABLE: BoardReading(TABLE, "tags", square(500, 400), leans_deg, {})}
    if angle_deg is not None:
        boards[DISC] = BoardReading(DISC, "tags", square(500, 100), (angle_deg + leans_deg) % 360, {})
    return Reading("above", 1, at_ms, boards)


def sensor(quarter: int | None, state: DeviceState = DeviceState.LIVE) -> DeviceStanding:
    return DeviceStanding("centre", "board_sensor", state, quarter=quarter)


@pytest.fixture
def both() -> BoardAngle:
    """Both witnesses at rest, the camera counting from another quarter and 4 degrees off."""
    angle = BoardAngle()
    angle.hear(sensor(0), 0)
    angle.see(seen(184), 0)
    return angle


def test_the_turning_board_is_the_one_within_another_and_its_angle_is_from_that_one():
    assert seen_turning(seen(90, leans_deg=300)) is not None
    assert seen_turning(seen(90, leans_deg=300)).angle_deg == 90
    assert seen_turning(Reading("above", 1, 0, {})) is None


def test_one_witness_is_enough_and_two_that_agree_are_sure(both: BoardAngle):
    alone = BoardAngle()
    assert alone.agreement(0) is Agreement.UNKNOWN
    alone.hear(sensor(3), 0)
    assert alone.agreement(0) is Agreement.ONE_WITNESS
    assert both.agreement(0) is Agreement.SURE
    both.hear(sensor(1), 1000)
    both.see(seen(271), 2000)
    assert both.agreement(2000) is Agreement.SURE


def test_a_camera_that_has_not_looked_yet_contradicts_nobody(both: BoardAngle):
    both.hear(sensor(1), 1000)
    assert both.agreement(4000) is Agreement.ONE_WITNESS
    both.see(seen(270), 4500)
    assert both.agreement(4500) is Agreement.SURE


def test_two_that_differ_by_more_than_fifteen_degrees_for_two_seconds_disagree(both: BoardAngle):
    both.see(seen(194), 1000)
    assert both.agreement(9000) is Agreement.SURE
    both.see(seen(271), 10_000)
    assert both.agreement(11_999) is Agreement.ONE_WITNESS
    assert both.due_ms(11_000) == 12_000
    assert both.agreement(12_000) is Agreement.DISAGREE
    both.see(seen(181), 13_000)
    assert both.agreement(13_000) is Agreement.SURE


def test_a_person_who_says_that_all_is_well_is_believed(both: BoardAngle):
    both.see(seen(271), 0)
    assert both.agreement(5000) is Agreement.DISAGREE
    both.trust()
    both.see(seen(271), 5000)
    assert both.agreement(9000) is Agreement.SURE


def test_where_one_falls_silent_the_other_speaks_alone(both: BoardAngle):
    both.hear(sensor(None, DeviceState.LOST), 1000)
    assert both.agreement(1000) is Agreement.SURE
    assert both.agreement(11_000) is Agreement.ONE_WITNESS
    both.hear(sensor(0), 12_000)
    both.lose_camera()
    assert both.agreement(12_000) is Agreement.ONE_WITNESS


def test_a_board_that_was_lifted_is_a_state_of_its_own(both: BoardAngle):
    both.see(seen(None), 1000)
    assert both.agreement(3999) is not Agreement.LIFTED
    assert both.agreement(4000) is Agreement.LIFTED
    both.see(seen(180), 5000)
    assert both.agreement(5000) is Agreement.SURE


# -- at the table ---------------------------------------------------------------------------


@pytest.fixture
def mill() -> Iterator[Evening]:
    """A table that waits for the mill to be turned, watched by both."""
    evening = Evening(seats=2)
    for seat in (RED, BLUE):
        evening.do(seat, ChooseWind(seat, "north"))
    stand(evening, 0)
    look(evening, 0)
    yield evening
    evening.table.close()


def stand(evening: Evening, quarter: int) -> None:
    evening.table.stood(sensor(quarter)).result(PATIENCE_S)


def look(evening: Evening, angle_deg: float | None) -> None:
    evening.table.sighted(seen(angle_deg, at_ms=evening.now_ms)).result(PATIENCE_S)


def later(evening: Evening, ms: int) -> None:
    """Let time pass, and the table notice."""
    evening.now_ms += ms
    evening.table.stood(DeviceStanding("clock", "eyes", DeviceState.LIVE, str(evening.now_ms))).result(
        PATIENCE_S
    )


def needs(evening: Evening) -> list[str]:
    return [one.key for one in evening.look(RED).missing]


def test_while_sensor_and_camera_disagree_nothing_happens_by_itself_and_all_are_told(mill: Evening) -> None:
    look(mill, 90)
    later(mill, 2000)
    assert needs(mill) == [f"need.{Need.DISAGREE}"]
    mill.turn(1, turn=1)
    assert mill.look().view.phase.key == "lantern.phase.mill"
    mill.do(HOST, TurnMill(1))  # a person looks and taps
    later(mill, 100)
    assert needs(mill) == []
    assert mill.look().view.phase.key == "lantern.phase.walk"


def test_a_board_that_was_lifted_is_asked_back(mill: Evening) -> None:
    look(mill, None)
    later(mill, 3000)
    assert needs(mill) == [f"need.{Need.LIFTED}"]
    look(mill, 0)
    assert needs(mill) == []


def test_a_turn_that_both_saw_needs_nobody(mill: Evening) -> None:
    mill.turn(1, turn=1)
    stand(mill, 1)
    later(mill, 1500)
    look(mill, 90)
    later(mill, 9000)
    assert needs(mill) == []
    assert mill.look().view.phase.key == "lantern.phase.walk"


def test_it_is_told_who_tells_how_the_board_stands(both: BoardAngle):
    assert BoardAngle().told_by(0) is None
    assert both.told_by(0) is ToldBy.BOTH
    both.hear(sensor(None), 500)  # while hands turn it
    assert both.told_by(500) is ToldBy.BOTH
    both.hear(sensor(None, DeviceState.LOST), 1000)
    assert both.told_by(1000) is ToldBy.BOTH
    assert both.due_ms(1000) == 11_000
    assert both.told_by(11_000) is ToldBy.CAMERA
    both.hear(sensor(0), 12_000)
    both.lose_camera()
    assert both.told_by(12_000) is ToldBy.SENSOR
    both.hear(sensor(None, DeviceState.FAULT), 13_000)
    assert both.told_by(13_000) is None
