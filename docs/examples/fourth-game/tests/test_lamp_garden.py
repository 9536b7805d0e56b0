"""The promises that every game makes, held by Lamp Garden: one line says it all."""

from lamp_garden.game import GAME

from companion.testkit import GameContract


class TestLampGarden(GameContract):
    game = GAME
