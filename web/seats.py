"""Who sits where: names, and the tokens by which a phone is known again.

A token is 128 random bits that only the phone keeps; here lies its SHA-256, in a SQLite file of
its own, so that phones come back by themselves after a restart. Hosts have tokens, too.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import threading
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path

from sqlite_utils import Database

from companion.game import Seat, Sentence

NAME_LENGTH = 20
HOSTS_KEPT = 16
"""How many host tokens are remembered; the oldest go first."""

HIDDEN_CATEGORIES = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Unicode's control, format (bidi), surrogate, private and unassigned characters, line ends."""


class NotSeated(Exception):
    """Somebody cannot sit down; ``why`` says it."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(why.key)
        self.why = why


class NameRefused(NotSeated):
    """A name that is empty, too long or holds characters that nobody sees."""


class SeatTaken(NotSeated):
    """The seat has a phone already; the host can free it."""


def clean_name(text: str) -> str:
    """Return a name in Unicode's composed form with single blanks.

    Raises NameRefused unless it has 1 to 20 visible characters.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if any(unicodedata.category(letter) in HIDDEN_CATEGORIES for letter in name):
        raise NameRefused(Sentence("web.name.hidden"))
    seen = [letter for letter in name if unicodedata.category(letter)[0] not in "MZ"]
    if not seen:
        raise NameRefused(Sentence("web.name.empty"))
    # Marks count, too: a name of one letter under forty accents is no name.
    if len(name) > NAME_LENGTH:
        raise NameRefused(Sentence("web.name.long", {"most": NAME_LENGTH}))
    return name


def mark_of(token: str) -> str:
    """Return what is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    """Return 128 random bits in letters that fit a URL."""
    return secrets.token_urlsafe(16)


class Seats:
    """The seats of the table with the phones that hold them. Safe from any thread.

    ``path`` is the SQLite file, None: kept in memory. ``version`` counts every change.
    """

    def __init__(self, path: Path | None) -> None:
        self._lock = threading.RLock()
        file = ":memory:" if path is None else str(path)
        self._db = Database(sqlite3.connect(file, check_same_thread=False))
        if path is not None:
            self._db.enable_wal()
        with self._lock, self._db.conn:
            self._db.table("seats").create(
                {"seat": str, "name": str, "token": str}, pk="seat", if_not_exists=True, not_null={"token"}
            )
            self._db.table("hosts").create({"id": int, "token": str}, pk="id", if_not_exists=True)
        self._seat_by_mark: dict[str, Seat] = {}
        self._names: dict[Seat, str] = {}
        for row in self._db.table("seats").rows:
            self._seat_by_mark[row["token"]] = Seat(row["seat"])
            self._names[Seat(row["seat"])] = row["name"]
        self._hosts = {row["token"] for row in self._db.table("hosts").rows}
        self.version = 0
        self._listeners: list[Callable[[], None]] = []

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` whenever somebody sits down or a seat is given free."""
        self._listeners.append(listener)

    def names(self) -> Mapping[Seat, str]:
        """Return who sits where."""
        with self._lock:
            return dict(self._names)

    def sit(self, seat: Seat, name: str, *, leaving: str = "") -> str:
        """Give a free seat to a phone and return its new token.

        ``leaving`` is the token of the seat that the phone had before; it is given up.
        Raises NameRefused or SeatTaken.
        """
        cleaned = clean_name(name)
        with self._lock:
            old = self.seat_of(leaving)
            if seat in self._names and old != seat:
                raise SeatTaken(Sentence("web.seat.taken", {"name": self._names[seat]}))
            if old is not None:
                self._leave(old)
            token = new_token()
            row = {"seat": seat, "name": cleaned, "token": mark_of(token)}
            with self._db.conn:
                self._db.table("seats").insert(row, replace=True)
            self._seat_by_mark[row["token"]] = seat
            self._names[seat] = cleaned
        self._tell()
        return token

    def free(self, seat: Seat) -> None:
        """Take a seat from its phone: the token is dead from now on."""
        with self._lock:
            self._leave(seat)
        self._tell()

    def seat_of(self, token: str) -> Seat | None:
        """Return the seat that a token holds, None if it holds none."""
        with self._lock:
            return self._seat_by_mark.get(mark_of(token)) if token else None

    def admit_host(self) -> str:
        """Return a token for one more host."""
        token = new_token()
        with self._lock, self._db.conn:
            self._db.table("hosts").insert({"token": mark_of(token)})
            self._db.execute(
                "delete from hosts where id not in (select id from hosts order by id desc limit ?)",
                [HOSTS_KEPT],
            )
            self._hosts = {row["token"] for row in self._db.table("hosts").rows}
        return token

    def is_host(self, token: str) -> bool:
        """Tell whether a token is a host's."""
        with self._lock:
            return bool(token) and mark_of(token) in self._hosts

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def _tell(self) -> None:
        self.version += 1
        for listener in self._listeners:
            listener()

    def _leave(self, seat: Seat) -> None:
        with self._db.conn:
            self._db.table("seats").delete_where("seat = ?", [seat])
        self._names.pop(seat, None)
        self._seat_by_mark = {mark: held for mark, held in self._seat_by_mark.items() if held != seat}
