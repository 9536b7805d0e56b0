"""A round in taps: every button that a finger presses on four phones and the host's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest
from flask.testing import FlaskClient

from companion.game import Seat
from companion.games.making_monsters.components import Token
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.parts import counted
from companion.games.making_monsters.rules.deliveries import default_placements
from tests.companion.games.making_monsters.world import World
from tests.web.forms_in import be_host, forms_in, send, sit
from tests.web.lantern_house import opened
from tests.web.monster_house import MonsterHouse
from web.app import monotonic_ms

MOST_WITHOUT, MOST_WITH = 18, 6
NAMES = {"red": "Mia", "blue": "Ravi", "green": "Ada", "yellow": "Lou"}


@dataclass
class Round:
    """Four phones, the host's page and a table of wood; ``taps`` counts what for."""

    house: MonsterHouse
    client: FlaskClient
    world: World
    host: str = ""
    phones: dict[Seat, str] = field(default_factory=dict)
    taps: Counter[str] = field(default_factory=Counter)
    frames: int = 0

    def begin(self, **options: str) -> None:
        self.host = be_host(self.client)
        self.phones = {Seat(seat): sit(self.client, name, seat) for seat, name in NAMES.items()}
        self.tap(self.host, "Set up", "beginning", **options)

    def tap(self, url: str, button: str, what: str, **given: str) -> None:
        """Press the button that says just this, else one that ends so (after a sign's letter)."""
        forms = [(" ".join(one.text.split()), one) for one in forms_in(self.client.get(url).text)]
        found = [form for said, form in forms if said == button]
        found += [form for said, form in forms if said.endswith(button) or said.startswith(f"{button}:")]
        assert found, f"no {button!r} among {[said[:40] for said, _ in forms]}"
        answer = send(self.client, url, found[0], **given)
        assert answer.status_code == 303, answer.text
        self.taps[what] += 1

    @property
    def phase(self) -> str:
        return self.house.table.look(None).view.phase.key.rpartition(".")[2]

    def score(self, seat: str) -> int:
        return next(one.score for one in self.house.table.look(None).view.seats if one.seat == seat)

    # The table of wood and the camera above it

    def do_chores(self) -> None:
        for chore in self.house.table.look(None).view.facts["chores"]:
            self.world.do(chore)

    def see(self) -> None:
        self.frames += 1
        reading = replace(self.world.reading(), frame=self.frames, at_ms=monotonic_ms() + 5)
        self.house.table.sighted(reading).result(5)

    def lay(self, seat: Seat, count: int, card: str = "", space: str = "") -> None:
        """Draw tokens, and a card before them, and lay all where they belong."""
        state = self.house.state()
        if card:
            command = {"do": "place_card", "seat": seat, "card": card, "space": space}
            for event in GAME.decide(state, GAME.codec.command_in(command)):
                state = GAME.evolve(state, event)
            self.world.benches[seat].cards[space] = card
        kinds = counted(map(Token, self.world.draw(seat, count)))
        for kind, at in default_placements(state, state.labs[seat], kinds):
            self.world.put(seat, kind.value, at)


@pytest.fixture
def table() -> Iterator[Round]:
    house = MonsterHouse()
    app, _, web = opened(house)
    yield Round(house, app.test_client(), World(GAME.stand_in, [Seat(seat) for seat in NAMES], seed=4))
    web.close()
    house.close()


def test_a_round_without_a_camera_stays_in_its_budget(table: Round):
    """One red super; three monsters, two monsters, a bust with one, and one pushes on."""
    table.begin(pick__depth="results")
    for seat, order in zip(NAMES, ("Red", "Yellow", "Yellow", "Yellow"), strict=True):
        table.tap(table.phones[Seat(seat)], order, "orders")
    assert table.phase == "deliveries"
    told = {"red": ("5", "7", "6"), "blue": ("4", "9"), "green": ("6",)}
    for seat, monsters in told.items():
        for worth in monsters:
            table.tap(table.phones[Seat(seat)], worth, "monsters")
    table.tap(table.phones[Seat("red")], "Reanimate 3", "outcomes")
    table.tap(table.phones[Seat("blue")], "Reanimate 2", "outcomes")
    table.tap(table.phones[Seat("green")], "Bust: 6", "outcomes")
    table.tap(table.phones[Seat("yellow")], "Push on", "outcomes")
    table.tap(table.host, "The board is turned", "turning")
    assert table.phase == "order"
    assert [table.score(seat) for seat in NAMES] == [3 + 18 + 6, 13 + 3, 6, 0]
    del table.taps["beginning"]
    assert table.taps.total() == 15 <= MOST_WITHOUT


def test_a_round_with_a_camera_stays_in_its_budget(table: Round):
    """All orders right by one tap of the host, one tap a seat, one for the board.

    Orders that lie there and cards that were kept are one more tap of the host each.
    """
    table.begin()
    table.do_chores()
    for seat in table.phones:
        table.lay(seat, 5, card=table.world.draw_cards(1)[0], space="card3")
    table.see()
    table.tap(table.host, "All 5 right", "beginning")
    table.tap(table.host, "Right", "beginning")  # the upgrades on the carts, asked anew in the next phase
    for seat in table.phones:
        table.world.benches[seat].order = "yellow"
    table.see()
    table.tap(table.host, "All 4 right", "ready")
    table.do_chores()
    table.see()
    table.tap(table.host, "All 4 right", "orders")
    assert table.phase == "deliveries"
    for seat in table.phones:
        table.lay(seat, 4)
    table.see()
    for url in table.phones.values():
        table.tap(url, "Right, and push on", "outcomes")
    assert table.phase == "refresh"
    table.do_chores()
    for seat in table.phones:
        table.world.benches[seat].cards["card4"] = table.world.draw_cards(1)[0]
    table.see()
    table.tap(table.host, "All 4 right", "cards")
    table.tap(table.host, "The board is turned", "turning")
    assert table.phase == "order"
    del table.taps["beginning"]
    assert table.taps == {"ready": 1, "orders": 1, "outcomes": 4, "cards": 1, "turning": 1}
    assert sum(table.taps[what] for what in ("orders", "outcomes", "turning")) <= MOST_WITH
