"""What can be done and what can happen at a table of Lantern, and how both are stored."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from companion.board import BoardId, PieceKind, Place, SpaceId
from companion.game import NotACommand, RuleBroken, Seat, Sentence, Wire

SEATS = (Seat("red"), Seat("blue"), Seat("green"), Seat("white"))
WINDS = ("north", "south")
FOG_POST = 4
BANK = BoardId("bank")
STONES = (PieceKind("pebble"), PieceKind("shell"))


# Commands


@dataclass(frozen=True, slots=True)
class Open:
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class ChooseWind:
    seat: Seat
    wind: str


@dataclass(frozen=True, slots=True)
class TurnMill:
    quarters: int


@dataclass(frozen=True, slots=True)
class Walk:
    seat: Seat
    face: int


@dataclass(frozen=True, slots=True)
class Gather:
    seat: Seat
    oil: int


@dataclass(frozen=True, slots=True)
class Burn:
    seat: Seat
    oil: int


@dataclass(frozen=True, slots=True)
class Give:
    seat: Seat
    to: Seat


@dataclass(frozen=True, slots=True)
class Lay:
    seat: Seat
    stones: tuple[tuple[SpaceId, PieceKind], ...]


@dataclass(frozen=True, slots=True)
class TakeOver:
    line: str


# Events


@dataclass(frozen=True, slots=True)
class Opened:
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class WindChosen:
    seat: Seat
    wind: str


@dataclass(frozen=True, slots=True)
class WindsShown:
    pass


@dataclass(frozen=True, slots=True)
class MillTurned:
    pass


@dataclass(frozen=True, slots=True)
class Walked:
    seat: Seat
    to_post: int


@dataclass(frozen=True, slots=True)
class RoundBegan:
    pass


@dataclass(frozen=True, slots=True)
class OilChanged:
    seat: Seat
    by: int


@dataclass(frozen=True, slots=True)
class Laid:
    seat: Seat
    stones: tuple[tuple[SpaceId, PieceKind], ...]


@dataclass(frozen=True, slots=True)
class TakenOver:
    line: str


COMMANDS = {
    "open": Open,
    "choose": ChooseWind,
    "turn": TurnMill,
    "walk": Walk,
    "gather": Gather,
    "burn": Burn,
    "give": Give,
    "lay": Lay,
    "take_over": TakeOver,
}
EVENTS = {
    "opened": Opened,
    "wind_chosen": WindChosen,
    "winds_shown": WindsShown,
    "mill_turned": MillTurned,
    "walked": Walked,
    "round_began": RoundBegan,
    "oil_changed": OilChanged,
    "laid": Laid,
    "taken_over": TakenOver,
}


def bank_of(seat: Seat) -> tuple[SpaceId, ...]:
    return tuple(SpaceId(f"{seat}{number}") for number in (1, 2, 3))


def place_of(space: SpaceId) -> Place:
    return Place(BANK, space)


def say(key: str, **values: str | int) -> Sentence:
    return Sentence(f"lantern.{key}", values)


def refuse(key: str, rule: str, **values: str | int) -> RuleBroken:
    return RuleBroken(say(f"refused.{key}", **values), rule=rule)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list | tuple) else value


class LanternCodec:
    def event_out(self, event: Any) -> tuple[str, int, Wire]:
        kind = next(kind for kind, made in EVENTS.items() if type(event) is made)
        return f"lantern.{kind}", 1, asdict(event)

    def event_in(self, kind: str, version: int, body: Wire) -> Any:
        made = EVENTS.get(kind.removeprefix("lantern."))
        if made is None:
            raise ValueError(f"Lantern knows no entry {kind}.")
        return made(**{name: _tuples(value) for name, value in body.items()})

    def command_out(self, command: Any) -> Wire:
        name = next(name for name, made in COMMANDS.items() if type(command) is made)
        return {"do": name, **{one: getattr(command, one) for one in command.__slots__}}

    def command_in(self, wire: Wire) -> Any:
        made = COMMANDS.get(wire.get("do", ""))
        try:
            if made is None:
                raise TypeError
            return made(**{name: _tuples(value) for name, value in wire.items() if name != "do"})
        except TypeError:
            raise NotACommand(say("not_a_command", do=str(wire.get("do", "")))) from None
