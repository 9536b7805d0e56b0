"""Why a number is what it is: the LIFE of every creature and of the Experiment, line by line.

A sum is read off the journal: each event that changed the number is a line, by how much it changed it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.game import Seat, Sentence, Sum, Tally
from companion.games.mad_science import events as e
from companion.games.mad_science.components import Kind
from companion.games.mad_science.state import Phase, State, life_of
from companion.games.mad_science.words import box_name, card_name, column_name, say, seat_name

RULES: Mapping[type, tuple[str, str]] = {
    e.Completed: ("sum.first", "Battle Phase"),
    e.Regenerated: ("sum.regenerated", "Battle Phase"),
    e.LifeSet: ("sum.set_right", "MS-R27"),
    e.TakenOver: ("sum.taken_over", "Setup"),
    e.CatalogueTold: ("sum.told", "Components"),
}
"""What an event says about a LIFE that it changed, and the heading that it follows from."""


@dataclass(frozen=True, slots=True)
class Happened:
    """One event with the states around it; ``box`` is the newest box read before it."""

    before: State
    event: e.Event
    after: State
    box: e.BoxRead | None


def sums(state: State, history: Sequence[tuple[State, e.Event]]) -> tuple[Sum, ...]:
    """Return the sums of all LIFE; ``history`` is all that still stands, each event with the state before."""
    if state.phase is Phase.OPEN:
        return ()
    past = list(_past(state, history))
    of_seats = (
        Sum(f"score.{seat}", say("sum.life_of", seat=seat_name(seat)), _lines(past, _life_of(seat)))
        for seat in state.creatures
    )
    experiment = Sum("experiment", say("sum.experiment"), _lines(past, lambda at: at.experiment_life or 0))
    return (*of_seats, experiment)


def _past(state: State, history: Sequence[tuple[State, e.Event]]) -> Iterator[Happened]:
    later = [*(before for before, _ in history[1:]), state]
    box: e.BoxRead | None = None
    for (before, event), after in zip(history, later, strict=False):
        match event:
            case e.BoxRead():
                box = event
            case e.SpecialFired() | e.TurnBegun() | e.TurnOpened() | e.PartsStayed():
                box = None
        yield Happened(before, event, after, box)


def _life_of(seat: Seat) -> Callable[[State], int]:
    return lambda state: life_of(state, seat) if seat in state.creatures else 0


def _lines(past: Sequence[Happened], number: Callable[[State], int]) -> tuple[Tally, ...]:
    lines = []
    for step in past:
        change = number(step.after) - number(step.before)
        if change:
            what, rule = _reason(step)
            lines.append(Tally(change, what, step.after.round or None, rule))
    return tuple(lines)


def _reason(step: Happened) -> tuple[Sentence, str]:
    """Return why LIFE changed, and the heading that says so."""
    event, box = step.event, step.after.box
    if type(event) in RULES:
        key, rule = RULES[type(event)]
        return say(key), rule
    match event:
        case e.BodyDealt(body=card) | e.ExperimentUp(card=card):
            return card_name(box, card), "Starting the Game"
        case e.PartPlayed(card=card):
            return card_name(box, card), "Battle Phase"
        case _:
            return _harm(step)


def _harm(step: Happened) -> tuple[Sentence, str]:
    """Return what took LIFE: a box of a chart, a weapon, a part that did not come back."""
    is_break = step.after.phase is Phase.BREAK
    if step.box is not None:
        column, face = step.box.column, step.box.face
        what = say("sum.box", column=column_name(column), face=face, box=box_name(step.box.word, face))
    elif step.before.turn.seat is not None and _misses_part(step):
        return say("sum.not_back"), "Part Drop"
    else:
        what = say("sum.special")
    event = step.event
    by = event.by if isinstance(event, e.CreatureHurt) else None
    if by is not None and isinstance(event, e.CreatureHurt) and by != event.seat:
        what = say("sum.by", seat=seat_name(by), what=what)
    if isinstance(event, e.ExperimentHurt):
        what = say("sum.by", seat=seat_name(event.seat), what=what)
    return what, "Break Phase" if is_break else "Battle Phase"


def _misses_part(step: Happened) -> bool:
    event = step.event
    if not isinstance(event, e.CreatureHurt) or event.by != event.seat:
        return False
    dropped: Mapping[Kind, object] = step.before.creatures[event.seat].dropped
    return bool(dropped)
