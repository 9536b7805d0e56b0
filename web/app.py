"""The web of a table: one Flask application with its sockets, made around a host.

``create_app`` starts nothing but the thread that pushes; the settings of Socket.IO are those
that phones need, each with its reason in docs/phones.md.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, render_template
from flask_socketio import SocketIO
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from companion.board import PieceKind
from companion.game import Seat, Sentence
from companion.plugins import PartUnusable, find
from companion.table.writer import Table
from web import values as view_json
from web.boxes import make_box_pages
from web.desk import Desk, Role
from web.direct import Message, make_direct
from web.evening_pages import make_evening_pages, remember
from web.evenings import Evenings
from web.filters import FILTERS
from web.guard import HostGuard, comes_from_here, guard_posts
from web.house import TableHost
from web.languages import Languages, called, keep_on_phone
from web.manner import Manner
from web.moving import Moving
from web.pace import Pace
from web.packing import pack_pages
from web.pages import make_pages
from web.pin import Pin, new_pin
from web.presence import MAX_LINES, Presence
from web.probes import Probes
from web.room import Room
from web.seats import Seats
from web.sections import Around, Audience, Sections
from web.sockets import Sockets
from web.static_files import StaticFiles
from web.whereabouts import Whereabouts
from web.wifi import Wifi
from web.words import Words

log = logging.getLogger(__name__)

PAGES = "companion.pages"
PING_S = 5
MAX_MESSAGE_BYTES = 64 * 1024
MAX_FORM_BYTES = 6 * 1024 * 1024
"""A photo of a table comes by form; nothing else is large."""


def wall_ms() -> int:
    """Return the milliseconds since 1970 by the computer's clock, which may be set at any time."""
    return time.time_ns() // 1_000_000


def monotonic_ms() -> int:
    """Return the milliseconds of this process's monotonic clock."""
    return time.monotonic_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class WebOptions:
    """How the web stands in the network.

    ``address`` is what the QR code holds, ``find_address`` finds it anew if it may change,
    ``find_wifi`` tells the table's own Wi-Fi while it is on,
    ``own_name`` is a name that may work as well; ``allowed_hosts`` are more names to answer to;
    ``seats_path`` None keeps seats in memory. ``language`` is spoken where nobody asks for another.
    ``lines`` is how many pages may look on at once.
    """

    address: str = "http://127.0.0.1:8080/"
    own_name: str = ""
    allowed_hosts: tuple[str, ...] = ()
    seats_path: Path | None = None
    pin: str = ""
    find_address: Callable[[], str] | None = None
    find_wifi: Callable[[], Wifi | None] = lambda: None
    language: str = "en"
    lines: int = MAX_LINES


@dataclass(frozen=True, slots=True)
class PageContext:
    """What a page of another package gets (entry point ``companion.pages``).

    A page is a function ``page(context) -> flask.Blueprint``. A blueprint with a ``seat_link`` (see
    ``web.room.SeatLink``) is linked from the pages of the seats. ``seat_of`` tells whose seat a
    token holds, ``is_host`` whether it is a host's; ``static_url`` gives the address of a web file,
    ``language`` is that of the request in hand, ``piece`` the word for a piece in it, ``say`` what a
    sentence of the table or the game is in it; ``languages``
    are all that are offered, each with its own name, and ``settle_language`` makes one the service's own
    and that of the phone that gets the answer. ``is_here``: it comes from this very computer. A blueprint
    with ``host_links`` (see ``web.room.HostLinks``) is linked from the host's page.
    """

    host: TableHost
    seat_of: Callable[[str], Seat | None]
    is_host: Callable[[str], bool]
    static_url: Callable[[str], str]
    language: Callable[[], str]
    piece: Callable[[PieceKind], str]
    languages: Callable[[], Sequence[tuple[str, str]]]
    settle_language: Callable[[Response, str], None]
    say: Callable[[Sentence], str]
    is_here: Callable[[], bool]


class Web:
    """The application, its sockets and what must be closed with them: ``app.extensions["companion"]``."""

    def __init__(self, room: Room, sockets: Sockets) -> None:
        self.room = room
        self.sockets = sockets
        self._now = (room.host.row, room.host.table)
        self._end_table = room.host.table.on_change(sockets.changed)
        self._end_host = room.host.on_table(self._follow)
        room.seats.on_change(sockets.changed)
        room.manner.on_change(sockets.changed)
        room.whereabouts.follow(sockets.changed)

    def close(self) -> None:
        """End what was started; the host stays open."""
        self._end_table()
        self._end_host()
        self.room.whereabouts.close()
        self.sockets.close()
        self.room.seats.close()
        self.room.manner.close()
        self.room.pace.close()
        self.room.evenings.close()

    def _follow(self, table: Table) -> None:
        """Go on with a new table; the one before is kept in mind if its game was over."""
        remember(self.room, *self._now)
        self._now = (self.room.host.row, table)
        self._end_table = table.on_change(self.sockets.changed)
        self.sockets.changed()


