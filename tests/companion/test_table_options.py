"""Options of a table: the first value is the usual one, and only what differs is kept."""

from __future__ import annotations

import pytest

from companion.table_options import Options, TableOption

OPTIONS = Options([TableOption("fog", "L-R1", ("thin", "thick")), TableOption("oil", "", ("one", "two"))])


def test_what_nobody_chose_has_the_first_value_and_is_not_kept():
    assert OPTIONS.value({}, "fog") == "thin"
    assert OPTIONS.value({"fog": "thick"}, "fog") == "thick"
    assert OPTIONS.settled({"oil": "two", "fog": "thin"}) == {"oil": "two"}
    assert list(OPTIONS.settled({"oil": "two", "fog": "thick"})) == ["fog", "oil"]


@pytest.mark.parametrize(
    ("chosen", "said"),
    [({}, ""), ({"oil": "two"}, ""), ({"oil": "three"}, "oil=three"), ({"sun": "up"}, "sun=up")],
)
def test_what_there_is_not_is_named(chosen: dict[str, str], said: str):
    assert OPTIONS.unknown(chosen) == said
