"""The demo by phones alone, from the first tap to the winner."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.demo, pytest.mark.timeout(300)]


def demo(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", "demo", "--until-end", *words],
        env={**os.environ, "COMPANION_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_game_plays_itself_by_phones_and_its_scores_are_those_of_the_journal(tmp_path: Path) -> None:
    words = ("--game", "monster-graveyard", "--by-phones", "--seats", "2", "--seed", "4", "--speed", "100")
    done = demo(tmp_path, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ", 0 refused" in done.stdout
    scores = re.findall(r"^\w+ +(\d+) .*anew: (\d+)$", done.stdout, re.MULTILINE)
    assert len(scores) == 2 and all(score == counted for score, counted in scores)
    assert "Won by" in done.stdout


def test_where_a_game_waits_for_its_die_a_serial_one_is_thrown(tmp_path: Path) -> None:
    done = demo(
        tmp_path, "--game", "mad-science", "--by-phones", "--seats", "2", "--seed", "3", "--speed", "100"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    taps, rolls = re.findall(r"(\d+) taps on phones, (\d+) rolls of the die, 0 refused", done.stdout)[0]
    assert int(rolls) > 20 and int(taps) > 10
    assert "Won by" in done.stdout
