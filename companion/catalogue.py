"""What a box prints, as rows: read from a catalogue, checked against its sheets, put back.

A catalogue is what ``catalogue.json`` of a box holds. What is not known is None, never a guess.
Pure; stands beside the journal, above ``companion.game``.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from companion.game import Sentence, Wire
from companion.sheets import Column, Kind, Sheet

Value: TypeAlias = str | int | tuple[str, ...] | None
Row: TypeAlias = Mapping[str, Value]
Rows: TypeAlias = Mapping[str, Row]

ID = re.compile(r"[a-z0-9][a-z0-9_]{0,39}")
ID_RULE = "a-z 0-9 _"
WORD_BREAK = re.compile(r"[\s,+/;]+")
MOST_SHOWN = 40


class CatalogueRefused(ValueError):
    """Rows that the sheets do not allow: ``faults`` says all that is wrong."""

    def __init__(self, faults: Sequence[Sentence]) -> None:
        super().__init__("; ".join(fault.key for fault in faults))
        self.faults = tuple(faults)


class Wrong(ValueError):
    """A cell that may not hold what it holds; ``what`` says it with what is allowed."""

    def __init__(self, key: str, **values: str | int | Sentence) -> None:
        super().__init__(key)
        self.what = Sentence(f"catalogue.wrong.{key}", values)


@dataclass(frozen=True, slots=True)
class Given:
    """A row as somebody gave it: texts by column. ``line`` is where in a file, None: a form."""

    id: str
    cells: Mapping[str, str]
    line: int | None = None


def rows_of(sheet: Sheet, catalogue: Wire) -> dict[str, Row]:
    """Return the rows of a sheet; fields that no column names stay out. Raises CatalogueRefused."""
    stored = catalogue.get(sheet.stored) or {}
    if not isinstance(stored, Mapping):
        raise CatalogueRefused([Sentence("catalogue.no_table", {"table": sheet.name, "key": sheet.stored})])
    listed = catalogue.get(sheet.listed) or () if sheet.listed else ()
    ids = sheet.ids or tuple(dict.fromkeys([*map(str, listed), *stored]))
    faults: list[Sentence] = []
    rows = {row: _row_of(sheet, row, stored.get(row), faults) for row in ids}
    if faults:
        raise CatalogueRefused(faults)
    return rows


def _row_of(sheet: Sheet, row: str, stored: Any, faults: list[Sentence]) -> Row:
    fields = {sheet.columns[0].name: stored} if sheet.is_bare else stored or {}
    if not isinstance(fields, Mapping):
        faults.append(at_row(row, sheet.key, Wrong("row").what))
        return {}
    found: dict[str, Value] = {}
    for column in sheet.columns:
        value = fields.get(column.name)
        found[column.name] = tuple(value) if isinstance(value, list) else value
        if value is not None and not _is_of_kind(column, found[column.name]):
            faults.append(at_row(row, column.name, Wrong("kind", text=str(value)[:MOST_SHOWN]).what))
    return found


def _is_of_kind(column: Column, value: Value) -> bool:
    match column.kind:
        case Kind.NUMBER:
            return isinstance(value, int) and not isinstance(value, bool)
        case Kind.CHOICES:
            return isinstance(value, tuple) and all(isinstance(word, str) for word in value)
        case _:
            return isinstance(value, str)


def with_rows(sheet: Sheet, catalogue: Wire, rows: Rows) -> dict[str, Any]:
    """Return the catalogue with these rows in a sheet's place; other fields of a row stay as they were."""
    before = catalogue.get(sheet.stored) or {}
    stored = {row: _stored(sheet, before.get(row), values) for row, values in rows.items()}
    full = dict(catalogue) | {sheet.stored: {row: one for row, one in stored.items() if one is not None}}
    return full | {sheet.listed: list(rows)} if sheet.listed else full


def _stored(sheet: Sheet, before: Any, row: Row) -> Any:
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in row.items()}
    if sheet.is_bare:
        return plain.get(sheet.columns[0].name)
    kept = dict(before) if isinstance(before, Mapping) else {}
    kept |= {name: value for name, value in plain.items() if value is not None or name in kept}
    return kept


def names_of(sheets: Iterable[Sheet], catalogue: Wire) -> dict[str, str]:
    """Return what the box calls its pieces, by their ids; those without a name are left out."""
    named = [sheet for sheet in sheets if any(column.name == "name" for column in sheet.columns)]
    rows = ((row, values["name"]) for sheet in named for row, values in rows_of(sheet, catalogue).items())
    return {row: name for row, name in rows if isinstance(name, str)}


def is_complete(sheet: Sheet, row: Row) -> bool:
    """Tell whether all is known that a game asks for."""
    return all(row.get(column.name) is not None for column in sheet.columns if column.is_needed)


def changes(sheet: Sheet, before: Wire, after: Wire) -> dict[str, Row]:
    """Return the rows of ``after`` that are not the same in ``before``."""
    old = rows_of(sheet, before)
    return {row: values for row, values in rows_of(sheet, after).items() if old.get(row) != values}


def checked(sheet: Sheet, catalogue: Wire, given: Iterable[Given], *, adds: bool = False) -> dict[str, Row]:
    """Return the rows that were given, read by their columns; rows not given are not in it.

    ``adds``: ids that the catalogue does not have are new rows. Raises CatalogueRefused with
    everything that is wrong.
    """
    known = rows_of(sheet, catalogue)
    faults: list[Sentence] = []
    rows: dict[str, Row] = {}
    lines: dict[str, int | None] = {}
    for one in given:
        fault = _wrong_id(sheet, one, known, lines, adds=adds and not sheet.ids)
        if fault is not None:
            faults.append(_at(one, sheet.key, fault))
        else:
            lines[one.id] = one.line
            rows[one.id] = _read_row(sheet, catalogue, one, faults)
    faults += _doubled(sheet, {**known, **rows}, lines)
    if faults:
        raise CatalogueRefused(faults)
    return rows


