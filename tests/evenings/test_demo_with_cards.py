"""Games of cards played before cameras: hands bring the table to where the rules are, eyes read all of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.board import Lying, Place
from companion.game import Lays
from companion.plugins import load
from companion.table.self_play import steps
from hardware.simulated.contents import CARD_BACK
from hardware.simulated.evening.with_cards import visits_between
from hardware.simulated.table import Setting
from hardware.simulated.tables import table_of


@pytest.mark.parametrize(("name", "least"), [("mad_science", 4), ("monster_graveyard", 4)])
def test_hands_bring_the_table_to_what_the_rules_say_lies_there(name: str, least: int) -> None:
    game: Any = load("companion.games", name)
    table = table_of(name, 2, Setting((), speed=100.0))
    assert isinstance(game.dealer, Lays)
    lying: Mapping[Place, Lying] = {}
    visits = 0
    for step in islice(
        steps(game, game.stand_in, dict.fromkeys(game.seats[:2], game.players[-1]), Random(2)), 400
    ):
        wanted = game.dealer.lying(step.state)
        for deeds in visits_between(lying, wanted):
            table.do({"do": "visit", "deeds": deeds})
            visits += 1
        lying = wanted
        if visits >= least:
            break
    assert visits >= least
    truth = table.truth()
    assert truth["places"] == {str(at): one.kind if one.is_up else CARD_BACK for at, one in lying.items()}
    dice = {str(at): [list(die) for die in one.dice] for at, one in lying.items() if one.dice}
    assert truth["dice"] == dice
    table.close()


@pytest.mark.demo
@pytest.mark.cards
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("game", ["mad-science", "monster-graveyard"])
def test_a_game_of_cards_is_laid_read_and_won_before_cameras(game: str, tmp_path: Path) -> None:
    words = ("--seats", "2", "--seed", "3", "--speed", "20")
    done = subprocess.run(
        [sys.executable, "-m", "companion", "demo", "--game", game, "--until-end", *words],
        env={**os.environ, "COMPANION_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert ", 0 refused" in done.stdout
    assert re.search(r"\d{2} proposals: .*, 0 typed", done.stdout)
