"""The pages after a game, and its files to take away. They tell what anybody at the table may know."""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from web.addresses import code_path
from web.curves import drawn_curves
from web.desk import Role
from web.evening import courses
from web.export import Kept, as_csv, as_json, as_play
from web.room import Room
from web.sections import Audience


def make_evening_pages(room: Room) -> Blueprint:
    """Return the pages of the evening's numbers."""
    pages = Blueprint("evening", __name__)

    @pages.get("/after")
    def after() -> str:
        return _page(room, "evening.html")

    @pages.get("/after/sheet")
    def sheet() -> str:
        return _page(room, "evening_sheet.html")

    @pages.get("/after/scores.csv")
    def scores() -> Response:
        kept = _kept(room)
        return _download(as_csv(kept), "text/csv", kept.file("csv"))

    @pages.get("/after/evening.json")
    def evening() -> Response:
        kept = _kept(room)
        return _download(as_json(kept), "application/json", kept.file("json"))

    return pages


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
