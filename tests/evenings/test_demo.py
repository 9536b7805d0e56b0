"""The demo by its own command: a whole game without anybody, and a swap that must not pass unseen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.demo, pytest.mark.timeout(600)]


def demo(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", "demo", "--until-end", "--speed", "20", *words],
        env={**os.environ, "COMPANION_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_game_plays_itself_and_its_scores_are_those_of_the_cards(demo_home: Path) -> None:
    done = demo(demo_home, "--seats", "2", "--seed", "5", "--track", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    for score, counted in re.findall(r"^\w+ +(\d+) .*piles: (\d+)$", done.stdout, re.MULTILINE):
        assert score == counted
    assert re.search(r"\d{2,} proposals: .*, 0 typed", done.stdout)
    assert "Won by" in done.stdout


def test_two_tokens_swapped_unseen_are_noticed_and_said(demo_home: Path) -> None:
    done = demo(demo_home, "--seats", "2", "--seed", "5", "--track", "8", "--fault")
    assert done.returncode == 1
    assert "were swapped unseen, and the table said:" in done.stdout