def create_app(
    host: TableHost, options: WebOptions | None = None, *, now_ms: Callable[[], int] = monotonic_ms
) -> tuple[Flask, SocketIO]:
    """Return the application around a host, and its sockets.

    ``app.extensions["companion"]`` is the ``Web``: close it before the host.
    """
    chosen = options or WebOptions()
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_FORM_BYTES
    app.jinja_env.filters.update(FILTERS)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    # Written out: an installed gevent or eventlet would be picked otherwise, and fight the cameras.
    # One tap after the other (async_handlers) keeps a phone's taps in their order.
    socketio = SocketIO(
        app,
        async_mode="threading",
        async_handlers=False,
        ping_interval=PING_S,
        ping_timeout=PING_S,
        max_http_buffer_size=MAX_MESSAGE_BYTES,
        serve_client=False,
        manage_session=False,
        serializer=Message,
        json=view_json,
    )
    make_direct(socketio)
    room = _room(host, chosen, app, now_ms)
    sockets = Sockets(room, socketio, now_ms)
    web = app.extensions["companion"] = Web(room, sockets)
    guard_posts(app)
    pack_pages(app)
    app.register_blueprint(room.static.blueprint())
    app.register_blueprint(make_pages(room))
    app.register_blueprint(make_evening_pages(room))
    app.register_blueprint(make_box_pages(room))
    _mount_pages(app, room)
    _say_troubles(app, room)
    # Outside of Flask and of Socket.IO, whose own middleware is in wsgi_app by now.
    names = (chosen.own_name, *chosen.allowed_hosts)
    guarded = HostGuard(app.wsgi_app, [name for name in names if name])
    app.wsgi_app = Probes(guarded)  # type: ignore[method-assign]
    log.debug("web: made for %s", web.room.host.row.id)
    return app, socketio


def _room(host: TableHost, options: WebOptions, app: Flask, now_ms: Callable[[], int]) -> Room:
    static = StaticFiles()
    seats = Seats(options.seats_path)
    presence = Presence(now_ms, options.lines)
    manner = Manner(options.seats_path)
    pin = Pin(options.pin or new_pin(), now_ms)
    facts: Mapping[str, Any] = {
        "own_name": options.own_name,
        "signs": static.signs,
        "asset": static.url,
    }
    moving = Moving(seats, now_ms)
    whereabouts = Whereabouts(options.address, options.find_address, options.find_wifi)
    pace = Pace(now_ms, wall_ms, options.seats_path)
    languages = Languages(options.language)
    words = lru_cache(maxsize=16)(Words)
    around = Around(host, seats, presence, manner, moving, whereabouts, pace, pin, words, languages, facts)
    sections, desk = Sections(around, app.jinja_env), Desk(lambda: host.table)
    evenings = Evenings(options.seats_path)
    # Who leafs through an evening asks for it again with every leaf, and it is read from its first entry on.
    past = lru_cache(maxsize=1)(host.past)
    return Room(
        host=host,
        seats=seats,
        presence=presence,
        manner=manner,
        sections=sections,
        desk=desk,
        pin=pin,
        moving=moving,
        whereabouts=whereabouts,
        pace=pace,
        static=static,
        evenings=evenings,
        past=past,
    )


def _mount_pages(app: Flask, room: Room) -> None:
    """Mount what other packages bring; a broken page is logged and left out."""

    def settle_language(answer: Response, language: str) -> None:
        room.sections.settle_language(language)
        keep_on_phone(answer, language)

    context = PageContext(
        room.host,
        room.seats.seat_of,
        room.seats.is_host,
        room.static.url,
        room.sections.language,
        lambda kind: room.sections.words().piece(kind),
        lambda: [(language, called(language)) for language in room.sections.languages()],
        settle_language,
        lambda sentence: room.sections.words().say(sentence),
        comes_from_here,
    )
    for name, found in find(PAGES).items():
        try:
            page: Blueprint = found.load()(context)
            app.register_blueprint(page, name=f"page_{name}")
        except PartUnusable as error:
            log.warning("page %s: %s", name, error)
            continue
        except Exception:  # a stranger's page may stumble over anything; the others stand
            log.exception("page %s of %s %s: left out, it broke", name, found.package, found.version)
            continue
        link = getattr(page, "seat_link", None)
        if link is not None:
            room.seat_links.append(link)
        links = getattr(page, "host_links", None)
        if links is not None:
            room.host_links.append(links)


def _say_troubles(app: Flask, room: Room) -> None:
    """Answer every HTTP error with a page in plain words."""

    @app.errorhandler(HTTPException)
    def trouble(error: HTTPException) -> Any:
        if error.response is not None:
            return error.response
        code = error.code or 500
        if code >= 500:  # what broke may well be the drawing of pages
            return "The table's page broke. The service's log says why. Load the page again.\n", code
        seen = room.host.table.look(None)
        values = room.sections.values(Audience(Role.WATCH), seen) | room.page_facts()
        heading = values["tell"](f"web.trouble.{code}" if code in (403, 404, 413) else "web.trouble.other")
        text = error.description if code == 403 else values["tell"]("web.trouble.text")
        page = render_template("trouble.html", **values, code_number=code, heading=heading, text=text)
        return page, code
