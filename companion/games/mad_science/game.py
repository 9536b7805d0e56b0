"""The game itself, found by entry point: everything that ``companion.game.Game`` promises, put together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.board import Place
from companion.game import (
    Box,
    Choice,
    Codec,
    Dealer,
    Game,
    Player,
    Prompt,
    Seat,
    Sentence,
    Sighting,
    Sum,
    View,
    Wire,
)
from companion.games.mad_science import (
    components,
    events,
    legal,
    position,
    prompts,
    sight,
    take_over,
    why,
)
from companion.games.mad_science import told as telling
from companion.games.mad_science import touched as touching
from companion.games.mad_science import view as viewing
from companion.games.mad_science.dealing import DEALER
from companion.games.mad_science.moves import Command, Roll, TellCatalogue
from companion.games.mad_science.players import PLAYERS
from companion.games.mad_science.printed import read_catalogue
from companion.games.mad_science.records import RECORDS
from companion.games.mad_science.rules import course
from companion.games.mad_science.sheets import SHEETS
from companion.games.mad_science.state import ROLLING, State
from companion.ports import BoardTurn, DieRoll, Reading
from companion.told_rows import differing


class MadScience:
    """*Mad Science The Card Game*; holds nothing, every method is pure."""

    name = "mad_science"
    package = "companion.games.mad_science"
    seats: Sequence[Seat] = components.SEATS
    box: Box = replace(components.BOX, sheets=SHEETS)
    players: Sequence[Player] = PLAYERS
    dealer: Dealer[State] | None = DEALER
    codec: Codec[Command, events.Event] = RECORDS
    stand_in: Wire = components.stand_in_catalogue()

    def initial(self, catalogue: Wire) -> State:
        """Return the empty table. Raises ValueError for a catalogue that cannot be read."""
        return State(read_catalogue(catalogue))

    def decide(self, state: State, command: Command) -> Sequence[events.Event]:
        """Return what follows from a command. Raises RuleBroken."""
        return course.decide(state, command)

    def evolve(self, state: State, event: events.Event) -> State:
        return course.evolve(state, event)

    def legal(self, state: State, seat: Seat | None = None) -> Iterable[Command]:
        return legal.legal(state, seat)

    def actor(self, command: Command) -> Seat | None:
        return getattr(command, "seat", None)

    def touched(self, event: events.Event) -> tuple[Seat | Place, ...]:
        """Return whom and what an event changes: its seat and the spaces of its zone, or every seat."""
        return touching.touched(event)

    def prompts(self, state: State) -> Sequence[Prompt]:
        return prompts.prompts(state)

    def view(self, state: State, seat: Seat | None) -> View:
        return viewing.view(state, seat)

    def told(self, state: State, event: events.Event, seat: Seat | None) -> Sentence | None:
        return telling.told(state, event)

    def sums(
        self, state: State, history: Sequence[tuple[State, events.Event]], seat: Seat | None
    ) -> Sequence[Sum]:
        return why.sums(state, history)

    def sighted(self, state: State, reading: Reading) -> Sequence[Sighting]:
        return sight.sighted(state, reading)

    def take_over(self, state: State, reading: Reading | None) -> Sequence[Choice]:
        return take_over.take_over(state, reading)

    def command_from_die(self, state: State, roll: DieRoll) -> Command | None:
        """Let the seat that is asked to roll have rolled, if the die is one of six sides."""
        turn = state.turn
        if turn.seat is None or turn.stage not in ROLLING or roll.face not in components.FACES:
            return None
        return Roll(turn.seat, roll.face)

    def command_from_turn(self, state: State, turn: BoardTurn) -> Command | None:
        """The game has no board that turns."""
        return None

    def catalogue(self, state: State) -> Wire:
        return state.box.catalogue

    def command_from_catalogue(self, state: State, catalogue: Wire) -> Command | None:
        """Return the command that tells the table what differs; None if nothing does."""
        rows = differing(SHEETS, state.box.catalogue, catalogue)
        return TellCatalogue(rows) if rows else None

    def position(self, state: State) -> str:
        return position.position(state)

    def from_position(self, line: str, catalogue: Wire) -> State:
        """Read a line back. Raises ValueError that says which part is wrong."""
        return position.from_position(line, read_catalogue(catalogue))


GAME: Game[State, Command, events.Event] = MadScience()
