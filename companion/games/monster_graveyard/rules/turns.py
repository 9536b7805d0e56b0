"""Turns, phases and rounds: each seat chooses one phase a turn that nobody has chosen, and all act in it."""

from __future__ import annotations

from dataclasses import replace

from companion.game import Seat
from companion.games.monster_graveyard import events as e
from companion.games.monster_graveyard import moves as m
from companion.games.monster_graveyard.components import PHASE_BONUS_RP, ROUNDS
from companion.games.monster_graveyard.options import END, FIRST, READY, RESET, value
from companion.games.monster_graveyard.rulebook import OVERVIEW
from companion.games.monster_graveyard.state import PHASES, Lab, Phase, Stage, State
from companion.games.monster_graveyard.words import broken, say, seat_name, seat_names

EMPTIED = ("village", "graveyard")


def lab_of(state: State, seat: Seat) -> Lab:
    """Return what belongs to a seat that plays now. Raises RuleBroken."""
    if not state.is_running or seat not in state.labs:
        raise broken("not_playing", OVERVIEW)
    return state.labs[seat]


def choose_phase(state: State, command: m.ChoosePhase) -> tuple[e.Event, ...]:
    lab = lab_of(state, command.seat)
    if command.phase not in PHASES:
        raise broken("no_such_phase", OVERVIEW)
    still_open = tuple(say(f"phase.{phase}") for phase in state.open_phases())
    name = say(f"phase.{command.phase}")
    if command.phase in state.chosen:
        raise broken(
            "phase_taken",
            OVERVIEW,
            phase=name,
            seat=seat_name(state.chosen[command.phase]),
            phases=still_open,
        )
    if lab.stage is not Stage.CHOOSE:
        raise broken("not_choosing", OVERVIEW, seats=seat_names(state.waited_for()))
    chosen = e.PhaseChosen(command.seat, command.phase)
    if command.phase == Phase.LABORATORY:
        return (chosen, e.BonusPaid(command.seat, PHASE_BONUS_RP))
    return (chosen,)


def phase_chosen(state: State, event: e.PhaseChosen) -> State:
    phase = Phase(event.phase)
    stage = Stage.RECORD
    if phase is Phase.LABORATORY:
        stage = Stage.WAIT if state.is_in_turn else Stage.ACT
    labs = {seat: replace(lab, stage=stage) for seat, lab in state.labs.items()}
    if phase is Phase.LABORATORY:
        labs[event.seat] = replace(labs[event.seat], stage=Stage.ACT)
    chosen = {**state.chosen, phase.value: event.seat}
    return replace(state, phase=phase, active=event.seat, chosen=chosen, labs=labs)


def bonus_paid(state: State, event: e.BonusPaid) -> State:
    return state.with_lab(event.seat, rp=state.labs[event.seat].rp + event.rp)


def finished(state: State, event: e.Finished) -> State:
    """End a seat's part of a phase; in the Laboratory the next one's begins (MG-R1)."""
    after = state.with_lab(event.seat, stage=Stage.DONE, deck="")
    acts = any(lab.stage not in (Stage.WAIT, Stage.DONE) for lab in after.labs.values())
    if after.phase is not Phase.LABORATORY or acts or after.active is None:
        return after
    waiting = [seat for seat in after.order_from(after.active) if after.labs[seat].stage is Stage.WAIT]
    return after.with_lab(waiting[0], stage=Stage.ACT) if waiting else after


def follow(state: State) -> tuple[e.Event, ...]:
    """Return what ends by itself: a phase in which all are done, a turn, the game."""
    if not state.is_running:
        return ()
    if state.rounds_done >= ROUNDS and value(state.options, END) == "at_once":
        return (e.GameOver(),)
    if state.phase in PHASES:
        is_done = all(lab.stage is Stage.DONE for lab in state.labs.values())
        return (e.PhaseEnded(state.phase.value),) if is_done else ()
    if len(state.chosen) < len(state.labs):
        return ()
    if state.rounds_done >= ROUNDS:
        return (e.GameOver(),)
    is_readied = value(state.options, READY) == "each_turn"
    return (e.TurnBegun(state.turn + 1, _next_first(state), is_readied),)


def _next_first(state: State) -> Seat:
    assert state.first is not None
    order = state.order_from(state.first)
    return order[1] if value(state.options, FIRST) == "moves_on" else order[0]


def phase_ended(state: State, event: e.PhaseEnded) -> State:
    """Let the next seat choose, if one has not chosen yet."""
    assert state.first is not None
    after = replace(state, phase=Phase.CHOOSE)
    chooser = next(
        (seat for seat in state.order_from(state.first) if seat not in state.chosen.values()), None
    )
    if chooser is None:
        return after
    return replace(after, active=chooser).with_lab(chooser, stage=Stage.CHOOSE)


def turn_begun(state: State, event: e.TurnBegun) -> State:
    labs = dict(state.labs)
    if event.is_readied:
        for seat, lab in labs.items():
            awake = tuple(replace(one, is_exhausted=False) for one in lab.monsters)
            labs[seat] = replace(lab, monsters=awake)
    after = replace(
        state,
        phase=Phase.CHOOSE,
        turn=event.turn,
        first=event.first,
        active=event.first,
        chosen={},
        labs=labs,
    )
    return after.with_lab(event.first, stage=Stage.CHOOSE)


def end_round(state: State, command: m.EndRound) -> tuple[e.Event, ...]:
    if command.seat is not None:
        lab_of(state, command.seat)
    if not state.is_running:
        raise broken("not_playing", OVERVIEW)
    if command.emptied not in EMPTIED:
        raise broken("emptied", OVERVIEW)
    if state.rounds_done >= ROUNDS:
        raise broken("rounds_over", "MG-R19")
    number = state.rounds_done + 1
    clears = number < ROUNDS and value(state.options, RESET) == "no_monsters"
    return (e.RoundEnded(command.emptied, number, clears, command.seat),)


def round_ended(state: State, event: e.RoundEnded) -> State:
    after = replace(state, rounds_done=event.number)
    if not event.clears:
        return after
    return replace(after, labs={seat: replace(lab, monsters=()) for seat, lab in after.labs.items()})


def game_over(state: State, event: e.GameOver) -> State:
    labs = {seat: replace(lab, stage=Stage.DONE, deck="") for seat, lab in state.labs.items()}
    return replace(state, phase=Phase.OVER, labs=labs)


def ranks(state: State) -> dict[Seat, int]:
    """Return the rank of every seat by victory points; ties share a rank (MG-R19)."""
    scores = {seat: lab.vp for seat, lab in state.labs.items()}
    return {seat: 1 + sum(other > score for other in scores.values()) for seat, score in scores.items()}


def winners(state: State) -> tuple[Seat, ...]:
    return tuple(seat for seat, rank in ranks(state).items() if rank == 1)
