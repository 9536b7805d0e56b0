"""A phone in the table's own Wi-Fi asks whether there is internet: it hears what it wants, and stays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.lantern_house import LanternHouse, opened
from web.probes import PROBES

DNSMASQ = Path(__file__).parents[2] / "systemd/NetworkManager/dnsmasq.conf"
NO_PAGE_ASKED = {"dns.msftncsi.com"}
"""Windows looks this name up, compares the address and leaves it at that."""


@pytest.fixture(scope="module")
def client() -> Iterator[FlaskClient]:
    house = LanternHouse()
    app, _, web = opened(house)
    yield app.test_client()
    web.close()
    house.close()


@pytest.mark.parametrize(("host", "path"), PROBES)
def test_a_probe_is_answered_to_the_byte(client: FlaskClient, host: str, path: str):
    answer = client.get(path, headers={"Host": host})
    assert answer.status == PROBES[(host, path)].status
    assert answer.data == PROBES[(host, path)].body
    assert client.head(path, headers={"Host": host}).data == b""


def test_a_phone_of_apple_hears_success(client: FlaskClient):
    heard = client.get("/hotspot-detect.html", headers={"Host": "captive.apple.com"})
    assert heard.data == b"<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>\n"
    assert heard.content_length == 69


def test_nothing_else_is_answered_under_those_names(client: FlaskClient):
    for host in {host for host, _ in PROBES}:
        assert client.get("/host", headers={"Host": host}).status_code == 421
        assert client.post("/generate_204", headers={"Host": host}).status_code == 421


def test_the_tables_own_names_are_no_probes(client: FlaskClient):
    assert client.get("/generate_204", headers={"Host": "localhost"}).status_code == 404


def test_the_wifi_leads_those_names_here_and_no_other():
    led = set(re.findall(r"(?m)^host-record=([^,]+),", DNSMASQ.read_text()))
    assert led == {host for host, _ in PROBES} | NO_PAGE_ASKED
