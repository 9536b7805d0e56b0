"""At the door without any script: several seats on one phone, and a seat to another phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from flask.testing import FlaskClient

from companion.game import Seat
from tests.web.forms_in import be_host, form_saying, forms_in, send, sit
from tests.web.lantern_house import Clock, LanternHouse, opened
from tests.web.monster_house import MonsterHouse
from web.app import Web
from web.presence import Line

RED, BLUE = Seat("red"), Seat("blue")
NOT_HERE = {"REMOTE_ADDR": "192.168.4.20"}


@dataclass
class Table:
    house: LanternHouse
    web: Web
    client: FlaskClient

    def page(self, url: str) -> str:
        answer = self.client.get(url)
        assert answer.status_code == 200, answer.text
        return answer.text

    def sit_beside(self, url: str, name: str, seat: str) -> str:
        """Take one more seat on the phone whose page is at ``url``."""
        form = next(form for form in forms_in(self.page(f"{url}more")) if form.action == "/join")
        answer = send(self.client, url, form, name=name, seat=seat)
        assert answer.status_code == 303, answer.text
        return str(answer.headers["Location"])

    def code(self, url: str, action: str, **fields: str) -> tuple[str, str]:
        """Have a code shown; return the page that shows it and the address in it."""
        shown = self.client.post(url + action, data=fields).headers["Location"]
        return shown, f"/take/{shown.rpartition('/')[2]}"


@pytest.fixture
def table() -> Iterator[Table]:
    house = LanternHouse()
    app, _, web = opened(house, now_ms=Clock())
    yield Table(house, web, app.test_client())
    web.close()
    house.close()


def lit(table: Table) -> str:
    host = be_host(table.client)
    assert send(table.client, host, form_saying(table.page(host), "2 lanterns")).status_code == 303
    return host


def test_two_seats_on_one_phone_are_switched_by_a_link_and_tap_each_for_itself(table: Table):
    lit(table)
    mia = sit(table.client, "Mia", "red")
    ravi = table.sit_beside(mia, "Ravi", "blue")
    for url, wind in ((mia, "north"), (ravi, "south")):
        assert send(table.client, url, form_saying(table.page(url), f"{wind} wind")).status_code == 303
    assert re.search(r'href="to/red"[^>]*aria-current', table.page(mia))
    assert table.client.get(f"{mia}to/blue").headers["Location"] == ravi
    log = table.house.table.look(None).log
    assert [line.cause.for_seat for line in log[1:3]] == ["red", "blue"]


def test_one_seat_alone_has_no_tabs_and_no_page_says_a_token(table: Table):
    lit(table)
    mia = sit(table.client, "Mia", "red")
    assert "Seats on this phone" not in table.page(mia)
    table.sit_beside(mia, "Ravi", "blue")
    page = table.page(mia)
    assert "Seats on this phone" in page
    assert mia.split("/")[2].partition(".")[0] not in page


def test_a_seat_of_another_phone_is_not_reached_by_a_link(table: Table):
    lit(table)
    mia = sit(table.client, "Mia", "red")
    sit(table.client, "Ravi", "blue")
    assert table.client.get(f"{mia}to/blue").headers["Location"].startswith(mia)


def test_leaving_one_of_two_seats_leads_to_the_other(table: Table):
    lit(table)
    mia = sit(table.client, "Mia", "red")
    ravi = table.sit_beside(mia, "Ravi", "blue")
    assert table.client.post(f"{ravi}leave").headers["Location"].startswith(mia)
    assert table.web.room.seats.names() == {RED: "Mia"}
    assert table.client.post(f"{mia}leave").headers["Location"] == "/?stay=1"


def test_looking_at_a_code_changes_nothing_and_taking_the_seat_ends_the_old_phone(table: Table):
    lit(table)
    mia = sit(table.client, "Mia", "red")
    shown, take = table.code(mia, "move")
    assert 'class="qr large"' in table.page(shown)
    for _ in range(3):
        assert "Take the seat of Mia on this phone?" in table.page(take)
    new = table.client.post(take, data={"beside": ""}).headers["Location"]
    assert "Choose your wind" in table.page(new)
    for old in (mia, shown, f"{mia}more", f"{mia}log"):
        assert table.client.get(old).headers["Location"] == "/?gone=1"
    assert "is on another phone now" in table.page("/?gone=1")
    assert table.client.post(take).status_code == 409
    assert table.client.get(take).status_code == 410


def test_the_host_shows_a_code_for_a_phone_that_died(table: Table):
    host = lit(table)
    mia = sit(table.client, "Mia", "red")
    shown, take = table.code(host, "move", seat="red")
    assert "Scan this" in table.page(shown)
    assert table.client.post(take).status_code == 303
    assert table.client.get(mia).status_code == 303
    over = table.client.get(shown)
    assert (over.status_code, "This code is over" in over.text) == (410, True)


@pytest.mark.parametrize("seat", ["blue", "nobody", ""])
def test_an_empty_seat_gets_no_code(table: Table, seat: str):
    host = lit(table)
    assert table.client.post(f"{host}move", data={"seat": seat}).headers["Location"] == host


def test_only_the_host_and_the_seat_itself_get_a_code(table: Table):
    lit(table)
    sit(table.client, "Mia", "red")
    for url in ("/host/guess/move", "/seat/guess/move"):
        where = table.client.post(url, data={"seat": "red"}).headers["Location"]
        assert "/move/" not in where


def test_a_sleeping_seat_is_taken_with_the_number_of_the_big_screen(table: Table):
    lit(table)
    mia = sit(table.client, "Mia", "red")
    assert 'href="/own/red"' in table.page("/")
    assert "Three digits" in table.page("/own/red")
    number = table.web.room.moving.number()
    wrong = f"{(int(number) + 1) % 1000:03d}"
    assert table.client.post("/own/red", data={"number": wrong}).status_code == 403
    new = table.client.post("/own/red", data={"number": number}).headers["Location"]
    assert "Choose your wind" in table.page(new)
    assert table.client.get(mia).status_code == 303


def test_a_seat_whose_phone_is_here_is_not_taken_with_the_number(table: Table):
    lit(table)
    sit(table.client, "Mia", "red")
    table.web.room.presence.opened(Line("a", "192.168.4.21", frozenset({RED})))
    answer = table.client.post("/own/red", data={"number": table.web.room.moving.number()})
    assert answer.status_code == 409
    assert "That phone is here" in answer.text
    assert 'href="/own/red"' not in table.page("/")


def test_the_number_stands_on_the_host_page_and_on_the_computers_own_screen_only(table: Table):
    host = lit(table)
    mia = sit(table.client, "Mia", "red")
    said = f"another phone: {table.web.room.moving.number()}"
    assert said in table.page(host)
    assert said in table.page("/screen")
    for url in ("/screen", "/watch", "/", mia, "/own/red"):
        assert said not in table.client.get(url, environ_base=NOT_HERE).text


def test_a_name_is_only_text_on_the_pages_at_the_door(table: Table):
    lit(table)
    mia = sit(table.client, "<img src=x>", "red")
    shown, take = table.code(mia, "move")
    for url in (shown, take, "/own/red", "/"):
        page = table.page(url)
        assert "<img src=x>" not in page
        assert "&lt;img src=x&gt;" in page


def test_a_late_guest_is_told_when_no_seat_is_free(table: Table):
    lit(table)
    sit(table.client, "Mia", "red")
    assert "No seat is free" not in table.page("/")
    sit(table.client, "Ravi", "blue")
    assert "No seat is free. Just watch, or let the host free one." in table.page("/")


def test_a_form_of_an_old_table_does_nothing_at_a_new_one(table: Table):
    lit(table)
    mia = sit(table.client, "Mia", "red")
    form = form_saying(table.page(mia), "north wind")
    table.house.new_table()
    lit(table)
    answer = send(table.client, mia, form)
    assert answer.status_code == 409
    assert "A new table was begun" in answer.text
    assert table.house.table.look(None).seq == 1


def test_a_new_table_keeps_seats_and_names(table: Table):
    host = lit(table)
    mia = sit(table.client, "Mia", "red")
    form = form_saying(table.page(host), "Begin a new table")
    assert send(table.client, host, form).status_code == 303
    assert table.house.row.id == "evening-2"
    assert "Mia" in table.page(mia)
    lit(table)
    assert "Choose your wind" in table.page(mia)


def test_whoever_sits_is_ticked_when_seats_are_chosen():
    house = MonsterHouse()
    app, _, web = opened(house)
    for seat, name in (("red", "Mia"), ("blue", "Ravi"), ("green", "Zoë")):
        web.room.seats.sit(Seat(seat), name)
    client = app.test_client()
    form = form_saying(client.get(be_host(client)).text, "Set up")
    assert sorted(value for key, value in form.fields if key == "picks.seats" and value) == [
        "blue",
        "green",
        "red",
    ]
    web.close()
    house.close()


def test_the_host_sets_a_timer_that_every_page_knows_and_nothing_ends_by(table: Table):
    host = lit(table)
    mia = sit(table.client, "Mia", "red")
    assert "data-timer=" not in table.page(mia)
    assert table.client.post(f"{host}timer", data={"seconds": "120"}).status_code == 303
    assert 'data-timer="[120000, 0, false]"' in table.page(mia)
    assert re.search(r'value="120" aria-pressed="true"', table.page(host))
    for nonsense in ("7", "-60", "", "x"):
        assert table.client.post(f"{host}timer", data={"seconds": nonsense}).status_code == 400
    table.client.post(f"{host}timer", data={"seconds": "0"})
    assert "data-timer=" not in table.page(mia)


def test_a_new_address_is_on_every_code_and_on_every_page_that_was_open():
    found = ["http://192.168.4.1:8080/"]
    house = LanternHouse()
    app, _, web = opened(house, address=found[0], find_address=lambda: found[0])
    client = app.test_client()
    host = be_host(client)
    assert not web.room.whereabouts.look()
    found[0] = "http://10.42.0.7:8080/"
    assert web.room.whereabouts.look()
    for url in ("/", "/screen", host):
        page = client.get(url).text
        assert "<b>10.42.0.7:8080</b>" in page
        assert "192.168.4.1" not in page
    web.close()
    house.close()
