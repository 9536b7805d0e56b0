"""The log says each thing once, and sums up what goes on."""

from __future__ import annotations

import logging

import pytest

from companion.log_lines import LogLines


class Log:
    """A logger whose lines and clock a test holds in its hands."""

    def __init__(self, **options: bool) -> None:
        self.now_s = 0.0
        self.lines: list[str] = []
        self.handler = LogLines(self.lines.append, now_s=lambda: self.now_s, **options)
        self.logger = logging.Logger("eyes")  # one of its own: nothing is left behind
        self.logger.addHandler(self.handler)


@pytest.fixture
def log() -> Log:
    return Log()


def test_a_camera_that_fails_ten_times_a_second_writes_one_line_then_how_often(log: Log):
    for tenth in range(601):
        log.now_s = tenth / 10
        log.logger.warning("camera %s: no picture for %d ms", "ceiling", tenth)
    assert log.lines == [
        "WARNING eyes: camera ceiling: no picture for 0 ms\n",
        "WARNING eyes: camera ceiling: no picture for 599 ms; still so, 599 times\n",
    ]


def test_what_goes_on_is_said_after_a_minute_then_ten_then_every_hour(log: Log):
    for second in range(3 * 3600 + 700):
        log.now_s = float(second)
        log.logger.warning("die %s: silent", "green")
    assert len(log.lines) == 1 + 1 + 1 + 3


def test_two_cameras_are_two_things(log: Log):
    log.logger.warning("camera %s: lost", "ceiling")
    log.logger.warning("camera %s: lost", "lab")
    assert len(log.lines) == 2


def test_what_stopped_is_summed_up_when_something_else_happens(log: Log):
    for _ in range(3):
        log.logger.warning("camera %s: lost", "ceiling")
    log.now_s = 61
    log.logger.info("table 1: opened")
    assert log.lines[1] == "WARNING eyes: camera ceiling: lost; still so, 2 times\n"


def test_what_was_quiet_for_long_is_news_again(log: Log):
    for log.now_s in (0, 3600, 7200):
        log.logger.warning("camera %s: lost", "ceiling")
    assert log.lines == ["WARNING eyes: camera ceiling: lost\n"] * 3


def test_the_end_leaves_nothing_unsaid(log: Log):
    for _ in range(5):
        log.logger.error("disk full")
    log.handler.close()
    assert log.lines[-1] == "ERROR eyes: disk full; still so, 4 times\n"


def test_systemd_is_told_how_urgent_each_line_is_also_of_a_traceback():
    log = Log(is_for_journal=True)
    try:
        raise ValueError("odd")
    except ValueError:
        log.logger.exception("driver: it broke")
    assert len(log.lines) > 2
    assert all(line.startswith("<3>") and line.count("\n") == 1 for line in log.lines)


def test_what_differs_is_never_more_than_some_hundred_things(log: Log):
    for number in range(2000):
        log.logger.warning("thing %s", f"no {number}")
    assert len(log.handler._known) <= 200
    assert len(log.handler.newest) == 500
