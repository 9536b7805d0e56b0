"""What systemd is told, over a real socket like its own."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.table.notify import Watchdog, tell_systemd


@pytest.fixture(params=["file", "abstract"])
def systemd(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[socket.socket]:
    name = str(tmp_path / "notify") if request.param == "file" else f"\0companion-{tmp_path}"[:100]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ears:
        ears.bind(name)
        ears.settimeout(30)
        monkeypatch.setenv("NOTIFY_SOCKET", name.replace("\0", "@"))
        yield ears


def test_lines_arrive_as_one_datagram(systemd: socket.socket):
    assert tell_systemd("READY=1", "STATUS=all is well")
    assert systemd.recv(1000) == b"READY=1\nSTATUS=all is well"


def test_progress_is_told_again_and_again(systemd: socket.socket, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("WATCHDOG_USEC", "20000")
    watchdog = Watchdog(lambda: "")
    assert [systemd.recv(1000) for _ in range(3)] == [b"WATCHDOG=1"] * 3
    watchdog.close()


def test_a_table_that_hangs_is_not_told_as_progress(
    systemd: socket.socket, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setenv("WATCHDOG_USEC", "20000")
    answers = iter(["the table does not answer", "the table does not answer"])
    watchdog = Watchdog(lambda: next(answers, ""))
    assert systemd.recv(1000) == b"WATCHDOG=1"
    watchdog.close()
    assert caplog.text.count("the table does not answer") == 2


def test_an_answer_that_comes_after_the_end_is_dropped(
    systemd: socket.socket, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("WATCHDOG_USEC", "20000")
    asked, may_answer = threading.Event(), threading.Event()

    def slow() -> str:
        asked.set()
        may_answer.wait(30)
        return ""

    watchdog = Watchdog(slow)
    assert asked.wait(30)
    watchdog.close()
    may_answer.set()
    tell_systemd("STOPPING=1")
    assert systemd.recv(1000) == b"STOPPING=1"


def test_a_systemd_that_does_not_listen_is_no_obstacle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    assert not tell_systemd("READY=1")


def test_without_systemd_nothing_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not tell_systemd("READY=1")
