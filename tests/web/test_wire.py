"""What comes in over the wire is checked once, and whatever is malformed is answered."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board import BoardId, PieceKind, Place, SpaceId
from companion.game import Seat
from web.wire import (
    Accept,
    Command,
    Correct,
    Dismiss,
    NotATap,
    Replace,
    Say,
    Strike,
    Tap,
    filled_in,
    is_plain,
    read_form,
    read_tap,
)

PLACE = Place(BoardId("bank"), SpaceId("red1"))


@pytest.mark.parametrize(
    ("deed", "expected"),
    [
        ({"command": {"do": "gather"}}, Command({"do": "gather"})),
        ({"accept": "p1"}, Accept(("p1",))),
        ({"dismiss": "p1"}, Dismiss("p1")),
        ({"correct": "p1", "place": "bank/red1", "reads": "shell"}, Correct("p1", PLACE, PieceKind("shell"))),
        ({"say": "bank/red1", "reads": "shell"}, Say(PLACE, PieceKind("shell"))),
        ({"strike": [3, 4]}, Strike((3, 4))),
        ({"strike": 3}, Strike((3,))),
        ({"replace": 3, "command": {"do": "x"}, "also": [5]}, Replace(3, {"do": "x"}, (5,))),
    ],
)
def test_an_envelope_carries_one_deed(deed: dict[str, Any], expected: object):
    tap = read_tap({"id": "a", "seq": 4, "seat": "red", **deed})
    assert tap == Tap("a", 4, Seat("red"), expected)


@pytest.mark.parametrize(
    ("message", "part"),
    [
        (None, "envelope"),
        ([1, 2], "envelope"),
        ({}, "id"),
        ({"id": ""}, "id"),
        ({"id": 7}, "id"),
        ({"id": "x" * 65, "command": {}}, "id"),
        ({"id": "a"}, "deed"),
        ({"id": "a", "command": {}, "accept": "p"}, "deed"),
        ({"id": "a", "seat": 4, "command": {}}, "seat"),
        ({"id": "a", "seq": "4", "command": {}}, "seq"),
        ({"id": "a", "seq": True, "command": {}}, "seq"),
        ({"id": "a", "command": "gather"}, "command"),
        ({"id": "a", "command": {"oil": float("nan")}}, "command"),
        ({"id": "a", "command": {"oil": 1.5}}, "command"),
        ({"id": "a", "command": {"a": {"b": {"c": {"d": {"e": {"f": {"g": 1}}}}}}}}, "command"),
        ({"id": "a", "correct": "p1", "place": "nowhere", "reads": "shell"}, "place"),
        ({"id": "a", "correct": "p1", "place": "bank/red1"}, "reads"),
        ({"id": "a", "strike": []}, "strike"),
        ({"id": "a", "strike": ["3"]}, "strike"),
        ({"id": "a", "fields": [["deed"]]}, "fields"),
        ({"id": "a", "fields": "deed"}, "fields"),
        ({"id": "a", "fields": [["deed", "dance"]]}, "deed"),
        ({"id": "a", "fields": [["deed", "command"], ["command", "{"]]}, "command"),
        ({"id": "a", "fields": [["deed", "command"], ["command", "[" * 3000]]}, "command"),
    ],
)
def test_a_malformed_message_is_refused_by_the_part_that_is_wrong(message: object, part: str):
    with pytest.raises(NotATap) as refused:
        read_tap(message)
    assert refused.value.why.values["part"] == part


def test_fields_of_a_form_are_filled_into_the_command_by_their_type():
    fields = [
        ("pick.wind", "north"),
        ("count.oil", "3"),
        ("line.note", "a"),
        ("picks.seats", ""),
        ("other", "x"),
    ]
    fields += [("picks.seats", "red"), ("picks.seats", "blue")]
    assert filled_in({"do": "x", "seats": ["white"]}, fields) == {
        "do": "x",
        "wind": "north",
        "oil": 3,
        "note": "a",
        "seats": ["red", "blue"],
    }


def test_none_of_several_ticked_is_an_empty_list():
    assert filled_in({}, [("picks.seats", "")]) == {"seats": []}


@pytest.mark.parametrize("text", ["", "three", "1.5", "1e3", "٣", "9" * 40])
def test_a_count_must_be_a_whole_number(text: str):
    with pytest.raises(NotATap):
        filled_in({}, [("count.oil", text)])


def test_the_same_form_sent_twice_is_the_same_tap():
    form = [("deed", "command"), ("command", '{"do":"gather"}'), ("seq", "4"), ("count.oil", "2")]
    other = [*form[:3], ("count.oil", "3")]
    assert read_form(form) == read_form(form)
    assert read_form(form).id != read_form(other).id
    assert read_form(form).seq == 4


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_no_json_at_all_breaks_the_reader(message: object):
    try:
        read_tap(message)
    except NotATap as refused:
        assert refused.why.key == "web.refused.malformed"


@given(st.lists(st.tuples(st.sampled_from(["deed", "command", "entry", "seq", "picks.a"]), st.text())))
def test_no_form_at_all_breaks_the_reader(fields: list[tuple[str, str]]):
    try:
        read_form(fields)
    except NotATap as refused:
        assert refused.why.key == "web.refused.malformed"


def test_a_command_may_be_long_but_not_endless():
    assert is_plain({"cards": ["x"] * 400})
    assert not is_plain({"cards": ["x"] * 401})
    assert not is_plain({"n": 2**60})
