"""Pages work without any script: every action is a form, every refusal says why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from flask.testing import FlaskClient

from companion.game import Seat
from companion.ports import BoardTurn
from tests.web.forms_in import be_host, form_saying, forms_in, send, sit
from tests.web.lantern_house import LanternHouse, bank_reading, opened
from web.app import Web

JPEG = b"\xff\xd8\xff\xe0 a picture \xff\xd9"
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


@pytest.fixture
def table() -> Iterator[Table]:
    house = LanternHouse()
    app, _, web = opened(house)
    yield Table(house, web, app.test_client())
    web.close()
    house.close()


def lit(table: Table, count: int = 2) -> str:
    """Open the game as the host and return the host's page."""
    host = be_host(table.client)
    answer = send(table.client, host, form_saying(table.page(host), f"{count} lanterns"))
    assert answer.status_code == 303
    return host


def test_a_whole_round_is_played_by_forms_alone(table: Table):
    host = lit(table)
    red, blue = sit(table.client, "Mia", "red"), sit(table.client, "Ravi", "blue")
    for seat, wind in ((red, "north"), (blue, "south")):
        assert send(table.client, seat, form_saying(table.page(seat), f"{wind} wind")).status_code == 303
    assert "Turn the mill" in table.page(red)
    assert send(table.client, host, form_saying(table.page(host), "Mill turned")).status_code == 303
    assert "Roll the die" in table.page(red)
    log = table.house.table.look(None).log
    assert [(line.cause.by, line.cause.for_seat) for line in log if line.say.key == "lantern.log.wind"] == [
        ("seat", "red"),
        ("seat", "blue"),
    ]


def test_the_host_plays_for_a_seat_without_a_phone_and_the_log_says_so(table: Table):
    host = lit(table)
    answer = send(table.client, host, form_saying(table.page(host), "north wind"))
    assert answer.status_code == 303
    cause = table.house.table.look(Seat("red")).log[-1].cause
    assert (cause.by, cause.for_seat) == ("host", "red")
    assert "host for Mia" in table.page(sit(table.client, "Mia", "red"))


def test_a_form_sent_twice_counts_once(table: Table):
    lit(table)
    red = sit(table.client, "Mia", "red")
    form = form_saying(table.page(red), "north wind")
    assert [send(table.client, red, form).status_code for _ in range(2)] == [303, 303]
    assert len(table.house.table.look(Seat("red")).log) == 2


def test_a_refused_form_is_answered_by_the_page_and_the_reason(table: Table):
    lit(table)
    red = sit(table.client, "Mia", "red")
    page = table.page(red)
    send(table.client, red, form_saying(page, "north wind"))
    answer = send(table.client, red, form_saying(page, "south wind"))
    assert answer.status_code == 409
    assert "The wind is chosen already." in answer.text
    assert "Rule 1" in answer.text


def test_a_command_for_a_seat_that_is_not_yours_is_refused_in_one_sentence(table: Table):
    lit(table)
    red = sit(table.client, "Mia", "red")
    form = form_saying(table.page(red), "north wind")
    for given in ({"seat": "blue"}, {"command": '{"do":"choose","seat":"blue","wind":"north"}'}):
        answer = send(table.client, red, form, **given)
        assert answer.status_code == 409
        assert re.search(r'class="toast refused"><span>[^<]*not yours|Not yours', answer.text, re.I)
    assert table.house.table.look(None).seq == 1


def test_a_form_that_makes_no_sense_is_answered(table: Table):
    red = sit(table.client, "Mia", "red")
    for fields in (
        {},
        {"deed": "dance"},
        {"deed": "command", "command": "{"},
        {"deed": "strike", "entry": "x"},
    ):
        answer = table.client.post(red, data=fields)
        assert answer.status_code == 400
        assert "This could not be read" in answer.text


def test_a_proposal_is_taken_by_one_form_and_corrected_by_another(table: Table):
    lit(table)
    red = sit(table.client, "Mia", "red")
    reading = bank_reading({"red1": ("pebble", True), "red2": ("pebble", False)}, crop=JPEG)
    table.house.table.sighted(reading).result(5)
    page = table.page(red)
    assert "You laid 2 stones" in page
    assert "please check" in page
    assert send(table.client, red, form_saying(page, "a shell")).status_code == 303
    page = table.page(red)
    assert "you said so" in page
    assert send(table.client, red, form_saying(page, "Right")).status_code == 303
    assert "Mia laid 2 stones" in table.page(red)


