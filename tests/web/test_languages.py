"""Languages: each phone has its own, English and German are complete, a third one is a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

import pytest
from babel.messages.pofile import read_po
from flask import Flask
from flask.testing import FlaskClient
from flask_socketio import SocketIO
from flask_socketio.test_client import SocketIOTestClient

from companion.sentences import languages_in
from tests.web.lantern_house import LanternHouse, opened
from web.languages import called

PACKAGES = (
    "web",
    "companion",
    "companion.games.making_monsters",
    "companion.games.mad_science",
    "companion.games.monster_graveyard",
    "hardware.simulated",
    "hardware.appliance",
    "calibration",
)
BLANK = re.compile(r"\{\w+\}")


def forms(package: str, language: str) -> dict[str, tuple[str, ...]]:
    """Return every sentence of a catalogue by its key, all plural forms of it."""
    path = files(package) / "locale" / f"{language}.po"
    with path.open("rb") as file:
        catalogue = read_po(file, locale=language, abort_invalid=True)
    found = {}
    for message in catalogue:
        if message.id:
            key = message.id if isinstance(message.id, str) else message.id[0]
            text = message.string
            found[key] = (text,) if isinstance(text, str) else tuple(text)
            if not isinstance(text, str):
                assert len(text) == catalogue.num_plurals, key
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_german_says_every_sentence_with_all_its_values(package: str):
    english, german = forms(package, "en"), forms(package, "de")
    assert set(german) == set(english)
    for key, said in german.items():
        assert all(said), key
        assert set(BLANK.findall(" ".join(said))) == set(BLANK.findall(" ".join(english[key]))), key


def test_every_catalogue_is_for_a_language_that_babel_knows():
    for package in PACKAGES:
        assert all(called(language) != language for language in languages_in(package))
    assert [called(language) for language in ("en", "de", "sv")] == ["English", "Deutsch", "Svenska"]


@dataclass(frozen=True)
class Table:
    app: Flask
    socketio: SocketIO

    @property
    def client(self) -> FlaskClient:
        return self.app.test_client()

    def line(self, language: str) -> SocketIOTestClient:
        """Open a line as a page that speaks a language does."""
        return self.socketio.test_client(self.app, query_string=f"language={language}")


@pytest.fixture
def table() -> Iterator[Table]:
    house = LanternHouse()
    app, socketio, web = opened(house)
    yield Table(app, socketio)
    web.close()
    house.close()


def text(client: FlaskClient, path: str, **headers: str) -> str:
    return client.get(path, headers=headers).get_data(as_text=True)


@pytest.mark.parametrize(
    ("asked", "language", "says"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "de", "Wer bist du heute Abend?"),
        ("en-GB", "en", "Who are you tonight?"),
        ("fr,ja;q=0.2", "en", "Who are you tonight?"),
        ("", "en", "Who are you tonight?"),
        ("sv-SE,en;q=0.3", "sv", "Who are you tonight?"),
    ],
)
def test_a_page_speaks_what_the_browser_asks_for(table: Table, asked: str, language: str, says: str):
    page = text(table.client, "/", **{"Accept-Language": asked})
    assert f'<html lang="{language}"' in page
    assert says in page


def test_a_third_language_is_offered_as_soon_as_its_file_is_there(table: Table):
    page = text(table.client, "/", **{"Accept-Language": "sv"})
    assert "Röda stranden" in page
    assert 'value="sv" lang="sv" aria-pressed="true">Svenska<' in page


def test_what_a_phone_chose_counts_more_than_its_browser_and_needs_no_script(table: Table):
    client = table.client
    answer = client.post("/language", data={"language": "de"}, headers={"Referer": "http://localhost/watch"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/watch")
    assert "SameSite=Strict" in answer.headers["Set-Cookie"]
    assert "Protokoll" in text(client, "/watch", **{"Accept-Language": "en"})
    assert "Protokoll" not in text(client, "/watch?language=en")


@pytest.mark.parametrize("referrer", ["", "http://evil.example//evil.example/x", "javascript:alert(1)"])
@pytest.mark.parametrize("language", ["tlh", "", "../de"])
def test_choosing_a_language_leads_nobody_away(table: Table, language: str, referrer: str):
    answer = table.client.post("/language", data={"language": language}, headers={"Referer": referrer})
    assert answer.headers["Location"] == "/"
    assert "Set-Cookie" not in answer.headers


def test_two_phones_are_pushed_the_same_in_their_own_languages(table: Table):
    lines = {language: table.line(language) for language in ("de", "en")}
    told = {language: line.emit("sync", {"is": {}}, callback=True) for language, line in lines.items()}
    assert "Protokoll" in told["de"]["html"]["log"]
    assert "Log" in told["en"]["html"]["log"]
    refused = {
        language: line.emit("tap", {"id": "1", "strike": 1}, callback=True)["why"]
        for language, line in lines.items()
    }
    assert refused["de"].startswith("Du schaust zu")
    assert refused["en"].startswith("You are watching")


def test_the_settings_say_what_is_spoken_where_nobody_asks():
    house = LanternHouse()
    app, _, web = opened(house, language="de")
    try:
        assert '<html lang="de"' in text(app.test_client(), "/")
        assert '<html lang="en"' in text(app.test_client(), "/", **{"Accept-Language": "en"})
    finally:
        web.close()
        house.close()
