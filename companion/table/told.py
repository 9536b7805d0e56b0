"""The log: what each seat may read of every entry.

A line that is secret to a seat waits and is asked for again after each later entry, until
the game tells it. Lives on the table's thread.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from companion.game import Game, Seat, Sentence
from companion.journal import Cause
from companion.table.ledger import Entry
from companion.table.views import LogLine

# Some events are never told to anybody; asking for them for ever would cost more each round.
MOST_SECRETS = 64


@dataclass(slots=True)
class _Secret:
    seq: int
    entry: Entry
    event: Any
    hidden_from: set[Seat | None]


class Told:
    """The log lines of every seat and of the watchers (None)."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self._game = game
        self._readers: tuple[Seat | None, ...] = (None, *game.seats)
        self._lines: dict[Seat | None, list[LogLine]] = {reader: [] for reader in self._readers}
        self._secrets: deque[_Secret] = deque(maxlen=MOST_SECRETS)
        self._struck_by: dict[int, int] = {}

    def take(self, entry: Entry, state: Any) -> None:
        """Take in an entry; ``state`` is the one after it."""
        for seq in entry.strikes:
            self._strike(seq, entry.first)
        if entry.is_remark:
            self._tell_all(entry)
        for place, event in enumerate(entry.events):
            seq = min(entry.first + place, entry.last)
            self._secrets.append(_Secret(seq, entry, event, set(self._readers)))
        for secret in self._secrets:
            self._try(secret, state)
        still = [secret for secret in self._secrets if secret.hidden_from]
        self._secrets = deque(still, maxlen=MOST_SECRETS)

    def lines(self, reader: Seat | None) -> tuple[LogLine, ...]:
        """Return the whole log of a reader, newest last."""
        return tuple(self._lines[reader])

    def line(self, entry: Entry, reader: Seat | None) -> LogLine | None:
        """Return the first line of an entry that a reader may read."""
        seqs = entry.seqs
        return next((line for line in reversed(self._lines[reader]) if line.seq in seqs), None)

    def _try(self, secret: _Secret, state: Any) -> None:
        for reader in tuple(secret.hidden_from):
            say = self._game.told(state, secret.event, reader)
            if say is not None:
                secret.hidden_from.discard(reader)
                self._tell(secret.seq, secret.entry, say, reader)

    def _tell_all(self, remark: Entry) -> None:
        seqs = ", ".join(str(seq) for seq in remark.strikes)
        say = Sentence("table.log.struck", {"count": len(remark.strikes), "seqs": seqs})
        for reader in self._readers:
            self._tell(remark.first, remark, say, reader)

    def _tell(self, seq: int, entry: Entry, say: Sentence, reader: Seat | None) -> None:
        by = self._struck_by.get(seq)
        line = LogLine(seq, entry.at_utc, say, public(entry.cause), by is not None, by)
        insort(self._lines[reader], line, key=attrgetter("seq"))

    def _strike(self, seq: int, by: int) -> None:
        self._struck_by[seq] = by
        for reader, lines in self._lines.items():
            self._lines[reader] = [
                replace(line, is_struck=True, struck_by_seq=by) if line.seq == seq else line for line in lines
            ]


def public(cause: Cause) -> Cause:
    """Return who did it and for whom; the command and what was seen may be secret."""
    return Cause(by=cause.by, for_seat=cause.for_seat)
