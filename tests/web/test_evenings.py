"""Evenings past: what they add up to, that they outlive a restart, and that they are forgotten for good."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.journal import TableId
from tests.web.forms_in import be_host, form_saying, send, sit
from tests.web.monster_house import MonsterHouse
from web.app import Web, WebOptions, create_app
from web.evenings import Evenings, PastEvening, Player, records, told_lines

ODD = "=<b>Mia"


def evening(number: int, *players: Player) -> PastEvening:
    return PastEvening(TableId(f"t{number}"), "Lantern", f"2026-11-{number:02}", "Over.", players)


MIA = Player("Mia", 12, 1, (("stones", 5), ("stones", 4), ("oil", 3)))
RAVI = Player("Ravi", 7, 2, (("oil", 7),))
TWO = (evening(1, MIA, RAVI), evening(2, Player("Ravi", 20, 1, (("stones", 20),)), Player("Mia", 3, 2, ())))


def test_players_and_lines_add_up_over_the_evenings():
    assert [(one.name, one.evenings, one.won, one.best, one.mean) for one in records(TWO)] == [
        ("Ravi", 2, 1, 20, 14),
        ("Mia", 2, 1, 12, 8),
    ]
    assert [(one.says, one.times, one.amount) for one in told_lines(TWO, 5)] == [
        ("stones", 3, 29),
        ("oil", 2, 10),
    ]
    assert len(told_lines(TWO, 1)) == 1


def test_evenings_outlive_a_restart_and_what_is_forgotten_does_not_come_back(tmp_path: Path):
    path = tmp_path / "seats.sqlite"
    store = Evenings(path)
    for one in TWO:
        store.keep(one)
    store.close()
    store = Evenings(path)
    assert store.all() == TWO[::-1]
    store.forget(TWO[0].table)
    store.keep(TWO[0])
    assert store.all() == TWO[1:]
    store.forget(TWO[1].table)
    store.close()
    assert [file.name for file in tmp_path.iterdir() if b"Ravi" in file.read_bytes()] == []


@dataclass
class Played:
    house: MonsterHouse
    web: Web
    client: FlaskClient


@pytest.fixture
def played() -> Iterator[Played]:
    house = MonsterHouse()
    app, _ = create_app(house, WebOptions(pin="123456"))
    client = app.test_client()
    house.tap({"do": "set_up", "seats": ["red", "blue"], "track": 2})
    chance = random.Random(1)
    sit(client, ODD, "red")
    while not house.table.look(None).view.is_over:
        assert house.step(chance), house.table.position()
    web: Web = app.extensions["companion"]
    yield Played(house, web, client)
    web.close()
    house.close()


def test_an_evening_is_told_to_all_and_forgotten_by_the_host_alone(played: Played):
    client = played.client
    page = client.get("/evenings").text
    assert "=&lt;b&gt;Mia" in page
    assert "Forget" not in page
    assert client.post("/evenings", data={"table": played.house.row.id}).status_code == 405
    assert client.post("/host/guess/evenings", data={"table": played.house.row.id}).status_code == 303
    host = be_host(client)
    answer = send(
        client, f"{host}evenings", form_saying(client.get(f"{host}evenings").text, "Yes, forget it")
    )
    assert answer.status_code == 303
    assert "Mia" not in client.get("/evenings").text
    assert played.web.room.seats.names() == {}


def test_an_evening_is_kept_when_the_next_one_begins(played: Played):
    played.house.new_table()
    assert [one.players[0].place for one in played.web.room.evenings.all()] == [1]
    assert ODD in {player.name for player in played.web.room.evenings.all()[0].players}


def test_a_game_that_is_not_over_is_no_evening_past(played: Played):
    played.house.new_table()
    played.house.new_table()
    assert len(played.web.room.evenings.all()) == 1
