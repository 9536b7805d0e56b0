"""Setting up: who plays, who begins, what everybody begins with, and how the table plays."""

from __future__ import annotations

from dataclasses import replace

from companion.game import Seat
from companion.games.monster_graveyard import events as e
from companion.games.monster_graveyard import moves as m
from companion.games.monster_graveyard.components import DECKS, SEATS
from companion.games.monster_graveyard.options import settled, unknown
from companion.games.monster_graveyard.printed import Printed
from companion.games.monster_graveyard.rulebook import OVERVIEW
from companion.games.monster_graveyard.state import Deck, Lab, Phase, Stage, State
from companion.games.monster_graveyard.words import broken

FEWEST, MOST = 2, len(SEATS)
MOST_AT_FIRST = 99


def may_choose_options(state: State) -> bool:
    """Say whether the options may still change: until the first phase is chosen."""
    return state.phase is Phase.OPEN or (state.turn == 1 and not state.chosen and state.is_running)


def set_up(state: State, command: m.SetUp) -> tuple[e.Event, ...]:
    if state.phase is not Phase.OPEN:
        raise broken("already_set_up", OVERVIEW)
    seats = tuple(seat for seat in SEATS if seat in command.seats)
    if len(seats) != len(command.seats) or not FEWEST <= len(seats) <= MOST:
        raise broken("seats", OVERVIEW, least=FEWEST, most=MOST)
    first = command.first or seats[0]
    if first not in seats:
        raise broken("first", OVERVIEW)
    if not (0 <= command.gp <= MOST_AT_FIRST and 0 <= command.rp <= MOST_AT_FIRST):
        raise broken("at_first", OVERVIEW, most=MOST_AT_FIRST)
    _check_options(command.options)
    chosen = settled({**state.options, **command.options})
    return (e.TableSet(seats, Seat(first), command.gp, command.rp, chosen),)


def _check_options(options: object) -> None:
    strange = unknown(options)  # type: ignore[arg-type]
    if strange:
        raise broken("no_such_option", OVERVIEW, option=strange)


def choose_options(state: State, command: m.ChooseOptions) -> tuple[e.Event, ...]:
    _check_options(command.options)
    if not may_choose_options(state):
        raise broken("options_late", OVERVIEW)
    chosen = settled({**state.options, **command.options})
    if chosen == dict(state.options):
        raise broken("options_same", OVERVIEW)
    return (e.OptionsChosen(chosen),)


def fresh_decks(box: Printed) -> dict[str, Deck]:
    """Return the research decks as they come out of the box."""
    return {deck: Deck(sum(box.in_deck(deck).values())) for deck in DECKS}


def table_set(state: State, event: e.TableSet) -> State:
    labs = {seat: Lab(gp=event.gp, rp=event.rp) for seat in event.seats}
    labs[event.first] = replace(labs[event.first], stage=Stage.CHOOSE)
    return replace(
        state,
        phase=Phase.CHOOSE,
        turn=1,
        labs=labs,
        first=event.first,
        active=event.first,
        decks=fresh_decks(state.box),
        options=event.options,
    )


def options_chosen(state: State, event: e.OptionsChosen) -> State:
    return replace(state, options=event.options)
