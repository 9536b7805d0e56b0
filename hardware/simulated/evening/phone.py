"""A phone of a player that is not a person: joins over Socket.IO and sees what its seat may see."""

from __future__ import annotations

import itertools
import secrets
import threading
from collections.abc import Mapping
from typing import Any

import socketio

CALL_S = 20
CONNECT_S = 15


class PhoneRefused(RuntimeError):
    """The service would not let a phone in, or went away."""


class Phone:
    """One open line to the service. ``role`` is ``seat``, ``host`` or ``watch``.

    Views are kept whole and newest only, as JSON (the ``view`` message of the sockets).
    """

    def __init__(self, url: str, *, role: str, token: str = "") -> None:
        self._role = role
        self._client: Any = socketio.Client(reconnection_delay=0.25, reconnection_delay_max=1.0)
        self._changed = threading.Condition()
        self._view: Mapping[str, Any] | None = None
        self._count = 0
        self.is_gone = False
        self._names = (f"{secrets.token_hex(4)}-{number}" for number in itertools.count())
        self._client.on("view", self._shown)
        self._client.on("gone", self._sent_away)
        auth = {"as": role, "wants": "values", **({"token": token} if token else {})}
        try:
            self._client.connect(url, auth=auth, transports=["websocket"], wait_timeout=CONNECT_S)
        except socketio.exceptions.ConnectionError as error:
            raise PhoneRefused(f"No phone gets a line to {url}: {error}.") from error

    @classmethod
    def sit_down(cls, url: str, seat: str, name: str) -> Phone:
        """Take a free seat and return its phone. Raises PhoneRefused."""
        visitor = cls(url, role="watch")
        try:
            answer = visitor._client.call("join", {"seat": seat, "name": name}, timeout=CALL_S)
        finally:
            visitor.close()
        if not answer.get("ok"):
            raise PhoneRefused(f"{name} cannot sit at {seat}: {answer.get('why', 'no reason was given')}")
        return cls(url, role="seat", token=str(answer["token"]))

    def tap(self, **deed: Any) -> Mapping[str, Any]:
        """Send a tap (``command=``, ``accept=``, ``correct=`` ...) and return its receipt."""
        view = self._view or {}
        message = {"id": next(self._names), "seq": view.get("seq"), **deed}
        try:
            return dict(self._client.call("tap", message, timeout=CALL_S))
        except (socketio.exceptions.SocketIOError, TimeoutError) as error:
            return {"ok": False, "why": f"The line broke: {error}"}

    def look(self, *, after: int, timeout_s: float) -> tuple[int, Mapping[str, Any] | None]:
        """Wait for a view newer than number ``after``; return its number and the view, as they stand."""
        with self._changed:
            self._changed.wait_for(lambda: self._count > after or self.is_gone, timeout_s)
            return self._count, self._view

    def close(self) -> None:
        self._client.disconnect()

    def _shown(self, view: Mapping[str, Any]) -> None:
        with self._changed:
            self._view = view
            self._count += 1
            self._changed.notify_all()

    def _sent_away(self, _message: Any = None) -> None:
        with self._changed:
            self.is_gone = True
            self._changed.notify_all()
