"""What a game promises. Pure: values in, values out.

Imports ``companion.board`` and ``companion.ports`` types only. No clock, no chance, no
I/O here or in any game: a roll is a command with a face, a draw a command with parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar, runtime_checkable

from companion.board import BoardId, BoardLayout, Lie, Lying, PieceKind, Place
from companion.ports import BoardTurn, DieRoll, Reading, SpaceReading
from companion.sheets import Sheet
from companion.shown import (
    Choice,
    Count,
    Field,
    Line,
    Mark,
    Option,
    Outcome,
    Panel,
    Pick,
    Prompt,
    Ring,
    RingPlace,
    Seat,
    SeatView,
    Sentence,
    Standing,
    Sum,
    Tally,
    Tone,
    View,
    Weight,
    Wire,
)

__all__ = [
    "Box",
    "Chance",
    "Choice",
    "Codec",
    "Command",
    "Count",
    "Dealer",
    "Event",
    "Field",
    "Game",
    "Lays",
    "Line",
    "Mark",
    "NotACommand",
    "Option",
    "Outcome",
    "Panel",
    "Pick",
    "Player",
    "Prompt",
    "Proposal",
    "Puzzled",
    "Ring",
    "RingPlace",
    "RuleBroken",
    "Seat",
    "SeatView",
    "Sentence",
    "Sighting",
    "SpaceSeen",
    "Standing",
    "State",
    "Sum",
    "Tally",
    "Tone",
    "View",
    "Weight",
    "Wire",
    "replay",
]


class RuleBroken(Exception):
    """A command that the rules refuse.

    ``why`` says what happened, ``rule`` the section of the rulebook or the ruling's id, ``instead``
    what is possible. ``section`` is where a ruling belongs in the rulebook, else the rule itself.
    """

    def __init__(
        self, why: Sentence, *, rule: str, instead: Sentence | None = None, section: str = ""
    ) -> None:
        super().__init__(why.key)
        self.why = why
        self.rule = rule
        self.instead = instead
        self.section = section or rule


class NotACommand(Exception):
    """A wire command that cannot be read; ``why`` says which part."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(why.key)
        self.why = why


