"""What rehearsals of an appliance look at, and how they say that it held."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.rig.debian import Computer

PAGE = "import urllib.request as u; u.urlopen('http://127.0.0.1:80/', timeout=20).read()"
ROWS = """
import glob, sqlite3
found = glob.glob("/var/lib/companion/**/*journal.sqlite", recursive=True)
print(sum(sqlite3.connect(file).execute("select count(*) from records").fetchone()[0] for file in found))
"""
EVENING = """
import sqlite3
journal = sqlite3.connect("/var/lib/companion/journal.sqlite")
journal.execute("insert into tables (rowid, id, game, box, catalogue, opened_utc) "
                "values (0, 'long ago', 'making_monsters', '', '{}', '2026-01-01T20:00:00Z')")
for seq in range(1, 101):
    row = ["long ago", seq, "2026-01-01T20:00:00Z", "x", 1, "{}", "{}"]
    journal.execute("insert into records values (?, ?, ?, ?, ?, ?, ?)", row)
journal.commit()
"""
WATCHED = ("etc", "opt", "usr/local", "var/lib")
NOT_OURS = ("systemd", "dpkg", "apt", "private", "dbus")
"""What a Debian that runs writes by itself beneath /var/lib."""

_noted: list[object] = []


def note(what: object) -> None:
    """Give what holds a number or a word to say."""
    _noted.append(f"{what:.1f}" if isinstance(what, float) else what)


@contextmanager
def holds(what: str) -> Iterator[None]:
    """Say that something held, and how long it took."""
    _noted.clear()
    began_s = time.monotonic()
    try:
        yield
    except BaseException as fault:
        said = getattr(fault, "output", "") or ""
        print(f"FAILED  {what}\n{said}", flush=True)
        raise
    print(f"held {time.monotonic() - began_s:6.1f} s  {what.format(*_noted)}", flush=True)


def served(computer: Computer) -> str:
    """Return the version that the running service is of, after seeing that its page comes."""
    computer.run("python3", "-c", PAGE)
    told = (computer.root / "opt/companion/current/slot.json").read_text()
    return str(json.loads(told)["version"])


def process_of(computer: Computer) -> str:
    return computer.run("systemctl", "show", "--property=MainPID", "--value", "companion.service").strip()


def entries(computer: Computer) -> int:
    """Return how many entries lie in all journals, those that were set aside too."""
    return int(computer.run("python3", "-c", ROWS))


def stood_still_s(computer: Computer) -> float:
    """Return how long the service was away the last time, as systemd's clock has it."""
    words = ("systemctl", "show", "--value", "companion.service", "--property")
    left = int(computer.run(*words, "InactiveEnterTimestampMonotonic"))
    came = int(computer.run(*words, "ActiveEnterTimestampMonotonic"))
    return (came - left) / 1e6


def wait_until(computer: Computer, is_so: Callable[[], bool], most_s: float = 120.0) -> None:
    until_s = time.monotonic() + most_s
    while not is_so():
        assert time.monotonic() < until_s, computer.run(
            "systemctl", "status", "companion-settle", check=False
        )
        time.sleep(0.3)


def listed(root: Path) -> set[str]:
    """Return every file, folder and link in the places that an install touches."""
    return {
        str(path.relative_to(root))
        for place in WATCHED
        for path in (root / place).rglob("*")
        if not (place == "var/lib" and path.relative_to(root / place).parts[0] in NOT_OURS)
    }


def inside(computer: Computer, file: Path) -> str:
    return f"/{file.relative_to(computer.root)}"