def test_a_board_that_was_turned_when_nobody_asked_may_be_left_so_by_a_form(table: Table):
    lit(table)
    red = sit(table.client, "Mia", "red")
    assert "It stands right" not in table.page(red)
    table.house.table.turned(BoardTurn("mill", "b1", 1, 0, 1, 1, 0)).result(5)
    page = table.page(red)
    assert "Turn it one step anticlockwise." in page
    assert send(table.client, red, form_saying(page, "It stands right")).status_code == 303
    page = table.page(red)
    assert "anticlockwise" not in page and "It stands right" not in page


def test_what_puzzles_the_eyes_is_explained_by_a_form(table: Table):
    lit(table)
    red = sit(table.client, "Mia", "red")
    table.house.table.sighted(bank_reading({"red1": ("pebble", True)})).result(5)
    send(table.client, red, form_saying(table.page(red), "Right"))
    table.house.table.sighted(bank_reading({"red1": ("shell", True)}, frame=2)).result(5)
    page = table.page(red)
    assert "A stone has changed. Put it back?" in page
    assert "was a pebble, I see a shell" in page
    assert send(table.client, red, form_saying(page, "a pebble")).status_code == 303
    assert "A stone has changed" not in table.page(red)


def test_a_picture_goes_to_the_seat_concerned_and_to_the_host_only(table: Table):
    host = lit(table)
    red, blue = sit(table.client, "Mia", "red"), sit(table.client, "Ravi", "blue")
    table.house.table.sighted(bank_reading({"red1": ("pebble", True)}, crop=JPEG)).result(5)
    source = re.search(r'<img src="(crop/[^"]+)"', table.page(red))
    assert source is not None
    for owner, expected in ((red, 200), (host, 200), (blue, 404)):
        answer = table.client.get(owner + source[1])
        assert answer.status_code == expected, owner
    assert table.client.get(red + source[1]).data == JPEG
    assert table.client.get(red + "crop/nothing/bank/red1").status_code == 404
    assert table.client.get("/seat/wrong/" + source[1]).status_code == 303


def test_one_seat_cannot_take_the_proposal_of_another(table: Table):
    lit(table)
    red, blue = sit(table.client, "Mia", "red"), sit(table.client, "Ravi", "blue")
    table.house.table.sighted(bank_reading({"red1": ("pebble", True)})).result(5)
    form = form_saying(table.page(red), "Right")
    answer = send(table.client, blue, form)
    assert answer.status_code == 409
    assert table.house.table.look(None).seq == 1


def test_no_byte_holds_the_secret_of_another_seat(table: Table):
    host = lit(table, 3)
    red, blue = sit(table.client, "Mia", "red"), sit(table.client, "Ravi", "blue")
    secret = "chose the north wind"
    send(table.client, red, form_saying(table.page(red), "north wind"))
    assert secret in table.page(red)
    for url in (blue, host, "/watch", "/screen", "/"):
        assert secret not in table.page(url), url


def test_the_own_last_entry_is_taken_back(table: Table):
    lit(table)
    red = sit(table.client, "Mia", "red")
    send(table.client, red, form_saying(table.page(red), "north wind"))
    assert send(table.client, red, form_saying(table.page(red), "Yes, strike it")).status_code == 303
    page = table.page(red)
    assert "<s>Mia chose the north wind</s>" in page
    assert form_saying(page, "north wind")


def test_the_host_strikes_after_seeing_what_changes(table: Table):
    host = lit(table)
    entry = table.house.table.look(None).seq
    preview = table.page(f"{host}strike/{entry}")
    assert "Strike this entry?" in preview
    answer = send(table.client, f"{host}strike/{entry}", form_saying(preview, "Strike it"))
    assert answer.status_code == 303
    assert answer.headers["Location"] == host
    assert "<s>2 lanterns are lit</s>" in table.page(host)


def test_the_host_frees_a_seat_and_its_phone_is_sent_back(table: Table):
    host = lit(table)
    red = sit(table.client, "Mia", "red")
    assert send(table.client, host, form_saying(table.page(host), "Free seat")).status_code == 303
    assert table.client.get(red).status_code == 303
    assert table.client.post(red, data={"deed": "accept", "proposal": "p"}).status_code == 303
    sit(table.client, "Ravi", "red")


def test_a_new_evening_begins_with_the_same_phones(table: Table):
    host = lit(table)
    red = sit(table.client, "Mia", "red")
    assert send(table.client, host, form_saying(table.page(host), "Begin a new table")).status_code == 303
    assert "How many carry a lantern?" in table.page(host)
    assert "Mia" in table.page(red)


