"""The pages: complete without any script; a form is answered by the page it came from.

A phone's token is part of its address (``/seat/<token>/``), so that a reload, a closed tab and
a phone without script all find back to their seat, and no cookie is sent along by itself. What
a section links to is written relative to that address: sections never hold a token.
"""

from __future__ import annotations

from flask import Blueprint, abort, redirect, request, url_for

from web.desk import Guest, Role
from web.guard import comes_from_here
from web.host_pages import host_pages
from web.joining import join_pages, move_pages
from web.languages import language_pages
from web.live_pages import Answer, crop_of, live, sums_page, tapped, whole_log
from web.mending import mending_pages
from web.photos import PhotoDesk, answer_photo
from web.room import Room
from web.sections import Audience
from web.vigil import ALIVE


def make_pages(room: Room) -> Blueprint:
    """Return all pages of a room."""
    pages = Blueprint("pages", __name__)
    language_pages(pages, room.sections.languages)
    join_pages(pages, room)
    move_pages(pages, room)
    photos = PhotoDesk(room)
    _seat_pages(pages, room, photos)
    host_pages(pages, room, photos)
    mending_pages(pages, room)

    @pages.get(ALIVE)
    def alive() -> Answer:
        """Tells that the service answers."""
        return "", 204

    @pages.get("/watch")
    def watch() -> Answer:
        """Watch the table."""
        return live(room, Audience(Role.WATCH), "watch.html")

    @pages.get("/watch/log")
    def watch_log() -> Answer:
        """Every line of the log, as everybody may read it."""
        return whole_log(room, Audience(Role.WATCH))

    @pages.get("/watch/why/<key>")
    def watch_why(key: str) -> Answer:
        """The sum behind a number, as everybody may know it."""
        return sums_page(room, Audience(Role.WATCH), key)

    _screen_pages(pages, room)
    return pages


def _screen_pages(pages: Blueprint, room: Room) -> None:
    """What is looked at from afar: nothing on it can be tapped."""

    @pages.get("/screen")
    def screen() -> Answer:
        """The big screen; `?quiet` makes no sound."""
        audience = Audience(Role.SCREEN, is_here=comes_from_here())
        return live(room, audience, "screen.html", is_quiet="quiet" in request.args)

    @pages.get("/overlay")
    def overlay() -> Answer:
        """The scores over a stream; `?top` puts them on top."""
        return live(room, Audience(Role.OVERLAY), "overlay.html", is_at_top="top" in request.args)


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
        """The page of a seat, and every tap on it. HEAD tells whether the token still holds it."""
        if request.method == "HEAD" and room.guest_by_seat_token(token) is None:
            abort(404)
        guest = guest_of(token)
        audience = audience_of(token)
        links = [link for ask in room.seat_links if (link := ask(token)) is not None]
        return tapped(room, guest, audience, "seat.html", links)

    @pages.post("/seat/<token>/photo")
    def seat_photo(token: str) -> Answer:
        """Read a photo of the own board."""
        guest = guest_of(token)
        return answer_photo(room, guest, photos.take(guest), url_for("pages.seat", token=token))

    @pages.get("/seat/<token>/log")
    def seat_log(token: str) -> Answer:
        """Every line of the log, as this seat may read it."""
        return whole_log(room, audience_of(token))

    @pages.get("/seat/<token>/why/<key>")
    def seat_why(token: str, key: str) -> Answer:
        """The sum behind a number, as this seat may know it."""
        return sums_page(room, audience_of(token), key)

    @pages.get("/seat/<token>/crop/<proposal>/<path:place>")
    def seatcrop_of(token: str, proposal: str, place: str) -> Answer:
        """The picture of a space in a proposal to this seat."""
        return crop_of(room, guest_of(token).seat, proposal, place)
