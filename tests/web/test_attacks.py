"""Attacks from the same Wi-Fi: tokens of others, guessed PINs, script in names, nonsense, floods, secrets.

Foreign hosts and origins are in ``test_guard``.
"""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from flask_socketio import SocketIO
from flask_socketio.test_client import SocketIOTestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markupsafe import escape

from companion.game import Seat
from tests.web.forms_in import be_host, forms_in, send, sit
from tests.web.lantern_house import Clock, LanternHouse, bank_reading, opened
from web.app import Web
from web.guard import POLICY

RED, BLUE = Seat("red"), Seat("blue")
FAR = {"REMOTE_ADDR": "192.168.4.66"}
JPEG = b"\xff\xd8\xff" + b"picture" * 20


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

    def line(self, **auth: Any) -> SocketIOTestClient:
        line = self.socketio.test_client(self.app, auth=auth)
        self.lines.append(line)
        return line

    def lit(self) -> str:
        host = be_host(self.client)
        for form in forms_in(self.client.get(host).text):
            if "2 lanterns" in form.text:
                assert send(self.client, host, form).status_code == 303
        return host


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


# Tokens and roles


def test_no_token_of_a_seat_opens_a_page_of_another_or_of_the_host(table: Table):
    table.lit()
    red = sit(table.client, "Mia", "red")
    token = red.split("/")[2]
    bits = token.partition(".")[0]
    for guess in (bits, f"{bits}.blue", f"{token}.blue", token[:-1], token.upper(), "..", "%00", "a" * 5000):
        answer = table.client.get(f"/seat/{guess}/")
        assert answer.status_code in (303, 404), guess
        assert not table.line(**{"as": "seat", "token": guess}).is_connected(), guess
        assert not table.line(**{"as": "host", "token": guess}).is_connected(), guess
    for path in ("", "log", "end", "mend/1", "strike/1", "evenings", "box/"):
        assert table.client.get(f"/host/{token}/{path}").status_code in (303, 404), path


@pytest.mark.parametrize("token", [None, 5, ["a"], {"a": 1}, "", "\x00", True])
@pytest.mark.parametrize("role", ["seat", "host"])
def test_a_token_that_is_none_opens_nothing(table: Table, role: str, token: Any):
    assert not table.line(**{"as": role, "token": token}).is_connected()


def test_a_seat_does_nothing_that_belongs_to_the_host(table: Table):
    host = table.lit()
    red = sit(table.client, "Mia", "red")
    seq = table.house.table.look(None).seq
    wanted = [form for form in forms_in(table.client.get(host).text) if not form.action]
    assert wanted
    for form in wanted:
        send(table.client, red, form)
    # What the table asks everybody is everybody's to answer; nothing else came through.
    log = [line for line in table.house.table.look(None).log if line.seq > seq]
    assert all(line.cause.by == "seat" and line.cause.for_seat in (RED, None) for line in log)
    for line in log:
        assert not line.say.key.endswith("struck")


def test_six_digits_are_not_guessed(table: Table):
    """Five tries a minute: a day of guessing finds the PIN with a chance below one in a hundred."""
    tried = found = 0
    for minute in range(10):
        for number in range(12):
            pin = f"{minute:03d}{number:03d}"
            answer = table.client.post("/host", data={"pin": pin}, environ_base=FAR)
            found += answer.status_code == 303
            tried += "That is not the PIN." in answer.text
        # Even the right one does not count now.
        assert table.client.post("/host", data={"pin": "123456"}, environ_base=FAR).status_code == 403
        table.clock.go_on(60_000)
    assert (tried, found) == (10 * 4, 0), "the answer to the fifth is that there is a rest"
    assert 60 * 24 * 5 / 1_000_000 < 0.01
    table.clock.go_on(60_000)
    be_host(table.client)


def test_a_pause_after_wrong_pins_does_not_lock_the_computer_itself_out(table: Table):
    for _ in range(9):
        table.client.post("/host", data={"pin": "000000"}, environ_base=FAR)
    assert table.client.get("/host", environ_base={"REMOTE_ADDR": "127.0.0.1"}).status_code == 303
    forged = {"X-Forwarded-For": "127.0.0.1"}
    assert table.client.get("/host", headers=forged, environ_base=FAR).status_code == 200
    assert table.client.post("/host", data={"pin": "1"}, headers=forged, environ_base=FAR).status_code == 403


