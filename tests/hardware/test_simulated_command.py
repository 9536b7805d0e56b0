"""`companion simulated-table` as its own process: its address, its cameras by our driver, its end."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
from contextlib import closing, contextmanager, suppress

import pytest
from click.testing import CliRunner

from hardware.cameras.mjpeg import open_camera
from hardware.simulated.commands import simulated_table
from hardware.simulated.hands import Hands, TableGone


@contextmanager
def started(*options: str):
    """Start the table as a process; give it and what it said of itself."""
    command = [
        sys.executable,
        "-m",
        "companion",
        "simulated-table",
        "--seats",
        "2",
        "--speed",
        "20",
        *options,
    ]
    table = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield table, json.loads(table.stdout.readline())
    finally:
        table.terminate()
        table.wait(timeout=20)
        table.stdin.close()
        table.stdout.close()


def test_it_says_its_address_first_and_ends_with_its_input(tmp_path):
    with started("--ready-file", str(tmp_path / "ready.json")) as (table, said):
        assert said["cameras"]["lab_red"].endswith("/cameras/lab_red.mjpg")
        assert json.loads((tmp_path / "ready.json").read_text()) == said
        assert Hands(said["url"]).world()["pieces"] > 400
        table.stdin.close()
        assert table.wait(timeout=20) == 0


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_on_a_signal(end):
    with started() as (table, _):
        table.send_signal(end)
        assert table.wait(timeout=20) == 0


def test_it_ends_without_a_complaint_while_hands_move_in_a_picture(capfd):
    with (
        started() as (table, said),
        closing(open_camera("red", {"url": said["cameras"]["lab_red"]})) as camera,
    ):
        hands = Hands(said["url"])
        hands.set_up(said["seats"], 12)
        busy = threading.Thread(target=lambda: moved_until_gone(hands))
        busy.start()
        assert camera.read(timeout_ms=5000)
        table.terminate()
        assert table.wait(timeout=20) == 0
        busy.join()
    assert capfd.readouterr().err == ""


def moved_until_gone(hands: Hands) -> None:
    with suppress(TableGone):
        while True:
            hands.turn(1)


def test_our_own_camera_driver_reads_its_stream():
    with started() as (_, said), closing(open_camera("red", {"url": said["cameras"]["lab_red"]})) as camera:
        first = camera.read(timeout_ms=5000)
        later = camera.read(timeout_ms=5000)
        assert first.pixels.shape == (720, 1280, 3)
        assert later.number > first.number


def test_scans_are_written_and_the_next_step_is_said(tmp_path):
    done = CliRunner().invoke(simulated_table, ["--scans", str(tmp_path / "scans")])
    assert done.exit_code == 0, done.output
    assert "companion box teach" in done.output
    assert (tmp_path / "scans" / "index.json").exists()


def test_a_port_that_is_taken_is_said_in_one_sentence():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = CliRunner().invoke(simulated_table, ["--port", port, "--seats", "2"])
    assert done.exit_code == 1
    assert f"Port {port} cannot be opened" in done.output


def test_a_game_that_is_not_there_is_refused():
    done = CliRunner().invoke(simulated_table, ["--game", "making_monstres"])
    assert done.exit_code != 0
    assert "making_monsters" in str(done.exception)
