"""What the box prints, told while the game goes on: a card met for the first time, a box of a chart.

It counts from then on: LIFE that is written down stays as it is. Nothing is guessed in the meantime.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.catalogue import CatalogueRefused, rows_of, write_cell
from companion.game import Seat, Sentence
from companion.games.mad_science.components import cell
from companion.games.mad_science.events import BoxRead, CatalogueTold, Event
from companion.games.mad_science.moves import TellBox, TellCard, TellCatalogue
from companion.games.mad_science.printed import read_catalogue
from companion.games.mad_science.rules import battle, breaking
from companion.games.mad_science.rules.asking import creature_at, creature_on_turn
from companion.games.mad_science.rules.charts import column_of
from companion.games.mad_science.rules.taking_over import why_impossible
from companion.games.mad_science.sheets import CONFLICTS, EXPERIMENTS, SHEETS
from companion.games.mad_science.state import Phase, Stage, State
from companion.games.mad_science.words import broken
from companion.sheets import Sheet
from companion.told_rows import Cells, completed, with_told

BY_NAME: Mapping[str, Sheet] = {sheet.name: sheet for sheet in SHEETS}


def tell_card(state: State, command: TellCard) -> tuple[Event, ...]:
    creature_at(state, command.seat)
    sheet = BY_NAME.get(command.sheet)
    known = {} if sheet is None else rows_of(sheet, state.box.catalogue)
    if sheet is None or (command.card and command.card not in known):
        raise broken("no_such_card", "Components", card=command.card or command.sheet)
    given = {name: text for name, text in command.cells.items() if text}
    if not given:
        raise broken("nothing_told", "Components")
    row = {name: write_cell(value) for name, value in known.get(command.card, {}).items()}
    return _told(state, {sheet.name: {command.card or free_id(state): {**row, **given}}}, command.seat)


def free_id(state: State) -> str:
    """Return an id for a card that the box does not list."""
    number = 1
    while f"told_{number}" in state.box.names:
        number += 1
    return f"told_{number}"


def tell_catalogue(state: State, command: TellCatalogue) -> tuple[Event, ...]:
    if not command.rows or not set(command.rows) <= set(BY_NAME):
        raise broken("nothing_told", "Components")
    return _told(state, command.rows, None)


def tell_box(state: State, command: TellBox) -> tuple[Event, ...]:
    """Learn what a box of the chart says, and go on as it says."""
    creature_on_turn(state, command.seat, Stage.TELL)
    column, face = column_of(state, command.seat), state.turn.face
    is_break = state.phase is Phase.BREAK
    sheet, card = (CONFLICTS, state.conflict) if is_break else (EXPERIMENTS, state.experiment)
    row = {name: write_cell(value) for name, value in rows_of(sheet, state.box.catalogue)[card].items()}
    cells = {**row, cell(column, face): command.word}
    told = _told(state, {sheet.name: {card: cells}}, command.seat)
    for event in told:
        state = catalogue_told(state, event)
    box = BoxRead(command.seat, column, face, command.word)
    return (*told, *(breaking.read(state, box) if is_break else battle.read(state, box)))


def _told(state: State, rows: Cells, seat: Seat | None) -> tuple[CatalogueTold, ...]:
    """Return the event with its rows in full, if the box allows them and the table stays possible."""
    try:
        event = CatalogueTold(completed(SHEETS, state.box.catalogue, rows), seat)
        after = catalogue_told(state, event)
    except CatalogueRefused as refused:
        raise broken("catalogue_row", "Components", what=refused.faults[0]) from refused
    except ValueError as wrong:
        raise broken("catalogue_row", "Components", what=str(wrong)) from wrong
    wrong_with = why_impossible(after)
    if wrong_with is not None and why_impossible(state) is None:
        raise broken("told_impossible", "Components", why=wrong_with)
    return (event,)


def catalogue_told(state: State, event: CatalogueTold) -> State:
    """Know the box better; parts that it turns out to have more lie in the Pile."""
    box = read_catalogue(with_told(SHEETS, state.box.catalogue, event.rows))
    if state.phase is Phase.OPEN:
        return replace(state, box=box)
    return replace(state, box=box, pile=max(0, state.pile + box.pile - state.box.pile))


def names_told(state: State, event: CatalogueTold) -> tuple[Sentence, ...]:
    """Return what was told, card by card, for the log."""
    return tuple(
        Sentence("ms.card", {"name": state.box.name(card)}) for rows in event.rows.values() for card in rows
    )
