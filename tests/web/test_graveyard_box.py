"""What a box of Monster Graveyard prints, on the host's page: three tables, in the words of the game."""

from __future__ import annotations

import pytest

from tests.web.forms_in import be_host
from tests.web.lantern_house import opened
from tests.web.monster_house import GraveyardHouse


@pytest.mark.parametrize(
    ("sheet", "words"),
    [
        ("forms", ("Skeletal", "Heads", "10")),
        ("specials", ("Pirate Hook", "terrorize: 1 gp", "leg · leg")),
        ("research", ("Superior Science", "Deck 6", "upgrade", "An Open Question", "discovery")),
    ],
)
def test_the_host_reads_what_the_box_prints(sheet: str, words: tuple[str, ...]) -> None:
    house = GraveyardHouse()
    app, _, web = opened(house)
    client = app.test_client()
    page = client.get(f"{be_host(client)}box/stand-in/{sheet}/")
    web.close()
    house.close()
    assert page.status_code == 200
    assert not [word for word in words if word not in page.text]
