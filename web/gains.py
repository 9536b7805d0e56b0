"""What seats gained in the running round, line by line: the big screen lets their scores grow by it.

The lines are those of the sum behind a score. Sums replay the whole game, so they are asked for only
when a score has changed.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from companion.game import Seat, Sentence, Sum
from companion.table.writer import Table, TableView

MOST_LINES = 5
"""How many lines a jar has room for; of more the first ones are left out."""


@dataclass(frozen=True, slots=True)
class Gain:
    """A line of a score: ``number`` is its place in the whole sum, so that a page knows it again."""

    number: int
    amount: int
    say: Sentence


class Gains:
    """Keeps the newest lines of a table. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: tuple[Hashable, Mapping[Seat, tuple[Gain, ...]]] = (None, {})

    def of(self, table: Table, seen: TableView) -> Mapping[Seat, tuple[Gain, ...]]:
        """Return what each seat gained in the running round; nothing for a seat whose score has no sum."""
        key = (
            seen.table,
            seen.view.round,
            tuple((one.seat, one.score) for one in seen.view.seats),
            sum(line.is_struck for line in seen.log),
        )
        with self._lock:
            if self._kept[0] != key:
                scored = any(one.score for one in seen.view.seats)
                self._kept = (key, _gains(seen, table.sums(None)) if scored else {})
            return self._kept[1]


def _gains(seen: TableView, sums: Sequence[Sum]) -> Mapping[Seat, tuple[Gain, ...]]:
    by_key = {one.key: one for one in sums}
    found: dict[Seat, tuple[Gain, ...]] = {}
    for one in seen.view.seats:
        if one.why in by_key:
            lines = enumerate(by_key[one.why].tallies)
            now = [Gain(n, line.amount, line.say) for n, line in lines if line.round == seen.view.round]
            found[one.seat] = tuple(now[-MOST_LINES:])
    return found
