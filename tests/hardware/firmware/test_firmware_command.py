"""`companion firmware` says which board, how to flash it, and whether what runs on it is up to date."""

import json
from threading import Event, Thread

import pytest
from click.testing import CliRunner

from companion.cli import main
from hardware.boards import board_plans, shipped_version
from hardware.clock import pause
from tests.hardware.firmware.boards import on_cpython
from tests.hardware.stand_ins import Desk


class PluggedBoard:
    """A board that runs the firmware, on a terminal, in a thread of its own."""

    def __init__(self, folder, name):
        self.desk = Desk(folder)
        self.cable, self.board = self.desk.plug_in(), on_cpython(name, 0x9C21)
        self.port = self.desk.port()
        self._end = Event()
        self._thread = Thread(target=self._run)
        self._thread.start()

    def _run(self):
        while not self._end.is_set():
            said = self.board.step("-", self.cable.received())
            if said:
                self.cable.write(said)
            pause(2)

    def close(self):
        self._end.set()
        self._thread.join()
        self.board.close()
        self.desk.close()


@pytest.fixture
def plugged(tmp_path):
    board = PluggedBoard(tmp_path, "R-02B4E9")
    yield board
    board.close()


def test_every_board_is_told_with_its_files_and_the_steps_to_flash_it():
    done = CliRunner().invoke(main, ["firmware"])
    assert done.exit_code == 0
    for plan in board_plans():
        assert plan.name in done.stdout and all(step in done.stdout for step in plan.steps)
        assert plan.files and all(file.exists() for file in plan.files)
    rows = CliRunner().invoke(main, ["firmware", "--json"]).stdout.splitlines()
    assert {json.loads(row)["version"] for row in rows} == {shipped_version()}


def test_a_board_is_asked_for_its_version(plugged):
    done = CliRunner().invoke(main, ["firmware", "check", plugged.port, "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["device"], told["firmware"], told["hardware"]) == ("R-02B4E9", shipped_version(), "bench")


def test_an_old_version_is_a_failure_that_says_what_to_do(plugged, monkeypatch):
    monkeypatch.setattr("hardware.firmware_command.shipped_version", lambda: "9.0.0")
    monkeypatch.setattr("hardware.firmware_command.plan_of", lambda hardware: board_plans()[0])
    done = CliRunner().invoke(main, ["firmware", "check", plugged.port])
    assert done.exit_code == 1
    assert "brings 9.0.0. Flash pico-rotor" in done.stderr


def test_a_board_lets_go_of_its_port_for_new_files(plugged):
    done = CliRunner().invoke(main, ["firmware", "release", plugged.port])
    assert done.exit_code == 0, done.output
    assert "R-02B4E9 waits for new files" in done.stderr


def test_where_nobody_answers_the_cable_is_named(tmp_path):
    desk = Desk(tmp_path)
    desk.plug_in()
    done = CliRunner().invoke(main, ["firmware", "check", desk.port(), "--seconds", "0.3"])
    desk.close()
    assert done.exit_code == 1 and "Check the cable" in done.stderr
