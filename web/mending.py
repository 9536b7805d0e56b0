"""Putting another entry in the place of one: the questions as they stood then, what it changes, and the tap.

A seat puts right its own last entry at once; the host any, after seeing what changes.
"""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, abort, redirect, render_template, request, url_for

from companion.game import Prompt
from companion.table.writer import LogLine, Receipt
from web.desk import ANSWER_S, Role
from web.live_pages import Answer
from web.room import Room
from web.sections import Audience
from web.wire import Command, NotATap, Replace, Tap, read_form


def mending_pages(pages: Blueprint, room: Room) -> None:
    """Add the pages on which entries are put right."""

    @pages.route("/seat/<token>/mend/<int:entry>", methods=["GET", "POST"])
    def mend_own(token: str, entry: int) -> Answer:
        """Say the own last entry anew."""
        guest = room.guest_by_seat_token(token)
        if guest is None or guest.seat is None:
            return redirect(room.after_leaving(token), 303)
        line = room.host.table.look(guest.seat).own_last
        if line is None or line.seq != entry:
            return redirect(url_for("pages.seat", token=token), 303)
        audience = Audience(Role.SEAT, guest.seat)
        if request.method != "POST":
            return _questions(room, audience, line)
        tap = _tap(entry)
        if tap is None:
            return _questions(room, audience, line), 400
        receipt = room.desk.take(tap, guest)
        if receipt.is_done:
            return redirect(url_for("pages.seat", token=token), 303)
        return _questions(room, audience, line, receipt), 409

    @pages.route("/host/<token>/mend/<int:entry>", methods=["GET", "POST"])
    def mend(token: str, entry: int) -> Answer:
        """Change or strike an entry, after what that changes was shown."""
        if room.guest_by_host_token(token) is None:
            abort(redirect(url_for("pages.knock"), 303))
        audience = Audience(Role.HOST)
        line = next((line for line in room.host.table.look(None).log if line.seq == entry), None)
        if line is None or line.is_struck:
            return redirect(url_for("pages.host", token=token), 303)
        tap = _tap(entry) if request.method == "POST" else None
        if tap is None or not isinstance(tap.deed, Replace):
            return _questions(room, audience, line)
        return _preview(room, audience, tap.deed)


def _tap(entry: int) -> Tap | None:
    """Return the tap that puts what a form says in the place of an entry; None if it says nothing."""
    try:
        tap = read_form(list(request.form.items(multi=True)))
    except NotATap:
        return None
    return replace(tap, deed=Replace(entry, tap.deed.command)) if isinstance(tap.deed, Command) else None


def prompts_before(room: Room, line: LogLine) -> list[Prompt]:
    """Return what was asked when an entry was made: of its seat, and of the whole table."""
    seat = line.cause.for_seat
    view = room.host.table.before(line.seq, seat)
    return [] if view is None else [one for one in view.prompts if one.seat in (seat, None)]


def _questions(room: Room, audience: Audience, line: LogLine, refusal: Receipt | None = None) -> str:
    values = room.sections.values(audience, room.host.table.look(audience.seat)) | room.page_facts()
    return render_template(
        "mend.html",
        **values,
        seat=line.cause.for_seat,
        entry=line.seq,
        prompts=prompts_before(room, line),
        refusal=refusal,
        heading=values["say"](line.say),
    )


def _preview(room: Room, audience: Audience, deed: Replace) -> Answer:
    preview = room.host.table.preview_replace(deed.entry, deed.command).result(ANSWER_S)
    values = room.sections.values(audience, room.host.table.look(None)) | room.page_facts()
    heading = values["tell"]("web.mend.ask")
    page = render_template(
        "strike.html", **values, preview=preview, entry=deed.entry, command=deed.command, heading=heading
    )
    return page, 409 if preview.why else 200
