"""Pages that a real browser has open, and what they complain of."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page

PHONE = {"width": 390, "height": 844}
NARROW = {"width": 320, "height": 640}
DESK = {"width": 1440, "height": 900}
TV = {"width": 1920, "height": 1080}


class Pages:
    """The pages of one service at ``url``, each in a context of its own like a phone."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self._url = url
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def page(self, path: str = "/", viewport: dict[str, int] | None = None, **options: Any) -> Page:
        """Open a page; ``script`` runs in it first, ``url`` is another address of the service."""
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
        page.goto((url or self._url) + path)
        return page

    def phone(self, name: str, seat: str, **options: Any) -> Page:
        """Sit down with two taps."""
        page = self.page(**options)
        page.get_by_label("Your name").fill(name)
        page.locator(f"button[value={seat}]").click()
        page.wait_for_url("**/seat/**")
        return page

    def close_pages(self) -> None:
        for context in self._contexts:
            context.close()


def check(pages: dict[str, Page]) -> None:
    """Hold pages, by name, against axe, and see that nothing sticks out to the side."""
    for name, page in pages.items():
        found = Axe().run(page).response["violations"]
        said = [f"{one['id']}: {[node['html'][:160] for node in one['nodes']]}" for one in found]
        assert said == [], f"{name}: {said}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} sticks out"
