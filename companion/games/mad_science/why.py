"""Why a number is what it is: the LIFE of every creature and of the Experiment, line by line.

A sum is read off the journal: each event that changed the number is a line, by how much it changed it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion import history
from companion.game import Seat, Sentence, Sum, Tally
from companion.games.mad_science import events as e
from companion.games.mad_science.state import Phase, State, life_of
from companion.games.mad_science.words import box_name, card_name, column_name, say, seat_name
from companion.history import changes, happened

RULES: Mapping[type, tuple[str, str]] = {
    e.Completed: ("sum.first", "Battle Phase"),
    e.Regenerated: ("sum.regenerated", "Battle Phase"),
    e.LifeSet: ("sum.set_right", "MS-R27"),
    e.TakenOver: ("sum.taken_over", "Setup"),
    e.CatalogueTold: ("sum.told", "Components"),
}
"""What an event says about a LIFE that it changed, and the heading that it follows from."""


BLOWS: Mapping[str, tuple[str, str]] = {
    "fired": ("sum.special", "Roll # Twice"),
    "stays": ("sum.not_back", "Part Drop"),
}
"""What a roll that no chart is asked about may take LIFE by."""

Happened = history.Happened[State, e.Event]


def sums(state: State, past_events: Sequence[tuple[State, e.Event]]) -> tuple[Sum, ...]:
    """Return the sums of all LIFE; ``past_events`` is all that still stands, with the state before each."""
    if state.phase is Phase.OPEN:
        return ()
    past = happened(state, past_events)
    of_seats = (
        Sum(f"score.{seat}", say("sum.life_of", seat=seat_name(seat)), _lines(past, _life_of(seat)))
        for seat in state.creatures
    )
    experiment = Sum("experiment", say("sum.experiment"), _lines(past, lambda at: at.experiment_life or 0))
    return (*of_seats, experiment)


def _life_of(seat: Seat) -> Callable[[State], int]:
    return lambda state: life_of(state, seat) if seat in state.creatures else 0


def _lines(past: Sequence[Happened], number: Callable[[State], int]) -> tuple[Tally, ...]:
    return tuple(_line(step, change) for step, change in changes(past, number))


def _line(step: Happened, change: int) -> Tally:
    what, rule = _reason(step)
    return Tally(change, what, step.round, rule)


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
    """Return what took LIFE, and whose roll it was if it was somebody else's."""
    what, rule = _blow(step.before)
    match step.event:
        case e.CreatureHurt(by=by) if by != step.seat:
            return say("sum.by", seat=seat_name(by), what=what), rule
        case e.ExperimentHurt():
            return say("sum.by", seat=seat_name(step.seat), what=what), rule
        case _:
            return what, rule


def _blow(before: State) -> tuple[Sentence, str]:
    """Return what the newest roll came to: a box, a weapon, a part that did not come back, a special move."""
    column, face, word = before.last or ("", 0, "")
    if column:
        what = say("sum.box", column=column_name(column), face=face, box=box_name(word, face))
        return what, "Break Phase" if before.phase is Phase.BREAK else "Battle Phase"
    key, rule = BLOWS.get(word, ("sum.move", "Special Move"))
    return say(key), rule