def _wrong_id(
    sheet: Sheet, one: Given, known: Rows, lines: Mapping[str, int | None], *, adds: bool
) -> Sentence | None:
    if one.id in lines:
        first = lines[one.id]
        return Wrong("twice", text=one.id, line=first or 0).what
    if one.id in known:
        return None
    if not adds:
        near = difflib.get_close_matches(one.id, known, n=1, cutoff=0.5)
        allowed = near[0] if near else shortened(known)
        return Wrong("no_such", text=one.id[:MOST_SHOWN], allowed=allowed).what
    return None if ID.fullmatch(one.id) else Wrong("id", text=one.id[:MOST_SHOWN], allowed=ID_RULE).what


def _read_row(sheet: Sheet, catalogue: Wire, one: Given, faults: list[Sentence]) -> Row:
    before = (catalogue.get(sheet.stored) or {}).get(one.id) or {}
    row: dict[str, Value] = {}
    for column in sheet.columns:
        text = one.cells.get(column.name, "")
        size = before.get(column.sized_by) if column.sized_by and not sheet.is_bare else None
        try:
            row[column.name] = read_cell(sized(column, size), text, words_of(column, catalogue))
        except Wrong as wrong:
            faults.append(_at(one, column.name, wrong.what))
    return row


def sized(column: Column, size: Any) -> Column:
    """Return a column of words that asks for exactly ``size`` of them; the same column if nobody says."""
    if not isinstance(size, int) or isinstance(size, bool):
        return column
    return replace(column, least=size, most=size, sized_by="")


def words_of(column: Column, catalogue: Wire) -> tuple[str, ...]:
    """Return the words that a choice may be."""
    return tuple(map(str, catalogue.get(column.of) or ())) if column.of else column.allowed


def read_cell(column: Column, text: str, words: Sequence[str]) -> Value:
    """Read a cell; an empty one is None. Raises Wrong, which says what is allowed."""
    text = unicodedata.normalize("NFC", text.strip())
    if not text:
        if column.may_be_open:
            return None
        raise Wrong("empty", allowed=allowed_in(column, words))
    match column.kind:
        case Kind.NUMBER:
            return _number(column, text)
        case Kind.CHOICE:
            return _word(text, words)
        case Kind.CHOICES:
            chosen = tuple(_word(word, words) for word in WORD_BREAK.split(text) if word)
            if not column.least <= len(chosen) <= column.most:
                raise Wrong("how_many", count=len(chosen), allowed=_range(column))
            return chosen
        case Kind.TEXT:
            return _text(column, text)


def _number(column: Column, text: str) -> int:
    if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10):
        raise Wrong("number", text=text[:MOST_SHOWN], allowed=_range(column))
    if not column.least <= int(text) <= column.most:
        raise Wrong("range", text=text, allowed=_range(column))
    return int(text)


def _word(text: str, words: Sequence[str]) -> str:
    if text in words:
        return text
    plain = {word.casefold(): word for word in words}
    if text.casefold() in plain:
        return plain[text.casefold()]
    raise Wrong("word", text=text[:MOST_SHOWN], allowed=shortened(words))


def _text(column: Column, text: str) -> str:
    if any(unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") for sign in text):
        raise Wrong("unseen", text="".join(sign for sign in text if sign.isprintable())[:MOST_SHOWN])
    if not max(1, column.least) <= len(text) <= column.most:
        raise Wrong("length", count=len(text), least=max(1, column.least), most=column.most)
    return text


def write_cell(value: Value) -> str:
    """Return a value as the text that ``read_cell`` reads back."""
    return "" if value is None else " ".join(value) if isinstance(value, tuple) else str(value)


def allowed_in(column: Column, words: Sequence[str]) -> str | Sentence:
    """Return what a column allows."""
    return shortened(words) if column.kind in (Kind.CHOICE, Kind.CHOICES) else _range(column)


def _range(column: Column) -> Sentence:
    if column.least == column.most:
        return Sentence("catalogue.exactly", {"count": column.least})
    return Sentence("catalogue.range", {"least": column.least, "most": column.most})


def shortened(words: Iterable[str], most: int = 8) -> str:
    """Return words with commas, the end left out if there are many."""
    named = list(words)
    return ", ".join(named[:most]) + (f", ... ({len(named)})" if len(named) > most else "")


def _doubled(sheet: Sheet, rows: Rows, lines: Mapping[str, int | None]) -> list[Sentence]:
    faults = []
    for column in sheet.columns:
        seen: dict[str, str] = {}
        for row, values in rows.items() if column.is_unique else ():
            text = str(values.get(column.name) or "")
            other = seen.setdefault(text.casefold(), row)
            if text and other != row and (row in lines or other in lines):
                late, early = (row, other) if row in lines else (other, row)
                what = Wrong("doubled", text=text[:MOST_SHOWN], other=early).what
                faults.append(_at(Given(late, {}, lines.get(late)), column.name, what))
    return faults


def _at(one: Given, column: str, what: Sentence) -> Sentence:
    return at_row(one.id, column, what) if one.line is None else at_line(one.line, column, what)


def at_line(line: int, column: str, what: Sentence) -> Sentence:
    """Say where in a file something is wrong."""
    return Sentence("catalogue.at_line", {"line": line, "column": column, "what": what})


def at_row(row: str, column: str, what: Sentence) -> Sentence:
    """Say in which row something is wrong."""
    return Sentence("catalogue.at_row", {"row": row, "column": column, "what": what})
