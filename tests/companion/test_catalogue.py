"""What a box prints, as rows: every column says what it allows, and nothing is guessed."""

from __future__ import annotations

import pytest

from companion.catalogue import (
    CatalogueRefused,
    Given,
    checked,
    is_complete,
    rows_of,
    with_rows,
)
from companion.sentences import Speaker
from companion.sheets import Column, Kind, Sheet

BEETLES = Sheet(
    "beetles",
    "beetle",
    "beetles",
    (
        Column("name", Kind.TEXT, 1, 20, is_unique=True),
        Column("legs", Kind.NUMBER, 0, 30, is_needed=True),
        Column("colours", Kind.CHOICES, 1, 4, ("red", "green"), sized_by="spots"),
    ),
    may_grow=True,
)
LEADER = Column("who", Kind.CHOICE, of="beetles")
LEADERS = Sheet("leaders", "meadow", "leaders", (LEADER,), ("m1", "m2"), is_bare=True)

CATALOGUE = {
    "beetles": {
        "b1": {"name": "Ann", "legs": 6, "colours": ["red"], "drawn_at": [3, 4]},
        "b2": {"name": "Bob", "legs": None, "spots": 2},
    },
    "leaders": {"m1": "b1"},
}


def said(sheet: Sheet, *given: Given, adds: bool = False) -> list[str]:
    """Return what is wrong with rows, in words."""
    with pytest.raises(CatalogueRefused) as refused:
        checked(sheet, CATALOGUE, given, adds=adds)
    return [Speaker(["companion"]).say(fault) for fault in refused.value.faults]


def test_rows_hold_what_is_known_and_none_for_the_rest():
    assert rows_of(BEETLES, CATALOGUE)["b2"] == {"name": "Bob", "legs": None, "colours": None}
    assert rows_of(LEADERS, CATALOGUE) == {"m1": {"who": "b1"}, "m2": {"who": None}}


def test_putting_rows_back_keeps_what_no_column_names():
    rows = checked(BEETLES, CATALOGUE, [Given("b1", {"name": "Ann", "legs": "8", "colours": "green"})])
    after = with_rows(BEETLES, CATALOGUE, {**rows_of(BEETLES, CATALOGUE), **rows})
    assert after["beetles"]["b1"] == {"name": "Ann", "legs": 8, "colours": ["green"], "drawn_at": [3, 4]}
    assert after["beetles"]["b2"] == CATALOGUE["beetles"]["b2"]


def test_every_fault_is_said_at_once_with_what_is_allowed():
    assert said(BEETLES, Given("b1", {"name": "Ann", "legs": "sx", "colours": "red blue"}, 14)) == [
        "Line 14, legs: 'sx' is no number; allowed is 0 to 30.",
        "Line 14, colours: 'blue' is not known; allowed is red, green.",
    ]


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        ({"legs": "31"}, "b2, legs: 31 is out of range; allowed is 0 to 30."),
        ({"legs": "٣"}, "b2, legs: '٣' is no number; allowed is 0 to 30."),
        ({"legs": "6.0"}, "b2, legs: '6.0' is no number; allowed is 0 to 30."),
        ({"colours": "red"}, "b2, colours: 1 are too many or too few; allowed is exactly 2."),
        (
            {"name": "An\u202en"},
            "b2, name: 'Ann' holds signs that cannot be seen; allowed is plain text on one line.",
        ),
        ({"name": "x" * 21}, "b2, name: 21 letters; allowed is 1 to 20."),
        ({"name": "ANN"}, "b2, name: 'ANN' is the name of b1, too; every name stands once."),
    ],
)
def test_a_cell_says_what_is_allowed_instead(cells: dict[str, str], fault: str):
    assert said(BEETLES, Given("b2", cells)) == [fault]


def test_a_row_that_the_box_does_not_have_is_refused_with_the_near_one():
    assert said(BEETLES, Given("b3", {})) == ["b3, beetle: the box has no 'b3'; allowed is b2."]
    assert said(BEETLES, Given("B 3", {}), adds=True) == [
        "B 3, beetle: 'B 3' is no id; allowed is a-z 0-9 _, at most 40 signs."
    ]


def test_a_choice_may_be_a_row_of_another_sheet():
    assert checked(LEADERS, CATALOGUE, [Given("m2", {"who": "b2"})]) == {"m2": {"who": "b2"}}
    assert said(LEADERS, Given("m2", {"who": "b9"})) == ["m2, who: 'b9' is not known; allowed is b1, b2."]


def test_a_row_is_complete_when_all_is_known_that_a_game_asks_for():
    rows = rows_of(BEETLES, CATALOGUE)
    assert [is_complete(BEETLES, rows[row]) for row in ("b1", "b2")] == [True, False]


@pytest.mark.parametrize("stored", [[1, 2], "beetles", {"b1": 7}, {"b1": {"legs": "six"}}])
def test_a_catalogue_of_another_shape_is_said_and_does_not_break(stored: object):
    with pytest.raises(CatalogueRefused):
        rows_of(BEETLES, {"beetles": stored})