# Script in names


NASTY = [
    "<img src=x onerror=1",
    '"><script>1</script',
    "{{7*7}}{%if 1%}",
    "' onfocus='alert(1)",
    "</title><x y",
]
FORMULAS = ["=1+cmd|' /C x'!A0", "@SUM(1)", "+1", "-2+3"]


@pytest.mark.parametrize("name", NASTY)
def test_script_in_a_name_is_text_on_every_page_and_in_every_file(table: Table, name: str):
    host = table.lit()
    name = name[:20]
    red = sit(table.client, name, "red")
    sit(table.client, "Ravi", "blue")
    table.web.room.moving.ticket_for(RED)
    command = '{"do":"gather","seat":"red","oil":2}'
    assert table.client.post(red, data={"deed": "command", "command": command}).status_code == 303
    pages = [red, f"{red}log", f"{red}more", f"{red}why/score.red", host, f"{host}log", f"{host}end"]
    pages += [f"{host}strike/1", f"{host}mend/2", f"{host}evenings", "/", "/watch", "/watch/log", "/screen"]
    pages += ["/overlay", "/after", "/after/sheet", "/after/journal", "/evenings", "/own/red", "/nowhere"]
    for url in pages:
        answer = table.client.get(url)
        assert answer.headers["Content-Security-Policy"] == POLICY, url
        if re.search(r"[<>\"]", name):
            assert name not in answer.text, url
        assert not re.search(r"<(script|x)(?![^>]*src=\"/static)[^>]*>", answer.text), url
        assert not re.search(r"<[^>]*\son\w+\s*=", answer.text), url
    assert str(escape(name)) in table.client.get(red).text, "it is shown as it was written"
    pushed = json.dumps(table.line(**{"as": "watch"}).emit("sync", {"is": {}}, callback=True)["html"])
    assert "<script" not in pushed and "<img src=x" not in pushed


@pytest.mark.parametrize("name", FORMULAS)
def test_a_name_is_no_formula_in_a_spreadsheet(table: Table, name: str):
    table.lit()
    red = sit(table.client, name[:20], "red")
    command = '{"do":"gather","seat":"red","oil":2}'
    table.client.post(red, data={"deed": "command", "command": command})
    rows = list(csv.reader(io.StringIO(table.client.get("/after/scores.csv").text.lstrip("\ufeff"))))
    cells = [cell for row in rows for cell in row if cell and not re.fullmatch(r"-?\d+", cell)]
    assert any(name[:20] in cell for cell in cells)
    assert not [cell for cell in cells if cell[0] in "=+-@\t\r"]


# Nonsense


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
DEEDS = ("command", "accept", "correct", "say", "dismiss", "strike", "replace", "fields", "seat", "seq")
ENVELOPES = st.fixed_dictionaries(
    {"id": st.text(min_size=1, max_size=9)}, optional=dict.fromkeys((*DEEDS, "table"), JSON)
)
FIELDS = st.sampled_from(("deed", *DEEDS, "proposal", "entry", "also"))
CALM = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@CALM
@given(kind=st.sampled_from(("tap", "sync", "join", "shown", "")), message=JSON | ENVELOPES)
def test_whatever_is_sent_is_answered_and_changes_nothing(nonsense: Table, kind: str, message: Any):
    line, before = nonsense.lines[0], nonsense.house.table.look(None).seq
    nonsense.clock.go_on(1000)
    answer = line.emit(kind, message, callback=True)
    if kind in ("tap", "join"):
        assert isinstance(answer, dict)
        assert answer["ok"] is False
        assert answer["why"]
    assert line.is_connected()
    assert nonsense.house.table.look(None).seq == before
    assert json.dumps(answer)


@pytest.fixture(scope="module")
def nonsense() -> Iterator[Table]:
    house, clock = LanternHouse(), Clock()
    app, socketio, web = opened(house, now_ms=clock)
    found = Table(house, web, app, socketio, clock)
    found.lit()
    found.line(**{"as": "seat", "token": web.room.seats.sit(RED, "Mia")})
    yield found
    found.lines[0].disconnect()
    web.close()
    house.close()


