"""Making what goes over the Wi-Fi small: pages by gzip, long messages of the line by zlib.

A page of many forms is thirty kB of much the same; packed it is four, whatever the length of the game.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, request

LEAST_BYTES = 1400
"""What fits into one packet gains nothing."""

LONG_LETTERS = 3000
QUICK = 1
"""Of zlib's levels: the highest saves a tenth more and takes five times as long."""

TEXTS = ("text/html", "text/csv", "application/json")


def pack_pages(app: Flask) -> None:
    """Send pages packed to browsers that take it."""

    @app.after_request
    def packed(response: Response) -> Response:
        is_plain = response.mimetype in TEXTS and not response.is_streamed
        if not is_plain or response.content_encoding or response.status_code == 304:
            return response
        response.headers.add("Vary", "Accept-Encoding")
        if request.accept_encodings.quality("gzip") <= 0 or request.method == "HEAD":
            return response
        body = response.get_data()
        if len(body) >= LEAST_BYTES:
            response.set_data(gzip.compress(body, QUICK, mtime=0))
            response.content_encoding = "gzip"
        return response


def packed_message(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message with its sections packed as ``zip``, if they are long: zlib of their JSON."""
    html = message["html"]
    if sum(map(len, html.values())) < LONG_LETTERS:
        return dict(message)
    plain = json.dumps(html, ensure_ascii=False).encode()
    rest = {name: value for name, value in message.items() if name != "html"}
    return {**rest, "zip": zlib.compress(plain)}
