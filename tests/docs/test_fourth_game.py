"""The game by a stranger: its tutorial's commands are run as they stand, in an install of their own."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/a-game-of-your-own.md"
GAME = ROOT / "docs/examples/fourth-game"
COMMAND = re.compile(r"^    ((?:companion|python) .*)$", re.MULTILINE)
CODE = re.compile(r"^```(?:python|toml)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SEEN = """
from companion.board import SpaceId
from lamp_garden.game import GAME
from lamp_garden.rules import Light, Open
from pathlib import Path
from vision.recogniser import open_recogniser

eyes = open_recogniser(str(Path("home/boxes/lamp-garden").resolve()))
reading = eyes.read_photo(Path("photo.jpg").read_bytes(), camera="phone", at_ms=1)
state = GAME.initial(GAME.stand_in)
for command in (Open(GAME.seats[:2]), Light(GAME.seats[0], "bed3")):
    for event in GAME.decide(state, command):
        state = GAME.evolve(state, event)
[proposal] = GAME.sighted(state, reading)
assert proposal.is_sure and proposal.command == {"do": "light", "seat": "blue", "bed": "bed8"}, proposal
"""


def run(words: list[str], folder: Path) -> str:
    """Run a command as in the tutorial, beside the house's own environment, and return what it printed."""
    if words[0] == "python":
        words = [sys.executable, *words[1:]]
    elif words[0] == "companion":
        words = [sys.executable, "-m", *words]
    if words[1:4] == ["-m", "pip", "install"]:
        words = [*words, "--disable-pip-version-check", "-q", "--target", str(folder / "installed")]
    words = [str(ROOT / word) if word.startswith("docs/") else word for word in words]
    env = {**os.environ, "COMPANION_HOME": str(folder / "home"), "PYTHONPATH": str(folder / "installed")}
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.demo
@pytest.mark.timeout(300)
def test_every_command_of_the_tutorial_does_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    said = {command: run(shlex.split(command), tmp_path) for command in COMMAND.findall(PAGE.read_text())}
    assert len(said) == 9
    printed = "\n".join(said.values())
    assert re.search(r"lamp_garden +lamp-garden 1\.0 +ok", printed)
    assert re.search(r"\d{3} passed", printed)
    assert "gardener" in printed and "0 refused" in printed
    assert re.search(r"garden/bed3 +lamp_red", printed) and re.search(r"garden/bed8 +lamp_blue", printed)
    run(["python", "-c", SEEN], tmp_path)


def test_every_piece_of_code_in_the_tutorial_is_a_piece_of_the_game() -> None:
    files = [*GAME.rglob("*.py"), GAME / "pyproject.toml"]
    sources = flush("\n".join(file.read_text(encoding="utf-8") for file in files))
    pieces = CODE.findall(PAGE.read_text(encoding="utf-8"))
    assert len(pieces) >= 6
    for piece in pieces:
        assert flush(piece) in sources, piece


def flush(code: str) -> str:
    """Return code without its indentation, which a page has no room for."""
    return "\n".join(line.strip() for line in code.splitlines())


def test_the_house_knows_nothing_of_the_strangers_game() -> None:
    for floor in ("companion", "vision", "hardware", "calibration", "web"):
        for file in (ROOT / floor).rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            assert "lamp_garden" not in text and "Lamp Garden" not in text, file


def test_every_sentence_of_the_strangers_game_has_words() -> None:
    sources = "\n".join(file.read_text(encoding="utf-8") for file in (GAME / "lamp_garden").glob("*.py"))
    words = (GAME / "lamp_garden/locale/en.po").read_text(encoding="utf-8")
    for key in re.findall(r'say\("([\w.]+)"', sources):
        assert f'msgid "lg.{key}"' in words, key
    for key in re.findall(r'refuse\("([\w.]+)"', sources):
        assert f'msgid "lg.no.{key}"' in words and f'msgid "lg.instead.{key}"' in words, key
