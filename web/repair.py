"""The page of last resort: no table can be opened, so nothing but its reason is served, and it tries again.

Made without templates, catalogues or a folder that may be written: each of them may be what is broken.
"""

from __future__ import annotations

import html
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

TRY_AGAIN_S = 3.0

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="5">
<title>The table cannot be opened</title></head>
<body><h1>The table cannot be opened</h1><p>{why}</p>
<p>Nothing was deleted. As soon as that is mended, the table opens by itself; this page looks every few
seconds. On the computer of the table <code>companion doctor</code> says more.</p></body></html>
"""


class RepairPage:
    """WSGI: answers every address with what is wrong, and asks for a fresh worker every few seconds."""

    def __init__(
        self, why: str, begin_again: Callable[[], None], *, try_again_s: float = TRY_AGAIN_S
    ) -> None:
        self._page = PAGE.format(why=html.escape(why)).encode()
        timer = threading.Timer(try_again_s, begin_again)
        timer.daemon = True
        timer.start()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        headers = [
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Length", str(len(self._page))),
            ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
            ("Cache-Control", "no-store"),
        ]
        start_response("503 Service Unavailable", headers)
        return [self._page]
