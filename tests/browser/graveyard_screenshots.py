"""Pictures of the Laboratory phase of *Monster Graveyard*."""

from __future__ import annotations

from tests.browser.album import DESK, PHONE, Album, Sitting
from tests.web.monster_house import GraveyardHouse

SEATS = {"orange": "Mia", "purple": "Ravi", "green": "Ada"}


def graveyard_pages(album: Album) -> None:
    """Play two rounds with three seats."""
    house = GraveyardHouse()
    sitting = Sitting(house, album, SEATS, address="http://192.168.4.1:8080/")
    album.open("Monster Graveyard", sitting.served.url, "graveyard-")
    album.once("/host", "host-start", DESK)
    house.tap({"do": "set_up", "seats": list(SEATS), "gp": 4, "rp": 4})
    sitting.sit_down()
    sitting.play(lambda view: view.round == 2)
    album.both(sitting.seat("orange"), "seat-whole")
    album.both("/watch", "watch")
    sitting.screens("screen")
    host = f"/host/{sitting.served.web.room.seats.admit_host()}/"
    album.once(host, "host", DESK, whole=True)
    album.once(f"{host}box/", "box", PHONE, whole=True)
    sitting.play(lambda view: view.is_over)
    album.both("/after", "after")
    sitting.screens("screen-over")
    sitting.close()
