"""An evening of the invented game behind a real web server, with the pages that look at it."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.browser.cable import Cable
from tests.browser.pages import DESK, Pages
from tests.browser.served import Served
from tests.web.lantern_house import LanternHouse


class Evening(Pages):
    """A served house and the pages that look at it."""

    def __init__(self, browser: Browser, tmp_path: Path) -> None:
        self.house = LanternHouse()
        self.served = Served(self.house, seats_path=tmp_path / "seats.sqlite")
        self.cable = Cable(self.served.port)
        super().__init__(browser, self.served.url)

    def phone(self, name: str, seat: str, **options: Any) -> Page:
        """Sit down with two taps, and wait for the line."""
        page = super().phone(name, seat, **options)
        if options.get("java_script_enabled", True):
            expect(page.locator("body")).to_have_attribute("data-line", re.compile("up|back"))
        return page

    def host(self, **options: Any) -> Page:
        return self.page("/host", options.pop("viewport", DESK), **options)

    def lit(self, count: int = 2) -> Page:
        host = self.host()
        host.get_by_role("button", name=f"{count} lanterns").click()
        expect(host.get_by_text(f"{count} lanterns are lit").first).to_be_visible()
        return host

    @contextmanager
    def told(self, *, seq: int) -> Iterator[None]:
        """Wait in the end until the journal has so many entries."""
        reached = threading.Event()
        end = self.house.table.on_change(lambda: self.house.table.look(None).seq >= seq and reached.set())
        yield
        assert reached.wait(10)
        end()

    def close(self) -> None:
        self.close_pages()
        self.cable.cut()
        self.served.close()
        self.house.close()
