"""The promises that every game makes, held by Monster Graveyard."""

from __future__ import annotations

from companion.game import Seat
from companion.games.monster_graveyard.game import GAME
from companion.games.monster_graveyard.moves import SetUp
from companion.testkit import GameContract


class TestMonsterGraveyard(GameContract):
    game = GAME


class TestMonsterGraveyardInPlay(GameContract):
    """From where a game is set up, with research points to spend."""

    game = GAME
    opening = (SetUp((Seat("orange"), Seat("green"), Seat("blue")), gp=4, rp=20),)
    steps = 60
