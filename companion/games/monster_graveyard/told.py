"""The log line of every event. Nothing of this game is secret once it is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.game import Seat, Sentence
from companion.games.monster_graveyard import events as e
from companion.games.monster_graveyard.rules.telling import names_told
from companion.games.monster_graveyard.state import State
from companion.games.monster_graveyard.words import (
    Value,
    amounts,
    card_name,
    monster_name,
    option_values,
    say,
    seat_name,
    seat_names,
    values_of,
)

UNITS = ("gp", "rp", "vp", "draws", "minions")


def told(state: State, event: e.Event, seat: Seat | None) -> Sentence | None:
    """Return what a seat may read of an event; ``state`` is the one after it or a later one."""
    return WORDS[type(event)](state, event)


def _about(key: str, *names: str) -> Callable[[State, Any], Sentence]:
    """Return how an event is told that concerns a seat: by its seat and some of its numbers or texts."""

    def speak(state: State, event: Any) -> Sentence:
        values: dict[str, Value] = {name: getattr(event, name) for name in names if name not in SPOKEN}
        values |= {name: SPOKEN[name](state, getattr(event, name)) for name in names if name in SPOKEN}
        return say(key, seat=seat_name(event.seat), **values)

    return speak


SPOKEN: Mapping[str, Callable[[State, Any], Sentence]] = {
    "monster": lambda state, number: monster_name(number),
    "card": lambda state, card: card_name(state.box, card),
    "phase": lambda state, phase: say(f"phase.{phase}"),
}
"""Fields that are said in words."""


def _counts(event: Any, *units: str) -> tuple[Sentence, ...]:
    return amounts({unit: getattr(event, unit) for unit in units})


def _made(key: str) -> Callable[[State, Any], Sentence]:
    def speak(state: State, event: e.Reanimated | e.MonsterSet) -> Sentence:
        values = values_of(event.terror, event.science, event.health)
        return say(key, seat=seat_name(event.seat), monster=monster_name(event.monster), values=values)

    return speak


def _gained(state: State, event: e.Gained) -> Sentence:
    card, who, counts = card_name(state.box, event.why), seat_name(event.seat), _counts(event, *UNITS)
    if not counts:
        return say("told.follows", seat=who, card=card, words=event.words)
    return say("told.gained", seat=who, card=card, gains=counts)


def _boosted(state: State, event: e.Boosted) -> Sentence:
    counts = _counts(event, "terror", "science", "health")
    return say("told.boosted", seat=seat_name(event.seat), monster=monster_name(event.monster), gains=counts)


def _recorded(state: State, event: e.Recorded) -> Sentence:
    counts = _counts(event, "gp", "rp", "vp", "minions")
    return say("told.recorded", seat=seat_name(event.seat), gains=counts)


def _catalogue(state: State, event: e.CatalogueTold) -> Sentence:
    rows = names_told(state, event)
    if event.seat is None:
        return say("told.catalogue", rows=rows)
    return say("told.card_told", seat=seat_name(event.seat), rows=rows)


WORDS: Mapping[type, Callable[[State, Any], Sentence]] = {
    e.TableSet: lambda _, event: say(
        "told.set_up", seats=seat_names(event.seats), first=seat_name(event.first)
    ),
    e.OptionsChosen: lambda _, event: say("told.options", options=option_values(event.options)),
    e.PhaseChosen: _about("told.phase", "phase"),
    e.PhaseEnded: lambda _, event: say("told.phase_ended", phase=say(f"phase.{event.phase}")),
    e.TurnBegun: lambda _, event: say("told.turn", number=event.turn, seat=seat_name(event.first)),
    e.RoundEnded: lambda _, event: say(f"told.emptied.{event.emptied}", number=event.number),
    e.GameOver: lambda _, event: say("told.over"),
    e.TakenOver: lambda _, event: say("told.taken_over"),
    e.DeckShuffled: lambda _, event: say("told.shuffled", deck=event.deck),
    e.BonusPaid: lambda _, event: say("told.bonus", seat=seat_name(event.seat), count=event.rp),
    e.Reanimated: _made("told.reanimated"),
    e.MonsterSet: _made("told.monster_set"),
    e.Experimented: lambda _, event: say(
        "told.experimented",
        seat=seat_name(event.seat),
        monster=monster_name(event.monster),
        count=event.rp,
    ),
    e.Gained: _gained,
    e.Acquired: _about("told.acquired", "deck", "count"),
    e.UpgradePlayed: _about("told.upgrade", "card"),
    e.DiscoveryPlayed: _about("told.discovery", "card"),
    e.Boosted: _boosted,
    e.Declined: _about("told.declined", "deck", "count"),
    e.UpgradeDropped: _about("told.dropped", "card"),
    e.Finished: _about("told.finished"),
    e.Recorded: _recorded,
    e.Terrorized: _about("told.terrorized", "monster"),
    e.MonsterLost: _about("told.monster_lost", "monster"),
    e.CatalogueTold: _catalogue,
}
"""How each event is told."""
