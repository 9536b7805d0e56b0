"""What can be said at the table: commands.

Parts, cards and what other phases brought are told: chance and the world are input.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.game import Seat

Cells = Mapping[str, Mapping[str, Mapping[str, str]]]


@dataclass(frozen=True, slots=True)
class SetUp:
    """Say who plays, who begins (nobody named: the first), and what everybody begins with."""

    seats: tuple[Seat, ...]
    first: str = ""
    gp: int = 0
    rp: int = 0
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChooseOptions:
    """Choose options of the table; those not named stay as they are."""

    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ChoosePhase:
    seat: Seat
    phase: str


@dataclass(frozen=True, slots=True)
class Reanimate:
    """Discard parts for a monster, each by its kind; ``is_filled``: whatever lacks is skeletal."""

    seat: Seat
    parts: tuple[str, ...]
    is_filled: bool = False


@dataclass(frozen=True, slots=True)
class Experiment:
    """Exhaust a monster for research points; ``is_minion`` names one of the minions instead."""

    seat: Seat
    monster: int
    is_minion: bool = False


@dataclass(frozen=True, slots=True)
class Acquire:
    """Pay for a research deck, to look at its first two cards."""

    seat: Seat
    deck: str


@dataclass(frozen=True, slots=True)
class Play:
    """Play one of the cards looked at; ``monster`` is whom a discovery makes stronger, 0: not said."""

    seat: Seat
    card: str
    monster: int = 0


@dataclass(frozen=True, slots=True)
class Decline:
    """Play neither card: both go below the deck."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Drop:
    """Discard one of two upgrades that add to the same attribute."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Finish:
    """End the own part of the running phase."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Record:
    """Say what something outside the Laboratory brought or cost; ``is_done`` ends the own part of a phase."""

    seat: Seat
    gp: int = 0
    rp: int = 0
    vp: int = 0
    minions: int = 0
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class Terrorize:
    """Say that a monster terrorized: its abilities bring what they bring."""

    seat: Seat
    monster: int


@dataclass(frozen=True, slots=True)
class SetMonster:
    """Say what the dice on a monster show and whether it is exhausted, where it is not as the app has it."""

    seat: Seat
    monster: int
    terror: int
    science: int
    health: int
    is_exhausted: bool = False


@dataclass(frozen=True, slots=True)
class LoseMonster:
    """Say that a monster left the table."""

    seat: Seat
    monster: int


@dataclass(frozen=True, slots=True)
class EndRound:
    """Say that the village has no people left, or the graveyard no parts: ``village``, ``graveyard``."""

    emptied: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Take a table over as it stands; what is said besides the line goes before it."""

    position: str = ""
    seats: tuple[Seat, ...] = ()
    turn: int = 0
    gp: Mapping[str, int] = field(default_factory=dict)
    rp: Mapping[str, int] = field(default_factory=dict)
    vp: Mapping[str, int] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TellCard:
    """Say what a card prints that the box does not list: a research card of the deck paid for."""

    seat: Seat
    name: str
    type: str
    terror: int = 0
    science: int = 0
    health: int = 0
    effect: str = ""


@dataclass(frozen=True, slots=True)
class TellSpecial:
    """Say what a special part prints that the box does not list."""

    seat: Seat
    name: str
    covers: tuple[str, ...]
    terror: int = 0
    science: int = 0
    health: int = 0
    effect: str = ""


@dataclass(frozen=True, slots=True)
class TellCatalogue:
    """Say what the box prints: rows by sheet, id and column, cells as in CSV."""

    rows: Cells


Command = (
    SetUp
    | ChooseOptions
    | ChoosePhase
    | Reanimate
    | Experiment
    | Acquire
    | Play
    | Decline
    | Drop
    | Finish
    | Record
    | Terrorize
    | SetMonster
    | LoseMonster
    | EndRound
    | TakeOver
    | TellCard
    | TellSpecial
    | TellCatalogue
)
