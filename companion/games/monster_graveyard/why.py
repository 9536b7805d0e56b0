"""Why a number is what it is: every number of the table as a sum over what happened.

A sum is read off the journal: each event that changed the number is a line, by how much it changed
it. So it adds up by itself, whatever a card may have done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from companion import history
from companion.game import Seat, Sentence, Sum, Tally
from companion.games.monster_graveyard import attributes
from companion.games.monster_graveyard import events as e
from companion.games.monster_graveyard.attributes import BASE_SOURCE, Line
from companion.games.monster_graveyard.components import Attribute
from companion.games.monster_graveyard.rulebook import (
    ACQUIRE,
    BONUS,
    EXPERIMENT,
    OVERVIEW,
    REANIMATE,
    TYPES,
)
from companion.games.monster_graveyard.state import Phase, State
from companion.games.monster_graveyard.words import (
    attribute_name,
    card_name,
    monster_name,
    part_name,
    say,
    seat_name,
)
from companion.history import changes, happened

Number = Callable[[State], int]


Happened = history.Happened[State, e.Event]


def sums(state: State, past_events: Sequence[tuple[State, e.Event]], seat: Seat | None) -> tuple[Sum, ...]:
    """Return the sums of all scores, and of a seat's points, its monsters and the next one's start."""
    if state.phase is Phase.OPEN:
        return ()
    past = happened(state, past_events)
    scores = tuple(
        Sum(f"score.{one}", say("sum.score", seat=seat_name(one)), _lines(past, _of_lab(one, "vp")))
        for one in state.labs
    )
    return (*scores, *_of_seat(state, past, seat)) if seat in state.labs and seat is not None else scores


def _of_lab(seat: Seat, name: str) -> Number:
    return lambda at: int(getattr(at.labs[seat], name)) if seat in at.labs else 0


def _of_seat(state: State, past: Sequence[Happened], seat: Seat) -> Iterator[Sum]:
    for name in ("rp", "gp", "minions"):
        yield Sum(f"purse.{name}", say(f"panel.{name}"), _lines(past, _of_lab(seat, name)))
    for monster in state.labs[seat].monsters:
        for attribute in Attribute:
            title = say(
                "sum.of_monster", monster=monster_name(monster.number), what=attribute_name(attribute)
            )
            lines = _of_monster(past, seat, monster.number, attribute)
            yield Sum(f"monster{monster.number}.{attribute}", title, lines)
    yield from _next(state, seat)


def _next(state: State, seat: Seat) -> Iterator[Sum]:
    """Explain what the next monster begins with: base and upgrades, before any part."""
    begun = attributes.lines(state.box, (), state.labs[seat].upgrades)
    for attribute in Attribute:
        lines = tuple(_tally(state, line, None) for line in begun if line.attribute is attribute)
        yield Sum(f"new.{attribute}", say("sum.new", what=attribute_name(attribute)), lines)


def _tally(state: State, line: Line, turn: int | None) -> Tally:
    if line.source == BASE_SOURCE:
        return Tally(line.amount, say("sum.base"), turn, REANIMATE)
    is_card = line.source in state.box.research
    name = card_name(state.box, line.source) if is_card else part_name(state.box, line.source)
    return Tally(line.amount, name, turn, REANIMATE)


def _lines(past: Sequence[Happened], number: Number) -> tuple[Tally, ...]:
    """Return a line for every event that changed a number."""
    found = []
    for step, amount in changes(past, number):
        say_it, rule = _reason(step)
        found.append(Tally(amount, say_it, step.after.turn or None, rule))
    return tuple(found)


def _of_monster(past: Sequence[Happened], seat: Seat, number: int, attribute: Attribute) -> tuple[Tally, ...]:
    def value(at: State) -> int:
        monster = at.labs[seat].monster(number) if seat in at.labs else None
        return monster.of(attribute) if monster else 0

    found: list[Tally] = []
    for step in past:
        amount, event, turn = value(step.after) - value(step.before), step.event, step.after.turn or None
        is_made = isinstance(event, e.Reanimated) and event.seat == seat and event.monster == number
        if is_made and isinstance(event, e.Reanimated):
            upgrades = step.before.labs[seat].upgrades
            made = attributes.lines(step.before.box, event.parts, upgrades)
            found += [_tally(step.after, line, turn) for line in made if line.attribute is attribute]
        elif amount:
            say_it, rule = _reason(step)
            found.append(Tally(amount, say_it, turn, rule))
    return tuple(found)


def _reason(step: Happened) -> tuple[Sentence, str]:
    """Return what an event says about a number that it changed, and the heading it follows from."""
    explain = REASONS.get(type(step.event))
    return explain(step, step.event) if explain else (say("sum.at_first"), OVERVIEW)


def _by_card(step: Happened, event: e.Gained | e.Boosted) -> tuple[Sentence, str]:
    box = step.after.box
    return card_name(box, event.why), REANIMATE if event.why in box.specials else TYPES


Explain = Callable[[Happened, Any], tuple[Sentence, str]]

REASONS: Mapping[type, Explain] = {
    e.BonusPaid: lambda step, event: (say("sum.bonus"), BONUS),
    e.Experimented: lambda step, event: (
        say("sum.experiment", monster=monster_name(event.monster)),
        EXPERIMENT,
    ),
    e.Acquired: lambda step, event: (say("sum.acquired", deck=event.deck), ACQUIRE),
    e.Gained: _by_card,
    e.Boosted: _by_card,
    e.Recorded: lambda step, event: (say(f"earned.{step.before.phase}"), OVERVIEW),
    e.MonsterSet: lambda step, event: (say("sum.set"), OVERVIEW),
    e.MonsterLost: lambda step, event: (say("sum.lost"), OVERVIEW),
    e.RoundEnded: lambda step, event: (say("sum.lost"), OVERVIEW),
    e.TakenOver: lambda step, event: (say("sum.taken_over"), OVERVIEW),
}
"""What an event says about a number that it changed; all others are from before the game."""
