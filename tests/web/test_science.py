"""Mad Science on pages without script: a game is played by forms, charts are entered as grids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.games.mad_science.components import FACES
from companion.games.mad_science.game import GAME
from companion.ports import DieRoll
from companion.settings import parse
from companion.table.boxes import catalogue_of, new_box
from companion.table.host import open_host
from tests.web.forms_in import be_host, form_saying, forms_in, send, sit
from tests.web.monster_house import ScienceHouse
from web.app import WebOptions, create_app, monotonic_ms


@pytest.fixture
def house() -> Iterator[ScienceHouse]:
    house = ScienceHouse()
    yield house
    house.close()


@pytest.fixture
def client(house: ScienceHouse) -> Iterator[FlaskClient]:
    app, _ = create_app(house, WebOptions(pin="123456"))
    yield app.test_client()
    app.extensions["companion"].close()


def page(client: FlaskClient, url: str) -> str:
    answer = client.get(url)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def tap(client: FlaskClient, url: str, text: str, **fields: str) -> None:
    """Send the form of a page that says something, and see that it was taken."""
    answer = send(client, url, form_saying(page(client, url), text), **fields)
    assert answer.status_code == 303, answer.text


def seated(house: ScienceHouse, client: FlaskClient, **options: str) -> tuple[str, str]:
    """Set a table up for two and sit down; return the addresses of both phones."""
    assert house.tap({"do": "set_up", "seats": ["cyclops", "ghoul"], "options": options})
    return sit(client, "Mia", "cyclops"), sit(client.application.test_client(), "Ravi", "ghoul")


def rolled(client: FlaskClient, url: str, face: int) -> None:
    """Tap what a die shows."""
    pad = {form.text.strip(): form for form in forms_in(page(client, url))}
    assert set(map(str, FACES)) <= set(pad)
    assert send(client, url, pad[str(face)]).status_code == 303


def test_a_game_is_set_up_rolled_and_built_by_forms_alone(house: ScienceHouse, client: FlaskClient) -> None:
    mia, ravi = seated(house, client)
    rolled(client, mia, 1)
    rolled(client, ravi, 6)
    assert "Let the phone roll" not in page(client, mia)
    tap(client, mia, "Choir of Teeth")
    tap(client, mia, "Stuffed Walrus")
    tap(client, ravi, "Riveted Matron")
    tap(client, mia, "All have their hands")
    tap(client, mia, "Owl from Lost Property")
    tap(client, mia, "Pile, discarded")
    assert "Waiting for" in page(client, mia)
    tap(client, ravi, "None; Heap, discarded")
    assert "Stuffed Walrus" in page(client, mia)


def test_a_phone_rolls_by_a_form_where_the_table_lets_it(house: ScienceHouse, client: FlaskClient) -> None:
    mia, ravi = seated(house, client, virtual_die="yes")
    tap(client, mia, "Let the phone roll")
    assert "a phone rolled for Mia, no real die" in page(client, ravi)


def test_a_roll_that_came_too_early_is_put_to_whom_it_concerns_and_counts_by_a_form(
    house: ScienceHouse, client: FlaskClient
) -> None:
    mia, ravi = seated(house, client)
    house.table.rolled(DieRoll("green", "b1", 1, 4, monotonic_ms(), None)).result(5)
    assert "counts all the same" not in page(client, ravi)
    text = page(client, mia)
    assert "The 4 of green counts all the same." in text
    assert "Did I see this right?" not in text
    tap(client, mia, "Right")
    assert "counts all the same" not in page(client, mia)
    assert "a roll that Mia let count all the same" in page(client, ravi)


def test_the_newest_box_and_every_part_are_said_on_phones_and_the_big_screen(
    house: ScienceHouse, client: FlaskClient
) -> None:
    line = (
        "ms1 phase=play round=4 order=cyclops,ghoul experiment=experiment_1 life=9 bonus=yes pile=40 "
        "turn=cyclops stage=roll | cyclops body=body_1 built=yes life=8 name=Auntie "
        "parts=head:head_01,arm:arm_01,weapon:weapon_01,legs:legs_01 | ghoul body=body_3 built=yes life=6 "
        "parts=head:head_05,arm:arm_05,weapon:weapon_05,legs:legs_05 dropped=head:even"
    )
    assert house.tap({"do": "take_over", "position": line})
    assert house.tap({"do": "roll", "seat": "cyclops", "face": 1})
    mia = sit(client, "Mia", "cyclops")
    for url in (mia, "/watch", "/screen"):
        assert "middle: arrow to the red column" in page(client, url)
    screen = page(client, "/screen")
    assert re.search(r'<li class="off"><span>head</span> <small>even</small>', screen)
    assert "Auntie" in screen
    assert "Thing in the Boiler Room: 9 of 12" in screen


def test_a_chart_is_entered_as_a_grid_of_six_by_three(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    new_box("mine", GAME.stand_in)
    settings = '[table]\nbox = "mine"\ngame = "mad_science"\n'
    host = open_host(parse(settings, Path("companion.toml"), source=None))
    app, _ = create_app(host, WebOptions(pin="123456"))
    client = app.test_client()
    table = f"{be_host(client)}box/mine/experiments/"
    assert "chart: 18 of 18 boxes" in page(client, table)
    row = f"{table}row/experiment_2"
    form = form_saying(page(client, row), "Save")
    assert sum(name.startswith("cell.") and name[-1].isdigit() for name, _ in form.fields) == 18
    fields = {"cell.purple_4": "free_ride", "cell.red_1": ""}
    answer = client.post(row, data={**dict(form.fields), **fields})
    assert answer.status_code == 303
    told = catalogue_of("mine")["experiments"]["experiment_2"]
    assert told["purple_4"] == "free_ride"
    assert not told.get("red_1")
    assert "chart: 17 of 18 boxes" in page(client, table)
    assert host.table.catalogue()["experiments"]["experiment_2"]["purple_4"] == "free_ride"
    app.extensions["companion"].close()
    host.close()
