"""How a page of the table is answered: kept alive by scripts, or by forms alone without them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response, abort, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.board import Place
from companion.game import Seat
from companion.table.writer import Receipt
from web.desk import Guest, Role
from web.languages import called
from web.room import HostLink, Room
from web.sections import Audience
from web.signs import creatures
from web.wire import NotATap, read_form

Answer = str | AnyResponse | tuple[str, int]


def tapped(
    room: Room, guest: Guest, audience: Audience, template: str, links: Sequence[HostLink] = ()
) -> Answer:
    """Answer a page, or a form that was sent from it: done, then the page anew; refused, then why."""
    if request.method != "POST":
        return live(room, audience, template, room.notices.take(guest.client), links)
    try:
        receipt = room.desk.take(read_form(list(request.form.items(multi=True))), guest)
    except NotATap as error:
        receipt = Receipt(False, 0, why=error.why)
        return live(room, audience, template, receipt, links), 400
    if receipt.is_done:
        return redirect(request.path, 303)
    return live(room, audience, template, receipt, links), 409


def live(
    room: Room,
    audience: Audience,
    template: str,
    refusal: Receipt | None = None,
    links: Sequence[HostLink] = (),
    **manner: bool,
) -> str:
    """Render a page that scripts keep alive; ``manner`` is how its frame looks."""
    shown = room.sections.show(audience)
    words = room.sections.words()
    values: dict[str, Any] = {
        **room.sections.facts,
        **room.page_facts(),
        "w": words,
        "say": words.say,
        "tell": words.tell,
        "shown": shown,
        "audience": audience,
        "refusal": refusal,
        "links": links,
        **manner,
        "heading": "",
        "languages": [(language, called(language)) for language in room.sections.languages()],
        "can_snap": room.host.has_eyes,
        "has_camera": any(one.kind == "camera" for one in room.host.table.look(None).devices),
    }
    if audience.role is Role.SEAT and audience.seat is not None:
        view = room.host.table.look(None).view
        values["creature"] = creatures(room.host.game.seats, view.seats)[audience.seat]
    if audience.role is Role.HOST:
        values |= {"games": sorted(room.host.games()), "boxes": room.host.boxes()}
        values["start"] = room.host.start
        values |= {"game": room.host.game.name, "box": room.host.row.box}
        values["has_sheets"] = bool(room.host.game.box.sheets)
    return render_template(template, **values)


def whole_log(room: Room, audience: Audience) -> str:
    """Render every line of the log, which pushed sections only begin."""
    values = room.sections.values(audience, room.host.table.look(audience.seat)) | room.page_facts()
    return render_template("log.html", **values, heading=values["tell"]("web.log"))


def sums_page(room: Room, audience: Audience, key: str) -> str:
    """Render the sum behind a number, line by line, and below it those of the other numbers."""
    table = room.host.table
    values = room.sections.values(audience, table.look(audience.seat)) | room.page_facts()
    sums = table.sums(audience.seat)
    asked = [one for one in sums if one.key == key or one.key.startswith(f"{key}.")]
    others = [one for one in sums if one not in asked]
    one = next((one for one in asked if one.key == key), None)
    heading = values["say"](one.title) if one else values["tell"]("web.why.many" if asked else "web.why.gone")
    return render_template("why.html", **values, one=one, asked=asked, the_rest=others, heading=heading)


def crop_of(room: Room, seat: Seat | None, proposal: str, place: str) -> Answer:
    """Answer a picture of a space: to the seat that the proposal concerns and to the host."""
    try:
        space = Place.parse(place)
    except ValueError:
        abort(404)
    for one in room.host.table.look(seat).proposals:
        if one.id == proposal and seat in (None, one.proposal.seat) and space in one.crops:
            headers = {"Cache-Control": "private, max-age=600"}
            return Response(one.crops[space], content_type="image/jpeg", headers=headers)
    return abort(404)
