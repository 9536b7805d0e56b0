"""Putting right what is written down: the questions as they stood then, what changes, and the tap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from flask.testing import FlaskClient

from companion.game import Seat
from tests.web.forms_in import be_host, form_saying, forms_in, send, sit
from tests.web.lantern_house import LanternHouse, opened

RED = Seat("red")


@dataclass(frozen=True)
class Table:
    house: LanternHouse
    client: FlaskClient
    host: str
    red: str
    blue: str

    def page(self, url: str) -> str:
        answer = self.client.get(url)
        assert answer.status_code == 200, answer.text
        return answer.text

    def tap(self, url: str, text: str, **given: str) -> None:
        answer = send(self.client, url, form_saying(self.page(url), text), **given)
        assert answer.status_code == 303, answer.text

    def entry(self, key: str) -> int:
        """Return the newest entry of a kind that stands, as the red seat reads it."""
        log = self.house.table.look(RED).log
        return next(line.seq for line in reversed(log) if line.say.key == key and not line.is_struck)


@pytest.fixture
def table() -> Iterator[Table]:
    house = LanternHouse()
    app, _, web = opened(house)
    client = app.test_client()
    host = be_host(client)
    send(client, host, form_saying(client.get(host).text, "2 lanterns"))
    yield Table(house, client, host, sit(client, "Mia", "red"), sit(client, "Ravi", "blue"))
    web.close()
    house.close()


def test_a_seat_says_its_last_entry_anew_with_two_taps(table: Table):
    table.tap(table.red, "north wind")
    page = table.page(table.red)
    mend = f"{table.red}mend/{table.entry('lantern.log.wind')}"
    assert f'href="mend/{mend.rpartition("/")[2]}"' in page
    table.tap(mend, "south wind")
    told = [line.say.values["wind"] for line in table.house.table.look(RED).log if "wind" in line.say.values]
    assert told == ["north", "south"]
    assert "<s>Mia chose the north wind</s>" in table.page(table.red)


def test_nobody_else_learns_what_was_said_anew(table: Table):
    table.tap(table.red, "north wind")
    before = table.page(table.blue)
    table.tap(f"{table.red}mend/{table.entry('lantern.log.wind')}", "south wind")
    after = table.page(table.blue)
    for page in (before, after, table.page("/watch"), table.page(table.host)):
        assert "Mia chose the" not in page


def test_only_the_own_last_entry_is_said_anew(table: Table):
    table.tap(table.red, "north wind")
    entry = table.entry("lantern.log.wind")
    for url in (f"{table.blue}mend/{entry}", f"{table.red}mend/1", f"{table.red}mend/999"):
        assert table.client.get(url).status_code == 303, url
        answer = table.client.post(url, data={"deed": "command", "command": '{"do":"gather"}'})
        assert answer.status_code == 303, url
    assert table.house.table.look(None).seq == 2


def test_what_the_rules_refuse_is_said_on_the_page(table: Table):
    table.tap(table.red, "north wind")
    mend = f"{table.red}mend/{table.entry('lantern.log.wind')}"
    wrong = '{"do":"walk","seat":"red","post":3}'
    answer = table.client.post(mend, data={"deed": "command", "command": wrong})
    assert answer.status_code in (400, 409)
    assert "What should it be?" in answer.text
    assert table.client.post(mend, data={"deed": "command", "command": "nonsense"}).status_code == 400


def test_the_host_changes_any_entry_after_seeing_what_changes(table: Table):
    for seat, wind in ((table.red, "north"), (table.blue, "south")):
        table.tap(seat, f"{wind} wind")
    table.tap(table.host, "Mill turned")
    entry = table.entry("lantern.log.wind")
    page = table.page(table.host)
    assert f'href="mend/{entry}"' in page
    questions = table.page(f"{table.host}mend/{entry}")
    preview = send(table.client, f"{table.host}mend/{entry}", form_saying(questions, "north wind"))
    assert preview.status_code == 200
    assert "Put this in its place?" in preview.text
    assert "What changes" in preview.text
    seq = table.house.table.look(None).seq
    answer = send(table.client, f"{table.host}mend/{entry}", form_saying(preview.text, "Change it"))
    assert (answer.status_code, answer.headers["Location"]) == (303, table.host)
    assert table.house.table.look(None).seq > seq
    assert "Ravi chose the north wind" in table.page(table.host)


def test_the_host_can_still_strike_from_there(table: Table):
    questions = table.page(f"{table.host}mend/1")
    assert 'href="../strike/1"' in questions
    assert [one.action for one in forms_in(questions)]


def test_an_entry_that_is_not_there_leads_back(table: Table):
    for entry in (0, 99):
        assert table.client.get(f"{table.host}mend/{entry}").headers["Location"] == table.host
    assert table.client.get("/host/guess/mend/1").headers["Location"] == "/host"
