"""Setup: who plays and who begins, the Experiment, bodies and hands (rulebook, Setup, Starting the Game)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.game import Seat
from companion.games.mad_science.components import FACES, HAND, SEATS
from companion.games.mad_science.events import (
    Begun,
    BodyDealt,
    Event,
    ExperimentUp,
    FirstRolled,
    HandsDealt,
    OddsShown,
    OptionsChosen,
    TableSet,
    Tied,
)
from companion.games.mad_science.moves import (
    ChooseOptions,
    DealBody,
    DealHands,
    Roll,
    SetUp,
    ShowOdds,
    TurnUp,
)
from companion.games.mad_science.options import settled, unknown
from companion.games.mad_science.rules.asking import creature_on_turn
from companion.games.mad_science.state import Creature, Phase, Stage, State, Turn, changed, on_turn
from companion.games.mad_science.words import broken, card_name

LEAST_SEATS = 2


def set_up(state: State, command: SetUp) -> tuple[Event, ...]:
    if state.phase is not Phase.OPEN:
        raise broken("already_set_up", "Setup")
    seats = tuple(seat for seat in SEATS if seat in command.seats)
    if len(seats) != len(command.seats) or len(seats) < LEAST_SEATS:
        raise broken("seats", "Setup", most=len(SEATS))
    events: tuple[Event, ...] = (TableSet(seats),)
    chosen = _chosen(state, command.options)
    return events if chosen == state.options else (*events, OptionsChosen(chosen))


def may_choose_options(state: State) -> bool:
    """Say whether the options may still change: until the first turn begins."""
    return state.phase in (Phase.OPEN, Phase.FIRST, Phase.CARDS)


def choose_options(state: State, command: ChooseOptions) -> tuple[Event, ...]:
    if not may_choose_options(state):
        raise broken("options_settled", "Setup")
    return (OptionsChosen(_chosen(state, command.options)),)


def _chosen(state: State, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options of the table with these chosen besides. Raises RuleBroken."""
    strange = unknown(options)
    if strange:
        raise broken("no_such_option", "Setup", option=strange)
    return settled({**state.options, **options})


def options_chosen(state: State, event: OptionsChosen) -> State:
    return replace(state, options=dict(event.options))


def table_set(state: State, event: TableSet) -> State:
    return replace(
        state,
        phase=Phase.FIRST,
        creatures=dict.fromkeys(event.seats, Creature()),
        contenders=event.seats,
        turn=Turn(event.seats[0], Stage.FIRST),
        pile=state.box.pile,
    )


def show_odds(state: State, command: ShowOdds) -> tuple[Event, ...]:
    """Tell seats their odds, or no longer: no rule of the game, so at any time before its end."""
    if state.phase in (Phase.OPEN, Phase.OVER) or command.is_on == state.odds:
        raise broken("odds_as_they_are", "Setup")
    return (OddsShown(command.is_on),)


def odds_shown(state: State, event: OddsShown) -> State:
    return replace(state, odds=event.is_on)


def check_face(face: int) -> None:
    """Refuse what no six-sided die shows. Raises RuleBroken."""
    if face not in FACES:
        raise broken("no_such_face", "Components", face=face)


def roll_first(state: State, command: Roll) -> tuple[Event, ...]:
    creature_on_turn(state, command.seat, Stage.FIRST)
    return (FirstRolled(command.seat, command.face),)


def first_rolled(state: State, event: FirstRolled) -> State:
    rolls = {**state.first_rolls, event.seat: event.face}
    waiting = [seat for seat in state.contenders if seat not in rolls]
    turn = Turn(waiting[0], Stage.FIRST) if waiting else Turn()
    return replace(state, first_rolls=rolls, turn=turn, last=("", event.face, ""))


def tied(state: State, event: Tied) -> State:
    return replace(state, contenders=event.seats, first_rolls={}, turn=Turn(event.seats[0], Stage.FIRST))


def follow(state: State) -> tuple[Event, ...]:
    """Say who begins once all have rolled; who tied for the lowest rolls again (MS-R1)."""
    rolls = state.first_rolls
    if any(seat not in rolls for seat in state.contenders):
        return ()
    lowest = min(rolls.values())
    first = tuple(seat for seat in state.contenders if rolls[seat] == lowest)
    return (Begun(first[0]),) if len(first) == 1 else (Tied(first),)


def begun(state: State, event: Begun) -> State:
    seats = tuple(state.creatures)
    start = seats.index(event.seat)
    order = (*seats[start:], *seats[:start])
    turn = Turn(event.seat, Stage.TURN_UP)
    return replace(state, phase=Phase.CARDS, order=order, contenders=(), turn=turn, last=None)


def turn_up(state: State, command: TurnUp) -> tuple[Event, ...]:
    creature_on_turn(state, command.seat, Stage.TURN_UP)
    if command.card not in state.box.experiments:
        raise broken("no_such_card", "Starting the Game", card=command.card)
    experiment = state.box.experiments[command.card]
    if experiment.life is None:
        raise broken("life_untold", "Starting the Game", card=card_name(state.box, command.card))
    return (ExperimentUp(command.seat, command.card),)


def experiment_up(state: State, event: ExperimentUp) -> State:
    life = state.box.experiments[event.card].life
    turn = Turn(event.seat, Stage.BODY)
    return replace(state, experiment=event.card, experiment_life=life, turn=turn)


def bodies_left(state: State) -> tuple[str, ...]:
    """Return the bodies that lie before nobody."""
    dealt = {creature.body for creature in state.creatures.values()}
    return tuple(body for body in state.box.bodies if body not in dealt)


def deal_body(state: State, command: DealBody) -> tuple[Event, ...]:
    creature_on_turn(state, command.seat, Stage.BODY)
    if command.body not in state.box.bodies:
        raise broken("no_such_card", "Starting the Game", card=command.body)
    if command.body not in bodies_left(state):
        raise broken("card_elsewhere", "Starting the Game", card=card_name(state.box, command.body))
    return (BodyDealt(command.seat, command.body),)


def body_dealt(state: State, event: BodyDealt) -> State:
    state = changed(state, event.seat, body=event.body)
    if all(creature.body for creature in state.creatures.values()):
        return on_turn(state, stage=Stage.DEAL)
    return state


def dealt_in_order(state: State) -> tuple[Seat, ...]:
    """Return who gets a part in which order: Player Two first, Player One last."""
    return (*state.order[1:], *state.order[:1])


def deal_hands(state: State, command: DealHands) -> tuple[Event, ...]:
    creature_on_turn(state, command.seat, Stage.DEAL)
    return (HandsDealt(),)


def hands_dealt(state: State, event: HandsDealt) -> State:
    """Count five parts into every hand, dealt one at a time from Player Two on."""
    pile, hands = state.pile, dict.fromkeys(state.creatures, 0)
    for _ in range(HAND):
        for seat in dealt_in_order(state):
            if pile:
                hands[seat], pile = hands[seat] + 1, pile - 1
    creatures = {seat: replace(one, hand=hands[seat]) for seat, one in state.creatures.items()}
    return replace(state, phase=Phase.PLAY, creatures=creatures, pile=pile, turn=Turn())
