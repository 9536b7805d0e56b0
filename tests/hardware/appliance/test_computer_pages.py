"""The host switches computer and Wi-Fi on and off from a phone; the caretaker does it, or says why not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.sentences import keys_in
from hardware.appliance import computer_pages
from hardware.appliance.caretaker import WORDS
from hardware.appliance.computer_pages import Computer, computer_page
from tests.hardware.appliance.caretaker_door import Errands, at_the_door
from tests.web.forms_in import be_host, form_saying, forms_in, send
from tests.web.lantern_house import LanternHouse, opened

TEMPLATE = Path(computer_pages.__file__).parent / "templates/computer.html"


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    (tmp_path / "net/wlan0/wireless").mkdir(parents=True)
    return Computer(
        tmp_path / "door", tmp_path / "net", tmp_path / "companion-wifi", tmp_path / "updates", 60
    )


class Door:
    """What the web hands to a page, as far as this one asks: the host's token is ``mine``."""

    is_host = staticmethod(lambda token: token == "mine")
    static_url = staticmethod(lambda name: f"/static/{name}")
    language = staticmethod(lambda: "en")


PAGE = "/computer/mine/"


@pytest.fixture
def client(computer: Computer) -> FlaskClient:
    app = Flask(__name__)
    app.register_blueprint(computer_page(Door(), computer))
    return app.test_client()


def test_the_host_finds_the_page_where_there_is_a_caretaker(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
):
    """The whole web, with a computer that the test made up."""
    monkeypatch.setattr(computer_pages, "Computer", lambda: computer)
    house = LanternHouse()
    app, _, web = opened(house)
    client = app.test_client()
    host = be_host(client)
    assert "/computer/" not in client.get(host).text
    with at_the_door(str(computer.door), Errands()):
        link = re.search(r'href="(/computer/[^"]+)">Switch off, Wi-Fi<', client.get(host).text)
        assert link and "Switch it off now" in client.get(link[1]).text
    web.close()
    house.close()


def test_without_a_caretaker_there_is_no_page(client: FlaskClient):
    assert client.get(PAGE).status_code == 404


def test_the_host_switches_off_and_is_told_when_to_unplug(client: FlaskClient, computer: Computer):
    errands = Errands()
    with at_the_door(str(computer.door), errands):
        told = send(client, PAGE, form_saying(client.get(PAGE).text, "Switch it off now"))
    assert told.status_code == 200
    assert "safe to unplug" in told.text
    assert not forms_in(told.text)
    assert errands.run == [*WORDS[b"power-off"]]


def test_nobody_but_the_host_gets_there(client: FlaskClient, computer: Computer):
    errands = Errands()
    with at_the_door(str(computer.door), errands):
        assert client.get("/computer/guessed/").headers["Location"].endswith("/host")
        told = client.post("/computer/guessed/", data={"word": "power-off"})
    assert told.headers["Location"].endswith("/host")
    assert errands.run == []


@pytest.mark.parametrize("word", ["", "greet", "power-off; reboot"])
def test_what_the_page_does_not_offer_is_not_passed_on(client: FlaskClient, computer: Computer, word: str):
    errands = Errands()
    with at_the_door(str(computer.door), errands):
        assert client.post(PAGE, data={"word": word}).status_code == 400
    assert errands.run == []


def test_a_refusal_is_said_on_the_page(client: FlaskClient, computer: Computer):
    with at_the_door(str(computer.door), Errands("another user is logged in")):
        told = send(client, PAGE, form_saying(client.get(PAGE).text, "Start it anew now"))
    assert told.status_code == 409
    assert "another user is logged in" in told.text


def test_the_wifi_is_offered_as_it_is(client: FlaskClient, computer: Computer, tmp_path: Path):
    with at_the_door(str(computer.door), Errands()):
        assert "For places without Wi-Fi" in client.get(PAGE).text
        computer.wifi_told.write_text("TABLE-4F7A\nk7mq2xw9hdte\n")
        assert 'value="wifi-off"' in client.get(PAGE).text
        computer.wifi_told.unlink()
        (tmp_path / "net/wlan0/wireless").rmdir()
        assert "Wi-Fi" not in client.get(PAGE).text.partition("<main>")[2]


def test_a_version_that_lies_ready_is_gone_over_to(client: FlaskClient, computer: Computer):
    errands = Errands()
    with at_the_door(str(computer.door), errands):
        assert "Another version" not in client.get(PAGE).text
        computer.updates.mkdir()
        (computer.updates / "companion-0.2.0-py3-none-any.whl").touch()
        page = client.get(PAGE).text
        assert "companion-0.2.0-py3-none-any.whl" in page
        told = send(client, PAGE, form_saying(page, "Go over"))
    assert "Play on" in told.text
    assert errands.run == [*WORDS[b"update"]]


def test_every_word_of_the_page_is_there_in_every_language():
    text = TEMPLATE.read_text(encoding="utf-8")
    said = {key for key in re.findall(r'tell\("([\w.-]+)"\)', text)}
    said |= {f"computer.{part}.{word}" for part in ("begun", "then") for word in computer_pages.WORDS}
    for language in ("en", "de"):
        known = keys_in("hardware.appliance", language)
        assert known == keys_in("hardware.appliance")
        assert said <= known
