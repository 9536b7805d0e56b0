"""The promises that every game makes, held by Making Monsters."""

from __future__ import annotations

from companion.games.making_monsters.game import GAME
from companion.testkit import GameContract


class TestMakingMonsters(GameContract):
    game = GAME
