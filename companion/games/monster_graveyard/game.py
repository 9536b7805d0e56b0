"""The game itself, found by entry point: everything that ``companion.game.Game`` promises, put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.board import Lie, PieceKind, Place
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
from companion.games.monster_graveyard import (
    events,
    legal,
    position,
    prompts,
    sight,
    take_over,
    why,
)
from companion.games.monster_graveyard import told as telling
from companion.games.monster_graveyard import touched as touching
from companion.games.monster_graveyard import view as viewing
from companion.games.monster_graveyard.components import MONSTER_CARD, SEATS, mat, mat_of
from companion.games.monster_graveyard.dealing import DEALER
from companion.games.monster_graveyard.moves import Command, TellCatalogue
from companion.games.monster_graveyard.players import PLAYERS
from companion.games.monster_graveyard.printed import Printed, read_catalogue
from companion.games.monster_graveyard.records import RECORDS
from companion.games.monster_graveyard.rules import course
from companion.games.monster_graveyard.rules.setup import fresh_decks
from companion.games.monster_graveyard.sheets import SHEETS
from companion.games.monster_graveyard.stand_in import stand_in_catalogue
from companion.games.monster_graveyard.state import State
from companion.ports import BoardTurn, DieRoll, Reading
from companion.told_rows import differing

STAND_IN = stand_in_catalogue()
MONSTER_CARDS = 20


def _counts(box: Printed) -> Mapping[PieceKind, int]:
    specials = {PieceKind(part.id): part.count for part in box.specials.values()}
    research = {PieceKind(card.id): card.count for card in box.research.values()}
    return {**box.plain_counts, **specials, **research, MONSTER_CARD: MONSTER_CARDS}


class MonsterGraveyard:
    """*Monster Graveyard*; holds nothing, every method is pure."""

    name = "monster_graveyard"
    package = "companion.games.monster_graveyard"
    seats: Sequence[Seat] = SEATS
    box: Box = Box(
        tuple(mat(seat) for seat in SEATS),
        _counts(read_catalogue(STAND_IN)),
        SHEETS,
        {mat_of(seat): seat for seat in SEATS},
        Lie.MATS,
    )
    players: Sequence[Player] = PLAYERS
    dealer: Dealer[State] | None = DEALER
    codec: Codec[Command, events.Event] = RECORDS
    stand_in: Wire = STAND_IN

    def initial(self, catalogue: Wire) -> State:
        """Return the empty table. Raises ValueError for a catalogue that lacks something."""
        box = read_catalogue(catalogue)
        return State(box, decks=fresh_decks(box))

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
        """Return whom and what an event changes: its seat and spaces, or every seat."""
        return touching.touched(event)

    def prompts(self, state: State) -> Sequence[Prompt]:
        return prompts.prompts(state)

    def view(self, state: State, seat: Seat | None) -> View:
        return viewing.view(state, seat)

    def told(self, state: State, event: events.Event, seat: Seat | None) -> Sentence | None:
        return telling.told(state, event, seat)

    def sums(
        self, state: State, history: Sequence[tuple[State, events.Event]], seat: Seat | None
    ) -> Sequence[Sum]:
        return why.sums(state, history, seat)

    def sighted(self, state: State, reading: Reading) -> Sequence[Sighting]:
        return sight.sighted(state, reading)

    def take_over(self, state: State, reading: Reading | None) -> Sequence[Choice]:
        return take_over.take_over(state, reading)

    def command_from_die(self, state: State, roll: DieRoll) -> Command | None:
        """Dice are counters here: a roll is shown and moves nothing."""
        return None

    def command_from_turn(self, state: State, turn: BoardTurn) -> Command | None:
        """Nothing turns in this game."""
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


GAME: Game[State, Command, events.Event] = MonsterGraveyard()
