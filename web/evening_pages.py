"""The pages after a game, and its files to take away. They tell what anybody at the table may know."""

from __future__ import annotations

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.journal import TableId, TableRow
from companion.table.writer import Table
from web.addresses import code_path
from web.curves import drawn_curves
from web.desk import Role
from web.evening import courses
from web.evenings import evening_of, records, told_lines
from web.export import Kept, as_csv, as_json, as_play
from web.journal_pages import journal_pages
from web.room import Room
from web.sections import Audience

MOST_LINES = 20
"""How many lines of scores a page tells of each game."""


def make_evening_pages(room: Room) -> Blueprint:
    """Return the pages of the evening's numbers."""
    pages = Blueprint("evening", __name__)

    @pages.get("/after")
    def after() -> str:
        """The evening in numbers: curves, sums, and what to take along."""
        return _page(room, "evening.html")

    @pages.get("/after/sheet")
    def sheet() -> str:
        """The evening on one sheet, to print."""
        return _page(room, "evening_sheet.html")

    @pages.get("/after/scores.csv")
    def scores() -> Response:
        """The scores as a spreadsheet."""
        kept = _kept(room)
        return _download(as_csv(kept), "text/csv", kept.file("csv"))

    @pages.get("/after/evening.json")
    def evening() -> Response:
        """The evening as JSON."""
        kept = _kept(room)
        return _download(as_json(kept), "application/json", kept.file("json"))

    journal_pages(pages, room)
    _past_pages(pages, room)
    return pages


def _past_pages(pages: Blueprint, room: Room) -> None:
    @pages.get("/evenings")
    def past() -> str:
        """Evenings before this one."""
        return _past(room, Audience(Role.WATCH))

    @pages.route("/host/<token>/evenings", methods=["GET", "POST"])
    def own_past(token: str) -> str | AnyResponse:
        """Evenings before this one, for the host, who may forget one."""
        if room.guest_by_host_token(token) is None:
            abort(redirect(url_for("pages.knock"), 303))
        if request.method == "POST":
            forget(room, TableId(request.form.get("table", "")))
            return redirect(request.path, 303)
        return _past(room, Audience(Role.HOST))


def remember(room: Room, row: TableRow, table: Table, *, as_it_stands: bool = False) -> None:
    """Remember an evening if its game is over, or as it stands if that is wished.

    Replays the game for its sums: not on the table's thread.
    """
    seen = table.look(None)
    if seen.view.is_over or (as_it_stands and seen.view.seats):
        kept = Kept(row, seen, courses(seen, table.sums(None)), room.sections.settled_words())
        room.evenings.keep(evening_of(kept))


def forget(room: Room, table: TableId) -> None:
    """Forget names, scores and pictures of an evening, and who sits there if it is the one on the table."""
    room.evenings.forget(table)
    room.host.forget(table)
    if table == room.host.row.id:
        for seat in room.seats.names():
            room.seats.free(seat)


def _past(room: Room, audience: Audience) -> str:
    remember(room, room.host.row, room.host.table)
    values = room.sections.values(audience, room.host.table.look(None)) | room.page_facts()
    evenings = room.evenings.all()
    return render_template(
        "evenings.html",
        **values,
        evenings=evenings,
        records=records(evenings),
        lines=told_lines(evenings, MOST_LINES),
        games={one.game for one in evenings},
        may_forget=audience.role is Role.HOST,
        heading=values["tell"]("web.evenings"),
    )


def _kept(room: Room) -> Kept:
    """Return the evening as it stands; what is shown and its sums may be one entry apart."""
    table = room.host.table
    seen = table.look(None)
    return Kept(room.host.row, seen, courses(seen, table.sums(None)), room.sections.words())


def _page(room: Room, template: str) -> str:
    kept = _kept(room)
    values = room.sections.values(Audience(Role.WATCH), kept.seen) | room.page_facts()
    is_over = kept.seen.view.is_over
    won = kept.seen.view.headline if is_over else None
    heading = values["say"](won) if won else values["tell"]("web.after" if is_over else "web.after.so_far")
    return render_template(
        template,
        **values,
        kept=kept,
        courses=kept.courses,
        curves=drawn_curves(kept.courses),
        rounds=max((len(one.after) for one in kept.courses), default=0),
        play=code_path(as_play(kept)) if is_over else None,
        heading=heading,
    )


def _download(text: str, type_: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, content_type=f"{type_}; charset=utf-8", headers=headers)
