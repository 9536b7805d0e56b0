"""What the box prints, told while the game goes on: a card met for the first time, a correction.

It counts from then on: what was scored stays scored. Nothing is guessed in the meantime.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.catalogue import CatalogueRefused, Value, rows_of, write_cell
from companion.game import Sentence
from companion.games.making_monsters.events import CatalogueTold, Event
from companion.games.making_monsters.moves import TellCard, TellCatalogue
from companion.games.making_monsters.printed import read_catalogue
from companion.games.making_monsters.rules.taking_over import why_impossible
from companion.games.making_monsters.sheets import CARDS, SHEETS
from companion.games.making_monsters.state import State
from companion.games.making_monsters.words import broken
from companion.sheets import Sheet
from companion.told_rows import completed, with_told

BY_NAME: Mapping[str, Sheet] = {sheet.name: sheet for sheet in SHEETS}


def tell_card(state: State, command: TellCard) -> tuple[Event, ...]:
    if command.seat not in state.labs:
        raise broken("nobody_there", "Setup B", seat=command.seat)
    card = command.card or free_id(state)
    if command.card and command.card not in state.box.monsters:
        raise broken("no_such_card", "Components", card=command.card)
    told: dict[str, Value] = {
        "name": command.name or None,
        "prestige": command.prestige,
        "parts": tuple(kind.value for kind in command.parts) or None,
    }
    known = rows_of(CARDS, state.box.catalogue).get(card, {})
    row = {**known, **{name: value for name, value in told.items() if value is not None}}
    if not command.card and not command.parts:
        raise broken("card_incomplete", "Monster Cards")
    cells = {name: write_cell(value) for name, value in row.items()}
    return _told(state, CatalogueTold({CARDS.name: {card: cells}}, command.seat))


def free_id(state: State) -> str:
    """Return an id for a card that the box does not list."""
    number = 1
    while f"told_{number}" in state.box.monsters:
        number += 1
    return f"told_{number}"


def tell_catalogue(state: State, command: TellCatalogue) -> tuple[Event, ...]:
    if not command.rows or not set(command.rows) <= set(BY_NAME):
        raise broken("nothing_told", "Components")
    return _told(state, CatalogueTold(command.rows))


def _told(state: State, event: CatalogueTold) -> tuple[Event, ...]:
    """Return the event with its rows in full, if the box allows them and the table stays possible."""
    try:
        whole = completed(SHEETS, state.box.catalogue, event.rows)
        read_catalogue(with_told(SHEETS, state.box.catalogue, whole))
    except CatalogueRefused as refused:
        raise broken("catalogue_row", "Components", what=refused.faults[0]) from refused
    except ValueError as wrong:
        raise broken("catalogue_row", "Components", what=str(wrong)) from wrong
    full = CatalogueTold(whole, event.seat)
    if state.labs and why_impossible(state) is None:
        wrong_with = why_impossible(catalogue_told(state, full))
        if wrong_with is not None:
            raise broken("told_impossible", "Components", why=wrong_with)
    return (full,)


def catalogue_told(state: State, event: CatalogueTold) -> State:
    """Know the box better; cards and tiles that it turns out to have more lie in deck and stack."""
    box, was = read_catalogue(with_told(SHEETS, state.box.catalogue, event.rows)), state.box
    if not state.labs:
        return replace(state, box=box)
    return replace(
        state,
        box=box,
        deck=state.deck + len(box.deck) - len(was.deck),
        stack=state.stack + box.tile_count - was.tile_count,
    )


def names_told(state: State, event: CatalogueTold) -> tuple[Sentence, ...]:
    """Return what was told, row by row, for the log."""
    lines = []
    for name, rows in event.rows.items():
        for row, cells in rows.items():
            monster = state.box.monsters.get(row) if name == CARDS.name else None
            known = ", ".join(f"{cell}" for column, cell in cells.items() if cell and column != "name")
            lines.append(
                Sentence("mm.told.row", {"name": monster.name if monster else row, "cells": known or "-"})
            )
    return tuple(lines)
