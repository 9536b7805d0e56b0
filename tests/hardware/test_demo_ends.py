"""A demo that is told to stop ends tidily, whatever it is just doing, and leaves no process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

DEMO = (sys.executable, "-m", "companion", "demo", "--game", "mad-science", "--by-phones", "--port", "0")


def started(home: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*DEMO, *words],
        env={**os.environ, "COMPANION_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def those_of(home: Path) -> list[str]:
    """Return the words of all processes that know of a home folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            knows = f"COMPANION_HOME={home}".encode() in (process / "environ").read_bytes()
            words = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if knows and words:
            found.append(words)
    return found


@pytest.mark.demo
def test_a_demo_that_plays_ends_with_all_its_processes_however_often_it_is_told(tmp_path: Path):
    demo = started(tmp_path, "--speed", "20")
    try:
        assert demo.stdout is not None
        while "Stop with Ctrl-C" not in demo.stdout.readline():
            assert demo.poll() is None
        assert len(those_of(tmp_path / "demo")) >= 2  # gunicorn's master and worker
        for end in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
            demo.send_signal(end)
        _, complaints = demo.communicate(timeout=30)
    finally:
        demo.kill()
    assert complaints == "The demo is over.\n"
    assert demo.returncode == 0
    assert those_of(tmp_path / "demo") == []


@pytest.mark.demo
def test_a_demo_that_is_just_starting_its_service_leaves_none_behind(tmp_path: Path):
    demo = started(tmp_path)
    try:
        while not those_of(tmp_path / "demo"):
            assert demo.poll() is None
        demo.terminate()
        _, complaints = demo.communicate(timeout=30)
    finally:
        demo.kill()
    assert complaints == "The demo is over.\n"
    assert those_of(tmp_path / "demo") == []
