"""``companion serve``: one line for programs, one sentence for what keeps it from starting."""

from __future__ import annotations

import os
import signal
import socket
import urllib.request
from pathlib import Path

import pytest

from tests.web.serving import run, serving


def test_what_is_printed_can_be_opened_at_once(tmp_path: Path):
    with serving(tmp_path, "--port", "0") as (process, told):
        assert set(told) == {"addresses", "port", "pin", "pid"}
        assert told["pid"] == process.pid
        assert len(told["pin"]) == 6
        with urllib.request.urlopen(f"{told['addresses'][0]}screen", timeout=10) as answer:
            assert answer.status == 200
    assert process.returncode == 0


def test_a_second_service_on_the_port_is_told_so_in_one_sentence(tmp_path: Path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = run(tmp_path, "--host", "127.0.0.1", "--port", port)
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.strip().splitlines() == [
        f"Error: Port {port} of 127.0.0.1 is taken, perhaps by another companion. "
        "Stop it, or choose another port with --port."
    ]


def test_a_second_service_in_the_same_folder_is_told_so(tmp_path: Path):
    with serving(tmp_path, "--port", "0"):
        result = run(tmp_path, "--host", "127.0.0.1", "--port", "0")
    assert result.returncode == 1
    assert "runs already with the folder" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ('[table]\nbox = "no-such-box"\n', "There is no taught box 'no-such-box'."),
        ('[table]\ngame = "no_such_game"\n', "There is no game 'no_such_game'."),
        ("[web\n", "break off"),
    ],
)
def test_a_strict_start_tells_settings_that_cannot_work_in_one_sentence(
    tmp_path: Path, written: str, says: str
):
    path = tmp_path / "companion.toml"
    path.write_text(written, encoding="utf-8")
    result = run(tmp_path, "--strict", "--settings", str(path), "--host", "127.0.0.1", "--port", "0")
    assert result.returncode == 1
    assert says in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_missing_settings_are_told(tmp_path: Path):
    result = run(tmp_path, "--strict", "--settings", str(tmp_path / "nothing.toml"))
    assert result.returncode == 1
    assert "nothing.toml" in result.stderr


def test_a_killed_service_comes_back_with_its_seats(tmp_path: Path):
    with serving(tmp_path, "--port", "0") as (process, told):
        page = told["addresses"][0]
        body = b"name=Mia&seat=red"
        with urllib.request.urlopen(f"{page}join", body, timeout=10) as answer:
            path = answer.url.removeprefix(page)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    with (
        serving(tmp_path, "--port", str(told["port"])) as (_, told),
        urllib.request.urlopen(f"{told['addresses'][0]}{path}", timeout=10) as answer,
    ):
        assert "Mia" in answer.read().decode()
