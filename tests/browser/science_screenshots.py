"""Pictures of *Mad Science The Card Game*, from the first roll to the last part."""

from __future__ import annotations

from typing import Any

from companion.game import Standing
from tests.browser.album import DESK, PHONE, Album, Sitting
from tests.web.monster_house import ScienceHouse

SEATS = {"cyclops": "Mia", "ghoul": "Ravi", "slime": "Ada"}


def science_pages(album: Album) -> None:
    """Play a game with three seats that let their phones roll and are told their odds."""
    house = ScienceHouse()
    sitting = Sitting(house, album, SEATS, address="http://192.168.4.1:8080/")
    album.open("Mad Science", sitting.served.url, "science-")
    album.once("/host", "host-start", DESK)
    house.tap({"do": "set_up", "seats": list(SEATS), "options": {"virtual_die": "yes"}})
    house.tap({"do": "show_odds", "is_on": True})
    sitting.sit_down()
    sitting.play(lambda view: view.facts["stage"] == "play")
    sitting.screens("screen-build")
    sitting.play(any_part_is_down)
    fighting(sitting, "battle")
    sitting.play(lambda view: view.facts["phase"] == "break" and view.facts["stage"] == "target")
    fighting(sitting, "break")
    sitting.play(lambda view: view.is_over)
    album.both("/after", "after")
    sitting.screens("screen-over")
    sitting.close()


def any_part_is_down(view: Any) -> bool:
    """Tell whether a creature has a part that is turned over."""
    return any(mark.standing is Standing.OFF for seat in view.seats for mark in seat.marks)


def fighting(sitting: Sitting, name: str) -> None:
    """Take what the first seat, the host and the big screen show now."""
    sitting.album.both(sitting.seat("cyclops"), f"seat-whole-{name}")
    sitting.screens(f"screen-{name}")
    host = f"/host/{sitting.served.web.room.seats.admit_host()}/"
    sitting.album.once(host, f"host-{name}", DESK, whole=True)
    sitting.album.once(f"{host}box/", f"box-{name}", PHONE, whole=True)