@dataclass(frozen=True, slots=True)
class SpaceSeen:
    """One space of a proposal: what was seen, and what else it may be, likely ones first."""

    place: Place
    was: PieceKind
    seen: SpaceReading
    may_be: tuple[PieceKind, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What was seen, and the command that would explain it.

    ``command`` is None while a space of it is unknown or not explained: then it cannot
    be taken yet, only corrected. ``is_sure``: every space in it was read surely.
    ``touches`` are places, besides ``spaces``, whose change makes it void.
    """

    seat: Seat | None
    say: Sentence
    command: Wire | None
    spaces: tuple[SpaceSeen, ...]
    is_sure: bool
    others: tuple[Choice, ...] = ()
    touches: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Puzzled:
    """Spaces that no legal move explains; said to the seat (None: the host)."""

    seat: Seat | None
    say: Sentence
    spaces: tuple[SpaceSeen, ...]


Sighting = Proposal | Puzzled


@dataclass(frozen=True, slots=True)
class Box:
    """What a game needs of a box: boards with their spaces in mm, kinds of pieces, and their counts.

    ``sheets`` say what a catalogue row holds. ``owners`` name the seats of boards; others are everybody's.
    ``lie`` is how the pieces lie; a zone of loose cards is a board on which nothing is printed.
    """

    boards: tuple[BoardLayout, ...]
    counts: Mapping[PieceKind, int]
    sheets: tuple[Sheet, ...] = ()
    owners: Mapping[BoardId, Seat] = field(default_factory=dict)
    lie: Lie = Lie.BOARDS


State = TypeVar("State")
State_contra = TypeVar("State_contra", contravariant=True)
Command = TypeVar("Command")
Event = TypeVar("Event")


class Codec(Protocol[Command, Event]):
    """Between values and what is stored or sent. Stored kinds are ours, never a class path."""

    def event_out(self, event: Event) -> tuple[str, int, Wire]:
        """Return (kind, version, body)."""

    def event_in(self, kind: str, version: int, body: Wire) -> Event:
        """Read an event of any released version. Raises ValueError naming the kind if it is unknown."""

    def command_out(self, command: Command) -> Wire: ...

    def command_in(self, wire: Wire) -> Command:
        """Read a command from the wire. Raises NotACommand."""


class Player(Protocol):
    """Somebody who plays by the views alone: demo, simulation, absent seats. Holds no secrets.

    ``choose`` gets a rendered-free View and the prompt that waits for the seat.
    """

    name: str

    def choose(self, view: View, prompt: Prompt, chance: float) -> Wire | None:
        """Return the wire command to send, None to leave it to the hands (see ``Prompt.deed``).

        ``chance`` in [0, 1) is the caller's dice: the same view and chance give the same choice.
        """

    def lay(self, view: View, prompt: Prompt, drawn: Sequence[str], chance: float) -> Wire:
        """Return, in words of the game, what the hands do with what they drew for a prompt's deed."""


Thing = TypeVar("Thing")


class Chance(Protocol):
    """Where luck comes from, handed in so that a seed decides everything; ``random.Random`` is one."""

    def random(self) -> float:
        """Return a number in [0, 1)."""

    def sample(self, population: Sequence[Thing], k: int) -> list[Thing]:
        """Draw so many things without putting any back, in the order drawn."""


class Dealer(Protocol[State_contra]):
    """Hands and luck of a table that is not there: for simulations and tests. Pure, but for ``chance``.

    Draws only from what a state knows to be hidden; only hands that no state knows are kept besides.
    ``counts`` are kinds of events that are worth counting in a game, with what each is called;
    ``advises`` is the command that lets seats be advised, None where a game has no advice.
    """

    counts: Mapping[str, Sentence]
    advises: Wire | None

    def for_one_game(self) -> Dealer[State_contra]:
        """Return who deals one game: a new one if hands have to be remembered, else itself."""

    def opening(self, state: State_contra, seats: int) -> Wire:
        """Return the command that sets the game up for so many seats, in its usual way."""

    def deal(
        self, state: State_contra, view: View, prompt: Prompt, player: Player, chance: Chance
    ) -> Wire | None:
        """Do what a prompt asks of hands, and return the command that tells it; None: nothing to do.

        ``view`` is that of the prompt's seat. What is drawn is laid as ``player`` says; for a prompt
        of the whole table any player will do.
        """


@runtime_checkable
class Lays(Protocol[State_contra]):
    """A dealer who knows the table, too: with it a game of cards is played before cameras in the demo."""

    def laid(self, state: State_contra, command: Wire) -> Mapping[Place, Lying]:
        """Return what hands lay so that cameras see what ``command`` says; empty: nothing, it is tapped."""

    def lying(self, state: State_contra) -> Mapping[Place, Lying]:
        """Return all that lies at places once hands have caught up with the state."""


class Game(Protocol[State, Command, Event]):
    """A game. Every method is pure.

    ``name`` is stored with every table and never renamed. ``seats`` are all seats that the
    box has. ``players`` come from the weakest to the strongest; ``dealer`` is None for a game that
    cannot be played without its table. ``package`` is the Python package whose ``locale/`` holds the
    sentences.
    ``stand_in`` is the catalogue of a table whose box was not taught: our own invention.
    """

    name: str
    package: str
    seats: Sequence[Seat]
    box: Box
    players: Sequence[Player]
    dealer: Dealer[State] | None
    codec: Codec[Command, Event]
    stand_in: Wire

    def initial(self, catalogue: Wire) -> State:
        """Return the empty table. ``catalogue`` is what this box prints; it is stored with the table."""

    def decide(self, state: State, command: Command) -> Sequence[Event]:
        """Return what follows from a command. Raises RuleBroken."""

    def evolve(self, state: State, event: Event) -> State:
        """Return the state after an event. Never raises for an event that ``decide`` gave."""

    def legal(self, state: State, seat: Seat | None = None) -> Iterable[Command]:
        """Offer commands that ``decide`` would accept now, of one seat or of all."""

    def actor(self, command: Command) -> Seat | None:
        """Return the seat that a command acts for; None: the table (setup, a turn of the board)."""

    def touched(self, event: Event) -> tuple[Seat | Place, ...]:
        """Return the seats and places that an event changes (voids proposals, limits taking back)."""

    def prompts(self, state: State) -> Sequence[Prompt]:
        """Return who does what now."""

    def view(self, state: State, seat: Seat | None) -> View:
        """Return all that a seat may know; None: a watcher, the big screen, the host."""

    def told(self, state: State, event: Event, seat: Seat | None) -> Sentence | None:
        """Return the log line of an event for a seat; None while it is secret to that seat."""

    def sums(self, state: State, history: Sequence[tuple[State, Event]], seat: Seat | None) -> Sequence[Sum]:
        """Explain the numbers that a seat may see.

        ``history`` is all that happened and still stands, each event with the state before it.
        """

    def sighted(self, state: State, reading: Reading) -> Sequence[Sighting]:
        """Explain a reading: at most one sighting a seat; empty when all is as the state says."""

    def take_over(self, state: State, reading: Reading | None) -> Sequence[Choice]:
        """Offer to take a table over as it stands; what the reading cannot see is a field to fill in.

        Once a game has begun: only what may still be taken over, such as a lab that nobody followed.
        """

    def command_from_die(self, state: State, roll: DieRoll) -> Command | None: ...

    def command_from_turn(self, state: State, turn: BoardTurn) -> Command | None: ...

    def catalogue(self, state: State) -> Wire:
        """Return what the box prints as this table knows it now: the catalogue and what was told since."""

    def command_from_catalogue(self, state: State, catalogue: Wire) -> Command | None:
        """Return the command that makes the table know the box so; None if it knows nothing else."""

    def position(self, state: State) -> str:
        """Write the state as one line of text."""

    def from_position(self, line: str, catalogue: Wire) -> State:
        """Read a line back. Raises ValueError that says which part is wrong."""


def replay(game: Game[State, Command, Event], catalogue: Wire, events: Iterable[Event]) -> State:
    """Return the state after all events, from the empty table."""
    state = game.initial(catalogue)
    for event in events:
        state = game.evolve(state, event)
    return state
