"""What the service tells systemd, over a real socket; and the door that systemd opens for it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from companion.ports import DeviceStanding, DeviceState
from companion.settings import Settings, parse
from companion.table.host import Host, open_host
from web import doors
from web.service import own_side
from web.vigil import Vigil, page_answers, where_stands
from web.whereabouts import Whereabouts

LAUNCH = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
os.execv(sys.executable, [sys.executable, "-m", "companion", *sys.argv[2:]])
"""


class Alive(BaseHTTPRequestHandler):
    """A page that comes."""

    def do_GET(self) -> None:
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ears:
        ears.bind(str(tmp_path / "notify"))
        ears.settimeout(60)
        yield ears


@pytest.fixture
def page() -> Iterator[tuple[str, int]]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Alive) as server:
        serving = threading.Thread(target=server.serve_forever, args=(0.01,))
        serving.start()
        yield "127.0.0.1", server.server_address[1]
        server.shutdown()
        serving.join()


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    opened = open_host(_settings())
    yield opened
    opened.close()


def _settings() -> Settings:
    return parse("", Path("companion.toml"), source=None)


def until(ears: socket.socket, beginning: bytes) -> list[bytes]:
    """Return all datagrams up to the first that begins so."""
    heard = [ears.recv(4096)]
    while not heard[-1].startswith(beginning):
        heard.append(ears.recv(4096))
    return heard


def test_an_evening_as_systemd_hears_it(tmp_path: Path, systemd: socket.socket):
    """The door was open before; READY only when its page comes; then status and progress."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen()
        number = door.getsockname()[1]
        asked = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "200000"}
        words = ["serve", "--json", "--host", "127.0.0.1", "--port", "0"]
        service = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, str(door.fileno()), *words],
            env={**os.environ, **asked, "COMPANION_HOME": str(tmp_path / "home")},
            pass_fds=[door.fileno()],
            stdout=subprocess.PIPE,
            text=True,
        )
    try:
        assert systemd.recv(4096) == b"READY=1\nWATCHDOG=1"
        with urllib.request.urlopen(f"http://127.0.0.1:{number}/", timeout=30) as answer:
            assert answer.status == 200
        assert until(systemd, b"WATCHDOG=1") == [
            f"STATUS=making_monsters on table-1, at http://127.0.0.1:{number}/".encode(),
            b"WATCHDOG=1",
        ]
        assert service.stdout is not None
        assert json.loads(service.stdout.readline())["port"] == number
        service.send_signal(signal.SIGTERM)
        assert service.wait(30) == 0
    finally:
        service.kill()
        service.communicate()


def test_a_table_that_hangs_is_noticed_and_one_that_goes_on_is_not(host: Host, page: tuple[str, int]):
    vigil = Vigil(host, page, Whereabouts("http://table/"), answer_s=60)
    impatient = Vigil(host, page, Whereabouts("http://table/"), answer_s=0.05)
    assert vigil.what_hangs() == ""
    hangs, may_go_on = threading.Event(), threading.Event()

    def hang() -> None:
        hangs.set()
        may_go_on.wait(60)

    end = host.table.on_change(hang)
    host.table.stood(DeviceStanding("bone", "die", DeviceState.LIVE))
    assert hangs.wait(60)
    assert "hang (test_vigil.py:" in where_stands("table ")
    assert impatient.what_hangs().startswith("the table does not answer, and stands in ")
    may_go_on.set()
    end()
    assert vigil.what_hangs() == ""
    vigil.close()
    impatient.close()


def test_a_page_that_does_not_come_is_noticed(host: Host):
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        at = deaf.getsockname()
        assert not page_answers(*at, timeout_s=0.05)
    assert not page_answers(*at)
    vigil = Vigil(host, at, Whereabouts("http://table/"), answer_s=60)
    assert vigil.what_hangs() == "no page comes"
    vigil.close()


def test_a_table_that_cannot_be_opened_is_said_and_is_no_reason_to_start_anew(page: tuple[str, int]):
    vigil = Vigil(None, page, None, answer_s=60)
    assert vigil.status() == "No table can be opened; the page says why"
    assert vigil.what_hangs() == ""
    vigil.close()


def test_what_is_missing_is_said_in_words(host: Host, page: tuple[str, int]):
    vigil = Vigil(host, page, Whereabouts("http://table/"))
    assert vigil.status() == "making_monsters on table-1, at http://table/"
    host.table.stood(DeviceStanding("bone", "die", DeviceState.LOST)).result(30)
    assert vigil.status() == (
        "making_monsters on table-1, at http://table/ "
        "The die bone is lost: plug it in again. Until then roll any die and tap its face."
    )
    vigil.close()


def test_without_systemd_there_are_no_doors(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("LISTEN_FDS", raising=False)
    assert doors.handed_over() == ()


def test_doors_of_another_process_are_left_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LISTEN_FDS", "1")
    monkeypatch.setenv("LISTEN_PID", str(os.getppid()))
    assert doors.handed_over() == ()
    assert "LISTEN_FDS" not in os.environ


def test_this_computer_comes_in_by_loopback():
    with socket.socket() as everywhere:
        everywhere.bind(("0.0.0.0", 0))
        assert own_side(everywhere) == ("127.0.0.1", everywhere.getsockname()[1])
