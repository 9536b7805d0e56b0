"""Sheets of a catalogue as CSV, the way spreadsheets write it, and back.

Reads UTF-8 with or without its mark, commas, semicolons or tabs, quoted cells. A file holds a
whole sheet: every id once. Pure; stands beside the journal.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from companion.catalogue import (
    CatalogueRefused,
    Given,
    Row,
    Wrong,
    at_line,
    checked,
    rows_of,
    shortened,
    with_rows,
    write_cell,
)
from companion.game import Sentence, Wire
from companion.sheets import Sheet

MARK = "\ufeff"
SEPARATORS = ",;\t"
MOST_BYTES = 1024 * 1024
MOST_LINES = 5000

FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
"""What spreadsheets run (OWASP, CSV injection), also behind apostrophes of ours."""


def harmless(text: str) -> str:
    """Return a cell that no spreadsheet takes for a formula: an apostrophe goes before it."""
    return f"'{text}" if FORMULA.match(text) else text


def meant(text: str) -> str:
    """Take ``harmless`` back."""
    return text[1:] if text.startswith("'") and FORMULA.match(text[1:]) else text


def csv_out(sheet: Sheet, catalogue: Wire) -> str:
    """Return a sheet as CSV with commas; lines end as spreadsheets like them."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(sheet.headings)
    for row, values in rows_of(sheet, catalogue).items():
        cells = [row, *(write_cell(values.get(column.name)) for column in sheet.columns)]
        writer.writerow([harmless(cell) for cell in cells])
    return out.getvalue()


def csv_in(sheets: Sequence[Sheet], catalogue: Wire, file: bytes, *, adds: bool = False) -> dict[str, Wire]:
    """Return the catalogue with a file's rows in place of those of the sheet that the file is.

    The key of the answer is that sheet's name. The sheet is known by the file's headings. ``adds``:
    the file may hold other ids than the catalogue; of a table that the catalogue knows nothing of it may
    anyhow. Raises CatalogueRefused with all that is wrong.
    """
    headings, body = _table(file)
    sheet = sheet_of(sheets, headings)
    faults = _wrong_headings(sheet, headings)
    if faults:
        raise CatalogueRefused(faults)
    given, faults = _given(sheet, headings, body)
    adds = adds or not rows_of(sheet, catalogue)
    rows: dict[str, Row] = {}
    start = catalogue if not adds or sheet.ids else with_rows(sheet, catalogue, {})
    try:
        rows = checked(sheet, start, given, adds=adds)
    except CatalogueRefused as refused:
        faults = [*faults, *refused.faults]
    named = {one.id for one in given}
    missing = [row for row in rows_of(sheet, start) if row not in named]
    if missing:
        values: dict[str, str | int] = {"key": sheet.key, "count": len(missing), "rows": shortened(missing)}
        faults.append(Sentence("catalogue.missing", {**values}))
    if faults:
        raise CatalogueRefused(sorted(faults, key=_line_of))
    ordered = {row: rows[row] for row in (*rows_of(sheet, start), *rows)}
    return {sheet.name: with_rows(sheet, catalogue, ordered)}


def _line_of(fault: Sentence) -> int:
    line = fault.values.get("line", 2**31)
    return line if isinstance(line, int) else 2**31


def sheet_of(sheets: Sequence[Sheet], headings: Sequence[str]) -> Sheet:
    """Return the sheet that headings are most like: its ids first, then its columns."""

    def likeness(sheet: Sheet) -> tuple[int, bool]:
        return len(set(headings) & set(sheet.headings)), headings[:1] == [sheet.key]

    return max(sheets, key=likeness)


def _table(file: bytes) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the headings and the lines that are not empty, each with its number."""
    if len(file) > MOST_BYTES:
        raise CatalogueRefused([Sentence("catalogue.too_large", {"most": MOST_BYTES // 1024})])
    try:
        text = file.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = file[: wrong.start].count(b"\n") + 1
        raise CatalogueRefused([Sentence("catalogue.encoding", {"line": line})]) from wrong
    lines = list(_lines(text))
    if not lines:
        raise CatalogueRefused([Sentence("catalogue.no_lines")])
    headings = [meant(cell.strip()).casefold() for cell in lines[0][1]]
    while headings and not headings[-1]:
        headings.pop()
    return headings, lines[1:]


def _lines(text: str) -> Sequence[tuple[int, list[str]]]:
    first, _, rest = text.partition("\n")
    skipped = 0
    if re.fullmatch(r'"?sep=."?\s*', first):  # written by some spreadsheets, and only a remark
        text, skipped = rest, 1
        first = rest.partition("\n")[0]
    separator = max(SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    found: list[tuple[int, list[str]]] = []
    at = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                found.append((at + skipped, cells))
            at = reader.line_num + 1
            if len(found) > MOST_LINES:
                raise CatalogueRefused([Sentence("catalogue.too_long", {"most": MOST_LINES})])
    except csv.Error as wrong:
        raise CatalogueRefused([Sentence("catalogue.quotes", {"line": at + skipped})]) from wrong
    return found


def _wrong_headings(sheet: Sheet, headings: Sequence[str]) -> list[Sentence]:
    allowed = ", ".join(sheet.headings)
    faults = []
    for name in dict.fromkeys(headings):
        if name not in sheet.headings:
            faults.append(Wrong("column", text=name[:40], allowed=allowed).what)
        elif headings.count(name) > 1:
            faults.append(Wrong("column_twice", text=name).what)
    faults += [Wrong("no_column", text=name).what for name in sheet.headings if name not in headings]
    return [Sentence("catalogue.at_top", {"line": 1, "what": fault}) for fault in faults]


def _given(
    sheet: Sheet, headings: Sequence[str], body: Sequence[tuple[int, list[str]]]
) -> tuple[list[Given], list[Sentence]]:
    given, faults = [], []
    for line, whole in body:
        cells = list(whole)
        while len(cells) > len(headings) and not cells[-1].strip():
            cells.pop()
        named = {name: meant(cell) for name, cell in zip(headings, cells, strict=False)}
        if len(cells) != len(headings):
            what = Wrong("cells", count=len(cells), allowed=len(headings)).what
            faults.append(at_line(line, shortened(sheet.headings), what))
        given.append(Given(named.pop(sheet.key, "").strip(), named, line))
    return given, faults
