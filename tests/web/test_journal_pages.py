"""Leafing through an evening: what everybody saw then, pictures included, and no secret before its time."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from companion.game import Seat
from companion.journal import Cause
from companion.table.writer import Submission
from tests.web.lantern_house import LanternHouse, bank_reading, opened
from web.app import Web
from web.evening_pages import forget, remember

RED, BLUE = Seat("red"), Seat("blue")
JPEG = b"\xff\xd8\xff" + b"picture" * 20
Evening = tuple[LanternHouse, FlaskClient, Web]


def do(house: LanternHouse, command: dict[str, object], seat: Seat | None = None) -> int:
    table = house.table
    seq = table.look(None).seq
    cause = Cause("seat" if seat else "host", for_seat=seat, client="hands")
    receipt = table.submit(Submission(f"do-{seq}", cause, seq, command)).result(5)
    assert receipt.is_done, receipt.why
    return receipt.seq


def choose(house: LanternHouse, seat: Seat, wind: str) -> None:
    do(house, {"do": "choose", "seat": seat, "wind": wind}, seat)


def lay(house: LanternHouse) -> int:
    """Let the camera see a stone of red's, let red correct and take it; return its entry."""
    table = house.table
    table.sighted(bank_reading({"red1": ("pebble", True)}, crop=JPEG)).result(5)
    [open_] = table.look(RED).proposals
    cause = Cause("seat", for_seat=RED, client="hands")
    return table.accept(open_.id, request="take", cause=cause).result(5).seq


@pytest.fixture
def evening() -> Iterator[Evening]:
    house = LanternHouse()
    app, _, web = opened(house)
    do(house, {"do": "open", "seats": [RED, BLUE]})
    web.room.seats.sit(RED, "Mia")
    yield house, app.test_client(), web
    web.close()
    house.close()


def test_each_moment_shows_the_scores_and_the_line_of_then(evening: Evening):
    house, client, _ = evening
    do(house, {"do": "gather", "seat": "red", "oil": 2}, RED)
    do(house, {"do": "gather", "seat": "red", "oil": 3}, RED)
    scores = []
    for number in range(4):
        page = client.get(f"/after/journal?at={number}").text
        assert f"Entry {number} of 3" in page
        scores.append(re.findall(r"</td><td>(-?\d+)</td>", page))
    assert scores[1:] == [["0", "0"], ["2", "0"], ["5", "0"]]
    assert "Mia: 2 oil" in client.get("/after/journal?at=2").text
    assert client.get("/after/journal").text == client.get("/after/journal?at=3").text
    assert client.get("/after/journal?entry=2").text == client.get("/after/journal?at=2").text


@pytest.mark.parametrize("query", ["at=-1", "at=999", "at=x", "entry=77", "entry=", "at=1e9"])
def test_a_moment_that_never_was_shows_the_nearest(evening: Evening, query: str):
    assert evening[1].get(f"/after/journal?{query}").status_code == 200


def test_a_picture_stands_beside_its_entry_once_its_phase_is_over(evening: Evening):
    house, client, _ = evening
    entry = lay(house)
    picture = f"/after/journal/{entry}/bank/red1"
    assert picture not in client.get(f"/after/journal?entry={entry}").text
    assert client.get(picture).status_code == 404
    choose(house, RED, "north")
    choose(house, BLUE, "south")
    assert picture in client.get(f"/after/journal?entry={entry}").text
    answer = client.get(picture)
    assert (answer.data, answer.content_type) == (JPEG, "image/jpeg")
    for wrong in (f"{entry}/bank/red2", "1/bank/red1", f"{entry}/x"):
        assert client.get(f"/after/journal/{wrong}").status_code == 404, wrong


def test_a_secret_is_no_moment_that_anybody_can_read(evening: Evening):
    house, client, _ = evening
    choose(house, RED, "north")
    page = client.get("/after/journal").text
    assert "Something that is still a secret" in page
    assert "north" not in page
    choose(house, BLUE, "south")
    assert "Mia chose the north wind" in client.get("/after/journal?at=2").text


def test_what_was_struck_is_left_out(evening: Evening):
    house, client, _ = evening
    entry = do(house, {"do": "gather", "seat": "red", "oil": 2}, RED)
    house.table.strike([entry], request="s", cause=Cause("host", client="h")).result(5)
    assert "Entry 1 of 1" in client.get("/after/journal").text


def test_a_forgotten_evening_has_no_pictures(evening: Evening):
    house, client, web = evening
    entry = lay(house)
    choose(house, RED, "north")
    choose(house, BLUE, "south")
    forget(web.room, house.row.id)
    assert client.get(f"/after/journal/{entry}/bank/red1").status_code == 404
    assert house.evidence.of(house.row.id, entry) == ()


def test_an_evening_that_is_over_is_leafed_through_with_its_names_and_pictures(evening: Evening):
    house, client, web = evening
    lay(house)
    do(house, {"do": "gather", "seat": "red", "oil": 3}, RED)
    choose(house, RED, "north")
    choose(house, BLUE, "south")
    before = house.row
    remember(web.room, before, house.table, as_it_stands=True)
    house.new_table()
    web.room.seats.free(RED)
    link = f"/evenings/{before.id}/journal"
    assert link in client.get("/evenings").text
    last = client.get(link).text
    assert "Mia" in last
    assert "Entry 5 of 5" in last
    picture = f"{link}/2/bank/red1"
    assert picture in client.get(f"{link}?at=2").text
    assert client.get(picture).data == JPEG
    assert client.get(f"{link}/2/bank/red9").status_code == 404
    forget(web.room, before.id)
    assert client.get(link).status_code == 404
    assert client.get(picture).status_code == 404


def test_the_evening_on_the_table_is_leafed_through_at_its_own_page(evening: Evening):
    house, client, web = evening
    remember(web.room, house.row, house.table, as_it_stands=True)
    assert client.get(f"/evenings/{house.row.id}/journal").location == "/after/journal"
    assert client.get("/evenings/nobody/journal").status_code == 404
