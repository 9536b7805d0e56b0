"""What a host can do besides playing: the door, rests, phones and screens, the PIN, the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from flask_socketio import SocketIO
from flask_socketio.test_client import SocketIOTestClient

from companion.game import Seat
from tests.web.forms_in import be_host, form_saying, send, sit
from tests.web.lantern_house import Clock, LanternHouse, opened
from web.app import Web

RED, BLUE = Seat("red"), Seat("blue")
ELSEWHERE = {"REMOTE_ADDR": "192.168.4.30"}


@dataclass
class Table:
    house: LanternHouse
    web: Web
    app: Flask
    socketio: SocketIO
    clock: Clock
    lines: list[SocketIOTestClient] = field(default_factory=list)

    @property
    def client(self) -> FlaskClient:
        return self.app.test_client()

    def page(self, url: str) -> str:
        answer = self.client.get(url, environ_base=ELSEWHERE)
        assert answer.status_code == 200, answer.text
        return answer.text

    def tap(self, url: str, text: str) -> Any:
        answer = send(self.client, url, form_saying(self.page(url), text))
        assert answer.status_code == 303, answer.text
        return answer

    def line(self, **auth: Any) -> SocketIOTestClient:
        line = self.socketio.test_client(self.app, auth=auth)
        self.lines.append(line)
        return line


@pytest.fixture
def table() -> Iterator[Table]:
    house, clock = LanternHouse(), Clock()
    app, socketio, web = opened(house, now_ms=clock)
    found = Table(house, web, app, socketio, clock)
    yield found
    for line in found.lines:
        if line.is_connected():
            line.disconnect()
    web.close()
    house.close()


def lit(table: Table) -> str:
    host = be_host(table.client)
    table.tap(host, "2 lanterns")
    return host


def shown(line: SocketIOTestClient, name: str) -> str:
    answer = line.emit("sync", {"is": {}}, callback=True)
    return str(answer["html"][name])


def test_behind_a_locked_door_nobody_new_sits_down_and_who_sits_stays(table: Table):
    host = lit(table)
    red = sit(table.client, "Mia", "red")
    table.tap(host, "Lock the door")
    assert "The door is locked" in table.page("/")
    answer = table.client.post("/join", data={"name": "Ravi", "seat": "blue"})
    assert answer.status_code == 409
    assert "The door is locked" in answer.text
    by_socket = table.line().emit("join", {"name": "Ravi", "seat": "blue"}, callback=True)
    assert (by_socket["ok"], by_socket["key"]) == (False, "web.locked")
    assert "north wind" in table.page(red)
    assert table.client.get(red).status_code == 200
    moved = table.web.room.moving.move_by_ticket(table.web.room.moving.ticket_for(RED))
    assert table.web.room.seats.seat_of(moved) == RED
    table.tap(host, "Open the door")
    sit(table.client, "Ravi", "blue")


def test_a_locked_door_stays_locked_at_the_next_table(table: Table):
    host = lit(table)
    table.tap(host, "Lock the door")
    table.house.new_table()
    assert table.client.post("/join", data={"name": "Ravi", "seat": "blue"}).status_code == 409


def test_a_pause_stops_the_timer_and_calls_nobody_and_taps_count(table: Table):
    host = lit(table)
    red = sit(table.client, "Mia", "red")
    table.client.post(f"{host}timer", data={"seconds": "60"})
    table.page(red)
    table.clock.go_on(20_000)
    table.tap(host, "Pause")
    page = table.page(red)
    assert 'data-timer="[60000, 20000, true]"' in page
    assert "<h1>Pause</h1>" in page
    assert "Then: Choose your wind." in page
    assert "data-turn" not in page
    assert "Pause" in table.page("/screen")
    table.clock.go_on(500_000)
    table.tap(red, "north wind")
    assert table.house.table.look(None).seq == 2
    table.tap(host, "Go on")
    assert 'data-timer="[60000, 20000, false]"' in table.page(red)


def test_the_host_sees_every_phone_and_when_it_tapped(table: Table):
    host = lit(table)
    token = table.web.room.seats.sit(RED, "Mia")
    phone = table.line(**{"as": "seat", "token": token})
    table.line(**{"as": "watch"})
    page = table.page(host)
    assert "Somebody who watches" in page
    assert "tapped at" not in page
    assert phone.emit(
        "tap", {"id": "1", "command": {"do": "gather", "seat": "red", "oil": 1}}, callback=True
    )["ok"]
    assert "tapped at" in table.page(host)
    assert token not in page


def test_a_television_shows_the_number_once_the_host_knows_it(table: Table):
    host = lit(table)
    table.web.room.seats.sit(RED, "Mia")
    screen = table.line(**{"as": "screen", "screen": "a name of its own"})
    number = table.web.room.moving.number()
    assert number not in shown(screen, "code")
    [line] = [line for line in table.web.room.presence.lines() if line.looks_at == "screen"]
    # A line of a test comes from nowhere; one from the computer itself would need no trust.
    assert line.screen and line.screen != "a name of its own"
    for mark, is_known in (("somebody else's", False), (line.screen, True)):
        table.client.post(f"{host}trust", data={"screen": mark})
        assert table.web.room.seats.is_trusted(mark) == is_known
    table.web.sockets._push("", table.web.sockets._callers[line.sid])
    assert number in shown(screen, "code")
    assert table.web.room.pin.digits not in shown(screen, "code")
    again = table.line(**{"as": "screen", "screen": "a name of its own"})
    assert number in shown(again, "code")
    assert number not in shown(table.line(**{"as": "screen", "screen": "another"}), "code")


def test_a_new_pin_sends_the_other_hosts_away(table: Table):
    host, other = lit(table), be_host(table.client)
    old = table.web.room.pin.digits
    table.tap(host, "Change the PIN")
    assert table.client.get(other).status_code == 303
    assert table.client.get(host).status_code == 200
    assert table.web.room.pin.digits != old
    assert table.web.room.pin.digits in table.page(host)
    answer = table.client.post("/host", data={"pin": old}, environ_base=ELSEWHERE)
    assert answer.status_code == 403


def test_an_evening_that_ends_early_is_kept_as_it_stands(table: Table):
    host = lit(table)
    for seat, name, oil in (("red", "Mia", 1), ("blue", "Ravi", 3)):
        url = sit(table.client, name, seat)
        command = f'{{"do":"gather","seat":"{seat}","oil":{oil}}}'
        assert table.client.post(url, data={"deed": "command", "command": command}).status_code == 303
    before = table.house.row.id
    assert "End the evening here?" in table.page(f"{host}end")
    answer = table.tap(f"{host}end", "Keep the scores, begin a new table")
    page = table.page(answer.headers["Location"])
    assert "Evenings past" in page
    [kept] = table.web.room.evenings.all()
    assert (kept.table, kept.result) == (before, "Ended before the game was over")
    assert [(one.name, one.score, one.place) for one in kept.players] == [("Ravi", 3, 1), ("Mia", 1, 2)]
    assert table.house.row.id != before
    assert dict(table.web.room.seats.names()) == {RED: "Mia", BLUE: "Ravi"}


def test_an_evening_that_is_to_be_forgotten_leaves_nothing(table: Table):
    host = lit(table)
    sit(table.client, "Mia", "red")
    before = table.house.row.id
    table.tap(f"{host}end", "Yes, forget it")
    assert table.web.room.evenings.all() == ()
    assert not table.web.room.seats.names()
    assert table.house.row.id != before


@pytest.mark.parametrize("deed", ["pause", "door", "trust", "pin", "end"])
def test_nobody_but_the_host_does_any_of_it(table: Table, deed: str):
    lit(table)
    token = table.web.room.seats.sit(RED, "Mia")
    for guess in (token, "guess"):
        answer = table.client.post(f"/host/{guess}/{deed}", data={"is_locked": "yes", "keep": "no"})
        assert (answer.status_code, answer.headers["Location"]) == (303, "/host")
    assert not table.web.room.manner.is_locked()
    assert table.web.room.seats.names()
