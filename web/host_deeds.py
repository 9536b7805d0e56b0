"""What a host can do that is no move of the game: seats, door, rests, screens, recordings, the end."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, abort, redirect, render_template, request, url_for

from companion.game import Seat, Sentence
from companion.plugins import PartUnusable
from companion.settings import CannotStart
from companion.table.senses_asked import EyesClosed, TooManyAsked
from companion.table.writer import Receipt
from web.desk import Guest, Role
from web.evening_pages import forget, remember
from web.live_pages import Answer
from web.room import Room
from web.sections import Audience

SAVING_S = 20.0
"""How long a host waits for a recording: some hundred pictures onto a slow card."""

TIMERS_S = ("0", "60", "120", "180", "300")
"""How long a phase may take, as the host can choose; 0 is no timer."""

GuestOf = Callable[[str], Guest]
"""Finds the host whose token it is; a page that has none is sent to the door."""


def host_deeds(pages: Blueprint, room: Room, guest_of: GuestOf) -> None:
    """Add all that a host can do that is no move of the game."""
    _at_the_table(pages, room, guest_of)
    _house_rules(pages, room, guest_of)
    _endings(pages, room, guest_of)


def _at_the_table(pages: Blueprint, room: Room, guest_of: GuestOf) -> None:
    """Seats, the manner of playing, a recording, the next table."""

    @pages.post("/host/<token>/free")
    def free(token: str) -> Answer:
        """Take a seat from its phone."""
        guest_of(token)
        room.seats.free(Seat(request.form.get("seat", "")))
        return redirect(url_for("pages.host", token=token), 303)

    @pages.post("/host/<token>/first_game")
    def first_game(token: str) -> Answer:
        """Show the game step by step, or no longer."""
        guest_of(token)
        room.manner.show_first_game(room.host.row.id, is_first=request.form.get("is_first") == "yes")
        return redirect(url_for("pages.host", token=token), 303)

    @pages.post("/host/<token>/timer")
    def timer(token: str) -> Answer:
        """Set how long a phase should take."""
        guest_of(token)
        seconds = request.form.get("seconds", "")
        if seconds not in TIMERS_S:
            abort(400)
        room.manner.set_timer(room.host.row.id, int(seconds))
        return redirect(url_for("pages.host", token=token), 303)

    @pages.post("/host/<token>/recording")
    def recording(token: str) -> Answer:
        """Save what was sensed and played of late."""
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
        """Open a new table."""
        guest = guest_of(token)
        try:
            room.host.new_table(game=request.form.get("game") or None, box=request.form.get("box", ""))
        except (PartUnusable, CannotStart) as error:
            why = Sentence("web.said", {"text": str(error)})
            room.notices.leave(guest.client, Receipt(False, 0, why=why))
        return redirect(url_for("pages.host", token=token), 303)


def _house_rules(pages: Blueprint, room: Room, guest_of: GuestOf) -> None:
    """How the evening goes: its door, its rests, its screens, its hosts."""

    @pages.post("/host/<token>/pause")
    def pause(token: str) -> Answer:
        """Pause, or go on."""
        guest_of(token)
        room.manner.pause(room.host.row.id, is_paused=request.form.get("is_paused") == "yes")
        return redirect(url_for("pages.host", token=token), 303)

    @pages.post("/host/<token>/door")
    def door(token: str) -> Answer:
        """Lock the door, or open it."""
        guest_of(token)
        room.manner.lock(is_locked=request.form.get("is_locked") == "yes")
        return redirect(url_for("pages.host", token=token), 303)

    @pages.post("/host/<token>/trust")
    def trust(token: str) -> Answer:
        """Trust a big screen to stand at the table."""
        guest_of(token)
        screen = request.form.get("screen", "")
        if screen in {line.screen for line in room.presence.lines() if line.screen}:
            room.seats.trust_screen(screen)
        return redirect(url_for("pages.host", token=token), 303)

    @pages.post("/host/<token>/pin")
    def new_pin(token: str) -> Answer:
        """Take another PIN, and let all other hosts go."""
        guest_of(token)
        room.pin.renew()
        room.seats.dismiss_hosts(but=token)
        return redirect(url_for("pages.host", token=token), 303)


def _endings(pages: Blueprint, room: Room, guest_of: GuestOf) -> None:
    """The end of an evening, also before the game is over."""

    @pages.get("/host/<token>/end")
    def ending(token: str) -> Answer:
        """Ask whether the evening is to end."""
        guest_of(token)
        seen = room.host.table.look(None)
        values = room.sections.values(Audience(Role.HOST), seen) | room.page_facts()
        return render_template("end.html", **values, heading=values["tell"]("web.end.ask"))

    @pages.post("/host/<token>/end")
    def end(token: str) -> Answer:
        """End the evening: kept as it stands, or forgotten whole."""
        guest = guest_of(token)
        row, table = room.host.row, room.host.table
        is_kept = request.form.get("keep") == "yes"
        if is_kept:
            remember(room, row, table, as_it_stands=True)
        try:
            room.host.new_table(game=row.game, box=row.box)
        except (PartUnusable, CannotStart) as error:
            why = Sentence("web.said", {"text": str(error)})
            room.notices.leave(guest.client, Receipt(False, 0, why=why))
            return redirect(url_for("pages.host", token=token), 303)
        if not is_kept:
            forget(room, row.id)
            for seat in room.seats.names():
                room.seats.free(seat)
        return redirect(url_for("evening.own_past" if is_kept else "pages.host", token=token), 303)
