"""What can be said at the table: commands. A roll carries its face, a draw only where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.game import Seat
from companion.games.mad_science.components import Kind


class Source(StrEnum):
    """Where a card was drawn from."""

    PILE = "pile"
    HEAP = "heap"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class SetUp:
    """Say who plays; ``options`` are chosen besides."""

    seats: tuple[Seat, ...]
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChooseOptions:
    """Choose options of the table; those not named stay as they are."""

    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ShowOdds:
    """Let the phones tell each seat its odds, or keep them silent: the same for all seats."""

    is_on: bool


@dataclass(frozen=True, slots=True)
class Roll:
    seat: Seat
    face: int


@dataclass(frozen=True, slots=True)
class TurnUp:
    """Say which Experiment, or later which Final Conflict, lies face up."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class DealBody:
    """Say which body was dealt to a seat."""

    seat: Seat
    body: str


@dataclass(frozen=True, slots=True)
class DealHands:
    """Say that everybody has a hand."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Play:
    """Lay a part, or an adaptor for the part that will go ``on`` it."""

    seat: Seat
    card: str
    on: Kind | None = None


@dataclass(frozen=True, slots=True)
class Skip:
    """Play no card this turn."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Draw:
    seat: Seat
    source: Source


@dataclass(frozen=True, slots=True)
class Discard:
    """Put a card on the Heap; which one may stay unsaid."""

    seat: Seat
    card: str = ""


@dataclass(frozen=True, slots=True)
class Finish:
    """End a Build turn with one tap: draw, then discard; before a card was played, play none."""

    seat: Seat
    source: Source
    card: str = ""


@dataclass(frozen=True, slots=True)
class NameCreature:
    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class Target:
    """Say whom the seat on turn attacks."""

    seat: Seat
    target: Seat


@dataclass(frozen=True, slots=True)
class Take:
    """Choose which of the parts with the number rolled breaks off."""

    seat: Seat
    kind: Kind


@dataclass(frozen=True, slots=True)
class Hit:
    """Tell one effect of a special move: a word such as ``lose_2`` or ``arm_drop``, and who suffers it.

    ``whom`` are seats, or ``experiment``.
    """

    seat: Seat
    whom: tuple[str, ...]
    does: str


@dataclass(frozen=True, slots=True)
class DoMove:
    """Let a special move do what the box says that it does, and end it."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class EndMove:
    """Say that a special move is carried out."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TellBox:
    """Say what the box of the chart says that was rolled and that nobody has told yet."""

    seat: Seat
    word: str


@dataclass(frozen=True, slots=True)
class TellCard:
    """Say what a card prints, as cells of its row; an empty ``card`` is one that the box does not list.

    What is not given stays as it is known.
    """

    seat: Seat
    sheet: str
    card: str = ""
    cells: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TellCatalogue:
    """Say what the box prints; ``rows`` are cells as in CSV, by sheet, id and column."""

    rows: Mapping[str, Mapping[str, Mapping[str, str]]]


@dataclass(frozen=True, slots=True)
class SetLife:
    """Put right what is written down: the LIFE of a seat's creature, or of the ``experiment``."""

    who: str
    life: int


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Take a table over as it stands; what is given besides replaces what the position line says.

    ``experiment_life`` and ``lives`` below 0 leave the line's own.
    """

    position: str
    experiment: str = ""
    experiment_life: int = -1
    turn: str = ""
    lives: Mapping[Seat, int] = field(default_factory=dict)


Command = (
    SetUp
    | ChooseOptions
    | ShowOdds
    | Roll
    | TurnUp
    | DealBody
    | DealHands
    | Play
    | Skip
    | Draw
    | Discard
    | Finish
    | NameCreature
    | Target
    | Take
    | Hit
    | DoMove
    | EndMove
    | TellBox
    | TellCard
    | TellCatalogue
    | SetLife
    | TakeOver
)
