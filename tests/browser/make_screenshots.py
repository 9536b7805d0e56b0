"""Take a picture of every page in every state: ``python -m tests.browser.make_screenshots FOLDER``.

Three seats play a game of *Making Monsters* at a table in memory, by the game's own players; Chromium looks
on as phones, host and big screen, light and dark, in English and German. ``FOLDER/README.md`` shows all.
"""

from __future__ import annotations

import logging
import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from companion.game import Seat
from tests.browser.served import Served, chromium
from tests.web.monster_house import MonsterHouse

PHONE, NARROW = (390, 844), (320, 640)
DESK = (1440, 900)
SCREENS = {"1080p": (1920, 1080), "portrait": (1080, 1920)}
MOST_STEPS = 900
SETTLE_MS = 500
SEATS = {"red": "Mia", "blue": "Ravi", "green": "Ada"}
QUALITY = 68


class Album:
    """A folder of pictures, each of a page that was opened for it."""

    def __init__(self, folder: Path, browser: Browser, url: str) -> None:
        self._folder = folder
        self._browser = browser
        self._url = url
        self.names: list[str] = []
        folder.mkdir(parents=True, exist_ok=True)

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
        file = self._folder / f"{name}.jpg"
        page.screenshot(path=file, full_page=whole, type="jpeg", quality=QUALITY)
        self.names.append(name)

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
        lines = ["# Every page", "", "Taken by `python -m tests.browser.make_screenshots`.", ""]
        lines += [f"![{name}]({name}.jpg)" for name in self.names]
        (self._folder / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


class Sitting:
    """A served table and the pages of two phones that sit at it."""

    def __init__(self, served: Served, house: MonsterHouse, album: Album) -> None:
        self.house, self.served, self.album = house, served, album
        self.phones: dict[str, Page] = {}
        self.chance = random.Random(3)

    def sit_down(self) -> None:
        for (seat, name), scheme in zip(SEATS.items(), ("light", "dark", "light"), strict=True):
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
                if key and name not in self.album.names:
                    self.album.take(phone, name)
            if until(self.house.table.look(None).view) or not self.house.step(self.chance):
                return


def main(folder: Path) -> None:
    """Play and take pictures."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    house = MonsterHouse()
    served = Served(house, address="http://192.168.4.1:8080/", own_name="companion.local")
    with chromium() as browser:
        album = Album(folder, browser, served.url)
        sitting = Sitting(served, house, album)
        before_the_game(album)
        house.tap({"do": "set_up", "seats": list(SEATS), "track": 12})
        sitting.sit_down()
        at_the_door(sitting)
        sitting.play(lambda view: (view.round or 0) >= 3)
        in_the_middle(sitting)
        sitting.play(lambda view: view.is_over)
        afterwards(sitting)
        album.write_page()
    served.close()
    house.close()


def before_the_game(album: Album) -> None:
    """Nobody sits, nothing is set up."""
    album.once("/host", "host-start", DESK)
    album.both("/", "join")
    album.once("/?language=de", "join-deutsch", PHONE, whole=True)
    album.once("/", "join-narrow", NARROW, "dark", whole=True)
    for name, size in SCREENS.items():
        album.once("/screen", f"screen-attract-{name}", size)


def at_the_door(sitting: Sitting) -> None:
    """Seats move, the PIN is asked, somebody is late."""
    album = sitting.album
    album.both("/", "join-taken")
    album.once(f"{sitting.seat('red')}more", "one-more-seat", PHONE, whole=True)
    move = lambda page: page.get_by_role("button", name="Move to another phone").click()  # noqa: E731
    album.once(sitting.seat("red"), "move", PHONE, "dark", do=move)
    album.once("/nowhere", "trouble", PHONE)
    ticket = sitting.served.web.room.moving.ticket_for(Seat("green"))
    album.once(f"/take/{ticket}", "take", PHONE, "dark")
    album.once("/host", "pin", PHONE, extra_http_headers={"X-Forwarded-For": "192.168.4.20"})


def in_the_middle(sitting: Sitting) -> None:
    """A round is played."""
    album, web, row = sitting.album, sitting.served.web, sitting.house.row
    red = sitting.seat("red")
    host = f"/host/{web.room.seats.admit_host()}/"
    for name, path in pages_of(red, host).items():
        album.both(path, name)
    album.once(host, "host-light", DESK)
    album.once(host, "host-dark", DESK, "dark", whole=True)
    album.once(f"{host}?language=de", "host-deutsch", DESK, whole=True)
    album.once(f"{red}?language=de", "seat-deutsch", PHONE, whole=True)
    bigger = lambda page: [page.locator("[data-size]").click() for _ in range(2)]  # noqa: E731
    album.once(red, "seat-biggest", PHONE, do=bigger)
    album.once(red, "seat-narrow", NARROW, "dark", do=bigger)
    album.once(red, "seat-without-script", PHONE, whole=True, java_script_enabled=False)
    for name, size in SCREENS.items():
        album.once("/screen", f"screen-{name}", size)
        album.once("/screen?quiet", f"screen-quiet-{name}", size)
    album.once("/screen?language=de", "screen-deutsch", SCREENS["1080p"])
    album.once("/overlay", "overlay", SCREENS["1080p"])
    web.room.manner.set_timer(row.id, 120)
    web.room.manner.pause(row.id, is_paused=True)
    album.once(red, "seat-paused", PHONE)
    album.once("/screen", "screen-paused", SCREENS["1080p"])
    web.room.manner.pause(row.id, is_paused=False)
    web.room.manner.show_first_game(row.id, is_first=True)
    album.once(red, "seat-first-game", PHONE)
    web.room.manner.show_first_game(row.id, is_first=False)


def pages_of(red: str, host: str) -> Mapping[str, str]:
    """Return the pages of a seat and of the host that are pages of their own, by name."""
    return {
        "seat-whole": red,
        "watch": "/watch",
        "log": f"{red}log",
        "why": f"{red}why/score.red",
        "host-phone": host,
        "host-mend": f"{host}mend/2",
        "host-strike": f"{host}strike/2",
        "host-end": f"{host}end",
        "box": f"{host}box/",
        "after-so-far": "/after",
        "journal": "/after/journal",
    }


def afterwards(sitting: Sitting) -> None:
    """The game is over."""
    album = sitting.album
    for name, path in (("after", "/after"), ("sheet", "/after/sheet"), ("evenings", "/evenings")):
        album.both(path, name)
    album.once("/after?language=de", "after-deutsch", PHONE, whole=True)
    album.take(sitting.phones["red"], "seat-over", whole=True)
    for name, size in SCREENS.items():
        album.once("/screen", f"screen-over-{name}", size)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
