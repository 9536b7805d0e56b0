"""Whose turn it is, and what is put in order before it: what was temporary comes back, 0 LIFE rests."""

from __future__ import annotations

from dataclasses import replace

from companion.game import Seat
from companion.games.mad_science.events import (
    AdaptorBack,
    Event,
    PartsBack,
    Regenerated,
    Targeted,
    TurnBegun,
    TurnLost,
    TurnOpened,
    TurnPassed,
)
from companion.games.mad_science.rules.breaking import targets
from companion.games.mad_science.state import Creature, Phase, Rest, Stage, State, Turn, on_turn


def follow(state: State) -> tuple[Event, ...]:
    """Go on to the next seat when a turn is over; open a turn that has come."""
    match state.turn.stage:
        case Stage.NOTHING:
            return (_next(state),)
        case Stage.ARRIVE:
            assert state.turn.seat is not None
            return (_opening(state, state.turn.seat, state.creatures[state.turn.seat]),)
        case _:
            return ()


def _next(state: State) -> TurnBegun:
    """Return the next turn, clockwise; a round is over when it comes by the first seat again."""
    living = [seat for seat in state.order if not state.creatures[seat].is_out]
    now = state.turn.seat
    if now is None:
        return TurnBegun(living[0], state.round + 1)
    at = state.order.index(now)
    after = [seat for seat in living if state.order.index(seat) > at]
    return TurnBegun(after[0], state.round) if after else TurnBegun(living[0], state.round + 1)


def turn_begun(state: State, event: TurnBegun) -> State:
    return replace(state, round=event.round, turn=Turn(event.seat, Stage.ARRIVE))


def _opening(state: State, seat: Seat, creature: Creature) -> Event:
    """Return the next thing that happens at the beginning of a turn."""
    if not creature.fights:
        return TurnOpened(seat, Stage.PLAY)
    if state.phase is Phase.BREAK:
        return _attack(state, seat)
    return _returning(seat, creature)


def _returning(seat: Seat, creature: Creature) -> Event:
    """Return what a creature in Battle gets back or loses first, else what its seat rolls for."""
    if creature.is_adaptor_out:
        return AdaptorBack(seat)
    if creature.rest is not Rest.NONE:
        return TurnLost(seat) if creature.rest is Rest.LOSES_TURN else Regenerated(seat)
    tried = tuple(kind for kind, one in creature.dropped.items() if one.is_tried)
    if tried:
        return PartsBack(seat, tried)
    return TurnOpened(seat, Stage.RECOVER if creature.dropped else Stage.ROLL)


def _attack(state: State, seat: Seat) -> Event:
    """Ask whom a seat attacks, unless there is only one that it may (MS-R26, R31)."""
    may = targets(state, seat)
    if not may:
        return TurnPassed(seat)
    return Targeted(seat, may[0]) if len(may) == 1 else TurnOpened(seat, Stage.TARGET)


def turn_opened(state: State, event: TurnOpened) -> State:
    return on_turn(state, stage=event.stage)


def turn_passed(state: State, event: TurnPassed) -> State:
    return on_turn(state, stage=Stage.NOTHING)
