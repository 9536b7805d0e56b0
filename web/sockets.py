"""The sockets: one line a phone, one message for each kind of thing.

From a phone: ``tap`` (an envelope, answered by a receipt), ``sync`` (the marks of the sections
that it has, answered by the others), ``join`` (answered by a token). To a phone: ``shown``
(sections of its page), ``view`` (the same as values, for clients that draw themselves), ``gone``
(its seat was given free or moved to another phone).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from flask import request
from flask_socketio import ConnectionRefusedError, SocketIO

from companion.game import Seat, Sentence
from companion.table.writer import TableView
from web.desk import Guest, Role
from web.guard import comes_from_here
from web.packing import packed_message
from web.presence import Line
from web.rate import Rate
from web.room import Room
from web.seats import NotSeated, mark_of
from web.sections import Audience
from web.values import view_out
from web.wire import NotATap, read_tap

log = logging.getLogger(__name__)

PUSH_ORDER = (Role.SEAT, Role.SCREEN, Role.OVERLAY, Role.WATCH, Role.HOST)


@dataclass(slots=True)
class Caller:
    """One open line: who it is, what it looks at, and which sections it has.

    ``settled`` is the state of the seats at which that was looked up.
    """

    guest: Guest
    audience: Audience
    wants_values: bool
    rate: Rate
    token: str = ""
    screen: str = ""
    unpacks: bool = False
    has: dict[str, str] = field(default_factory=dict)
    shown: tuple[Any, ...] = ()
    settled: tuple[Any, ...] = ()


class Sockets:
    """The lines of a room. Pushes go out on a thread of their own, never on the table's."""

    def __init__(self, room: Room, socketio: SocketIO, now_ms: Callable[[], int]) -> None:
        self._room = room
        self._io = socketio
        self._now_ms = now_ms
        self._callers: dict[str, Caller] = {}
        self._views: dict[Seat | None, tuple[tuple[Any, ...], dict[str, Any]]] = {}
        self._lock = threading.RLock()
        self._changed = threading.Event()
        self._is_closed = False
        socketio.on_event("connect", self._connect)
        socketio.on_event("disconnect", self._disconnect)
        # Not by way of Flask: a tap needs nothing of the request that opened its line, and is felt.
        socketio.server.on("tap", self._tap)
        socketio.on_event("sync", self._sync)
        socketio.on_event("join", self._join)
        self._thread = threading.Thread(target=self._work, name="pushes", daemon=True)
        self._thread.start()

    def changed(self) -> None:
        """Say that something may look different now. Returns at once."""
        self._changed.set()

    def close(self) -> None:
        """End the thread that pushes."""
        self._is_closed = True
        self._changed.set()
        self._thread.join()

    # From phones

    def _connect(self, auth: object = None) -> None:
        given = auth if isinstance(auth, Mapping) else {}
        address = request.remote_addr or ""
        if not self._room.presence.has_room(address, is_own_computer=comes_from_here()):
            raise ConnectionRefusedError(self._room.sections.words().tell("web.line.full"))
        caller = self._caller(given)
        if caller is None:
            why = self._room.sections.words().tell("web.seat.gone")
            raise ConnectionRefusedError(why, self._gone(str(given.get("token", ""))))
        sid = _sid()
        line = Line(sid, address, self._seats_of(caller), str(caller.guest.role), caller.screen)
        self._room.presence.opened(line)
        with self._lock:
            self._callers[sid] = caller
            self._push(sid, caller)
        self.changed()

    def _caller(self, given: Mapping[str, Any]) -> Caller | None:
        """Return who calls, None for a dead token. Without one, the computer itself may be host."""
        token = given.get("token")
        token = token if isinstance(token, str) else ""
        role = str(given.get("as") or ("seat" if token else "watch"))
        guest: Guest | None
        match role:
            case Role.SEAT:
                guest = self._room.guest_by_seat_token(token)
            case Role.HOST if not token and comes_from_here():
                guest = Guest(Role.HOST, None, "here")
            case Role.HOST:
                guest = self._room.guest_by_host_token(token)
            case Role.SCREEN | Role.OVERLAY:
                guest = Guest(Role(role))
            case _:
                guest = Guest(Role.WATCH)
        if guest is None:
            return None
        is_here = guest.role is Role.SCREEN and comes_from_here()
        audience = Audience(guest.role, is_here=is_here)
        if guest.seat is not None:
            audience = self._room.audience_of(token, guest.seat)
        # Pushes have no request in hand that says it.
        audience = replace(audience, language=self._room.sections.language())
        wants_values = given.get("wants") == "values"
        named = given.get("screen")
        screen = mark_of(named) if guest.role is Role.SCREEN and isinstance(named, str) else ""
        rate, marks = Rate(self._now_ms), _marks(given.get("is"))
        unpacks = given.get("unpacks") is True
        return Caller(guest, audience, wants_values, rate, token, screen, unpacks, marks)

    def _disconnect(self, reason: object = None) -> None:
        sid = _sid()
        with self._lock:
            self._callers.pop(sid, None)
        self._room.presence.closed(sid, was_silent=str(reason) == "ping timeout")
        self.changed()

    def _tap(self, sid: str, message: object = None, *rest: object) -> dict[str, Any]:
        caller = self._callers.get(sid)
        language = caller.audience.language if caller else ""
        if caller is None or self._is_dead(caller):
            return self._room.refusal(Sentence("web.seat.gone"), language)
        if not caller.rate.allows():
            return self._room.refusal(Sentence("web.refused.too_fast"), language)
        try:
            tap = read_tap(message)
        except NotATap as error:
            return self._room.refusal(error.why, language)
        receipt = self._room.desk.take(tap, caller.guest)
        if receipt.is_done:
            self._room.presence.tapped(sid, datetime.now(UTC).isoformat(timespec="seconds"))
        return self._room.answer(receipt, language)

    def _sync(self, message: object = None, *rest: object) -> dict[str, Any]:
        caller = self._callers.get(_sid())
        if caller is None:
            return self._room.refusal(Sentence("web.seat.gone"))
        given = message if isinstance(message, Mapping) else {}
        with self._lock:
            if caller.wants_values:
                return view_out(self._room.host.table.look(caller.guest.seat), caller.guest.seat)
            shown = self._room.sections.show(caller.audience)
            caller.has = dict(shown.now)
            return _for(caller, self._room.message(shown, _marks(given.get("is"))))

    def _join(self, message: object = None, *rest: object) -> dict[str, Any]:
        caller = self._callers.get(_sid())
        given = message if isinstance(message, Mapping) else {}
        name, seat = given.get("name"), given.get("seat")
        if caller is not None and not caller.rate.allows():
            return self._room.refusal(Sentence("web.refused.too_fast"))
        if not isinstance(name, str) or not isinstance(seat, str) or seat not in self._room.seats_to_join():
            return self._room.refusal(Sentence("web.seat.none"))
        beside = given.get("beside")
        try:
            token = self._room.sit(Seat(seat), name, beside=beside if isinstance(beside, str) else "")
        except NotSeated as error:
            return self._room.refusal(error.why)
        self.changed()
        return {"ok": True, "token": token, "seat": seat}

    def _is_settled(self, sid: str, caller: Caller) -> bool:
        """Look who the caller is by now, if that may have changed; tell whether it still has a place."""
        settled = (self._room.seats.version, self._room.host.row.id)
        if caller.settled == settled:
            return True
        if self._is_dead(caller):
            return False
        if caller.guest.seat is not None:
            held = self._room.audience_of(caller.token, caller.guest.seat).held
            caller.audience = replace(caller.audience, held=held)
            if self._room.presence.holds(sid, self._seats_of(caller)):
                self._changed.set()
        if caller.screen:
            is_trusted = self._room.seats.is_trusted(caller.screen)
            caller.audience = replace(caller.audience, is_trusted=is_trusted)
        caller.settled = settled
        return True

    def _is_dead(self, caller: Caller) -> bool:
        """Tell whether the seat of a line was given free since it was opened, or its host sent away."""
        if caller.guest.role is Role.HOST:
            return bool(caller.token) and not self._room.seats.is_host(caller.token)
        return caller.guest.role is Role.SEAT and self._room.guest_by_seat_token(caller.token) is None

    def _gone(self, token: str) -> dict[str, Any]:
        """Return what a phone is told whose seat is gone: ``to`` is where it goes on."""
        return {"gone": True, "to": self._room.after_leaving(token)}

    def _seats_of(self, caller: Caller) -> frozenset[Seat]:
        return frozenset(self._room.held_with(caller.token)) if caller.guest.seat else frozenset()

    # To phones

    def _work(self) -> None:
        while True:
            due_ms = self._room.presence.due_in_ms()
            number_ms = self._room.moving.due_in_ms()
            self._changed.wait(max(1, number_ms if due_ms is None else min(due_ms, number_ms)) / 1000)
            if self._is_closed:
                return
            self._changed.clear()
            self._room.presence.due_in_ms()
            self._room.moving.number()
            with self._lock:
                # Seats first: a tap is felt there; the host's page is the longest to draw.
                callers = sorted(self._callers.items(), key=lambda one: PUSH_ORDER.index(one[1].guest.role))
            for alike in _alike(callers):
                try:
                    with self._lock:
                        self._push_alike(alike)
                # One of the loops that must not end: a page that cannot be drawn is a fault to be
                # read in the log, and the next change draws it anew.
                except Exception:
                    log.exception("sockets: %s could not be shown", alike[0][1].audience.room)

    def _values(self, seen: TableView, seat: Seat | None) -> dict[str, Any]:
        """Return a view as values, made once for all who may see it. The lock is held."""
        now = (seen.table, seen.shown)
        if self._views.get(seat, ((), {}))[0] != now:
            self._views[seat] = (now, view_out(seen, seat))
        return self._views[seat][1]

    def _push_alike(self, alike: Sequence[tuple[str, Caller]]) -> None:
        """Send callers that have the same what they do not have yet, by one message. The lock is held."""
        here = [(sid, caller) for sid, caller in alike if sid in self._callers]
        while here:
            first = here[0][1]
            has = (first.shown, first.has)  # one may have asked by itself since they were put together
            same = [(sid, caller) for sid, caller in here if (caller.shown, caller.has) == has]
            here = [one for one in here if one not in same]
            self._push(same[0][0], first, to=[sid for sid, _ in same])
            for _, caller in same[1:]:
                caller.shown, caller.has = first.shown, first.has

    def _push(self, sid: str, caller: Caller, *, to: Sequence[str] = ()) -> None:
        """Send what a caller does not have yet. The lock is held, so that messages stay in order."""
        if not self._is_settled(sid, caller):
            self._io.emit("gone", self._gone(caller.token), to=sid)
            return
        if caller.wants_values:
            seen = self._room.host.table.look(caller.guest.seat)
            if caller.shown != (seen.table, seen.shown):
                caller.shown = (seen.table, seen.shown)
                self._io.emit("view", self._values(seen, caller.guest.seat), to=list(to) or sid)
            return
        shown = self._room.sections.show(caller.audience)
        timer = self._room.timer()
        clock = None if timer is None else (timer[0], timer[2])
        state = (shown.table, shown.seq, clock, self._room.whereabouts.version, *shown.now.values())
        if caller.shown == state:
            return
        caller.shown = state
        message = _for(caller, self._room.message(shown, caller.has))
        caller.has = dict(shown.now)
        self._io.emit("shown", message, to=list(to) or sid)


def _alike(callers: Sequence[tuple[str, Caller]]) -> list[list[tuple[str, Caller]]]:
    """Return callers in their order; those who watch and have the same stand together."""
    groups: dict[object, list[tuple[str, Caller]]] = {}
    for sid, caller in callers:
        alone = caller.guest.role is not Role.WATCH
        has = (
            caller.wants_values,
            caller.unpacks,
            caller.audience,
            caller.shown,
            *sorted(caller.has.items()),
        )
        groups.setdefault(sid if alone else has, []).append((sid, caller))
    return list(groups.values())


def _for(caller: Caller, message: dict[str, Any]) -> dict[str, Any]:
    return packed_message(message) if caller.unpacks else message


def _sid() -> str:
    return str(request.sid)  # type: ignore[attr-defined]


def _marks(given: object) -> dict[str, str]:
    if not isinstance(given, Mapping):
        return {}
    return {str(name): str(mark) for name, mark in list(given.items())[:40] if len(str(mark)) <= 64}
