"""A house behind a real web server in this process, and a real browser to look at it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from werkzeug.serving import BaseWSGIServer, make_server

from web.app import Web, WebOptions, create_app

CHROMIUM = "/usr/bin/chromium"
ARGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Served:
    """A house that is served on loopback until it is closed."""

    def __init__(self, house: Any, *, port: int = 0, **options: Any) -> None:
        self.house = house
        options.setdefault("pin", "123456")
        self.app, self.socketio = create_app(house, WebOptions(**options))
        self.web: Web = self.app.extensions["companion"]
        self._server: BaseWSGIServer = make_server("127.0.0.1", port, self.app, threaded=True)
        self._server.daemon_threads = True  # type: ignore[attr-defined]
        self.port: int = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self.web.close()
        self._thread.join()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Debian's Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        try:
            yield browser
        finally:
            browser.close()
