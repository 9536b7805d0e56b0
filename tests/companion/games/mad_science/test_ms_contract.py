"""What every game promises, held by Mad Science."""

from __future__ import annotations

from companion.games.mad_science.game import GAME
from companion.games.mad_science.moves import SetUp
from companion.testkit import GameContract


class TestMadScience(GameContract):
    game = GAME
    opening = (SetUp(GAME.seats[:3]),)
    steps = 60
