"""The log line of every event. Nothing is secret at this table but hands, which nobody is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.game import Sentence
from companion.games.mad_science import events as e
from companion.games.mad_science.components import FIRST_BONUS
from companion.games.mad_science.options import settled
from companion.games.mad_science.rules.telling import names_told
from companion.games.mad_science.state import State
from companion.games.mad_science.words import (
    Value,
    box_name,
    card_name,
    column_name,
    kind_name,
    kind_names,
    option_values,
    say,
    seat_name,
    seat_names,
    who_name,
)

UNTOLD = (e.TurnBegun, e.TurnOpened)
"""Whose turn it is stands on the page; a line for each would drown the others."""

ABOUT_SEAT: Mapping[type, str] = {
    e.Begun: "begun",
    e.TurnPassed: "turn_passed",
    e.PlaySkipped: "skipped",
    e.DiscardWaived: "discard_waived",
    e.TwiceMissed: "twice_missed",
    e.AdaptorLost: "adaptor_lost",
    e.AdaptorBack: "adaptor_back",
    e.TurnLost: "turn_lost",
    e.Regenerated: "regenerated",
    e.MoveEnded: "move_ended",
    e.ExperimentBeaten: "experiment_beaten",
    e.BreakBegun: "break_begun",
    e.CreatureOut: "out",
}
"""Events that say nothing but whom they concern."""

ABOUT_TABLE: Mapping[type, str] = {
    e.HandsDealt: "hands_dealt",
    e.HeapShuffled: "heap_shuffled",
    e.TakenOver: "taken_over",
}
"""Events that say nothing but that they happened."""

Line = tuple[str, Mapping[str, Value]]
"""The key of a sentence, and its values besides the seat."""


def _part(state: State, event: e.PartPlayed) -> Line:
    key = "part_on_adaptor" if event.is_on_adaptor else "part"
    return key, {"card": card_name(state.box, event.card), "kind": kind_name(event.kind)}


def _adaptor(state: State, event: e.AdaptorPlayed) -> Line:
    return "adaptor", {"card": card_name(state.box, event.card), "kind": kind_name(event.on)}


def _box(state: State, event: e.BoxRead) -> Line:
    box = box_name(event.word, event.face)
    return "box", {"column": column_name(event.column), "face": event.face, "box": box}


def _told(state: State, event: e.CatalogueTold) -> Line:
    rows = names_told(state, event)
    return "catalogue", {"rows": rows, "count": len(rows)}


def _completed(state: State, event: e.Completed) -> Line:
    return ("completed_first" if event.bonus else "completed"), {"life": event.life, "bonus": FIRST_BONUS}


def _dropped(state: State, event: e.PartDropped) -> Line:
    return "dropped", {"kind": kind_name(event.kind), "parity": say(f"parity.{event.parity}")}


LINES: Mapping[type, Callable[[State, Any], Line]] = {
    e.TableSet: lambda state, event: ("table_set", {"seats": seat_names(event.seats)}),
    e.OptionsChosen: lambda state, event: ("options", {"options": option_values(settled(event.options))}),
    e.OddsShown: lambda state, event: ("odds_on" if event.is_on else "odds_off", {}),
    e.FirstRolled: lambda state, event: ("rolled", {"face": event.face}),
    e.Tied: lambda state, event: ("tied", {"seats": seat_names(event.seats)}),
    e.ExperimentUp: lambda state, event: ("experiment_up", {"card": card_name(state.box, event.card)}),
    e.ConflictUp: lambda state, event: ("conflict_up", {"card": card_name(state.box, event.card)}),
    e.BodyDealt: lambda state, event: ("body", {"card": card_name(state.box, event.body)}),
    e.PartPlayed: _part,
    e.AdaptorPlayed: _adaptor,
    e.Drawn: lambda state, event: (f"drawn_{event.source}", {}),
    e.Discarded: lambda state, event: ("discarded", {"card": card_name(state.box, event.card)}),
    e.Completed: _completed,
    e.CreatureNamed: lambda state, event: ("named", {"name": event.name}),
    e.Rolled: lambda state, event: ("rolled", {"face": event.face}),
    e.BoxAsked: lambda state, event: (
        "box_asked",
        {"column": column_name(event.column), "face": event.face},
    ),
    e.BoxRead: _box,
    e.SpecialFired: lambda state, event: (
        "special" if event.has_weapon else "special_bare",
        {"count": event.amount},
    ),
    e.ExperimentHurt: lambda state, event: ("experiment_hurt", {"count": event.amount}),
    e.CreatureHurt: lambda state, event: ("hurt", {"count": event.amount}),
    e.PartDropped: _dropped,
    e.PartsBack: lambda state, event: ("back", {"kinds": kind_names(event.kinds)}),
    e.PartsStayed: lambda state, event: ("stayed", {"kinds": kind_names(event.kinds)}),
    e.Targeted: lambda state, event: ("targeted", {"target": seat_name(event.target)}),
    e.NumberMissed: lambda state, event: ("number_missed", {"face": event.face}),
    e.TakeAsked: lambda state, event: ("take_asked", {"face": event.face}),
    e.PartLost: lambda state, event: (
        "lost_with_adaptor" if event.adaptor else "lost",
        {"kind": kind_name(event.kind)},
    ),
    e.GameOver: lambda state, event: ("over", {"winner": seat_name(event.winner)}),
    e.LifeSet: lambda state, event: ("life_set", {"who": who_name(event.who), "life": event.life}),
    e.CatalogueTold: _told,
}


def told(state: State, event: e.Event) -> Sentence | None:
    """Return what anybody may read of an event; ``state`` is the one after it or a later one."""
    kind = type(event)
    if kind in UNTOLD:
        return None
    seat = getattr(event, "seat", None)
    about = {} if seat is None else {"seat": seat_name(seat)}
    plain = ABOUT_TABLE.get(kind) or ABOUT_SEAT.get(kind)
    key, values = (plain, {}) if plain is not None else LINES[kind](state, event)
    return say(f"told.{key}", **about, **values)
