"""Everything that ``companion.game.Game`` asks for, put together. The entry point names ``GAME``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.board import Place, SpaceId
from companion.game import (
    Box,
    Choice,
    Codec,
    Dealer,
    Game,
    Line,
    Player,
    Prompt,
    Seat,
    Sentence,
    Sighting,
    Sum,
    View,
    Weight,
    Wire,
)
from companion.ports import BoardTurn, DieRoll, Reading
from lamp_garden import rules, shown, sight
from lamp_garden.garden import BEDS, BOX, NOTHING_PRINTED, SEATS, place_of
from lamp_garden.players import DEALER, PLAYERS
from lamp_garden.rules import RECORDS, Command, Event, Lit, State, say


class LampGarden:
    """*Lamp Garden*; holds nothing, every method is pure."""

    name = "lamp_garden"
    package = "lamp_garden"
    seats: Sequence[Seat] = SEATS
    box: Box = BOX
    players: Sequence[Player] = PLAYERS
    dealer: Dealer[State] | None = DEALER
    codec: Codec[Command, Event] = RECORDS
    stand_in: Wire = NOTHING_PRINTED

    def initial(self, catalogue: Wire) -> State:
        return State()

    def decide(self, state: State, command: Command) -> Sequence[Event]:
        return rules.decide(state, command)

    def evolve(self, state: State, event: Event) -> State:
        return rules.evolve(state, event)

    def legal(self, state: State, seat: Seat | None = None) -> Iterable[Command]:
        return rules.legal(state, seat)

    def actor(self, command: Command) -> Seat | None:
        return getattr(command, "seat", None)

    def touched(self, event: Event) -> tuple[Seat | Place, ...]:
        if isinstance(event, Lit):
            return (*SEATS, place_of(SpaceId(event.bed)))
        return (*SEATS, *map(place_of, BEDS))

    def prompts(self, state: State) -> Sequence[Prompt]:
        return shown.prompts(state)

    def view(self, state: State, seat: Seat | None) -> View:
        return shown.view(state, seat)

    def told(self, state: State, event: Event, seat: Seat | None) -> Sentence | None:
        return shown.told(event)

    def sums(self, state: State, history: Sequence[tuple[State, Event]], seat: Seat | None) -> Sequence[Sum]:
        return shown.sums(state, history)

    def sighted(self, state: State, reading: Reading) -> Sequence[Sighting]:
        return sight.sighted(state, reading)

    def take_over(self, state: State, reading: Reading | None) -> Sequence[Choice]:
        if state.seats:
            return ()
        field = Line("position", say("field.position"))
        return (Choice(say("choice.take_over"), {"do": "take_over"}, (field,), Weight.QUIET),)

    def command_from_die(self, state: State, roll: DieRoll) -> Command | None:
        return None

    def command_from_turn(self, state: State, turn: BoardTurn) -> Command | None:
        return None

    def catalogue(self, state: State) -> Wire:
        return self.stand_in

    def command_from_catalogue(self, state: State, catalogue: Wire) -> Command | None:
        return None

    def position(self, state: State) -> str:
        return rules.position(state)

    def from_position(self, line: str, catalogue: Wire) -> State:
        return rules.from_position(line)


GAME: Game[State, Command, Event] = LampGarden()
