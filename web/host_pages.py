"""The pages of the host: the desk, and what a host can do that is no move of the game."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, url_for

from companion.game import Sentence
from web.backup_pages import backup_pages
from web.desk import ANSWER_S, Guest, Role
from web.guard import comes_from_here
from web.host_deeds import host_deeds
from web.live_pages import Answer, crop_of, sums_page, tapped, whole_log
from web.photos import PhotoDesk, answer_photo
from web.room import Room
from web.safe_pages import safe_pages
from web.sections import Audience


def host_pages(pages: Blueprint, room: Room, photos: PhotoDesk) -> None:
    def guest_of(token: str) -> Guest:
        guest = room.guest_by_host_token(token)
        if guest is None:
            abort(redirect(url_for("pages.knock"), 303))
        return guest

    @pages.route("/host", methods=["GET", "POST"])
    def knock() -> Answer:
        """The host's door: the PIN, or nothing on the table's own computer."""
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
        """The host's page, and every tap on it."""
        links = [link for ask in room.host_links for link in ask(token)]
        return tapped(room, guest_of(token), Audience(Role.HOST), "host.html", links)

    @pages.post("/host/<token>/photo")
    def host_photo(token: str) -> Answer:
        """Read a photo of the table, from the host."""
        guest = guest_of(token)
        return answer_photo(room, guest, photos.take(guest), url_for("pages.host", token=token))

    @pages.get("/host/<token>/log")
    def host_log(token: str) -> Answer:
        """Every line of the log, for the host."""
        guest_of(token)
        return whole_log(room, Audience(Role.HOST))

    @pages.get("/host/<token>/why/<key>")
    def host_why(token: str, key: str) -> Answer:
        """The sum behind a number, for the host."""
        guest_of(token)
        return sums_page(room, Audience(Role.HOST), key)

    @pages.get("/host/<token>/crop/<proposal>/<path:place>")
    def host_crop(token: str, proposal: str, place: str) -> Answer:
        """The picture of a space in a proposal, for the host."""
        guest_of(token)
        return crop_of(room, None, proposal, place)

    @pages.get("/host/<token>/strike/<int:entry>")
    def strike(token: str, entry: int) -> Answer:
        """What striking an entry would change."""
        guest_of(token)
        table = room.host.table
        preview = table.preview_strike([entry]).result(ANSWER_S)
        values = room.sections.values(Audience(Role.HOST), table.look(None)) | room.page_facts()
        heading = values["tell"]("web.strike.ask")
        return render_template("strike.html", **values, preview=preview, heading=heading)

    host_deeds(pages, room, guest_of)
    safe_pages(pages, room, guest_of)
    backup_pages(pages, room, guest_of)
