"""From the box to the first order: four phones, every tap counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.game import Seat
from companion.games.making_monsters.components import Token
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.parts import counted
from companion.games.making_monsters.rules.deliveries import default_placements
from tests.companion.games.making_monsters.world import World
from tests.web.forms_in import Form, be_host, form_saying, send, sit
from tests.web.lantern_house import opened
from tests.web.monster_house import MonsterHouse
from web.app import monotonic_ms

MOST_TAPS = 10
NAMES = {"red": "Mia", "blue": "Ravi", "green": "Ada", "yellow": "Lou"}


@dataclass
class Evening:
    """Four phones and a table of wood; ``taps`` counts every button that a finger presses."""

    house: MonsterHouse
    client: FlaskClient
    world: World
    taps: int = 0

    def sit_down(self) -> dict[Seat, str]:
        self.taps += len(NAMES)
        return {Seat(seat): sit(self.client, name, seat) for seat, name in NAMES.items()}

    def tap(self, url: str, button: str, **given: str) -> None:
        self.taps += 1
        answer = send(self.client, url, self.form(url, button), **given)
        assert answer.status_code == 303, answer.text

    def form(self, url: str, button: str) -> Form:
        return form_saying(self.client.get(url).text, button)

    def do_chores(self) -> None:
        for chore in self.house.table.look(None).view.facts["chores"]:
            self.world.do(chore)

    def see(self) -> None:
        reading = replace(self.world.reading(), frame=self.taps, at_ms=monotonic_ms() + 5)
        self.house.table.sighted(reading).result(5)

    def lay_first_lab(self, seat: Seat) -> None:
        """Deal a monster, draw five tokens and lay all of them where they belong."""
        (card,) = self.world.draw_cards(1)
        state = GAME.from_position(self.house.table.position(), GAME.stand_in)
        for event in GAME.decide(state, command(seat, card)):
            state = GAME.evolve(state, event)
        self.world.benches[seat].cards["card3"] = card
        kinds = counted(map(Token, self.world.draw(seat, 5)))
        for kind, space in default_placements(state, state.labs[seat], kinds):
            self.world.put(seat, kind.value, space)


def command(seat: Seat, card: str) -> Any:
    return GAME.codec.command_in({"do": "place_card", "seat": seat, "card": card, "space": "card3"})


@pytest.fixture
def evening() -> Iterator[Evening]:
    house = MonsterHouse()
    app, _, web = opened(house)
    world = World(GAME.stand_in, [Seat(seat) for seat in NAMES], seed=4)
    yield Evening(house, app.test_client(), world)
    web.close()
    house.close()


def test_four_phones_come_to_the_first_order_in_ten_taps(evening: Evening):
    host = be_host(evening.client)
    phones = evening.sit_down()
    evening.tap(host, "Set up")
    evening.do_chores()
    for seat in phones:
        evening.lay_first_lab(seat)
    evening.see()
    for url in phones.values():
        evening.tap(url, "Right")
    view = evening.house.table.look(None).view
    assert (view.phase.key, view.round) == ("mm.phase.order", 1)
    for url in phones.values():
        assert evening.form(url, "My token lies face down")
    assert evening.taps == 9 <= MOST_TAPS


def test_four_phones_that_tell_results_come_to_the_first_order_in_ten_taps_without_a_camera(evening: Evening):
    host = be_host(evening.client)
    phones = evening.sit_down()
    evening.taps += 1  # the depth is a button of the form, ticked before "Set up"
    evening.tap(host, "Set up", pick__depth="results")
    view = evening.house.table.look(None).view
    assert (view.phase.key, view.round) == ("mm.phase.order", 1)
    for url in phones.values():
        assert evening.form(url, "My token lies face down")
    assert evening.taps == 6 <= MOST_TAPS


def test_each_phone_is_guided_through_its_own_part_of_setting_up(evening: Evening):
    host = be_host(evening.client)
    page = evening.client.get(host).text
    for letter in "ABCDEFGH":
        assert f"<dt>{letter}</dt>" in page
    phones = evening.sit_down()
    evening.tap(host, "Set up")
    page = evening.client.get(phones[Seat("red")]).text
    assert "Your bag: 22 tokens, 7 of them rot?" in page
    assert "Before you lies cart 1." in page
    assert "<dt>On your left: Ravi</dt><dd>cart 2</dd>" in page
    assert "<dt>Opposite: Ada</dt><dd>cart 3</dd>" in page
    assert "<dt>On your right: Lou</dt><dd>cart 4</dd>" in page
    assert "20 rot on the Rot track." in page
    assert "The other 10 rot on their grave." in page
