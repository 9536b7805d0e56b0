"""The doorkeeper: foreign names and foreign pages stay outside, for pages and for sockets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.lantern_house import LanternHouse, opened
from web.guard import HostGuard, host_name


@pytest.fixture
def client() -> Iterator[FlaskClient]:
    house = LanternHouse()
    app, _, web = opened(house, own_name="companion.local", allowed_hosts=("table.example",))
    yield app.test_client()
    web.close()
    house.close()


OWN = [
    "localhost",
    "localhost:8080",
    "127.0.0.1:8080",
    "[::1]:8080",
    "192.168.4.1",
    "10.0.0.7:8080",
    "[fd00::1]:80",
    "companion.local:8080",
    "COMPANION.local.",
    "table.example",
]
FOREIGN = ["evil.example", "evil.example:8080", "8.8.8.8", "", "companion.local.evil.example", "[::1", "a b"]


@pytest.mark.parametrize("host", OWN)
def test_the_table_answers_to_its_own_names(client: FlaskClient, host: str):
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", FOREIGN)
def test_a_foreign_name_gets_neither_page_nor_socket(client: FlaskClient, host: str):
    for path in ("/", "/screen", "/socket.io/?EIO=4&transport=polling"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == 421, path
        assert b"Set-Cookie" not in str(answer.headers).encode()


def test_a_foreign_origin_gets_no_socket(client: FlaskClient):
    path = "/socket.io/?EIO=4&transport=polling"
    assert client.get(path, headers={"Origin": "http://evil.example"}).status_code == 400
    assert client.get(path, headers={"Origin": "http://localhost"}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://localhost"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_a_form_of_another_page_is_refused(client: FlaskClient, headers: dict[str, str]):
    answer = client.post("/join", data={"name": "Mia", "seat": "red"}, headers=headers)
    assert answer.status_code == 403
    assert client.post("/join", data={"name": "Mia", "seat": "red"}).status_code == 303


def test_a_form_of_the_own_page_is_taken(client: FlaskClient):
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/join", data={"name": "Mia", "seat": "red"}, headers=headers).status_code == 303


def test_every_answer_carries_the_policy(client: FlaskClient):
    for path in ("/", "/nowhere", "/screen"):
        answer = client.get(path)
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["Cache-Control"] == "no-store"


def test_a_host_header_is_read_without_its_port():
    assert host_name("Companion.local:80") == "companion.local"
    assert host_name("[fe80::1]:80") == "fe80::1"
    assert host_name("") == ""


def test_the_guard_stands_outside_everything():
    app = Flask("inner")
    guard = HostGuard(app.wsgi_app, ["table.example"])
    assert guard.allows("table.example:8080")
    assert not guard.allows("other.example")
