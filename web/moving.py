"""How a seat gets to another phone: by a code that its old phone shows, or by the number on the big screen.

Both live in memory only: after a restart one taps once more.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass

from companion.game import Seat, Sentence
from web.pin import Tries
from web.seats import NotSeated, Seats, new_token

TICKET_MS = 120_000
"""How long a code may be scanned."""

NUMBER_MS = 120_000
"""How long a number stands; the one before it still counts, for whoever has just read it."""


class TicketSpent(NotSeated):
    """The code was used, is too old, or the seat is on another phone by now."""


class NumberWrong(NotSeated):
    """Not the number on the big screen, or too many tries."""


@dataclass(frozen=True, slots=True)
class _Ticket:
    seat: Seat
    holder: str  # the mark of the token that the seat had: any other phone ends the ticket
    until_ms: int


class Moving:
    """Tickets and the number. ``now_ms`` is a monotonic clock. Safe from any thread.

    ``version`` counts the numbers.
    """

    def __init__(self, seats: Seats, now_ms: Callable[[], int]) -> None:
        self._seats = seats
        self._now_ms = now_ms
        self._lock = threading.RLock()
        self._tickets: dict[str, _Ticket] = {}
        self._tries = Tries(now_ms)
        self._number, self._before = new_number(), ""
        self._number_until_ms = now_ms() + NUMBER_MS
        self.version = 0

    def ticket_for(self, seat: Seat) -> str:
        """Return a new ticket for a taken seat; an older one for it is void."""
        with self._lock:
            self._tickets = {name: one for name, one in self._valid().items() if one.seat != seat}
            ticket = new_token()
            self._tickets[ticket] = _Ticket(seat, self._seats.mark_at(seat), self._now_ms() + TICKET_MS)
            return ticket

    def seat_on(self, ticket: str) -> Seat | None:
        """Return the seat that a ticket is for, None if it is void."""
        with self._lock:
            found = self._valid().get(ticket)
            return found.seat if found else None

    def move_by_ticket(self, ticket: str, *, beside: str = "") -> str:
        """Move a seat to the phone that scanned its code and return the new token.

        Raises TicketSpent.
        """
        with self._lock:
            found = self._valid().get(ticket)
            if found is None:
                raise TicketSpent(Sentence("web.move.spent"))
            del self._tickets[ticket]
            return self._seats.move(found.seat, beside=beside)

    def move_by_number(self, seat: Seat, tried: str, *, beside: str = "") -> str:
        """Move a seat to a phone whose owner read the number, and return the new token.

        Raises NumberWrong or SeatEmpty. Five wrong tries change the number and end tries for a minute.
        """
        with self._lock:
            rest_s = self._tries.rests_for_s()
            if rest_s:
                raise NumberWrong(Sentence("web.pin.rests", {"count": rest_s}))
            number = self.number()
            is_right = any(
                one and hmac.compare_digest(tried.strip().encode(), one.encode())
                for one in (number, self._before)
            )
            is_used_up = self._tries.note(is_right=is_right)
            if is_right or is_used_up:
                self._renew()
                self._before = ""
            if not is_right:
                raise NumberWrong(Sentence("web.move.wrong"))
            return self._seats.move(seat, beside=beside)

    def number(self) -> str:
        """Return the three digits that the big screen shows now."""
        with self._lock:
            if self._now_ms() >= self._number_until_ms:
                self._renew()
            return self._number

    def due_in_ms(self) -> int:
        """Return when the number changes."""
        with self._lock:
            return max(0, self._number_until_ms - self._now_ms())

    def _renew(self) -> None:
        self._before, self._number = self._number, new_number(self._number)
        self._number_until_ms = self._now_ms() + NUMBER_MS
        self.version += 1

    def _valid(self) -> dict[str, _Ticket]:
        now = self._now_ms()
        return {
            name: one
            for name, one in self._tickets.items()
            if now < one.until_ms and one.holder and one.holder == self._seats.mark_at(one.seat)
        }


def new_number(other_than: str = "") -> str:
    """Return three random digits."""
    number = f"{secrets.randbelow(1000):03d}"
    return new_number(other_than) if number == other_than else number
