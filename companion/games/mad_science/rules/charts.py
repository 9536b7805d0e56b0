"""Reading a chart: which box a roll comes to, and what nobody has told of it."""

from __future__ import annotations

from dataclasses import replace

from companion.game import Seat
from companion.games.mad_science.components import Column, Rank, cell
from companion.games.mad_science.events import BoxAsked, BoxRead, Rolled
from companion.games.mad_science.instructions import (
    Arrow,
    Instruction,
    RollAgain,
    RollTwice,
    SpecialMove,
    meaning,
)
from companion.games.mad_science.printed import Chart
from companion.games.mad_science.state import Phase, Stage, State, on_turn

ROLLS_KEPT = 6
"""How many rolls of a special move are shown; no card asks for more."""


def chart(state: State) -> Chart:
    """Return the chart that rolls are read on now: the Experiment's, or the Final Conflict's."""
    if state.phase is Phase.BREAK:
        found = state.box.conflicts.get(state.conflict)
        return {} if found is None else found.chart
    experiment = state.box.experiments.get(state.experiment)
    return {} if experiment is None else experiment.chart


def column_of(state: State, seat: Seat) -> Column | Rank:
    """Return the column in which a seat's next roll is read."""
    rank = state.creatures[seat].rank
    return rank if state.phase is Phase.BREAK and rank is not None else state.turn.column


def column_named(state: State, name: str) -> Column | Rank:
    return Rank(name) if state.phase is Phase.BREAK else Column(name)


def looked_up(state: State, seat: Seat, face: int) -> BoxRead | BoxAsked:
    """Return the box that a roll comes to, asked for if nobody has told it."""
    column = column_of(state, seat)
    word = chart(state).get(cell(column, face))
    return BoxAsked(seat, column, face) if word is None else BoxRead(seat, column, face, word)


def instruction(state: State, event: BoxRead) -> Instruction:
    return meaning(event.word, column_named(state, event.column))


def rolled(state: State, event: Rolled) -> State:
    rolls = (*state.turn.rolls, event.face)[-ROLLS_KEPT:] if state.turn.stage is Stage.MOVE else ()
    # The second roll of ROLL # TWICE and those of a special move leave the first one's number standing.
    keeps = state.turn.stage in (Stage.TWICE, Stage.MOVE)
    face = state.turn.face if keeps else event.face
    return on_turn(
        replace(state, last=("", event.face, "")), rolls=rolls, face=face, rolled=state.turn.rolled + 1
    )


def came_to(state: State, word: str) -> State:
    """Return the state with what its newest roll came to, where no chart says it."""
    face = 0 if state.last is None else state.last[1]
    return replace(state, last=("", face, word))


def box_asked(state: State, event: BoxAsked) -> State:
    return on_turn(replace(state, last=(event.column, event.face, "")), stage=Stage.TELL)


def box_read(state: State, event: BoxRead) -> State:
    """Go on as the box says; what it does to creatures are events of their own."""
    state = on_turn(replace(state, last=(event.column, event.face, event.word)), face=event.face)
    match instruction(state, event):
        case Arrow(column):
            return on_turn(state, stage=Stage.ROLL, column=column)
        case RollAgain():
            return on_turn(state, stage=Stage.ROLL)
        case RollTwice():
            return on_turn(state, stage=Stage.TWICE)
        case SpecialMove():
            return on_turn(state, stage=Stage.MOVE)
        case _:
            return on_turn(state, stage=Stage.NOTHING)
