"""The players of the game, from the weakest to the strongest."""

from __future__ import annotations

from companion.game import Player
from companion.games.making_monsters.outlook import Weights
from companion.games.making_monsters.players import Tinkerer
from companion.games.making_monsters.strong import Strong

PLAYERS: tuple[Player, ...] = (
    Tinkerer("careless", risk=0.35, is_tidy=False),
    Tinkerer("careful", risk=0.12, is_tidy=True),
    Strong("strong", Weights()),
)
