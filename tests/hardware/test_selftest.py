"""`companion selftest` says what it looked at and what came of it, for a report."""

import json

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.settings import home
from companion.table.home_lock import take_home

SETTINGS = """
[[dice]]
name = "green"
driver = "keyed"
[[board_sensors]]
name = "centre"
driver = "serial"
port = "/dev/ttyNothing"
[[cameras]]
name = "ceiling"
driver = "folder"
path = "/no/such/folder"
"""


@pytest.fixture
def tested(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    (tmp_path / "rig.toml").write_text(SETTINGS)

    def run(*words):
        words = ["selftest", "--settings", str(tmp_path / "rig.toml"), "--seconds", "0.3", *words]
        return CliRunner().invoke(main, words)

    return run


def test_every_device_of_the_settings_is_opened_and_its_trouble_told(tested):
    done = tested("--json")
    lines = {line["what"]: line for line in map(json.loads, done.stdout.splitlines())}
    assert lines["die green"]["outcome"] == "ok"
    assert lines["board sensor centre"]["outcome"] == "look"
    assert "There is no port /dev/ttyNothing" in lines["board sensor centre"]["says"]
    assert lines["camera ceiling"]["outcome"] == "look"
    assert done.exit_code == 1 and "want a look" in done.stderr


def test_the_report_is_one_line_a_thing_and_holds_no_address(tested):
    done = tested()
    assert {line.split()[0] for line in done.stdout.splitlines()} <= {"ok", "look", "unknown"}
    assert "package companion" in done.stdout and "serial ports" in done.stdout


def test_while_the_service_runs_its_devices_are_left_to_it(tested, tmp_path):
    with take_home(home(), wait_s=0):
        done = tested()
    assert "The service runs" in done.stdout
    assert "die green" not in done.stdout
