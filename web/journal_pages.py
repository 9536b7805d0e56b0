"""Leafing through an evening: what everybody saw after each entry, with the pictures that led to it.

Nothing is shown that anybody did not know then: the view of those who watch, and pictures only of entries
that are told to all and whose phase is over. Evenings that are over are read from the journal, as long as
they are remembered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from flask import Blueprint, Response, abort, redirect, render_template, request

from companion.board import Place
from companion.journal import TableId
from companion.table.evidence import Exhibit
from companion.table.past import Past
from companion.table.writer import Moment
from web.desk import Role
from web.evenings import PastEvening
from web.live_pages import Answer
from web.room import Room
from web.sections import Audience


class Moments(Protocol):
    """Every moment of a table, running or over."""

    def moment(self, number: int) -> Moment:
        """Return what everybody could see after so many standing entries."""

    def moment_of(self, entry: int) -> int:
        """Return which moment came by an entry, the newest if it does not stand."""


def journal_pages(pages: Blueprint, room: Room) -> None:
    """Add the pages of the journal, of this evening and of those before."""

    @pages.get("/after/journal")
    def journal() -> Answer:
        """The evening entry by entry."""
        table = room.host.table
        moment = asked_for(table)
        seen = table.look(None)
        values = room.sections.values(Audience(Role.WATCH), seen) | room.page_facts() | {"view": moment.view}
        back = ("/after", "web.after" if seen.view.is_over else "web.after.so_far")
        return leaf(room, room.host.row.id, moment, values, pictures_at="/after/journal/", back=back)

    @pages.get("/after/journal/<int:entry>/<path:place>")
    def picture(entry: int, place: str) -> Answer:
        """A picture that a proposal was made by."""
        return picture_of(room, room.host.row.id, room.host.table, entry, place)

    @pages.get("/evenings/<table>/journal")
    def past_journal(table: str) -> Answer:
        """An evening that is over, entry by entry."""
        if table == room.host.row.id:
            return redirect("/after/journal")
        past, evening = past_of(room, TableId(table))
        moment = asked_for(past.end)
        names = {one.seat: one.name for one in evening.players if one.seat}
        values = room.page_facts() | room.sections.values_then(past, names, moment.view)
        at = f"/evenings/{past.row.id}/journal/"
        return leaf(room, past.row.id, moment, values, pictures_at=at, back=("/evenings", "web.evenings"))

    @pages.get("/evenings/<table>/journal/<int:entry>/<path:place>")
    def past_picture(table: str, entry: int, place: str) -> Answer:
        """A picture that a proposal of an evening before was made by."""
        past, _ = past_of(room, TableId(table))
        return picture_of(room, past.row.id, past.end, entry, place)


def past_of(room: Room, table: TableId) -> tuple[Past, PastEvening]:
    """Return an evening that is over, and what is remembered of it; 404 if it was forgotten."""
    evening = room.evenings.of(table)
    past = room.past(table) if evening else None
    if past is None or evening is None:
        abort(404)
    return past, evening


def asked_for(moments: Moments) -> Moment:
    """Return the moment that the request in hand asks for, the newest if it names none."""
    entry = request.args.get("entry", type=int)
    asked = request.args.get("at", type=int) if entry is None else moments.moment_of(entry)
    return moments.moment(moments.moment_of(0) if asked is None else asked)


def leaf(
    room: Room,
    table: TableId,
    moment: Moment,
    values: Mapping[str, Any],
    *,
    pictures_at: str,
    back: tuple[str, str],
) -> str:
    """Render one moment; ``back`` is where the way back leads, and the words for it."""
    return render_template(
        "journal.html",
        **values,
        moment=moment,
        exhibits=exhibits_of(room, table, moment),
        pictures_at=pictures_at,
        back=back,
        heading=values["tell"]("web.journal"),
    )


def picture_of(room: Room, table: TableId, moments: Moments, entry: int, place: str) -> Answer:
    """Answer a picture, 404 if it is not kept or not everybody's to see."""
    try:
        space = Place.parse(place)
    except ValueError:
        abort(404)
    moment = moments.moment(moments.moment_of(entry))
    for one in exhibits_of(room, table, moment) if moment.entry == entry else ():
        if one.place == space:
            return Response(one.jpeg, content_type="image/jpeg")
    return abort(404)


def exhibits_of(room: Room, table: TableId, moment: Moment) -> tuple[Exhibit, ...]:
    """Return the pictures that everybody may see of the entry that led to a moment."""
    if moment.is_running or not moment.lines:
        return ()
    return tuple(room.host.evidence.of(table, moment.entry))
