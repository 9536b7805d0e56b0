"""The evenings that were played to their end, and what they add up to: per player and per line of a score.

The journal knows seats only; the names of who sat there are kept here, beside the seats, until somebody
asks to forget them.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlite_utils import Database

from companion.game import Seat
from companion.journal import TableId
from web.evening import Course
from web.export import Kept


@dataclass(frozen=True, slots=True)
class Player:
    """One seat of an evening; ``lines`` are what its score was made of, in words, with how much.

    ``seat`` is None in evenings that were kept before seats were.
    """

    name: str
    score: int
    place: int | None
    lines: tuple[tuple[str, int], ...]
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class PastEvening:
    """An evening that is over, the best player first."""

    table: TableId
    game: str
    day: str
    result: str
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A player over all evenings of a game; ``mean`` is a score, rounded."""

    game: str
    name: str
    evenings: int
    won: int
    best: int
    mean: int


@dataclass(frozen=True, slots=True)
class Told:
    """How often a line stood in a score of a game, and what it brought in all."""

    game: str
    says: str
    times: int
    amount: int


def evening_of(kept: Kept) -> PastEvening:
    """Return what is remembered of a game that is over."""
    say = kept.words.say
    seen = kept.seen.view
    places = {one.seat: one.rank if seen.is_over else place_by_score(one, kept) for one in kept.courses}
    players = tuple(
        Player(
            kept.words.name(one.seat),
            one.score,
            places[one.seat],
            tuple((say(line.say), line.amount) for line in (one.sum.tallies if one.sum else ())),
            one.seat,
        )
        for one in kept.courses
    )
    result = say(seen.headline) if seen.is_over else kept.words.tell("web.end.early")
    return PastEvening(kept.row.id, kept.game, kept.day, result, players)


def place_by_score(one: Course, kept: Kept) -> int:
    """Return a seat's place as it stands, where no rule has broken ties yet."""
    return 1 + sum(other.score > one.score for other in kept.courses)


def records(evenings: Sequence[PastEvening]) -> tuple[Record, ...]:
    """Return every player's evenings, game by game, who won most first."""
    played: dict[tuple[str, str], list[Player]] = defaultdict(list)
    for evening in evenings:
        for player in evening.players:
            played[evening.game, player.name].append(player)
    found = [
        Record(
            game,
            name,
            len(times),
            sum(one.place == 1 for one in times),
            max(one.score for one in times),
            round(sum(one.score for one in times) / len(times)),
        )
        for (game, name), times in played.items()
    ]
    return tuple(sorted(found, key=lambda one: (one.game, -one.won, -one.mean, one.name)))


def told_lines(evenings: Sequence[PastEvening], most: int) -> tuple[Told, ...]:
    """Return the lines of all scores, game by game, those that brought most first; so many a game at most."""
    amounts: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for evening in evenings:
        for player in evening.players:
            for says, amount in player.lines:
                amounts[evening.game][says].append(amount)
    found: list[Told] = []
    for game in sorted(amounts):
        lines = [Told(game, says, len(each), sum(each)) for says, each in amounts[game].items()]
        found += sorted(lines, key=lambda one: (-one.amount, -one.times, one.says))[:most]
    return tuple(found)


class Evenings:
    """Remembers evenings until they are to be forgotten. Safe from any thread.

    ``path`` is the SQLite file, None: kept in memory.
    """

    def __init__(self, path: Path | None) -> None:
        self._lock = threading.Lock()
        file = ":memory:" if path is None else str(path)
        self._db = Database(sqlite3.connect(file, check_same_thread=False))
        columns = {"table_id": str, "game": str, "day": str, "result": str, "players": str}
        # What is deleted is overwritten in the file, too: a name that was forgotten must not be found there.
        self._db.execute("pragma secure_delete = on")
        with self._lock, self._db.conn:
            self._db.table("evenings").create(columns, pk="table_id", if_not_exists=True)
            self._db.table("forgotten").create({"table_id": str}, pk="table_id", if_not_exists=True)

    def keep(self, evening: PastEvening) -> None:
        """Remember an evening, or remember it anew; one that was to be forgotten stays so."""
        players = [_row(one) for one in evening.players]
        row = {
            "table_id": evening.table,
            "game": evening.game,
            "day": evening.day,
            "result": evening.result,
            "players": json.dumps(players, ensure_ascii=False),
        }
        with self._lock, self._db.conn:
            if not self._db.table("forgotten").count_where("table_id = ?", [evening.table]):
                self._db.table("evenings").insert(row, replace=True)

    def all(self) -> tuple[PastEvening, ...]:
        """Return all evenings, the newest first."""
        with self._lock:
            rows = list(self._db.query("select * from evenings order by day desc, rowid desc"))
        return tuple(
            PastEvening(
                TableId(row["table_id"]), row["game"], row["day"], row["result"], _players(row["players"])
            )
            for row in rows
        )

    def of(self, table: TableId) -> PastEvening | None:
        """Return the evening of a table; None if it is not remembered."""
        return next((one for one in self.all() if one.table == table), None)

    def forget(self, table: TableId) -> None:
        """Delete names and scores of an evening for good."""
        with self._lock:
            with self._db.conn:
                self._db.table("evenings").delete_where("table_id = ?", [table])
                self._db.table("forgotten").insert({"table_id": table}, replace=True)
            self._db.execute("pragma wal_checkpoint(truncate)")

    def close(self) -> None:
        with self._lock:
            self._db.close()


def _row(one: Player) -> list[object]:
    known = [one.name, one.score, one.place, one.lines]
    return known if one.seat is None else [*known, one.seat]


def _players(text: str) -> tuple[Player, ...]:
    return tuple(
        Player(name, score, place, tuple((says, amount) for says, amount in lines), *map(Seat, seat))
        for name, score, place, lines, *seat in json.loads(text)
    )
