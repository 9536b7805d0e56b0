"""Who sits where: names, and the tokens by which a phone is known again.

A token is 128 random bits that only the phone keeps, a dot and the seat; here lies its SHA-256, in
a SQLite file of its own, so that phones come back by themselves after a restart. The seats of one
phone share the bits, so each of their pages finds the others. Hosts have tokens, too.
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
    """The seat has a phone already; it can be moved to another one."""


class SeatEmpty(NotSeated):
    """Nobody sits there, so there is nothing to move."""


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


def phone_of(token: str) -> str:
    """Return what the tokens of one phone have in common."""
    return token.partition(".")[0]


def token_of(phone: str, seat: Seat) -> str:
    """Return the token by which a phone holds a seat."""
    return f"{phone}.{seat}"


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
        # A name that is given up is overwritten in the file, too.
        self._db.execute("pragma secure_delete = on")
        with self._lock, self._db.conn:
            self._db.table("seats").create(
                {"seat": str, "name": str, "token": str}, pk="seat", if_not_exists=True, not_null={"token"}
            )
            self._db.table("hosts").create({"id": int, "token": str}, pk="id", if_not_exists=True)
            self._db.table("screens").create({"screen": str}, pk="screen", if_not_exists=True)
        self._seat_by_mark: dict[str, Seat] = {}
        self._names: dict[Seat, str] = {}
        for row in self._db.table("seats").rows:
            self._seat_by_mark[row["token"]] = Seat(row["seat"])
            self._names[Seat(row["seat"])] = row["name"]
        self._hosts = {row["token"] for row in self._db.table("hosts").rows}
        self._screens = {str(row["screen"]) for row in self._db.table("screens").rows}
        self.version = 0
        self._listeners: list[Callable[[], None]] = []

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` whenever somebody sits down, or a seat is moved or given free."""
        self._listeners.append(listener)

    def names(self) -> Mapping[Seat, str]:
        """Return who sits where."""
        with self._lock:
            return dict(self._names)

    def sit(self, seat: Seat, name: str, *, leaving: str = "", beside: str = "") -> str:
        """Give a free seat to a phone and return its new token.

        ``leaving`` is the token of the seat that the phone had before; it is given up. ``beside``
        is the token of one that it keeps. Raises NameRefused or SeatTaken.
        """
        cleaned = clean_name(name)
        with self._lock:
            old = self.seat_of(leaving)
            if seat in self._names and old != seat:
                raise SeatTaken(Sentence("web.seat.taken", {"name": self._names[seat]}))
            if old is not None:
                self._leave(old)
            token = self._hand_over(seat, cleaned, beside)
        self._tell()
        return token

    def move(self, seat: Seat, *, beside: str = "") -> str:
        """Give a taken seat to another phone and return its token; the old one is dead.

        ``beside`` is the token of a seat that the new phone has already. Raises SeatEmpty.
        """
        with self._lock:
            name = self._names.get(seat)
            if name is None:
                raise SeatEmpty(Sentence("web.seat.empty"))
            self._leave(seat)
            token = self._hand_over(seat, name, beside)
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

    def held_with(self, token: str) -> Mapping[Seat, str]:
        """Return the seats of the phone whose token this is, or was, each with its own token."""
        phone = phone_of(token)
        with self._lock:
            # A phone that sat down before phones could hold several has the bare bits.
            held = ((seat, (token_of(phone, seat), phone)) for seat in self._names)
            return {seat: one for seat, tokens in held for one in tokens if self.seat_of(one) == seat}

    def mark_at(self, seat: Seat) -> str:
        """Return the mark of the token that holds a seat; empty if nobody sits there."""
        with self._lock:
            return next((mark for mark, held in self._seat_by_mark.items() if held == seat), "")

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

    def dismiss_hosts(self, *, but: str) -> None:
        """Let all tokens of hosts end but one."""
        with self._lock, self._db.conn:
            self._db.table("hosts").delete_where("token != ?", [mark_of(but)])
            self._hosts = {row["token"] for row in self._db.table("hosts").rows}
        self._tell()

    def trust_screen(self, screen: str) -> None:
        """Let a big screen, known by its mark, show what only people at the table should read."""
        with self._lock, self._db.conn:
            self._db.table("screens").insert({"screen": screen}, replace=True)
            self._screens.add(screen)
        self._tell()

    def is_trusted(self, screen: str) -> bool:
        """Tell whether a big screen stands at the table, as the host said."""
        with self._lock:
            return screen in self._screens

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def _tell(self) -> None:
        self.version += 1
        for listener in self._listeners:
            listener()

    def _hand_over(self, seat: Seat, name: str, beside: str) -> str:
        phone = phone_of(beside) if self.held_with(beside) else new_token()
        token = token_of(phone, seat)
        row = {"seat": seat, "name": name, "token": mark_of(token)}
        with self._db.conn:
            self._db.table("seats").insert(row, replace=True)
        self._seat_by_mark[row["token"]] = seat
        self._names[seat] = name
        return token

    def _leave(self, seat: Seat) -> None:
        with self._db.conn:
            self._db.table("seats").delete_where("seat = ?", [seat])
        self._names.pop(seat, None)
        self._seat_by_mark = {mark: held for mark, held in self._seat_by_mark.items() if held != seat}
