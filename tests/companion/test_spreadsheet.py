"""Sheets as CSV: what spreadsheets make of it comes back, what is wrong is said with its line."""

from __future__ import annotations

import csv
import io
import unicodedata
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.catalogue import CatalogueRefused, rows_of
from companion.sentences import Speaker
from companion.sheets import Column, Kind, Sheet
from companion.spreadsheet import MARK, csv_in, csv_out, harmless, meant

COLOURS = ("red", "green", "blue")
BEETLES = Sheet(
    "beetles",
    "beetle",
    "beetles",
    (
        Column("name", Kind.TEXT, 1, 20),
        Column("legs", Kind.NUMBER, -9, 30),
        Column("colours", Kind.CHOICES, 1, 4, COLOURS),
        Column("home", Kind.CHOICE, allowed=COLOURS),
    ),
)
MEADOWS = Sheet("meadows", "meadow", "meadows", (Column("size", Kind.NUMBER, 1, 9),), ("m1", "m2"), True)
SHEETS = (BEETLES, MEADOWS)
CATALOGUE: dict[str, Any] = {"beetles": {"b1": {}, "b2": {}}, "meadows": {"m1": 3}}
HEADINGS = "beetle,name,legs,colours,home"

# Whatever a person could have typed: one line of visible text without blanks at its ends.
texts = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=20).map(
    partial(unicodedata.normalize, "NFC")
)
dangerous = st.sampled_from(["=1+1", "+1", "-1", "@x", "'=x", "''+1", "'plain", '"quoted"', "a,b;c", "＝1"])
rows = st.fixed_dictionaries(
    {
        "name": st.one_of(st.none(), dangerous, texts.filter(lambda text: len(text) <= 20)),
        "legs": st.one_of(st.none(), st.integers(-9, 30)),
        "colours": st.one_of(st.none(), st.lists(st.sampled_from(COLOURS), min_size=1, max_size=4)),
        "home": st.one_of(st.none(), st.sampled_from(COLOURS)),
    }
)
ids = st.from_regex(r"[a-z0-9][a-z0-9_]{0,12}", fullmatch=True)


def read(text: str | bytes, **how: bool) -> dict[str, Any]:
    body = text.encode() if isinstance(text, str) else text
    ((name, after),) = csv_in(SHEETS, CATALOGUE, body, **how).items()
    return dict(rows_of(next(sheet for sheet in SHEETS if sheet.name == name), after))


def said(text: str | bytes) -> list[str]:
    with pytest.raises(CatalogueRefused) as refused:
        read(text)
    return [Speaker(["companion"]).say(fault) for fault in refused.value.faults]


@given(st.dictionaries(ids, rows, max_size=6), st.sampled_from(["", MARK]), st.sampled_from(",;\t"))
def test_what_goes_out_comes_back_the_same(beetles: dict[str, Any], mark: str, separator: str):
    catalogue = {"beetles": beetles}
    lines = list(csv.reader(io.StringIO(csv_out(BEETLES, catalogue))))
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows(lines)
    after = csv_in(SHEETS, catalogue, (mark + out.getvalue()).encode())
    assert rows_of(BEETLES, after["beetles"]) == rows_of(BEETLES, catalogue)


@given(st.text(max_size=12))
def test_no_cell_that_goes_out_begins_like_a_formula(text: str):
    assert harmless(text)[:1] not in set("=+-@\t\r\n＝＋－＠") or not text
    assert meant(harmless(text)) == text


@given(st.binary(max_size=200))
def test_any_file_is_read_or_refused_with_words(body: bytes):
    try:
        csv_in(SHEETS, CATALOGUE, body)
    except CatalogueRefused as refused:
        assert all("[" not in Speaker(["companion"]).say(fault)[:1] for fault in refused.faults)


def test_a_sheet_is_known_by_its_headings_in_any_order():
    assert read("size;meadow\r\n5;m2\r\n3;m1\r\n") == {"m1": {"size": 3}, "m2": {"size": 5}}


def test_lines_that_a_spreadsheet_leaves_empty_are_no_rows():
    assert read(f"sep=,\n{HEADINGS},,\nb2,Bob,,,,,\n,,,,,,\nb1,,4,red green,blue,,\n\n")["b1"]["legs"] == 4


def test_everything_that_is_wrong_is_said_with_its_line():
    text = f'{HEADINGS}\nb1,"two\nlines",sx,red,blue\nb3,Bob,4,pink,\nb1,,,,\n'
    assert said(text) == [
        "Line 2, name: 'twolines' holds signs that cannot be seen; allowed is plain text on one line.",
        "Line 2, legs: 'sx' is no number; allowed is -9 to 30.",
        "Line 4, beetle: the box has no 'b3'; allowed is b2.",
        "Line 5, beetle: b1 stands in line 2 already; every row stands once.",
        "The row of beetle b2 is missing. A file holds every row; leave cells empty that are not known yet.",
    ]


def test_columns_that_are_missing_doubled_or_unknown_are_all_named():
    assert said("beetle,name,name,wings,colours,home\n") == [
        "Line 1: the column name stands twice; leave one.",
        "Line 1: there is no column 'wings'; allowed is beetle, name, legs, colours, home.",
        "Line 1: the column legs is missing.",
    ]


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (f"{HEADINGS}\nb1,Käfer,1,red,blue".encode("latin-1"), "Line 2: this is not UTF-8."),
        (f"{HEADINGS}\nb1".encode("utf-16"), "Line 1: this is not UTF-8."),
        (b"", "The file is empty."),
        (b" , \n\n", "The file is empty."),
        (f'{HEADINGS}\nb1,"Ann,1,red,blue'.encode(), "Line 2: a quotation mark is not closed"),
        (b"x" * (1024 * 1024 + 1), "The file is larger than 1024 kB"),
        (
            f"{HEADINGS}\nb1,Ann\nb2,,,,".encode(),
            "Line 2, beetle, name, legs, colours, home: 2 cells",
        ),
    ],
)
def test_a_file_that_is_no_csv_of_ours_is_refused_in_words(body: bytes, fault: str):
    assert said(body)[0].startswith(fault)


def test_a_file_may_bring_rows_of_its_own_if_that_is_meant():
    body = f"{HEADINGS}\nstag,Stag,6,red,\n"
    assert list(read(body, adds=True)) == ["stag"]


def test_a_table_that_the_box_knows_nothing_of_takes_any_rows():
    ((_, after),) = csv_in(
        SHEETS, {"beetles": {}}, f"{HEADINGS}\nweevil,Weevil,6,red,blue\n".encode()
    ).items()
    assert list(rows_of(BEETLES, after)) == ["weevil"]
