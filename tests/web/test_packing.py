"""Small over the Wi-Fi: pages below 60 kB with all they load, and one message of 4 kB brings a phone back."""

from __future__ import annotations

import gzip
import json
import random
import re
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.game import Seat
from tests.web.forms_in import be_host, sit
from tests.web.lantern_house import opened
from tests.web.monster_house import MonsterHouse
from web.app import Web
from web.desk import Role
from web.packing import packed_message
from web.sections import Audience

MOST_PAGE_BYTES, MOST_MESSAGE_BYTES = 60_000, 4096
RED = Seat("red")
Evening = tuple[MonsterHouse, FlaskClient, Web]


@pytest.fixture
def evening() -> Iterator[Evening]:
    house = MonsterHouse()
    app, _, web = opened(house)
    yield house, app.test_client(), web
    web.close()
    house.close()


def wire_bytes(client: FlaskClient, web: Web, url: str) -> int:
    """Return what a browser loads for a page for the first time, the vendored client left out."""
    answer = client.get(url, headers={"Accept-Encoding": "gzip"})
    text = gzip.decompress(answer.data).decode() if answer.content_encoding == "gzip" else answer.text
    named = re.findall(r"/static/\w+/([^\"#]+)", text)
    wanted, loaded = {*named, "fonts/grenze-latin-800-normal.woff2"}, len(answer.data)
    read: set[str] = set()
    while wanted - read:
        name = (wanted - read).pop()
        read.add(name)
        if name.startswith("vendor/"):
            continue
        file = client.get(web.room.static.url(name), headers={"Accept-Encoding": "gzip"})
        loaded += len(file.data)
        if name.endswith(".js"):
            body = web.room.static.files[name].body.decode()
            wanted |= {one.removeprefix("./") for one in re.findall(r'from "([^"]+)"', body)}
    return loaded


def message_bytes(web: Web, seat: Seat) -> int:
    """Return how long the message is that brings back a phone that has nothing."""
    shown = web.room.sections.show(Audience(Role.SEAT, seat, language="de"))
    message: dict[str, Any] = packed_message(web.room.message(shown, {}))
    packed = message.pop("zip", b"")
    return len(packed) + len(json.dumps(message))


@pytest.mark.parametrize("depth", ["full", "results"])
def test_pages_and_the_way_back_stay_small_all_game_long(evening: Evening, depth: str):
    house, client, web = evening
    seats = ["red", "blue", "green", "yellow"]
    assert house.tap({"do": "set_up", "seats": seats, "track": 16, "depth": depth})
    host, red = be_host(client), sit(client, "Mia", "red")
    chance = random.Random(3)
    longest = 0
    for number in range(400):
        if number % 60 == 0:
            for url in (red, host, "/watch", "/screen"):
                assert wire_bytes(client, web, url) < MOST_PAGE_BYTES, url
        if number % 8 == 0:
            longest = max(longest, message_bytes(web, RED))
        if house.table.look(None).view.is_over or not house.step(chance):
            break
    assert house.table.look(None).view.is_over
    assert longest <= MOST_MESSAGE_BYTES
    for url in ("/", "/after", "/after/sheet", "/after/journal", "/evenings", f"{host}end", f"{host}mend/2"):
        assert wire_bytes(client, web, url) < MOST_PAGE_BYTES, url


def test_a_packed_message_is_the_same_message():
    message = {"seq": 3, "now": {"log": "x"}, "html": {"log": "<li>Grüße</li>" * 400}}
    packed = packed_message(message)
    assert json.loads(zlib.decompress(packed.pop("zip"))) == message["html"]
    assert packed == {"seq": 3, "now": {"log": "x"}}
    short = {"seq": 3, "html": {"log": "<li>"}}
    assert packed_message(short) == short


def test_who_takes_no_packed_pages_gets_plain_ones(evening: Evening):
    _, client, _ = evening
    plain = client.get("/")
    packed = client.get("/", headers={"Accept-Encoding": "gzip, br"})
    refused = client.get("/", headers={"Accept-Encoding": "gzip;q=0"})
    assert gzip.decompress(packed.data) == plain.data == refused.data
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert packed.headers["Content-Length"] == str(len(packed.data))
