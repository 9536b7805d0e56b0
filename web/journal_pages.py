"""Leafing through an evening: what everybody saw after each entry, with the pictures that led to it.

Nothing is shown that anybody did not know then: the view of those who watch, and pictures only of entries
that are told to all and whose phase is over.
"""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template, request

from companion.board import Place
from companion.table.evidence import Exhibit
from companion.table.writer import Moment
from web.desk import Role
from web.live_pages import Answer
from web.room import Room
from web.sections import Audience


def journal_pages(pages: Blueprint, room: Room) -> None:
    """Add the pages of the journal."""

    @pages.get("/after/journal")
    def journal() -> Answer:
        """The evening entry by entry."""
        table = room.host.table
        entry = request.args.get("entry", type=int)
        asked = request.args.get("at", type=int) if entry is None else table.moment_of(entry)
        moment = table.moment(table.moment_of(0) if asked is None else asked)
        values = room.sections.values(Audience(Role.WATCH), table.look(None)) | room.page_facts()
        heading = values["tell"]("web.journal")
        return render_template(
            "journal.html",
            **values | {"view": moment.view},
            moment=moment,
            exhibits=exhibits_of(room, moment),
            heading=heading,
        )

    @pages.get("/after/journal/<int:entry>/<path:place>")
    def picture(entry: int, place: str) -> Answer:
        """A picture that a proposal was made by."""
        try:
            space = Place.parse(place)
        except ValueError:
            abort(404)
        table = room.host.table
        moment = table.moment(table.moment_of(entry))
        for one in exhibits_of(room, moment) if moment.entry == entry else ():
            if one.place == space:
                return Response(one.jpeg, content_type="image/jpeg")
        return abort(404)


def exhibits_of(room: Room, moment: Moment) -> tuple[Exhibit, ...]:
    """Return the pictures that everybody may see of the entry that led to a moment."""
    if moment.is_running or not moment.lines:
        return ()
    return tuple(room.host.evidence.of(room.host.row.id, moment.entry))
