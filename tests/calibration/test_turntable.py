"""A minute of turning tells how a sensor was built in under its board."""

from collections import deque

import pytest
from click.testing import CliRunner

from calibration.turntable import Amiss, Orientation, orientation_of
from companion.cli import main
from companion.ports import BoardTurn, DeviceStanding, DeviceState


def turns(start: int, *deltas: int) -> list[BoardTurn]:
    made, at = [], start
    for number, delta in enumerate(deltas, 1):
        to = (at + delta) % 4
        made.append(BoardTurn("centre", "b1", number, at, to, delta, number * 1000))
        at = to
    return made


@pytest.mark.parametrize(("north", "way"), [(0, 1), (3, 1), (2, -1)])
def test_north_and_the_way_it_counts_come_of_four_turns(north, way):
    assert orientation_of(north, turns(north, way, way, way, way)) == Orientation(north, way == -1)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (turns(0, 1, 2), "told as 2 quarters"),
        (turns(0, 1, -1), "not all one way"),
        ([*turns(0, 1, 1, 1), *turns(2, 1)], "swapped"),
    ],
)
def test_what_does_not_fit_is_told_with_what_to_check(made, words):
    found = orientation_of(0, made)
    assert isinstance(found, Amiss) and words in found.why and found.why.endswith("begin again.")


class TurnedSensor:
    """A sensor that is turned by a quarter whenever it is asked."""

    name = "centre"

    def __init__(self, *said: BoardTurn | DeviceStanding):
        self._said = deque(said)

    def read(self, *, timeout_ms: int):
        return self._said.popleft() if self._said else None

    def close(self):
        pass


SETTINGS = '[[board_sensors]]\nname = "centre"\ndriver = "hall"\nnorth = 1\n'


def calibrated(tmp_path, monkeypatch, *said):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    asked = []

    def opened(name, options):
        asked.append(dict(options))
        return TurnedSensor(*said)

    monkeypatch.setattr("calibration.turntable_command.load_part", lambda group, driver: opened)
    (tmp_path / "rig.toml").write_text(SETTINGS)
    words = ["calibrate", "turntable", "--settings", str(tmp_path / "rig.toml"), "--patience", "0.3"]
    return CliRunner().invoke(main, words), asked


def test_the_command_leads_through_five_steps_and_ends_with_lines_for_the_settings(tmp_path, monkeypatch):
    standing = DeviceStanding("centre", "board_sensor", DeviceState.LIVE, quarter=2)
    done, asked = calibrated(tmp_path, monkeypatch, standing, *turns(2, -1, -1, -1, -1))
    assert done.exit_code == 0, done.output
    assert done.stdout == "north = 2\nreversed = true\n"
    assert done.stderr.count("one quarter clockwise") == 4
    assert asked == [{}]  # it is asked as it is, whatever was found out before


def test_a_sensor_that_says_nothing_ends_it_with_the_last_that_it_said(tmp_path, monkeypatch):
    standing = DeviceStanding("centre", "board_sensor", DeviceState.SEARCHING, "No serial port is there.")
    done, _ = calibrated(tmp_path, monkeypatch, standing)
    assert done.exit_code == 1 and "No serial port is there." in done.stderr
