"""An evening of the invented game behind a real web server, with the pages that look at it."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.cable import Cable
from tests.browser.served import Served
from tests.web.lantern_house import LanternHouse

PHONE = {"width": 390, "height": 844}
NARROW = {"width": 320, "height": 640}
DESK = {"width": 1440, "height": 900}
TV = {"width": 1920, "height": 1080}


class Evening:
    """A served house and the pages that look at it."""

    def __init__(self, browser: Browser, tmp_path: Path) -> None:
        self._browser = browser
        self.house = LanternHouse()
        self.served = Served(self.house, seats_path=tmp_path / "seats.sqlite")
        self.cable = Cable(self.served.port)
        self.complaints: list[str] = []
        self._contexts: list[Any] = []

    def page(self, path: str = "/", viewport: dict[str, int] | None = None, **options: Any) -> Page:
        script, url = options.pop("script", ""), options.pop("url", "")
        context = self._browser.new_context(viewport=viewport or PHONE, **options)
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on(
            "console",
            lambda said: self.complaints.append(said.text) if "Content Security" in said.text else None,
        )
        if script:
            page.add_init_script(script)
        page.goto((url or self.served.url) + path)
        return page

    def phone(self, name: str, seat: str, **options: Any) -> Page:
        """Sit down with two taps."""
        page = self.page(**options)
        page.get_by_label("Your name").fill(name)
        page.locator(f"button[value={seat}]").click()
        page.wait_for_url("**/seat/**")
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
        for context in self._contexts:
            context.close()
        self.cable.cut()
        self.served.close()
        self.house.close()


def check(pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        found = Axe().run(page).response["violations"]
        said = [f"{one['id']}: {[node['html'][:160] for node in one['nodes']]}" for one in found]
        assert said == [], f"{name}: {said}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} sticks out"
