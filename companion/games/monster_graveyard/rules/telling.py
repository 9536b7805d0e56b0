"""What the box prints, told while the game goes on: a card met for the first time, a correction.

It counts from then on: monsters that were made stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.catalogue import CatalogueRefused, Value, write_cell
from companion.game import Seat, Sentence
from companion.games.monster_graveyard import moves as m
from companion.games.monster_graveyard.components import DECKS
from companion.games.monster_graveyard.events import CatalogueTold, Event
from companion.games.monster_graveyard.printed import read_catalogue
from companion.games.monster_graveyard.rulebook import REANIMATE, TYPES
from companion.games.monster_graveyard.rules.taking_over import why_impossible
from companion.games.monster_graveyard.rules.turns import lab_of
from companion.games.monster_graveyard.sheets import RESEARCH, SHEETS, SPECIALS
from companion.games.monster_graveyard.state import Deck, Stage, State, hidden_cards
from companion.games.monster_graveyard.words import broken
from companion.told_rows import completed, with_told


def tell_card(state: State, command: m.TellCard) -> tuple[Event, ...]:
    """Take in a research card that the box does not list; its owner looks at it just now."""
    lab = lab_of(state, command.seat)
    if lab.stage is not Stage.LOOK:
        raise broken("not_looking", TYPES)
    told = _added(command.terror, command.science, command.health, command.effect)
    told |= {"name": command.name, "deck": lab.deck, "type": command.type, "count": 1}
    return _told_row(state, RESEARCH.name, told, command.seat, state.box.research)


def tell_special(state: State, command: m.TellSpecial) -> tuple[Event, ...]:
    lab_of(state, command.seat)
    told = _added(command.terror, command.science, command.health, command.effect)
    told |= {"name": command.name, "covers": command.covers, "count": 1}
    return _told_row(state, SPECIALS.name, told, command.seat, state.box.specials)


def _added(terror: int, science: int, health: int, effect: str) -> dict[str, Value]:
    return {"terror": terror, "science": science, "health": health, "effect": effect or None}


def _told_row(
    state: State, sheet: str, told: Mapping[str, Value], seat: Seat, known: Iterable[str]
) -> tuple[Event, ...]:
    if not str(told["name"]).strip():
        raise broken("no_name", REANIMATE)
    number = 1
    while f"told_{number}" in known:
        number += 1
    cells = {name: write_cell(value) for name, value in told.items()}
    return _told(state, CatalogueTold({sheet: {f"told_{number}": cells}}, seat))


def tell_catalogue(state: State, command: m.TellCatalogue) -> tuple[Event, ...]:
    if not command.rows or not set(command.rows) <= {sheet.name for sheet in SHEETS}:
        raise broken("nothing_told_of_box", TYPES)
    return _told(state, CatalogueTold(command.rows))


def _told(state: State, event: CatalogueTold) -> tuple[Event, ...]:
    """Return the event with its rows in full, if the box allows them and the table stays possible."""
    try:
        whole = completed(SHEETS, state.box.catalogue, event.rows)
        box = read_catalogue(with_told(SHEETS, state.box.catalogue, whole))
    except CatalogueRefused as refused:
        raise broken("catalogue_row", TYPES, what=refused.faults[0]) from refused
    except ValueError as wrong:
        raise broken("catalogue_row", TYPES, what=str(wrong)) from wrong
    full = CatalogueTold(whole, event.seat)
    if state.labs:
        wrong_with = why_impossible(replace(catalogue_told(state, full), box=box))
        if wrong_with is not None:
            raise broken("told_impossible", TYPES, why=wrong_with)
    return (full,)


def catalogue_told(state: State, event: CatalogueTold) -> State:
    """Know the box better; what lies nowhere else is in the decks."""
    after = replace(state, box=read_catalogue(with_told(SHEETS, state.box.catalogue, event.rows)))
    if not state.labs:
        return after
    decks = {
        deck: Deck(sum(hidden_cards(after, deck).values()), state.decks[deck].discards) for deck in DECKS
    }
    return replace(after, decks=decks)


def names_told(state: State, event: CatalogueTold) -> tuple[Sentence, ...]:
    """Return what was told, row by row, for the log."""
    lines = []
    for rows in event.rows.values():
        for row, cells in rows.items():
            known = ", ".join(cell for column, cell in cells.items() if cell and column != "name")
            name = cells.get("name") or row
            lines.append(Sentence("mg.told.row", {"name": name, "cells": known or "-"}))
    return tuple(lines)
