"""The contract of games: the small invented one keeps it, and so does every built-in one."""

from __future__ import annotations

from typing import ClassVar

from companion.games.making_monsters.game import GAME
from companion.testkit import GameContract
from tests.lantern.game import LANTERN
from tests.lantern.moves import SEATS, Open


class TestLantern(GameContract):
    game = LANTERN
    opening: ClassVar = (Open(SEATS),)


class TestMakingMonsters(GameContract):
    game = GAME
