"""Lantern evenings at the moments that several tests begin with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.lantern.evening import BLUE, HOST, RED, Evening
from tests.lantern.moves import ChooseWind, TurnMill


@pytest.fixture
def mill() -> Iterator[Evening]:
    """A table that waits for the mill to be turned; after it, for red's die."""
    evening = Evening(seats=2)
    for seat in (RED, BLUE):
        evening.do(seat, ChooseWind(seat, "north"))
    yield evening
    evening.table.close()


@pytest.fixture
def walk(mill: Evening) -> Evening:
    """A table that waits for red's die."""
    mill.now_ms += 100
    mill.do(HOST, TurnMill(1))
    return mill
