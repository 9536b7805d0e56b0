"""The demo page (entry point ``companion.pages``): who took a seat moves that seat's hands here.

``/hands/<token>/`` with the token of the seat's own page. It is there while a simulated table
runs that was started with ``--ready-file`` into the home folder of the service.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Protocol

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.game import Seat, Sentence
from companion.sentences import SOURCE_LANGUAGE, Speaker, languages_in
from companion.settings import home
from hardware.simulated.contents import contents_of
from hardware.simulated.hands import Hands, HandsRefused, TableGone
from hardware.simulated.offers import deed_of, offers

READY_FILE = "simulated-table.json"
"""Where a simulated table says its address, in the home folder."""


class Context(Protocol):
    """What the web hands to a page; the part of it that this one needs."""

    seat_of: Callable[[str], Seat | None]
    static_url: Callable[[str], str]
    language: Callable[[], str]


def page(context: Context) -> Blueprint:
    """Return the pages of the hands."""
    pages = Blueprint("hands", __name__, url_prefix="/hands", template_folder="templates")
    speakers = {one: Speaker(["hardware.simulated"], one) for one in languages_in("hardware.simulated")}

    def say(sentence: Sentence) -> str:
        return speakers.get(context.language(), speakers[SOURCE_LANGUAGE]).say(sentence)

    def seat_and_hands(token: str) -> tuple[str, Hands]:
        seat, hands = context.seat_of(token), found_hands()
        if seat is None:
            abort(404, "Nobody sits here. Take a seat first.")
        if hands is None:
            abort(404, "No simulated table runs beside this service; `companion demo` starts one.")
        return str(seat), hands

    def shown(seat: str, hands: Hands, status: int = 200, **said: Any) -> tuple[str, int]:
        told = hands.world()
        offered = offers(told, contents_of(), seat) if seat in told["seats"] else ()
        values = {
            "language": context.language(),
            "say": say,
            "tell": lambda key, **named: say(Sentence(key, named)),
            "asset": context.static_url,
            "seat": seat,
            "own": told["of"].get(seat, {}),
            "offered": offered,
        }
        values["back"] = f"/seat/{request.view_args['token']}/" if request.view_args else "/"
        return render_template("hands.html", **values, **said), status

    def seat_link(token: str) -> tuple[str, str] | None:
        return (say(Sentence("sim.link")), f"/hands/{token}/") if found_hands() else None

    pages.seat_link = seat_link  # type: ignore[attr-defined]  # the web asks every page for one

    @pages.get("/<token>/")
    def look(token: str) -> tuple[str, int]:
        """The hands of a seat at the simulated table."""
        seat, hands = seat_and_hands(token)
        try:
            return shown(seat, hands)
        except TableGone as gone:
            abort(503, str(gone))

    @pages.get("/<token>/lab.jpg")
    def lab(token: str) -> Response:
        """What the camera over a simulated lab sees."""
        seat, hands = seat_and_hands(token)
        try:
            return Response(hands.picture(f"lab_{seat}"), mimetype="image/jpeg")
        except HandsRefused:
            abort(404)
        except TableGone as gone:
            abort(503, str(gone))

    @pages.post("/<token>/")
    def move(token: str) -> Response | tuple[str, int]:
        """Let the hands draw, lay, turn or roll."""
        seat, hands = seat_and_hands(token)
        try:
            told = hands.world()
            offered = offers(told, contents_of(), seat) if seat in told["seats"] else ()
            deed = deed_of(dict(request.form.lists()), offered, seat)
            if deed is None:
                return shown(seat, hands, 409, refusal=say(Sentence("sim.refused.moved_on")))
            hands.do(str(deed.pop("do")), **deed)
        except HandsRefused as no:
            return shown(seat, hands, 409, refusal=str(no))
        except TableGone as gone:
            abort(503, str(gone))
        return redirect(url_for(".look", token=token), 303)

    return pages


def found_hands() -> Hands | None:
    """Return the hands of the simulated table that runs beside this service, None without one."""
    try:
        said = json.loads((home() / READY_FILE).read_text(encoding="utf-8"))
        return Hands(str(said["url"]))
    except (OSError, ValueError, KeyError):
        return None
