"""Beside every number stands "Why?", a link that works without script."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from tests.web.forms_in import be_host, form_saying, send, sit
from tests.web.lantern_house import LanternHouse, bank_reading, opened


@pytest.fixture
def evening() -> Iterator[tuple[LanternHouse, FlaskClient]]:
    house = LanternHouse()
    app, _, web = opened(house)
    yield house, app.test_client()
    web.close()
    house.close()


def laid(house: LanternHouse, client: FlaskClient) -> tuple[str, str]:
    """Open the game, let red lay two stones, and return the addresses of red's page and the host's."""
    host = be_host(client)
    send(client, host, form_saying(client.get(host).text, "2 lanterns"))
    red = sit(client, "Mia", "red")
    house.table.sighted(bank_reading({"red1": ("pebble", True), "red2": ("pebble", True)})).result(5)
    send(client, red, form_saying(client.get(red).text, "Right"))
    return red, host


def test_the_link_beside_a_score_opens_its_sum_line_by_line(evening: tuple[LanternHouse, FlaskClient]):
    house, client = evening
    red, host = laid(house, client)
    for page, base in ((client.get(host).text, host), (client.get("/watch").text, "/")):
        link = re.search(r'<a class="why" href="([^"]+score\.red)"', page)
        assert link is not None
        text = client.get(base + link[1]).text
        assert "Score of Mia: 2" in text
        assert re.search(r"Mia laid 2 stones<small>Round 1 · 2</small></td><td>\+2</td>", text)
    assert "Mia laid 2 stones" in client.get(f"{red}why/score.red").text


def test_a_number_that_is_gone_is_said_to_be_gone(evening: tuple[LanternHouse, FlaskClient]):
    house, client = evening
    red, _ = laid(house, client)
    assert "That number is no longer shown" in client.get(f"{red}why/nothing").text


def test_what_was_struck_is_no_line(evening: tuple[LanternHouse, FlaskClient]):
    house, client = evening
    red, _ = laid(house, client)
    send(client, red, form_saying(client.get(red).text, "Yes, strike it"))
    assert "Nothing yet." in client.get(f"{red}why/score.red").text
