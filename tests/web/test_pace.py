"""How long a phase has lasted: through rests, restarts and clocks that are set."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.game import Seat
from companion.journal import Cause
from companion.table.writer import Submission, TableView
from tests.web.lantern_house import Clock, LanternHouse
from web.pace import BELIEVED_MS, Pace


@pytest.fixture
def seen() -> TableView:
    house = LanternHouse()
    command = {"do": "open", "seats": [Seat("red"), Seat("blue")]}
    house.table.submit(Submission("open", Cause("host", client="h"), 0, command)).result(5)
    view = house.table.look(None)
    house.close()
    return view


def test_a_phase_lasts_as_long_as_it_runs(seen: TableView):
    now = Clock()
    pace = Pace(now, now, None)
    now.go_on(9_000)
    pace.note(seen, is_paused=False)
    now.go_on(5_000)
    assert pace.gone_ms() == 5_000


def test_a_rest_does_not_count(seen: TableView):
    now = Clock()
    pace = Pace(now, now, None)
    pace.note(seen, is_paused=False)
    now.go_on(5_000)
    pace.note(seen, is_paused=True)
    now.go_on(60_000)
    assert (pace.gone_ms(), pace.is_resting) == (5_000, True)
    pace.note(seen, is_paused=False)
    now.go_on(1_000)
    assert (pace.gone_ms(), pace.is_resting) == (6_000, False)


@pytest.mark.parametrize("is_paused", [False, True])
def test_a_restart_goes_on_with_the_phase(seen: TableView, tmp_path: Path, is_paused: bool):
    monotonic, wall = Clock(), Clock()
    pace = Pace(monotonic, wall, tmp_path / "seats.sqlite")
    pace.note(seen, is_paused=False)
    for clock in (monotonic, wall):
        clock.go_on(30_000)
    pace.note(seen, is_paused=is_paused)
    pace.close()
    wall.go_on(12_000)
    again = Pace(Clock(), wall, tmp_path / "seats.sqlite")
    again.note(seen, is_paused=is_paused)
    assert again.gone_ms() == (30_000 if is_paused else 42_000)
    again.close()


@pytest.mark.parametrize("set_by_ms", [-3_600_000, BELIEVED_MS + 1])
def test_a_clock_that_was_set_meanwhile_is_not_believed(seen: TableView, tmp_path: Path, set_by_ms: int):
    wall = Clock()
    pace = Pace(Clock(), wall, tmp_path / "seats.sqlite")
    pace.note(seen, is_paused=False)
    pace.close()
    wall.go_on(set_by_ms)
    again = Pace(Clock(), wall, tmp_path / "seats.sqlite")
    again.note(seen, is_paused=False)
    assert again.gone_ms() == 0
    again.close()
