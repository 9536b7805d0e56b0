"""The room: everything that pages and sockets share, made once by ``web.app`` and handed down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import quote

from companion.game import Seat, Sentence
from companion.journal import TableId
from companion.table.past import Past
from companion.table.writer import Receipt
from web.desk import Desk, Guest, Role
from web.evenings import Evenings
from web.house import TableHost
from web.manner import Manner
from web.moving import Moving
from web.notices import Notices
from web.pace import Pace
from web.pin import Pin
from web.presence import Presence
from web.seats import NotSeated, Seats, mark_of
from web.sections import Audience, Sections, Shown
from web.static_files import StaticFiles
from web.whereabouts import Whereabouts

CLIENT_LENGTH = 12

SeatLink: TypeAlias = Callable[[str], tuple[str, str] | None]
"""Of a page from elsewhere: words and address of a link for whose token it is; None: none now."""


class DoorLocked(NotSeated):
    """The host lets nobody else sit down."""


HostLink: TypeAlias = tuple[str, str] | tuple[str, str, str]
"""Words and address of a link; one with a sentence besides stands first on the host's page, under it."""

HostLinks: TypeAlias = Callable[[str], Sequence[HostLink]]
"""Of a page from elsewhere: its links for the host whose token it is."""


@dataclass(frozen=True, slots=True)
class Room:
    """What there is to serve a table from."""

    host: TableHost
    seats: Seats
    presence: Presence
    manner: Manner
    sections: Sections
    desk: Desk
    pin: Pin
    moving: Moving
    whereabouts: Whereabouts
    pace: Pace
    static: StaticFiles
    evenings: Evenings
    past: Callable[[TableId], Past | None]
    """Gives an evening that is over, to leaf through."""
    seat_links: list[SeatLink] = field(default_factory=list)
    host_links: list[HostLinks] = field(default_factory=list)
    notices: Notices = field(default_factory=Notices)

    def guest_by_seat_token(self, token: str) -> Guest | None:
        """Return the guest whose seat a token holds, None if it holds none at this table."""
        seat = self.seats.seat_of(token)
        if seat is None or seat not in self.host.game.seats:
            return None
        return Guest(Role.SEAT, seat, client_of(token))

    def held_with(self, token: str) -> dict[Seat, str]:
        """Return the seats of this game that the phone of a token holds, in the game's order."""
        held = self.seats.held_with(token)
        return {seat: held[seat] for seat in self.host.game.seats if seat in held}

    def audience_of(self, token: str, seat: Seat) -> Audience:
        """Return what the page of a seat looks at."""
        held = tuple(self.held_with(token))
        return Audience(Role.SEAT, seat, held=held if len(held) > 1 else ())

    def after_leaving(self, token: str) -> str:
        """Return where a phone goes on whose seat is gone: to its next one, else to the door."""
        others = list(self.held_with(token).values())
        return f"/seat/{quote(others[0])}/?gone=1" if others else "/?gone=1"

    def message(self, shown: Shown, has: Mapping[str, Any]) -> dict[str, Any]:
        """Return what to send to a phone that has the sections with these marks already."""
        return {
            **shown.message(self.static.version, has),
            "timer": self.timer(),
            "at": self.whereabouts.address,
        }

    def timer(self) -> tuple[int, int, bool] | None:
        """Return how many ms a phase should take, how many are gone, and whether the clock stands.

        None if nobody counts.
        """
        seen = self.host.table.look(None)
        of_ms = self.manner.timer_s(seen.table) * 1000
        counts = bool(of_ms) and seen.view.round is not None and not seen.view.is_over
        return (of_ms, self.pace.gone_ms(), self.pace.is_resting) if counts else None

    def sit(self, seat: Seat, name: str, *, leaving: str = "", beside: str = "") -> str:
        """Give a free seat to a phone and return its token, unless the door is locked. Raises NotSeated."""
        if self.manner.is_locked():
            raise DoorLocked(Sentence("web.locked"))
        return self.seats.sit(seat, name, leaving=leaving, beside=beside)

    def guest_by_host_token(self, token: str) -> Guest | None:
        """Return the host whose token it is, None if it is nobody's."""
        return Guest(Role.HOST, None, client_of(token)) if self.seats.is_host(token) else None

    def answer(self, receipt: Receipt, language: str = "") -> dict[str, Any]:
        """Return a receipt as it goes over the wire, in words; ``language`` empty: that of the request."""
        if receipt.is_done:
            return {"ok": True, "seq": receipt.seq}
        words = self.sections.words(language)
        return {
            "ok": False,
            "seq": receipt.seq,
            "why": words.say(receipt.why),
            "rule": receipt.rule,
            "cites": words.cited(receipt.rule, receipt.section),
            "instead": words.say(receipt.instead),
            "key": receipt.why.key if receipt.why else "",
        }

    def refusal(self, why: Sentence, language: str = "") -> dict[str, Any]:
        """Return a refusal of the web's own as it goes over the wire."""
        return self.answer(Receipt(False, self.host.table.look(None).seq, why=why), language)

    def seats_to_join(self) -> tuple[Seat, ...]:
        """Return the seats that can be taken: those that play, before the start all of the box."""
        playing = tuple(one.seat for one in self.host.table.look(None).view.seats)
        return playing or tuple(self.host.game.seats)

    def page_facts(self) -> dict[str, Any]:
        """Return what every page needs besides its sections."""
        return {"version": self.static.version, "names": self.seats.names(), "timer": self.timer()}


def client_of(token: str) -> str:
    """Return an opaque name for a phone that gives nothing of its token away."""
    return mark_of(token)[:CLIENT_LENGTH]
