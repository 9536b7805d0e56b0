"""The host's pages of what a box prints: forms and files without script, behind the host's own address."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.game import Seat
from companion.games.making_monsters.game import GAME
from companion.settings import parse
from companion.table.boxes import catalogue_of, new_box
from companion.table.host import Host, open_host
from tests.web.forms_in import be_host, form_saying, send, sit
from web.app import WebOptions, create_app

SETTINGS = parse('[table]\nbox = "mine"\n', Path("companion.toml"), source=None)
PICTURE = b"\xff\xd8\xff\xe0 a card \xff\xd9"


@dataclass
class Evening:
    host: Host
    client: FlaskClient
    desk: str

    @property
    def cards(self) -> str:
        return f"{self.desk}box/mine/cards/"

    def page(self, url: str) -> str:
        answer = self.client.get(url)
        assert answer.status_code == 200, answer.text
        return str(answer.text)

    def bring(self, text: str | bytes, **fields: str) -> Any:
        body = text.encode() if isinstance(text, str) else text
        return self.client.post(self.cards, data={"file": (io.BytesIO(body), "cards.csv"), **fields})


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    cards = {**GAME.stand_in["cards"], "card_00": {"name": "Unpriced <b>", "parts": ["limb", "goop"]}}
    new_box("mine", {**GAME.stand_in, "cards": cards})
    (tmp_path / "boxes/mine/pictures/cards").mkdir(parents=True)
    (tmp_path / "boxes/mine/pictures/cards/card_00.jpg").write_bytes(PICTURE)
    host = open_host(SETTINGS)
    app, _ = create_app(host, WebOptions(pin="123456"))
    client = app.test_client()
    yield Evening(host, client, be_host(client))
    app.extensions["companion"].close()
    host.close()


def test_the_page_lists_every_card_names_what_is_open_and_shows_its_picture(evening: Evening):
    assert "box/" in evening.page(evening.desk)
    assert evening.client.get(f"{evening.desk}box/").headers["Location"].endswith("/box/mine/cards/")
    page = evening.page(evening.cards)
    assert page.count('<li id="row-') == 74
    assert "Unpriced &lt;b&gt;" in page
    assert "1 is not complete" in page
    assert evening.client.get(f"{evening.cards}picture/card_00").data == PICTURE


def test_a_search_finds_by_any_word_in_any_letters(evening: Evening):
    found = re.findall(r'id="row-(\w+)"', evening.page(f"{evening.cards}?q=PHARAOH+goop"))
    assert found == []  # its row was replaced by the unpriced one
    assert re.findall(r'id="row-(\w+)"', evening.page(f"{evening.cards}?q=br%C3%A9wer+limb")) == ["card_01"]
    assert re.findall(r'id="row-(\w+)"', evening.page(f"{evening.cards}?open=1")) == ["card_00"]


def test_a_card_is_corrected_by_a_form_and_the_table_knows_at_once(evening: Evening):
    url = f"{evening.cards}row/card_00"
    answer = send(evening.client, url, form_saying(evening.page(url), "Save"), cell__prestige="9")
    assert answer.status_code == 303
    assert catalogue_of("mine")["cards"]["card_00"]["prestige"] == 9
    assert catalogue_of("mine")["cards"]["card_00"]["parts"] == ["limb", "goop"]
    assert evening.host.table.catalogue()["cards"]["card_00"]["prestige"] == 9
    assert "The box was corrected" in evening.page(f"{evening.desk}log")


def test_saving_goes_on_to_the_next_card_that_is_open(evening: Evening):
    url = f"{evening.cards}row/card_05"
    answer = send(evening.client, url, form_saying(evening.page(url), "Save"), next="1")
    assert answer.headers["Location"].endswith("row/card_00")


def test_a_wrong_form_comes_back_as_it_was_typed_with_what_is_allowed(evening: Evening):
    url = f"{evening.cards}row/card_01"
    form = form_saying(evening.page(url), "Save")
    answer = send(evening.client, url, form, cell__prestige="99", cell__name="Mia&#39;s")
    assert answer.status_code == 409
    assert "card_01, prestige: 99 is out of range; allowed is 0 to 30." in answer.text
    assert 'value="99"' in answer.text
    assert catalogue_of("mine")["cards"]["card_01"]["prestige"] == 8


def test_a_missing_card_is_added_under_a_name_of_its_own(evening: Evening):
    url = f"{evening.cards}row/"
    form = form_saying(evening.page(url), "Save")
    fields = [pair for pair in form.fields if not pair[0].startswith("cell.parts")]
    parts = [("cell.parts", "limb"), ("cell.parts", "spike"), ("cell.parts", "")]
    body = [*[p for p in fields if p[0] not in ("cell.name", "cell.prestige")], ("cell.name", "Zoë’s Yeti")]
    for expected in ("zoe_s_yeti",):
        answer = evening.client.post(url, data=_multi([*body, ("cell.prestige", "4"), *parts]))
        assert answer.status_code == 303, answer.text
        assert catalogue_of("mine")["cards"][expected] == {
            "name": "Zoë’s Yeti",
            "prestige": 4,
            "parts": ["limb", "spike"],
        }
    assert evening.client.post(url, data=_multi([*body, *parts])).status_code == 409  # the same name again


def _multi(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for name, value in pairs:
        fields.setdefault(name, []).append(value)
    return fields


def test_a_file_goes_down_and_up_again(evening: Evening):
    down = evening.client.get(f"{evening.cards}sheet.csv")
    assert down.headers["Content-Disposition"] == 'attachment; filename="mine-cards.csv"'
    text = down.data.decode("utf-8-sig").replace("Sulking Brewer,8", "Sulking Brewer,12")
    trial = evening.bring(text, dry_run="1")
    assert "It would change one row." in trial.text
    assert catalogue_of("mine")["cards"]["card_01"]["prestige"] == 8
    assert "One row was changed." in evening.bring(text).text
    assert catalogue_of("mine")["cards"]["card_01"]["prestige"] == 12


def test_a_wrong_file_changes_nothing_and_says_all_that_is_wrong(evening: Evening):
    text = evening.client.get(f"{evening.cards}sheet.csv").data.decode("utf-8-sig")
    answer = evening.bring(text.replace("Sulking Brewer,8,limb", "Sulking Brewer,sx,arm"))
    assert answer.status_code == 409
    assert "Nothing was changed: 2 things are wrong." in answer.text
    assert "Line 3, prestige: &#39;sx&#39; is no number; allowed is 0 to 30." in answer.text
    assert catalogue_of("mine")["cards"]["card_01"]["prestige"] == 8


@pytest.mark.parametrize(("size", "code"), [(1024 * 1024 + 1, 409), (2 * 1024 * 1024, 413)])
def test_a_file_that_is_too_large_is_refused_in_words(evening: Evening, size: int, code: int):
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="x.csv"\r\n\r\n'
    form = head + b"x" * size + b"\r\n--b--\r\n"
    answer = evening.client.post(evening.cards, data=form, content_type="multipart/form-data; boundary=b")
    assert answer.status_code == code
    assert "larger than 1024 kB" in answer.text


def test_nobody_but_the_host_sees_or_changes_a_box(evening: Evening):
    seat = sit(evening.client, "Mia", "red").split("/")[2]
    for token in ("nonsense", seat):
        for path in ("", "row/card_00", "row/", "sheet.csv", "picture/card_00"):
            answer = evening.client.get(f"/host/{token}/box/mine/cards/{path}")
            assert (answer.status_code, answer.headers["Location"]) == (303, "/host")
        for path in ("row/card_00", "row/", ""):
            assert evening.client.post(f"/host/{token}/box/mine/cards/{path}").status_code == 303
    foreign = evening.client.post(f"{evening.cards}row/card_00", headers={"Origin": "http://evil.example"})
    assert foreign.status_code == 403


def test_the_stand_in_is_named_so_and_copied_not_changed(evening: Evening):
    url = f"{evening.desk}box/stand-in/cards/"
    page = evening.page(url)
    assert "Our own invention: these are not the cards of any printed box." in page
    assert evening.client.post(f"{url}row/card_00", data={"cell.prestige": "1"}).status_code == 404
    made = send(evening.client, url, form_saying(page, "Copy"), name="ours")
    assert made.headers["Location"].endswith("/box/ours/cards/")
    assert len(catalogue_of("ours")["cards"]) == 74
    assert send(evening.client, url, form_saying(page, "Copy"), name="ours").status_code == 409


@pytest.mark.parametrize("path", ["box/theirs/cards/", "box/mine/beetles/", "box/mine/cards/row/card_99"])
def test_what_is_not_there_is_not_found(evening: Evening, path: str):
    assert evening.client.get(f"{evening.desk}{path}").status_code == 404


def test_a_catalogue_that_cannot_be_read_says_what_to_do(evening: Evening, tmp_path: Path):
    (tmp_path / "boxes/mine/catalogue.json").write_text('{"cards": {"card')
    answer = evening.client.get(evening.cards)
    assert answer.status_code == 409
    assert "companion box teach FOLDER --name mine" in answer.text


def test_a_seat_is_asked_what_a_new_card_prints_beside_its_picture(evening: Evening):
    seat = sit(evening.client, "Mia", "red")
    desk = evening.desk
    form = form_saying(evening.page(desk), "Rot")
    picks = [pair for pair in form.fields if pair[0] != "picks.seats"]
    data = _multi([*picks, ("picks.seats", "red"), ("picks.seats", "blue")])
    assert evening.client.post(desk, data=data).status_code == 303
    laid = form_saying(evening.page(seat), "Lay")
    assert send(evening.client, seat, laid, pick__card="card_00").status_code == 303
    page = evening.page(seat)
    assert '<img class="taught" src="/picture/card_00"' in page
    assert evening.client.get("/picture/card_00").data == PICTURE
    told = send(evening.client, seat, form_saying(page, "Tell Unpriced"), count__prestige="9")
    assert told.status_code == 303, told.text
    assert "Tell Unpriced" not in evening.page(seat)
    assert evening.host.table.look(Seat("red")).log[-1].say.key == "mm.told.card_told"
