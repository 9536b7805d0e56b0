"""The page on which a person moves the hands of the seat that they took."""

from __future__ import annotations

import json
import threading
from types import SimpleNamespace

import pytest
from flask import Flask

from companion.sentences import Speaker
from hardware.simulated.contents import contents_of
from hardware.simulated.deeds import done
from hardware.simulated.hands import Hands
from hardware.simulated.offers import deed_of, offers
from hardware.simulated.pages import READY_FILE, page
from hardware.simulated.server import TableServer
from hardware.simulated.table import Setting, SimulatedTable
from hardware.simulated.world import empty_table, truth


@pytest.fixture(scope="module")
def url():
    table = SimulatedTable(contents_of(), Setting(("red", "blue"), seed=2, speed=50.0))
    server = TableServer(table)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server.url
    server.shutdown()
    thread.join()
    server.server_close()
    table.close()


@pytest.fixture
def visitor(url, tmp_path, monkeypatch):
    """A browser at a service beside a table that has just been set up; ``anna`` sits at red."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    (tmp_path / READY_FILE).write_text(json.dumps({"url": url}))
    Hands(url).set_up(["red", "blue"], 8)
    app = Flask("service")
    seats = {"anna": "red"}
    app.register_blueprint(
        page(
            SimpleNamespace(
                seat_of=seats.get, static_url=lambda name: f"/static/{name}", language=lambda: "en"
            )
        )
    )
    return app.test_client()


def test_a_person_draws_and_lays_with_the_hands_of_their_seat(visitor, url):
    assert visitor.get("/hands/anna/").status_code == 200
    assert visitor.post("/hands/anna/", data={"do": "draw", "count": "2"}).status_code == 303
    held = Hands(url).world()["of"]["red"]["hand"][-1]
    page = visitor.get("/hands/anna/").get_data(as_text=True)
    assert f"{held}" in page
    laid = visitor.post("/hands/anna/", data={"do": "lay", "kind": held, "place": "lab_red/reject1"})
    assert laid.status_code == 303
    assert Hands(url).world()["places"]["lab_red/reject1"] == [held]


def test_the_page_shows_the_own_lab(visitor):
    picture = visitor.get("/hands/anna/lab.jpg")
    assert picture.mimetype == "image/jpeg"
    assert picture.data.startswith(b"\xff\xd8")


def test_what_is_not_offered_is_refused_and_changes_nothing(visitor, url):
    before = Hands(url).world()
    answer = visitor.post("/hands/anna/", data={"do": "lay", "kind": "goop", "place": "lab_blue/reject1"})
    assert answer.status_code == 409
    assert "moved on" in answer.get_data(as_text=True)
    assert Hands(url).world() == before


def test_who_has_no_seat_has_no_hands(visitor):
    assert visitor.get("/hands/nobody/").status_code == 404


def test_without_a_simulated_table_there_are_no_hands(visitor, tmp_path):
    (tmp_path / READY_FILE).unlink()
    answer = visitor.get("/hands/anna/")
    assert answer.status_code == 404
    assert "companion demo" in answer.get_data(as_text=True)


@pytest.mark.parametrize("first", ["", "draw", "lay_order", "place_card", "deal"])
def test_all_that_is_offered_can_be_done_and_said(first):
    speaker, contents = Speaker(["hardware.simulated"]), contents_of()
    world = done(empty_table(contents, 2), {"do": "set_up", "seats": ["red", "blue"], "rot_track": 8}).world
    if first:
        offer = next(each for each in offers(truth(world), contents, "red") if each.deed == first)
        world = done(world, filled(offer)).world
    for offer in offers(truth(world), contents, "red"):
        assert not speaker.say(offer.says).startswith("[")
        assert all(not speaker.say(blank.says).startswith("[") for blank in offer.blanks)
        done(world, filled(offer))  # raises Impossible if it cannot be done


def filled(offer) -> dict:
    """Fill a form with the first of everything."""
    form = {blank.name: [blank.options[0][0]] for blank in offer.blanks}
    return deed_of({"do": [offer.deed], **form}, [offer], "red")
