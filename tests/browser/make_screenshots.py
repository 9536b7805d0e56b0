"""Take a picture of every page: ``python -m tests.browser.make_screenshots FOLDER``.

Three seats play the first rounds of *Making Monsters* at a table in memory, by the game's own
player; Chromium looks on as two phones, host and big screen.
"""

from __future__ import annotations

import logging
import random
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.browser.served import Served, chromium
from tests.web.monster_house import MonsterHouse

PHONE = {"width": 390, "height": 844}
MOST_STEPS = 900
SETTLE_MS = 700
SEATS = {"red": "Mia", "blue": "Ravi", "green": "Ada"}


class Album:
    """A folder of pictures."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        self._folder = folder
        self._browser = browser
        folder.mkdir(parents=True, exist_ok=True)

    def page(self, url: str, size: dict[str, int], scheme: str = "light", scale: float = 2) -> Page:
        page = self._browser.new_context(
            viewport=size, color_scheme=scheme, device_scale_factor=scale, reduced_motion="reduce"
        ).new_page()
        page.goto(url)
        return page

    def take(self, page: Page, name: str, *, whole: bool = False) -> None:
        page.wait_for_timeout(SETTLE_MS)
        page.screenshot(path=self._folder / f"{name}.png", full_page=whole)


def main(folder: Path) -> None:
    """Play and take pictures."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    house = MonsterHouse()
    served = Served(house, address="http://192.168.4.1:8080/", own_name="companion.local")
    with chromium() as browser:
        album = Album(folder, browser)
        host = album.page(f"{served.url}/host", {"width": 1440, "height": 900}, scale=1)
        album.take(host, "host-start")
        house.tap({"do": "set_up", "seats": list(SEATS), "track": 12})
        join = album.page(served.url, PHONE)
        album.take(join, "join-light")
        phones = {}
        for (seat, name), scheme in zip(list(SEATS.items())[:2], ("light", "dark"), strict=True):
            phone = album.page(served.url, PHONE, scheme)
            phone.fill("#name", name)
            phone.click(f"button[value={seat}]")
            phone.wait_for_url("**/seat/**")
            phones[seat] = phone
        album.take(album.page(served.url, PHONE, "dark"), "join-dark")
        screen = album.page(f"{served.url}/screen", {"width": 1920, "height": 1080}, scale=1)
        _play(house, album, phones)
        album.take(screen, "screen")
        album.take(host, "host")
        album.take(album.page(f"{served.url}/host", PHONE, "dark"), "host-phone-dark", whole=True)
        album.take(album.page(f"{served.url}/watch", PHONE), "watch")
        album.take(phones["red"], "seat-whole", whole=True)
    served.close()
    house.close()


def _play(house: MonsterHouse, album: Album, phones: dict[str, Page]) -> None:
    """Play into the fourth round; take a phone's picture whenever it is asked something new."""
    chance = random.Random(3)
    asked: set[str] = set()
    for _ in range(MOST_STEPS):
        for seat, phone in phones.items():
            view = house.table.look(seat).view  # type: ignore[arg-type]
            key = next((one.say.key for one in view.prompts if one.seat == seat), "")
            if key and key not in asked:
                asked.add(key)
                album.take(phone, f"seat-{key.rpartition('.')[2].replace('_', '-')}")
        if (house.table.look(None).view.round or 0) >= 4 or not house.step(chance):
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]))
