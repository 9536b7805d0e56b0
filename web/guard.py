"""The doorkeeper: which names this service answers to, and which pages may post to it.

``HostGuard`` stands outside Flask and Socket.IO alike, because neither asks for the name by
itself: a page on the internet could point its own name at the table (DNS rebinding).
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
"""No inline script, no inline style, nothing from elsewhere."""

REFUSAL = b"This table does not answer to that name. Open the address that the big screen shows.\n"


def host_name(header: str) -> str:
    """Return the name in a Host header without its port, in small letters; empty if there is none."""
    try:
        return (urlsplit(f"//{header.strip()}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_private_address(name: str) -> bool:
    """Tell whether a name is an address of this computer or of a private network."""
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_private or address.is_link_local


def is_loopback(address: str) -> bool:
    """Tell whether an address is this computer's own."""
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return False


class HostGuard:
    """WSGI around WSGI: answers 421 to every name that is not the table's own."""

    def __init__(self, inner: WSGIApplication, allowed: Iterable[str]) -> None:
        self._inner = inner
        own = socket.gethostname().lower()
        short = own.partition(".")[0]
        self._names = {"localhost", own, f"{short}.local", *(name.lower() for name in allowed)}

    def allows(self, header: str) -> bool:
        """Tell whether a Host header names this table."""
        name = host_name(header)
        return name in self._names or is_private_address(name)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if self.allows(environ.get("HTTP_HOST", "")):
            return self._inner(environ, start_response)
        headers = [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(REFUSAL)))]
        start_response("421 Misdirected Request", headers)
        return [REFUSAL]


def guard_posts(app: Flask) -> None:
    """Refuse forms sent by other pages, and send the policy with every answer."""

    @app.before_request
    def same_origin() -> None:
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return
        origin = request.headers.get("Origin")
        if origin is not None and origin != f"{request.scheme}://{request.host}":
            abort(403, "This form was sent by another page. Open the table's own page and try again.")
        if origin is None and request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
            abort(403, "This form was sent by another page. Open the table's own page and try again.")

    @app.after_request
    def policy(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        # Not "no-referrer": with it browsers send forms with the origin "null".
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def comes_from_here() -> bool:
    """Tell whether the request in hand comes from this computer itself and through no proxy."""
    forwarded = any(name in request.headers for name in ("X-Forwarded-For", "Forwarded", "X-Real-IP"))
    return not forwarded and is_loopback(request.remote_addr or "")
