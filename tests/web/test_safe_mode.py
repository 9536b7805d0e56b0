"""Whatever is broken, a page comes up and says what is wrong: ``companion serve``, really started."""

from __future__ import annotations

import html
import http.client
import json
import re
import socket
import sqlite3
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from companion.games.making_monsters.game import GAME
from companion.table.starts import BROKEN_UNTIL_SAFE, Marks, Starts
from tests.web.serving import serving

PATIENCE_S = 60.0
BOX = '[table]\nbox = "gone"\n'
CRASHING = '[[cameras]]\nname = "ceiling"\ndriver = "crashing"\n'


def asked(url: str, path: str = "host", body: bytes | None = b"") -> str:
    """Return what a page says in words; a host of this very computer needs no PIN."""
    try:
        with urllib.request.urlopen(f"{url}{path}", body, timeout=PATIENCE_S) as answer:
            text = answer.read().decode()
    except urllib.error.HTTPError as error:
        text = error.read().decode()
    return html.unescape(re.sub(r"<[^>]+>", " ", text))


def until(url: str, is_said: Callable[[str], bool], path: str = "host", body: bytes | None = b"") -> str:
    """Ask until a page says it: a worker that makes way for a fresh one may drop a call."""
    end_s, said, pause = time.monotonic() + PATIENCE_S, "", threading.Event()
    while not is_said(said) and time.monotonic() < end_s:
        pause.wait(0.1)
        try:
            said = asked(url, path, body)
        except (OSError, http.client.HTTPException):
            continue
    assert is_said(said), said
    return said


def is_whole(said: str) -> bool:
    return "Devices" in said and "Safe mode" not in said


def host_token(url: str) -> str:
    with urllib.request.urlopen(f"{url}host", b"", timeout=PATIENCE_S) as answer:
        return str(answer.url).split("/")[-2]


def strangers(folder: Path, module: str, entries: str) -> str:
    """Install a package of somebody else into a folder; return the folder."""
    about = folder / "strangers-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: strangers\nVersion: 1\n")
    (about / "entry_points.txt").write_text(entries)
    (folder / "strangers.py").write_text(module)
    return str(folder)


def broken_journal(path: Path) -> bytes:
    content = b"SQLite format 3\0" + b"not at all" * 1000
    path.write_bytes(content)
    return content


def test_broken_settings_and_a_damaged_journal_leave_a_table_and_a_way_back(tmp_path: Path):
    (tmp_path / "companion.toml").write_text('[web]\nname = "half\n')
    (tmp_path / "companion.last-good.toml").write_text('[web]\nname = "good.local"\n' + CRASHING)
    damaged = broken_journal(tmp_path / "journal.sqlite")
    broken_journal(tmp_path / "seats.sqlite")
    broken_journal(tmp_path / "evidence.sqlite")
    with serving(tmp_path, "--port", "0") as (_, told):
        (url,) = told["addresses"]
        said = asked(url)
        assert "Safe mode" in said
        assert "companion.toml break off or are no TOML at line 2" in said
        assert "The journal was damaged, and a new one was begun." in said
        assert "seats and past evenings was damaged" in said and "camera saw were damaged" in said
        assert "good.local" in said
        (aside,) = tmp_path.glob("journal-damaged-*.sqlite")
        assert aside.read_bytes() == damaged
        urllib.request.urlopen(f"{url}host/{host_token(url)}/last_good", b"", timeout=PATIENCE_S).close()
        assert "ceiling" in until(url, is_whole)  # the devices are back
    (kept,) = tmp_path.glob("companion.broken-*.toml")
    assert kept.read_text() == '[web]\nname = "half\n'


def test_a_missing_box_a_taken_port_and_a_broken_page_are_told_together_by_a_safe_start(tmp_path: Path):
    entries = "[companion.pages]\nodd = strangers:page\n"
    paths = strangers(tmp_path / "more", "def page(context):\n    raise RuntimeError('odd')\n", entries)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        (tmp_path / "companion.toml").write_text(f"{BOX}[web]\nport = {port}\n")
        with serving(tmp_path, "--safe", paths=paths) as (_, told):
            said = asked(told["addresses"][0])
    assert told["port"] != port
    assert f"Port {port} is used by another program" in said
    assert "There is no taught box 'gone'." in said
    assert "started without devices because somebody asked" in said
    assert "Safe mode" in said
    assert Starts(tmp_path).marks() == Marks(0, is_safe_asked=True)


def test_a_journal_that_another_program_holds_is_waited_for_and_never_moved(tmp_path: Path):
    serving_once = closing(sqlite3.connect(tmp_path / "journal.sqlite", isolation_level=None))
    with serving_once as other:
        other.execute("pragma locking_mode = exclusive")
        other.execute("begin exclusive")
        with serving(tmp_path, "--port", "0") as (_, told):
            (url,) = told["addresses"]
            assert "is held by another program" in asked(url, "", None)
            other.execute("rollback")
            other.close()
            until(url, lambda said: "The table is open" in said, "", None)
    assert not list(tmp_path.glob("journal-damaged*"))


def test_a_part_that_kills_every_start_is_left_out_by_itself_until_the_host_wants_it_back(tmp_path: Path):
    entries = "[companion.pages]\nodd = strangers:page\n"
    paths = strangers(tmp_path / "more", "import os\nos._exit(9)\n", entries)
    with serving(tmp_path, "--port", "0", paths=paths) as (_, told):
        (url,) = told["addresses"]
        said = asked(url)
        assert f"The last {BROKEN_UNTIL_SAFE} starts broke before the table was open" in said
        (tmp_path / "more" / "strangers.py").write_text("def page(context):\n    return None\n")
        urllib.request.urlopen(f"{url}host/{host_token(url)}/whole", b"", timeout=PATIENCE_S).close()
        until(url, is_whole)


def test_a_camera_that_crashes_the_senses_again_and_again_leaves_the_table_open(tmp_path: Path):
    entries = "[companion.cameras]\ncrashing = strangers:open_camera\n"
    entries += "[companion.recognisers]\nblind = strangers:open_eyes\n"
    module = (
        "import os\n"
        "def open_camera(name, options):\n    os._exit(11)\n"
        "class Blind:\n    def watch(self, camera):\n        return self\n"
        "def open_eyes(folder):\n    return Blind()\n"
    )
    paths = strangers(tmp_path / "more", module, entries)
    box = tmp_path / "boxes" / "some"
    box.mkdir(parents=True)
    (box / "catalogue.json").write_text(json.dumps(GAME.stand_in))
    (box / "box.json").write_text("{}")
    (tmp_path / "companion.toml").write_text(
        f'[table]\nbox = "some"\n[senses]\nrecogniser = "blind"\n{CRASHING}'
    )
    with serving(tmp_path, "--port", "0", paths=paths) as (_, told):
        said = until(told["addresses"][0], lambda said: "the process ended with 11" in said)
    assert is_whole(said)
