"""What every rule asks first: does the seat play, and is it its turn to do this?"""

from __future__ import annotations

from companion.game import Seat
from companion.games.mad_science.state import Creature, Stage, State
from companion.games.mad_science.words import broken, say, seat_name


def creature_at(state: State, seat: Seat) -> Creature:
    """Return a seat's creature. Raises RuleBroken if nobody plays there."""
    found = state.creatures.get(seat)
    if found is None:
        raise broken("nobody_there", "Setup", seat=seat)
    return found


def creature_on_turn(state: State, seat: Seat, *stages: Stage) -> Creature:
    """Return the creature of the seat on turn if it is at one of the stages. Raises RuleBroken."""
    found = creature_at(state, seat)
    if seat not in state.waited_for():
        turn = say("instead.nobody") if state.turn.seat is None else seat_name(state.turn.seat)
        raise broken("not_your_turn", "Setup", turn=turn)
    if state.turn.stage not in stages:
        raise broken("not_now", "Build Phase", stage=say(f"stage.{state.turn.stage}"))
    return found
