"""What the journal of a table adds up to: entries, which of them stand, and the state.

An entry is everything that one command brought about. Strikes and replacements are records
of ours: replay leaves struck entries out, and a replacement counts where the entry stood
that it replaces. Lives on the table's thread; does no I/O.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from companion.board import Place
from companion.game import Game, Seat, Wire
from companion.journal import Cause, Record

STRUCK = "table.struck"
REPLACED = "table.replaced"


@dataclass(frozen=True, slots=True)
class Entry:
    """What one command brought about: records ``first`` to ``last``.

    ``counts_at`` is the seq at which replay meets it, other than ``first`` only for a
    replacement. ``is_remark`` marks our own strikes: nothing of the game is in them.
    """

    first: int
    last: int
    counts_at: int
    at_utc: str
    cause: Cause
    events: tuple[Any, ...]
    struck_by: int | None = None
    strikes: tuple[int, ...] = ()
    is_remark: bool = False

    @property
    def is_standing(self) -> bool:
        return self.struck_by is None and not self.is_remark

    @property
    def seqs(self) -> range:
        return range(self.first, self.last + 1)


@dataclass(frozen=True, slots=True)
class Step:
    """A standing entry and the state before it."""

    entry: Entry
    before: Any


class Ledger:
    """All entries of a table, and the state after those that stand."""

    def __init__(self, game: Game[Any, Any, Any], catalogue: Wire) -> None:
        self._game = game
        self._initial = game.initial(catalogue)
        self._entries: list[Entry] = []
        self._steps: list[Step] = []
        self._at: dict[tuple[str, str], int] = {}
        self._last_of: dict[Seat, Step] = {}
        self._touched_by_others: dict[Seat | Place, int] = defaultdict(int)
        self.state = self._initial
        self.seq = 0

    @property
    def steps(self) -> Sequence[Step]:
        """Standing entries in the order in which they count."""
        return self._steps

    def take(self, records: Sequence[Record]) -> Iterator[Entry]:
        """Take in what was written, giving each entry right after its effect."""
        for _, together in groupby(records, key=_command_of):
            entry = self._entry(tuple(together))
            if entry.strikes:
                self._strike(entry)
            self._entries.append(entry)
            self._at[(entry.cause.client, entry.cause.request)] = entry.last
            self.seq = entry.last
            if entry.strikes:
                self._play_again()
            else:
                self._play(entry)
            yield entry

    def entry(self, seq: int) -> Entry | None:
        """Return the entry that a record belongs to, None if there is no such record."""
        index = bisect_left(self._entries, seq, key=_last)
        found = self._entries[index] if index < len(self._entries) else None
        return found if found is not None and found.first <= seq else None

    def answered(self, client: str, request: str) -> int | None:
        """Return the seq that a request led to, None if nothing was written for it."""
        return self._at.get((client, request))

    def last_step_of(self, seat: Seat) -> Step | None:
        """Return the newest standing entry of a seat, None if it has none or another one touched it since."""
        step = self._last_of.get(seat)
        return None if step is None or self._touched_by_others[seat] > step.entry.first else step

    def _entry(self, records: tuple[Record, ...]) -> Entry:
        head = records[0]
        first, last = head.seq, records[-1].seq
        if head.kind == STRUCK:
            strikes = tuple(head.body["seqs"])
            return Entry(first, last, first, head.at_utc, head.cause, (), strikes=strikes, is_remark=True)
        if head.kind == REPLACED:
            events = tuple(self._event(item) for item in head.body["events"])
            strikes, counts_at = tuple(head.body["seqs"]), head.body["counts_at"]
            return Entry(first, last, counts_at, head.at_utc, head.cause, events, strikes=strikes)
        events = tuple(
            self._game.codec.event_in(record.kind, record.version, record.body) for record in records
        )
        return Entry(first, last, first, head.at_utc, head.cause, events)

    def _event(self, item: Mapping[str, Any]) -> Any:
        return self._game.codec.event_in(item["kind"], item["version"], item["body"])

    def _strike(self, by: Entry) -> None:
        struck = frozenset(by.strikes)
        self._entries = [
            replace(entry, struck_by=by.first)
            if entry.struck_by is None and not struck.isdisjoint(entry.seqs)
            else entry
            for entry in self._entries
        ]

    def _play(self, entry: Entry) -> None:
        step = Step(entry, self.state)
        self._steps.append(step)
        for event in entry.events:
            self.state = self._game.evolve(self.state, event)
        own = entry.cause.for_seat
        for event in entry.events:
            for touched in self._game.touched(event):
                if touched != own:
                    self._touched_by_others[touched] = max(self._touched_by_others[touched], entry.first)
        if own is not None and (own not in self._last_of or self._last_of[own].entry.first < entry.first):
            self._last_of[own] = step

    def _play_again(self) -> None:
        self._steps.clear()
        self._last_of.clear()
        self._touched_by_others.clear()
        self.state = self._initial
        for entry in sorted((entry for entry in self._entries if entry.is_standing), key=_order):
            self._play(entry)


def _order(entry: Entry) -> tuple[int, int]:
    return (entry.counts_at, entry.first)


def _last(entry: Entry) -> int:
    return entry.last


def _command_of(record: Record) -> tuple[str, str, str]:
    """Return what tells one command's records from the next one's."""
    alone = "" if record.cause.request and not record.kind.startswith("table.") else str(record.seq)
    return (record.cause.client, record.cause.request, alone)