def test_only_the_computer_itself_is_host_without_the_pin(table: Table):
    assert table.client.get("/host", environ_base={"REMOTE_ADDR": "127.0.0.1"}).status_code == 303
    assert table.client.get("/host", environ_base=NOT_HERE).status_code == 200
    proxied = {"X-Forwarded-For": "203.0.113.9"}
    assert (
        table.client.get("/host", environ_base={"REMOTE_ADDR": "127.0.0.1"}, headers=proxied).status_code
        == 200
    )
    assert table.client.get("/host/guess/").status_code == 303


def test_five_wrong_pins_are_followed_by_a_rest(table: Table):
    for _ in range(5):
        answer = table.client.post("/host", data={"pin": "000000"}, environ_base=NOT_HERE)
        assert answer.status_code == 403
    answer = table.client.post("/host", data={"pin": "123456"}, environ_base=NOT_HERE)
    assert answer.status_code == 403
    assert "Too many tries" in answer.text


def test_the_pin_is_told_to_nobody_but_the_host_and_the_own_screen(table: Table):
    own = {"REMOTE_ADDR": "127.0.0.1"}
    red = sit(table.client, "Mia", "red")
    for url in ("/", "/watch", "/screen", red):
        assert "123456" not in table.client.get(url, environ_base=NOT_HERE).text, url
    assert "123456" in table.client.get("/screen", environ_base=own).text


NASTY = "<img src=x onerror=1>"


def test_a_nasty_name_is_shown_as_text_everywhere(table: Table):
    host = lit(table)
    answer = table.client.post("/join", data={"name": NASTY, "seat": "red"})
    assert answer.status_code == 409, "21 letters are too many"
    red = sit(table.client, NASTY.replace("=1", "="), "red")
    send(table.client, red, form_saying(table.page(red), "north wind"))
    for url in (red, host, "/watch", "/screen", "/"):
        page = table.page(url)
        assert "<img src=x" not in page, url
        assert "&lt;img src=x" in page, url


def test_no_page_has_anything_inline_or_from_elsewhere(table: Table):
    host = lit(table)
    red = sit(table.client, "Mia", "red")
    table.house.table.sighted(bank_reading({"red1": ("pebble", False)}, crop=JPEG)).result(5)
    for url in (red, host, "/watch", "/screen", "/", f"{host}strike/1"):
        page = table.page(url)
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*src=)|javascript:|data:", page), url
        assert not re.search(r"""(?:src|href|action)=["'](?:https?:)?//""", page), url


def test_pages_stay_small(table: Table):
    host = lit(table, 4)
    red = sit(table.client, "Mia", "red")
    for url in (red, host, "/watch", "/screen", "/"):
        page = table.client.get(url)
        total = len(page.data)
        for asset in set(re.findall(r"/static/[^\"#]+", page.text)) | {
            f"/static/{table.web.room.static.version}/{name}"
            for name in ("line.js", "forms.js", "morph.js", "size.js", "toast.js")
        }:
            answer = table.client.get(asset, headers={"Accept-Encoding": "gzip"})
            assert answer.status_code == 200, asset
            total += len(answer.data)
        total += len(
            table.client.get(
                f"/static/{table.web.room.static.version}/fonts/grenze-latin-800-normal.woff2"
            ).data
        )
        assert total < 60_000, url


def test_files_are_kept_for_ever_under_a_name_that_changes_with_them(table: Table):
    url = table.web.room.static.url("look.css")
    assert "immutable" in table.client.get(url).headers["Cache-Control"]
    old = url.replace(table.web.room.static.version, "0123456789ab")
    assert table.client.get(old).headers["Cache-Control"] == "no-store"
    assert table.client.get(url.replace("look.css", "../app.py")).status_code == 404


def test_every_form_of_a_seat_is_one_that_the_table_understands(table: Table):
    lit(table)
    red = sit(table.client, "Mia", "red")
    forms = forms_in(table.page(red))
    assert [form.action for form in forms if form.action] == ["photo", "move", "/language"]  # no taps
    for form in (form for form in forms if not form.action):
        assert dict(form.fields).get("deed") in ("command", "accept", "correct", "dismiss", "strike")
        assert dict(form.fields).get("seq") == "1"


def test_a_page_that_is_not_there_says_so(table: Table):
    answer = table.client.get("/nowhere")
    assert answer.status_code == 404
    assert "Nothing lies here." in answer.text


def test_taking_a_seat_that_is_taken_or_not_there_is_refused(table: Table):
    lit(table)
    sit(table.client, "Mia", "red")
    for seat, says in (
        ("red", "Mia sits there already"),
        ("purple", "no such seat"),
        ("white", "no such seat"),
    ):
        answer = table.client.post("/join", data={"name": "Ravi", "seat": seat})
        assert answer.status_code == 409
        assert says in answer.text
