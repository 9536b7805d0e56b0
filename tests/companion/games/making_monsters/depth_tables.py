"""Tables whose seats are followed less closely."""

from __future__ import annotations

from typing import Any

from companion.games.making_monsters.components import SEATS, Order
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import SetUp
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from tests.companion.games.making_monsters.tables import BAG, BLUE, RED, after, table

START = GAME.initial(GAME.stand_in)


def set_up(depth: Depth, seats: int = 4, track: int = 12) -> State:
    return after(START, SetUp(SEATS[:seats], track, depth=depth))


def reporting(**lab: Any) -> State:
    """Return red in depth results, drawing by yellow, while blue has decided to push on."""
    fields: dict[str, Any] = {"depth": Depth.RESULTS, "held": BAG, "stage": Stage.DRAW, "order": Order.YELLOW}
    waiting = Lab(bag=BAG, stage=Stage.DECIDED, order=Order.RED)
    return table(Phase.DELIVERIES, {RED: Lab(**(fields | lab)), BLUE: waiting})
