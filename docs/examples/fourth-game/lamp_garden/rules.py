"""The rules: what may be said, what happens, and what follows from it. Values in, values out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from companion.board import SpaceId
from companion.game import RuleBroken, Seat, Sentence
from companion.position import fields_in, list_in, list_out, numbers_in, pairs_in, pairs_out, words_out
from companion.records import Records, several
from lamp_garden.garden import BEDS, FEWEST, SEATS, beside

MARK = "lg1"


# What may be said


@dataclass(frozen=True, slots=True)
class Open:
    """Say who plays, in the order of the box."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Light:
    seat: Seat
    bed: str


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Go on from a position line."""

    position: str


Command = Open | Light | TakeOver


# What happens


@dataclass(frozen=True, slots=True)
class Opened:
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Lit:
    seat: Seat
    bed: str
    neighbours: int


@dataclass(frozen=True, slots=True)
class TakenOver:
    position: str


Event = Opened | Lit | TakenOver

RECORDS: Records[Command, Event] = Records(
    "Lamp Garden",
    {"opened": (Opened, 1), "lit": (Lit, 1), "taken_over": (TakenOver, 1)},
    {"open": Open, "light": Light, "take_over": TakeOver},
    {"open": lambda flat: {**flat, "seats": several(flat["seats"])}},
)


# How things stand


@dataclass(frozen=True, slots=True)
class State:
    """``lamps`` says whose lamp burns on a bed; beds that are dark are not in it."""

    seats: tuple[Seat, ...] = ()
    lamps: Mapping[SpaceId, Seat] = field(default_factory=dict)
    points: Mapping[Seat, int] = field(default_factory=dict)

    @property
    def dark(self) -> tuple[SpaceId, ...]:
        return tuple(bed for bed in BEDS if bed not in self.lamps)

    @property
    def is_over(self) -> bool:
        return bool(self.seats) and not self.dark

    @property
    def on_turn(self) -> Seat | None:
        if not self.seats or self.is_over:
            return None
        return self.seats[len(self.lamps) % len(self.seats)]

    def neighbours(self, seat: Seat, bed: SpaceId) -> int:
        """Count the lamps of others beside a bed."""
        return sum(self.lamps.get(other, seat) != seat for other in beside(bed))


def say(key: str, **values: str | int | Sentence | tuple[Sentence, ...]) -> Sentence:
    return Sentence(f"lg.{key}", values)


def refuse(key: str, rule: str) -> RuleBroken:
    return RuleBroken(say(f"no.{key}"), rule=rule, instead=say(f"instead.{key}"))


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """Return what follows from a command. Raises RuleBroken."""
    match command:
        case Open(seats):
            if state.seats:
                raise refuse("open_already", "Setup")
            playing = tuple(seat for seat in SEATS if seat in seats)
            if len(playing) != len(seats) or len(playing) < FEWEST:
                raise refuse("seats", "Setup")
            return (Opened(playing),)
        case Light(seat, bed):
            if seat != state.on_turn:
                raise refuse("not_your_turn", "Light")
            if bed not in state.dark:
                raise refuse("not_dark", "Light")
            return (Lit(seat, bed, state.neighbours(seat, SpaceId(bed))),)
        case TakeOver(line):
            if state.seats:
                raise refuse("open_already", "Setup")
            try:
                return (TakenOver(position(from_position(line))),)
            except ValueError:
                raise refuse("position", "Setup") from None
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """Return the state after an event."""
    match event:
        case Opened(seats):
            return State(seats, points=dict.fromkeys(seats, 0))
        case Lit(seat, bed, neighbours):
            points = {**state.points, seat: state.points[seat] + 1 + neighbours}
            return replace(state, lamps={**state.lamps, SpaceId(bed): seat}, points=points)
        case TakenOver(line):
            return from_position(line)
        case _:
            assert_never(event)


def legal(state: State, seat: Seat | None) -> Iterator[Command]:
    """Offer what ``decide`` would accept."""
    if not state.seats and seat is None:
        yield from (Open(SEATS[:count]) for count in range(FEWEST, len(SEATS) + 1))
    on_turn = state.on_turn
    if on_turn is not None and seat in (None, on_turn):
        yield from (Light(on_turn, bed) for bed in state.dark)


WORDS = {
    "seats": ("seats", list_out, lambda text: tuple(map(Seat, list_in(text)))),
    "lamps": ("lamps", pairs_out, lambda text: {SpaceId(b): Seat(s) for b, s in pairs_in(text).items()}),
    "points": ("points", pairs_out, lambda text: {Seat(s): n for s, n in numbers_in(text).items()}),
}


def position(state: State) -> str:
    """Write a state as one line: ``lg1 seats=red,blue lamps=bed1:red points=red:1,blue:0``."""
    return " ".join([MARK, *words_out(state, WORDS, State())])


def from_position(line: str) -> State:
    """Read a line back. Raises ValueError that says which part is wrong."""
    mark, *words = line.split() or [""]
    if mark != MARK:
        raise ValueError(f"A position of Lamp Garden begins with {MARK}, this one with {mark!r}.")
    state = State(**fields_in(words, WORDS, "the garden"))
    if not (set(state.seats) <= set(SEATS) and set(state.lamps) <= set(BEDS)):
        raise ValueError("The garden has no such seat or bed.")
    if not set(state.lamps.values()) <= set(state.seats) or set(state.points) != set(state.seats):
        raise ValueError("A lamp or points of somebody who does not play.")
    return state
