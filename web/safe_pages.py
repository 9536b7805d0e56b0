"""What a host can do after a start that was no whole one: start as usual, with settings that worked."""

from __future__ import annotations

from flask import Blueprint, redirect, url_for

from companion.game import Sentence
from companion.settings import home
from companion.table.safe_mode import SettingsKept, leave, take_last_good
from companion.table.writer import Receipt
from web.host_deeds import GuestOf
from web.live_pages import Answer
from web.room import Room


def safe_pages(pages: Blueprint, room: Room, guest_of: GuestOf) -> None:
    """Add the ways out of safe mode."""

    @pages.post("/host/<token>/whole")
    def whole(token: str) -> Answer:
        """Start anew as usual, out of safe mode."""
        guest_of(token)
        leave(home())
        room.host.begin_again()
        return redirect(url_for("pages.host", token=token), 303)

    @pages.post("/host/<token>/last_good")
    def last_good(token: str) -> Answer:
        """Put the settings that worked last in the place of broken ones, and start anew."""
        guest = guest_of(token)
        broken = room.host.start.broken_settings
        try:
            if broken is not None:
                take_last_good(home(), broken)
        except SettingsKept as fault:
            room.notices.leave(
                guest.client, Receipt(False, 0, why=Sentence("web.said", {"text": str(fault)}))
            )
            return redirect(url_for("pages.host", token=token), 303)
        return whole(token)
