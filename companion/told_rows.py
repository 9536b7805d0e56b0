"""Rows of a box's catalogue that a table is told while a game goes on: what differs, checked, put in.

Rows travel as cells, as in CSV: by sheet, id and column. Pure; stands above ``companion.catalogue``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.catalogue import Given, Row, Value, changes, checked, rows_of, with_rows, write_cell
from companion.game import Wire
from companion.sheets import Kind, Sheet

Cells = Mapping[str, Mapping[str, Mapping[str, str]]]


def cells_of(row: Row) -> dict[str, str]:
    """Return a row as cells."""
    return {name: write_cell(value) for name, value in row.items()}


def differing(sheets: Sequence[Sheet], before: Wire, after: Wire) -> dict[str, dict[str, dict[str, str]]]:
    """Return the rows that ``after`` says otherwise; sheets in which nothing differs are left out."""
    found = {sheet.name: changes(sheet, before, after) for sheet in sheets}
    return {
        name: {row: cells_of(values) for row, values in rows.items()} for name, rows in found.items() if rows
    }


def completed(sheets: Sequence[Sheet], catalogue: Wire, told: Cells) -> dict[str, dict[str, dict[str, str]]]:
    """Return what was told with every cell of its rows, if the sheets allow it.

    Raises CatalogueRefused, and KeyError for a sheet that there is not.
    """
    by_name = {sheet.name: sheet for sheet in sheets}
    whole: dict[str, dict[str, dict[str, str]]] = {}
    for name, rows in told.items():
        sheet = by_name[name]
        given = [Given(row, cells) for row, cells in rows.items()]
        read = checked(sheet, catalogue, given, adds=sheet.may_grow)
        catalogue = with_rows(sheet, catalogue, {**rows_of(sheet, catalogue), **read})
        whole[name] = {row: cells_of(values) for row, values in read.items()}
    return whole


def with_told(sheets: Sequence[Sheet], catalogue: Wire, told: Cells) -> Wire:
    """Return a catalogue with rows that ``completed`` gave."""
    by_name = {sheet.name: sheet for sheet in sheets}
    for name, rows in told.items():
        sheet = by_name[name]
        read = {row: _values(sheet, cells) for row, cells in rows.items()}
        catalogue = with_rows(sheet, catalogue, {**rows_of(sheet, catalogue), **read})
    return catalogue


def _values(sheet: Sheet, cells: Mapping[str, str]) -> dict[str, Value]:
    """Read cells that were checked when they were told."""
    return {column.name: _value(column.kind, cells.get(column.name, "")) for column in sheet.columns}


def _value(kind: Kind, text: str) -> Value:
    if not text:
        return None
    if kind is Kind.NUMBER:
        return int(text)
    return tuple(text.split()) if kind is Kind.CHOICES else text