@CALM
@given(fields=st.lists(st.tuples(FIELDS, st.text()), max_size=6))
def test_whatever_is_posted_is_answered_in_words(nonsense: Table, fields: list[tuple[str, str]]):
    host = nonsense.web.room.seats.admit_host()
    before = nonsense.house.table.look(None).seq
    body = {name: text for name, text in fields}
    for path in ("", "mend/1"):
        answer = nonsense.client.post(f"/host/{host}/{path}", data=body)
        assert answer.status_code in (200, 303, 400, 409)
    assert nonsense.house.table.look(None).seq == before


# Floods


def test_a_phone_that_floods_stops_nobody_else(table: Table):
    table.lit()
    red = table.line(**{"as": "seat", "token": table.web.room.seats.sit(RED, "Mia")})
    blue = table.line(**{"as": "seat", "token": table.web.room.seats.sit(BLUE, "Ravi")})
    tap = {"command": {"do": "gather", "seat": "red", "oil": 1}}
    answers = [red.emit("tap", {"id": str(n), **tap}, callback=True) for n in range(300)]
    assert sum(answer["ok"] for answer in answers) == 20
    joins = [red.emit("join", {"seat": "green", "name": str(n)}, callback=True) for n in range(50)]
    assert not any(answer["ok"] for answer in joins)
    calm = blue.emit("tap", {"id": "1", "command": {"do": "gather", "seat": "blue", "oil": 1}}, callback=True)
    assert calm["ok"]


def test_seats_cannot_be_made_by_the_hundred(table: Table):
    table.lit()
    for number in range(200):
        table.client.post("/join", data={"name": f"n{number}", "seat": random.choice(["red", "x" * 999, ""])})
    assert len(table.web.room.seats.names()) == 1


# Secrets


def everything_told(table: Table, host: str, others: dict[str, str]) -> str:
    """Return every byte that anybody but the owner of a secret can get."""
    pages = [host, f"{host}log", f"{host}end", f"{host}evenings", "/", "/watch", "/watch/log", "/screen"]
    pages += ["/overlay", "/after", "/after/sheet", "/after/scores.csv", "/after/evening.json", "/evenings"]
    pages += [f"{others['page']}{path}" for path in ("", "log", "more", "why/score.red", "mend/2")]
    for number in range(table.house.table.moment(0).of + 1):
        pages.append(f"/after/journal?at={number}")
    told = [table.client.get(url).text for url in pages]
    for auth in (
        {"as": "seat", "token": others["token"]},
        {"as": "host", "token": host.split("/")[2]},
        {"as": "screen"},
        {"as": "overlay"},
        {"as": "watch"},
    ):
        for wants in ("pages", "values"):
            line = table.line(**auth, wants=wants)
            told.append(repr(line.get_received()) + repr(line.emit("sync", {"is": {}}, callback=True)))
            line.disconnect()
    return "\n".join(told)


def test_no_byte_before_the_reveal_tells_a_secret(table: Table):
    host = table.lit()
    red, blue = sit(table.client, "Mia", "red"), sit(table.client, "Ravi", "blue")
    others = {"page": blue, "token": blue.split("/")[2]}
    before = everything_told(table, host, others)
    [form] = [form for form in forms_in(table.client.get(red).text) if "north wind" in form.text]
    assert send(table.client, red, form).status_code == 303
    told = everything_told(table, host, others)
    # "north" is offered to everybody who has not chosen; nothing may say it more often than before.
    assert told.count("north") <= before.count("north")
    assert "Mia chose" not in told
    [form] = [form for form in forms_in(table.client.get(blue).text) if "south wind" in form.text]
    send(table.client, blue, form)
    assert "Mia chose the north wind" in everything_told(table, host, others)


def test_a_picture_of_a_proposal_is_shown_to_its_seat_and_the_host_alone(table: Table):
    host = table.lit()
    red, blue = sit(table.client, "Mia", "red"), sit(table.client, "Ravi", "blue")
    table.house.table.sighted(bank_reading({"red1": ("pebble", True)}, crop=JPEG)).result(5)
    [open_] = table.house.table.look(RED).proposals
    picture = f"crop/{open_.id}/bank/red1"
    assert table.client.get(red + picture).data == table.client.get(host + picture).data == JPEG
    for url in (blue + picture, f"/watch/{picture}", "/after/journal/1/bank/red1", f"/{picture}"):
        assert table.client.get(url).status_code == 404, url
