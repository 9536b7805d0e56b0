"""The Laboratory of Monster Graveyard by forms alone, as a phone without script sends them, taps counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from flask.testing import FlaskClient

from companion.game import Pick, Seat
from companion.games.monster_graveyard.state import State
from tests.web.forms_in import be_host, form_saying, send, sit
from tests.web.lantern_house import opened
from tests.web.monster_house import GraveyardHouse

ORANGE, PURPLE = Seat("orange"), Seat("purple")


@dataclass
class Laboratory:
    """Two phones at a table; ``taps`` counts every button and every answer that a finger presses."""

    house: GraveyardHouse
    client: FlaskClient
    urls: dict[Seat, str]
    taps: int = 0

    def tap(self, seat: Seat, button: str, **given: str) -> None:
        self.taps += 1 + len(given)
        answer = send(self.client, self.urls[seat], self.form(seat, button), **given)
        assert answer.status_code == 303, answer.text

    def form(self, seat: Seat, button: str):
        return form_saying(self.page(seat), button)

    def page(self, seat: Seat) -> str:
        return self.client.get(self.urls[seat]).text

    @property
    def state(self) -> State:
        found: State = self.house.state()
        return found


@pytest.fixture
def laboratory() -> Iterator[Laboratory]:
    house = GraveyardHouse()
    app, _, web = opened(house)
    client = app.test_client()
    urls = {seat: sit(client, name, seat) for seat, name in ((ORANGE, "Mia"), (PURPLE, "Ravi"))}
    host = be_host(client)
    form = form_saying(client.get(host).text, "Open the laboratory")
    form.fields = [one for one in form.fields if one[0] != "picks.seats"]
    form.fields += [("picks.seats", ""), ("picks.seats", ORANGE), ("picks.seats", PURPLE)]
    assert send(client, host, form, count__rp="5").status_code == 303
    yield Laboratory(house, client, urls)
    web.close()
    house.close()


def test_a_monster_costs_one_tap_for_each_part_that_is_not_skeletal(laboratory: Laboratory) -> None:
    laboratory.tap(ORANGE, "Laboratory")
    before = laboratory.taps
    laboratory.tap(ORANGE, "Reanimate", pick__head="putrefied", pick__torso="fresh")
    assert laboratory.taps - before == 2 + 1
    monster = laboratory.state.labs[ORANGE].monsters[0]
    assert (monster.terror, monster.science, monster.health) == (2, 1, 2)
    page = laboratory.page(ORANGE)
    assert "set the dice to Terror 2, Science 1 and Health 2" in page
    assert "4 parts to the Boneyard and 2 parts on the Graveyard discards" in page


def test_every_answer_of_the_form_is_one_tap(laboratory: Laboratory) -> None:
    """No list to be opened first: what is chosen from stands there as buttons."""
    laboratory.tap(ORANGE, "Laboratory")
    [prompt] = laboratory.house.table.look(ORANGE).view.prompts
    [form] = [choice for choice in prompt.choices if choice.command["do"] == "reanimate"]
    for field in form.fields:
        assert isinstance(field, Pick)
        assert field.most > 1 or len(field.options) <= 8
        assert field.most > 1 or field.value == "skeletal"
    assert "<select" not in laboratory.page(ORANGE).split("Reanimate</h2>")[1].split("</form>")[0]


def test_parts_that_make_no_monster_are_refused_with_what_is_possible(laboratory: Laboratory) -> None:
    laboratory.tap(ORANGE, "Laboratory")
    given = {"pick__leg_1": "fresh", "picks__specials": "mermaid_tail"}
    answer = send(laboratory.client, laboratory.urls[ORANGE], laboratory.form(ORANGE, "Reanimate"), **given)
    assert "Take one away" in answer.text
    assert not laboratory.state.labs[ORANGE].monsters


def test_a_whole_laboratory_by_forms(laboratory: Laboratory) -> None:
    laboratory.tap(ORANGE, "Laboratory")
    laboratory.tap(ORANGE, "Reanimate", picks__specials="pirate_hook")
    assert "enough for deck 3" in laboratory.page(ORANGE)
    laboratory.tap(ORANGE, "6 RP, 0 left")
    laboratory.tap(ORANGE, "Superior Science")
    assert laboratory.state.waited_for() == (PURPLE,)
    laboratory.tap(PURPLE, "Neither: I am done")
    laboratory.tap(PURPLE, "Village")
    laboratory.tap(ORANGE, "Monster 1, Terror 1")
    laboratory.tap(ORANGE, "That is what the Village brought", count__vp="2")
    lab = laboratory.state.labs[ORANGE]
    assert (lab.gp, lab.rp, lab.vp, lab.upgrades) == (1, 0, 2, ("superior_science",))
    laboratory.tap(PURPLE, "Nothing to tell")
    assert laboratory.state.turn == 2
    assert "Why" in laboratory.page(ORANGE)
    why = laboratory.client.get(laboratory.urls[ORANGE] + "why/monster1").text
    assert "every monster" in why


def test_the_host_ends_a_round_and_everybody_reads_it(laboratory: Laboratory) -> None:
    host = be_host(laboratory.client)
    for _ in range(2):
        form = form_saying(laboratory.client.get(host).text, "The village has no people left")
        assert send(laboratory.client, host, form).status_code == 303
    assert laboratory.state.rounds_done == 2
    assert "this turn is the last" in laboratory.client.get("/screen").text
