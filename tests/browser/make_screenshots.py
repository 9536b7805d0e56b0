"""Take a picture of every page in every state: ``python -m tests.browser.make_screenshots FOLDER``.

Each game is played at a table in memory by its own players; Chromium looks on as phones, host and big screen,
light and dark, in English and German. ``FOLDER/README.md`` shows all.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from pathlib import Path

from companion.game import Seat
from tests.browser.album import DESK, NARROW, PHONE, SCREENS, Album, Sitting
from tests.browser.graveyard_screenshots import graveyard_pages
from tests.browser.science_screenshots import science_pages
from tests.browser.served import chromium
from tests.web.monster_house import MonsterHouse

SEATS = {"red": "Mia", "blue": "Ravi", "green": "Ada"}


def main(folder: Path) -> None:
    """Play every game and take pictures."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with chromium() as browser:
        album = Album(folder, browser)
        for pages in (monster_pages, science_pages, graveyard_pages):
            pages(album)
        album.write_page()


def monster_pages(album: Album) -> None:
    """Play *Making Monsters* with three seats."""
    house = MonsterHouse()
    sitting = Sitting(house, album, SEATS, address="http://192.168.4.1:8080/", own_name="companion.local")
    album.open("Making Monsters", sitting.served.url)
    before_the_game(album)
    house.tap({"do": "set_up", "seats": list(SEATS), "track": 12})
    sitting.sit_down()
    at_the_door(sitting)
    sitting.play(lambda view: (view.round or 0) >= 3)
    in_the_middle(sitting)
    sitting.play(lambda view: view.is_over)
    afterwards(sitting)
    sitting.close()


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
    sitting.screens("screen")
    sitting.screens("screen-quiet", "?quiet")
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
    sitting.screens("screen-over")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
