"""The pages at the door: sitting down, one more seat on the same phone, a seat to another phone.

Nothing here needs a script, and no address that is only looked at changes anything: a phone that
previews a scanned link must not use it up.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.game import Seat, Sentence
from web.addresses import code_path
from web.desk import Role
from web.moving import TICKET_MS
from web.room import Room
from web.seats import NotSeated
from web.sections import Audience
from web.signs import creatures

Answer = str | AnyResponse | tuple[str, int]


def join_pages(pages: Blueprint, room: Room) -> None:
    """Add the pages where somebody sits down, one more seat or none at all."""

    def page(
        *, name: str = "", beside: str = "", refusal: Sentence | None = None, status: int = 200
    ) -> Answer:
        values = door(room)
        heading = values["tell"]("web.join.more" if beside else "web.join.who")
        held = room.held_with(beside)
        given = {"seats": room.seats_to_join(), "name": name, "refusal": refusal, "heading": heading}
        return render_template("join.html", **values, **given, beside=beside, held=held), status

    @pages.get("/")
    def join() -> Answer:
        """The door: who are you tonight?"""
        return page(refusal=Sentence("web.seat.gone") if "gone" in request.args else None)

    @pages.post("/join")
    def sit_down() -> Answer:
        """Sit down at a seat."""
        name, seat = request.form.get("name", ""), Seat(request.form.get("seat", ""))
        beside = request.form.get("beside", "")
        if seat not in room.seats_to_join():
            return page(name=name, beside=beside, refusal=Sentence("web.seat.none"), status=409)
        try:
            token = room.sit(seat, name, leaving=request.form.get("leaving", ""), beside=beside)
        except NotSeated as error:
            return page(name=name, beside=beside, refusal=error.why, status=409)
        return redirect(url_for("pages.seat", token=token), 303)

    @pages.get("/seat/<token>/more")
    def more(token: str) -> Answer:
        """Take one more seat on this phone."""
        if room.guest_by_seat_token(token) is None:
            return redirect(room.after_leaving(token), 303)
        return page(beside=token)

    @pages.get("/seat/<token>/to/<seat>")
    def to_seat(token: str, seat: str) -> Answer:
        """Lead to another seat of this phone."""
        held = room.held_with(token)
        if Seat(seat) not in held:
            return redirect(room.after_leaving(token), 303)
        return redirect(url_for("pages.seat", token=held[Seat(seat)]), 303)

    @pages.post("/seat/<token>/leave")
    def leave(token: str) -> Answer:
        """Leave a seat."""
        guest = room.guest_by_seat_token(token)
        if guest is not None and guest.seat is not None:
            room.seats.free(guest.seat)
        return redirect(room.after_leaving(token).replace("?gone=1", "?stay=1"), 303)


def move_pages(pages: Blueprint, room: Room) -> None:
    """Add the pages on which a seat goes to another phone."""
    _tickets(pages, room)

    @pages.route("/take/<ticket>", methods=["GET", "POST"])
    def take(ticket: str) -> Answer:
        """Take a seat over from another phone."""
        seat = room.moving.seat_on(ticket)
        if request.method == "POST":
            try:
                token = room.moving.move_by_ticket(ticket, beside=request.form.get("beside", ""))
            except NotSeated as error:
                return _take(room, None, refusal=error.why, status=409)
            return redirect(url_for("pages.seat", token=token), 303)
        if seat is None:
            return _take(room, None, refusal=Sentence("web.move.spent"), status=410)
        return _take(room, seat)

    @pages.route("/own/<seat>", methods=["GET", "POST"])
    def own(seat: str) -> Answer:
        """Take one's own sleeping seat back with the digits on the big screen."""
        own_seat = Seat(seat)
        if own_seat not in room.seats.names():
            return redirect(url_for("pages.join", stay=1), 303)
        if own_seat in room.presence.here():
            return _take(room, own_seat, by_number=True, refusal=Sentence("web.move.here"), status=409)
        if request.method != "POST":
            return _take(room, own_seat, by_number=True)
        given = request.form.get("number", "")
        try:
            token = room.moving.move_by_number(own_seat, given, beside=request.form.get("beside", ""))
        except NotSeated as error:
            return _take(room, own_seat, by_number=True, refusal=error.why, status=403)
        return redirect(url_for("pages.seat", token=token), 303)


def _tickets(pages: Blueprint, room: Room) -> None:
    """The pages that show a code: on the seat's old phone, and on the host's."""

    @pages.post("/seat/<token>/move")
    def move(token: str) -> Answer:
        """Move to another phone: begin."""
        guest = room.guest_by_seat_token(token)
        if guest is None or guest.seat is None:
            return redirect(room.after_leaving(token), 303)
        return redirect(url_for("pages.moving", token=token, ticket=room.moving.ticket_for(guest.seat)), 303)

    @pages.get("/seat/<token>/move/<ticket>")
    def moving(token: str, ticket: str) -> Answer:
        """The code by which another phone takes this seat over."""
        guest = room.guest_by_seat_token(token)
        if guest is None or guest.seat is None:  # the other phone has it now
            return redirect(room.after_leaving(token), 303)
        return _code(room, ticket, guest.seat)

    @pages.post("/host/<token>/move")
    def host_move(token: str) -> Answer:
        """Move a seat to another phone: begin."""
        seat = Seat(request.form.get("seat", ""))
        if not room.seats.is_host(token) or seat not in room.seats.names():
            return redirect(url_for("pages.host", token=token), 303)
        ticket = room.moving.ticket_for(seat)
        return redirect(url_for("pages.host_moving", token=token, seat=seat, ticket=ticket), 303)

    @pages.get("/host/<token>/move/<seat>/<ticket>")
    def host_moving(token: str, seat: str, ticket: str) -> Answer:
        """The code by which another phone takes a seat over."""
        if not room.seats.is_host(token):
            abort(redirect(url_for("pages.knock"), 303))
        return _code(room, ticket, Seat(seat))


def door(room: Room) -> dict[str, Any]:
    """Return what every page at the door draws from."""
    seen = room.host.table.look(None)
    values = room.sections.values(Audience(Role.WATCH), seen) | room.page_facts()
    return values | {"creature": creatures(room.host.game.seats, seen.view.seats)}


def _take(
    room: Room,
    seat: Seat | None,
    *,
    by_number: bool = False,
    refusal: Sentence | None = None,
    status: int = 200,
) -> Answer:
    values = door(room)
    name = values["w"].name(seat) if seat else ""
    heading = values["tell"]("web.move.take", name=name) if seat else values["tell"]("web.move.none")
    is_open = seat is not None and not (by_number and seat in room.presence.here())
    given = {"seat": seat, "by_number": by_number, "is_open": is_open, "refusal": refusal, "heading": heading}
    return render_template("take.html", **values, **given), status


def _code(room: Room, ticket: str, seat: Seat) -> Answer:
    values = door(room)
    is_open = room.moving.seat_on(ticket) == seat
    address = f"{room.whereabouts.address}take/{ticket}"
    heading = values["tell"]("web.move.scan" if is_open else "web.move.over", name=values["w"].name(seat))
    given = {"seat": seat, "is_open": is_open, "heading": heading, "minutes": TICKET_MS // 60_000}
    page = render_template("move.html", **values, **given, ticket_code=code_path(address))
    return page, 200 if is_open else 410
