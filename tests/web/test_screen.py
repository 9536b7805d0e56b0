"""The big screen and the overlay: what they show to whom, and when a score's lines come out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.game import Panel, Ring, RingPlace, Seat, Sentence, View
from companion.journal import Cause
from companion.table.writer import Submission
from tests.web.forms_in import sit
from tests.web.lantern_house import LanternHouse, opened
from web.app import Web
from web.desk import Role
from web.filters import screen_panels
from web.gains import MOST_LINES, Gains
from web.ring import CENTRE_XY, TOKENS_AT, WIDTH, drawn, short_name
from web.sections import Audience


@dataclass
class Table:
    house: LanternHouse
    web: Web
    client: FlaskClient

    def page(self, url: str) -> str:
        answer = self.client.get(url)
        assert answer.status_code == 200, answer.text
        return answer.text

    def tap(self, seat: str | None, command: dict[str, Any]) -> None:
        cause = Cause("seat" if seat else "host", Seat(seat) if seat else None, client="hands")
        seq = self.house.table.look(None).seq
        assert self.house.table.submit(Submission(f"tap-{seq}", cause, seq, command)).result(5).is_done

    def lit(self) -> None:
        self.tap(None, {"do": "open", "seats": ["red", "blue"]})


@pytest.fixture
def table() -> Iterator[Table]:
    house = LanternHouse()
    app, _, web = opened(house)
    yield Table(house, web, app.test_client())
    web.close()
    house.close()


def test_while_nobody_plays_the_screen_invites_and_then_it_stops(table: Table):
    page = table.page("/screen")
    assert "Who plays tonight?" in page
    assert "127.0.0.1:8080" in page
    table.lit()
    page = table.page("/screen")
    assert "Who plays tonight?" not in page
    assert "127.0.0.1:8080" in page, "the code stays all evening"


def test_the_quiet_screen_says_the_same(table: Table):
    table.lit()
    loud, quiet = table.page("/screen"), table.page("/screen?quiet")
    assert 'class="night quiet"' in quiet
    assert quiet.replace(" quiet", "") == loud


def test_a_stream_is_told_no_address_no_code_and_no_pin(table: Table):
    pages = [table.page("/overlay")]
    table.lit()
    pages.append(table.page("/overlay"))
    for what in ("127.0.0.1:8080", "qr", "123456"):
        assert [page for page in pages if what in page] == [], what
    assert table.page("/overlay?top").count('class="over top"') == 1


def test_the_overlay_is_told_nothing_that_a_watcher_is_not(table: Table):
    table.lit()
    sit(table.client, "Mia", "red")
    table.tap("red", {"do": "choose", "seat": "red", "wind": "north"})
    assert "north" not in table.page("/overlay") + table.page("/screen")


def test_what_a_seat_gained_this_round_stands_line_by_line(table: Table):
    table.lit()
    for number in range(1, MOST_LINES + 3):
        table.tap("red", {"do": "gather", "seat": "red", "oil": 1})
        gains = Gains().of(table.house.table, table.house.table.look(None))
        assert len(gains[Seat("red")]) == min(number, MOST_LINES)
        assert gains[Seat("red")][-1].number == number - 1
        assert gains[Seat("blue")] == ()
    shown = table.web.room.sections.show(Audience(Role.SCREEN))
    assert shown.html["shelf"].count("data-line=") == MOST_LINES


def test_sums_are_asked_for_only_when_a_score_changed(table: Table, monkeypatch: pytest.MonkeyPatch):
    table.lit()
    table.tap("red", {"do": "gather", "seat": "red", "oil": 2})
    asked: list[Any] = []
    sums = table.house.table.sums
    monkeypatch.setattr(table.house.table, "sums", lambda seat: asked.append(seat) or sums(seat))
    gains = Gains()
    gains.of(table.house.table, table.house.table.look(None))
    table.tap("red", {"do": "choose", "seat": "red", "wind": "north"})
    gains.of(table.house.table, table.house.table.look(None))
    assert asked == [None]
    table.tap("red", {"do": "gather", "seat": "red", "oil": 2})
    gains.of(table.house.table, table.house.table.look(None))
    assert asked == [None, None]


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_a_ring_of_any_size_stays_in_its_frame(count: int):
    ring = Ring(Sentence("ring"), (RingPlace(),) * count, Sentence("centre"), sparks=((0, 1), (count - 1, 0)))
    drawing = drawn(ring)
    for spot in drawing.spots:
        away = hypot(spot.token_xy[0] - CENTRE_XY[0], spot.token_xy[1] - CENTRE_XY[1])
        assert abs(away - TOKENS_AT) < 2
        assert 0 <= spot.name_xy[0] <= WIDTH
        assert 0 <= spot.name_xy[1] <= drawing.height
    assert len(set(drawing.sparks)) == 2
    assert len({spot.token_xy for spot in drawing.spots}) == count


def test_a_long_name_is_shortened_where_it_stands_beside_a_token():
    assert short_name("Mia", 8) == "Mia"
    assert short_name("Bartholomäus", 8) == "Barthol…"


def test_panels_that_have_no_room_are_left_out_whole():
    def panel(key: str, rows: int, gauge: tuple[int, int] | None = None) -> Panel:
        return Panel(key, Sentence(key), ((Sentence("row"), 1),) * rows, gauge)

    many = (panel("long", 12), panel("short", 3), panel("rot", 0, (3, 8)))
    view = View(Sentence("phase"), 1, (), (), many)
    ring = Ring(Sentence("ring"), (), Sentence("centre"))
    said = [one.key for one in screen_panels(view, str)]
    assert said == ["rot", "short"]
    beside = View(Sentence("phase"), 1, (), (), many, ring=ring)
    assert [one.key for one in screen_panels(beside, str)] == ["rot"]
