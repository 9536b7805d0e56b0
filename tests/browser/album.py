"""A folder of pictures of pages, and the table whose phones, host and screens they show."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from itertools import cycle
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from companion.game import Seat
from tests.browser.served import Served
from tests.web.monster_house import MonsterHouse

PHONE, NARROW = (390, 844), (320, 640)
DESK = (1440, 900)
SCREENS = {"1080p": (1920, 1080), "portrait": (1080, 1920)}
MOST_STEPS = 1200
SETTLE_MS = 500
QUALITY = 68


class Album:
    """A folder of pictures, each of a page that was opened for it."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        self._folder = folder
        self._browser = browser
        self._url = self.prefix = ""
        self._chapters: dict[str, list[str]] = {}
        self._names: list[str] = []
        folder.mkdir(parents=True, exist_ok=True)

    def open(self, chapter: str, url: str, prefix: str = "") -> None:
        """Begin a chapter with the pages of a service; the names of its pictures begin with ``prefix``."""
        self._url, self.prefix = url, prefix
        self._names = self._chapters[chapter] = []

    def page(self, path: str, size: tuple[int, int], scheme: str = "light", **options: Any) -> Page:
        """Open a page of a size in px."""
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            reduced_motion="reduce",
            **options,
        )
        page = context.new_page()
        page.goto(self._url + path)
        return page

    def take(self, page: Page, name: str, *, whole: bool = False) -> None:
        """Take a picture of a page as it is now."""
        page.wait_for_timeout(SETTLE_MS)
        file = self._folder / f"{self.prefix}{name}.jpg"
        page.screenshot(path=file, full_page=whole, type="jpeg", quality=QUALITY)
        self._names.append(file.name)

    def has(self, name: str) -> bool:
        """Tell whether this chapter has a picture of that name."""
        return f"{self.prefix}{name}.jpg" in self._names

    def both(self, path: str, name: str, *, whole: bool = True, **options: Any) -> None:
        """Take a phone's page in light and in dark."""
        for scheme in ("light", "dark"):
            self.once(path, f"{name}-{scheme}", PHONE, scheme, whole=whole, **options)

    def once(
        self,
        path: str,
        name: str,
        size: tuple[int, int],
        scheme: str = "light",
        *,
        whole: bool = False,
        do: Callable[[Page], object] | None = None,
        **options: Any,
    ) -> None:
        """Open a page, do something on it, take its picture, close it."""
        page = self.page(path, size, scheme, **options)
        if do is not None:
            do(page)
        self.take(page, name, whole=whole)
        page.context.close()

    def write_page(self) -> None:
        """Write the page that shows all pictures."""
        lines = ["# Every page", "", "Taken by `python -m tests.browser.make_screenshots`."]
        for chapter, names in self._chapters.items():
            lines += ["", f"## {chapter}", "", *(f"![{Path(name).stem}]({name})" for name in names)]
        (self._folder / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


class Sitting:
    """A served table and the pages of two phones that sit at it."""

    def __init__(self, house: MonsterHouse, album: Album, names: Mapping[str, str], **options: Any) -> None:
        self.house, self.album, self.names = house, album, names
        self.served = Served(house, **options)
        self.phones: dict[str, Page] = {}
        self.chance = random.Random(3)

    def sit_down(self) -> None:
        for (seat, name), scheme in zip(self.names.items(), cycle(("light", "dark")), strict=False):
            phone = self.album.page("/", PHONE, scheme)
            phone.fill("#name", name)
            phone.click(f"button[value={seat}]")
            phone.wait_for_url("**/seat/**")
            self.phones[seat] = phone

    def seat(self, seat: str) -> str:
        """Return the path of a seat's page."""
        return self.phones[seat].url.removeprefix(self.served.url)

    def play(self, until: Callable[[Any], bool]) -> None:
        """Play on; take a phone's picture whenever it is asked something new."""
        for _ in range(MOST_STEPS):
            for seat, phone in self.phones.items():
                view = self.house.table.look(Seat(seat)).view
                key = next((one.say.key for one in view.prompts if one.seat == seat), "")
                name = f"seat-{key.rpartition('.')[2].replace('_', '-')}"
                if key and not self.album.has(name):
                    self.album.take(phone, name)
            if until(self.house.table.look(None).view) or not self.house.step(self.chance):
                return

    def screens(self, name: str, query: str = "") -> None:
        """Take the big screen as it is now, lying and upright."""
        for shape, size in SCREENS.items():
            self.album.once(f"/screen{query}", f"{name}-{shape}", size)

    def close(self) -> None:
        """Stop serving; the house is closed with it."""
        self.served.close()
        self.house.close()
