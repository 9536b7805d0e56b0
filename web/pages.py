"""The pages: complete without any script; a form is answered by the page it came from.

A phone's token is part of its address (``/seat/<token>/``), so that a reload, a closed tab and
a phone without script all find back to their seat, and no cookie is sent along by itself. What
a section links to is written relative to that address: sections never hold a token.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.board import Place
from companion.game import Seat, Sentence
from companion.plugins import PartUnusable
from companion.settings import CannotStart
from companion.table.senses_asked import EyesClosed, TooManyAsked
from companion.table.writer import Receipt
from web.desk import ANSWER_S, Guest, Role
from web.guard import comes_from_here
from web.joining import join_pages, move_pages
from web.languages import called, language_pages
from web.photos import PhotoDesk, answer_photo
from web.room import Room
from web.sections import Audience
from web.signs import creatures
from web.wire import NotATap, read_form

SAVING_S = 20.0
"""How long a host waits for a recording: some hundred pictures onto a slow card."""

TIMERS_S = ("0", "60", "120", "180", "300")
"""How long a phase may take, as the host can choose; 0 is no timer."""

Answer = str | AnyResponse | tuple[str, int]


def make_pages(room: Room) -> Blueprint:
    """Return all pages of a room."""
    pages = Blueprint("pages", __name__)
    language_pages(pages, room.sections.languages)
    join_pages(pages, room)
    move_pages(pages, room)
    photos = PhotoDesk(room)
    _seat_pages(pages, room, photos)
    _host_pages(pages, room, photos)

    @pages.get("/watch")
    def watch() -> Answer:
        return _live(room, Audience(Role.WATCH), "watch.html")

    @pages.get("/watch/log")
    def watch_log() -> Answer:
        return _whole_log(room, Audience(Role.WATCH))

    @pages.get("/watch/why/<key>")
    def watch_why(key: str) -> Answer:
        return _sums(room, Audience(Role.WATCH), key)

    _screen_pages(pages, room)
    return pages


def _screen_pages(pages: Blueprint, room: Room) -> None:
    """What is looked at from afar: nothing on it can be tapped."""

    @pages.get("/screen")
    def screen() -> Answer:
        audience = Audience(Role.SCREEN, is_here=comes_from_here())
        return _live(room, audience, "screen.html", is_quiet="quiet" in request.args)

    @pages.get("/overlay")
    def overlay() -> Answer:
        return _live(room, Audience(Role.OVERLAY), "overlay.html", is_at_top="top" in request.args)


def _seat_pages(pages: Blueprint, room: Room, photos: PhotoDesk) -> None:
    def guest_of(token: str) -> Guest:
        guest = room.guest_by_seat_token(token)
        if guest is None:
            abort(redirect(room.after_leaving(token), 303))
        return guest

    def audience_of(token: str) -> Audience:
        guest = guest_of(token)
        return room.audience_of(token, guest.seat) if guest.seat else Audience(Role.WATCH)

    @pages.route("/seat/<token>/", methods=["GET", "HEAD", "POST"])
    def seat(token: str) -> Answer:
        if request.method == "HEAD" and room.guest_by_seat_token(token) is None:
            abort(404)
        guest = guest_of(token)
        audience = audience_of(token)
        links = [link for ask in room.seat_links if (link := ask(token)) is not None]
        return _tapped(room, guest, audience, "seat.html", links)

    @pages.post("/seat/<token>/photo")
    def seat_photo(token: str) -> Answer:
        guest = guest_of(token)
        return answer_photo(room, guest, photos.take(guest), url_for("pages.seat", token=token))

    @pages.get("/seat/<token>/log")
    def seat_log(token: str) -> Answer:
        return _whole_log(room, audience_of(token))

    @pages.get("/seat/<token>/why/<key>")
    def seat_why(token: str, key: str) -> Answer:
        return _sums(room, audience_of(token), key)

    @pages.get("/seat/<token>/crop/<proposal>/<path:place>")
    def seat_crop(token: str, proposal: str, place: str) -> Answer:
        return _crop(room, guest_of(token).seat, proposal, place)


def _host_pages(pages: Blueprint, room: Room, photos: PhotoDesk) -> None:
    def guest_of(token: str) -> Guest:
        guest = room.guest_by_host_token(token)
        if guest is None:
            abort(redirect(url_for("pages.knock"), 303))
        return guest

    @pages.route("/host", methods=["GET", "POST"])
    def knock() -> Answer:
        if comes_from_here() or (request.method == "POST" and room.pin.is_right(request.form.get("pin", ""))):
            return redirect(url_for("pages.host", token=room.seats.admit_host()), 303)
        refusal = None
        if request.method == "POST":
            rest_s = room.pin.rests_for_s()
            refusal = Sentence("web.pin.rests", {"count": rest_s}) if rest_s else Sentence("web.pin.wrong")
        seen = room.host.table.look(None)
        values = room.sections.values(Audience(Role.WATCH), seen) | room.page_facts()
        heading = values["tell"]("web.pin.ask")
        page = render_template("pin.html", **values, refusal=refusal, heading=heading)
        return page, 403 if refusal else 200

    @pages.route("/host/<token>/", methods=["GET", "POST"])
    def host(token: str) -> Answer:
        return _tapped(room, guest_of(token), Audience(Role.HOST), "host.html")

    @pages.post("/host/<token>/photo")
    def host_photo(token: str) -> Answer:
        guest = guest_of(token)
        return answer_photo(room, guest, photos.take(guest), url_for("pages.host", token=token))

    @pages.get("/host/<token>/log")
    def host_log(token: str) -> Answer:
        guest_of(token)
        return _whole_log(room, Audience(Role.HOST))

    @pages.get("/host/<token>/why/<key>")
    def host_why(token: str, key: str) -> Answer:
        guest_of(token)
        return _sums(room, Audience(Role.HOST), key)

    @pages.get("/host/<token>/crop/<proposal>/<path:place>")
    def host_crop(token: str, proposal: str, place: str) -> Answer:
        guest_of(token)
        return _crop(room, None, proposal, place)

    @pages.get("/host/<token>/strike/<int:entry>")
    def strike(token: str, entry: int) -> Answer:
        guest_of(token)
        table = room.host.table
        preview = table.preview_strike([entry]).result(ANSWER_S)
        values = room.sections.values(Audience(Role.HOST), table.look(None)) | room.page_facts()
        heading = values["tell"]("web.strike.ask")
        return render_template("strike.html", **values, preview=preview, heading=heading)

    _host_deeds(pages, room, guest_of)


def _host_deeds(pages: Blueprint, room: Room, guest_of: Callable[[str], Guest]) -> None:
    """What a host can do that is no move of the game."""

    @pages.post("/host/<token>/free")
    def free(token: str) -> Answer:
        guest_of(token)
        room.seats.free(Seat(request.form.get("seat", "")))
        return redirect(url_for("pages.host", token=token), 303)

    @pages.post("/host/<token>/first_game")
    def first_game(token: str) -> Answer:
        guest_of(token)
        room.manner.show_first_game(room.host.row.id, is_first=request.form.get("is_first") == "yes")
        return redirect(url_for("pages.host", token=token), 303)

    @pages.post("/host/<token>/timer")
    def timer(token: str) -> Answer:
        guest_of(token)
        seconds = request.form.get("seconds", "")
        if seconds not in TIMERS_S:
            abort(400)
        room.manner.set_timer(room.host.row.id, int(seconds))
        return redirect(url_for("pages.host", token=token), 303)

    @pages.post("/host/<token>/recording")
    def recording(token: str) -> Answer:
        guest = guest_of(token)
        try:
            saved = room.host.save_recording().result(SAVING_S)
        except (EyesClosed, TooManyAsked, TimeoutError) as error:
            answer = Receipt(False, 0, why=Sentence("web.recording.none", {"text": str(error)}))
        else:
            values: dict[str, str | int] = {"count": saved.pictures, "folder": str(saved.folder)}
            answer = Receipt(True, 0, why=Sentence("web.recording.saved", values))
        room.notices.leave(guest.client, answer)
        return redirect(url_for("pages.host", token=token), 303)

    @pages.post("/host/<token>/new")
    def new_table(token: str) -> Answer:
        guest = guest_of(token)
        try:
            room.host.new_table(game=request.form.get("game") or None, box=request.form.get("box", ""))
        except (PartUnusable, CannotStart) as error:
            why = Sentence("web.said", {"text": str(error)})
            room.notices.leave(guest.client, Receipt(False, 0, why=why))
        return redirect(url_for("pages.host", token=token), 303)


def _tapped(
    room: Room, guest: Guest, audience: Audience, template: str, links: Sequence[tuple[str, str]] = ()
) -> Answer:
    """Answer a page, or a form that was sent from it: done, then the page anew; refused, then why."""
    if request.method != "POST":
        return _live(room, audience, template, room.notices.take(guest.client), links)
    try:
        receipt = room.desk.take(read_form(list(request.form.items(multi=True))), guest)
    except NotATap as error:
        receipt = Receipt(False, 0, why=error.why)
        return _live(room, audience, template, receipt, links), 400
    if receipt.is_done:
        return redirect(request.path, 303)
    return _live(room, audience, template, receipt, links), 409


def _live(
    room: Room,
    audience: Audience,
    template: str,
    refusal: Receipt | None = None,
    links: Sequence[tuple[str, str]] = (),
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
        values |= {"game": room.host.game.name, "box": room.host.row.box}
        values["has_sheets"] = bool(room.host.game.box.sheets)
    return render_template(template, **values)


def _whole_log(room: Room, audience: Audience) -> str:
    """Render every line of the log, which pushed sections only begin."""
    values = room.sections.values(audience, room.host.table.look(audience.seat)) | room.page_facts()
    return render_template("log.html", **values, heading=values["tell"]("web.log"))


def _sums(room: Room, audience: Audience, key: str) -> str:
    """Render the sum behind a number, line by line, and below it those of the other numbers."""
    table = room.host.table
    values = room.sections.values(audience, table.look(audience.seat)) | room.page_facts()
    sums = table.sums(audience.seat)
    asked = [one for one in sums if one.key == key or one.key.startswith(f"{key}.")]
    others = [one for one in sums if one not in asked]
    one = next((one for one in asked if one.key == key), None)
    heading = values["say"](one.title) if one else values["tell"]("web.why.many" if asked else "web.why.gone")
    return render_template("why.html", **values, one=one, asked=asked, the_rest=others, heading=heading)


def _crop(room: Room, seat: Seat | None, proposal: str, place: str) -> Answer:
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
