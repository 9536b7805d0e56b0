"""Sections that are drawn anew only where something changed say the same as those drawn from nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from companion.game import Seat
from companion.journal import Cause
from tests.web.lantern_house import opened
from tests.web.monster_house import MonsterHouse
from web import redraw
from web.app import Web
from web.desk import Role
from web.sections import Audience

RED = Seat("red")
AUDIENCES = (
    Audience(Role.SEAT, RED, language="en"),
    Audience(Role.SEAT, Seat("blue"), language="de"),
    Audience(Role.HOST, language="en"),
    Audience(Role.SCREEN, is_here=True, language="en"),
    Audience(Role.WATCH, language="en"),
)


@pytest.fixture
def evening() -> Iterator[tuple[MonsterHouse, Web]]:
    house = MonsterHouse()
    _, _, web = opened(house)
    yield house, web
    web.close()
    house.close()


def from_nothing(web: Web, audience: Audience) -> dict[str, str]:
    sections = web.room.sections
    sections._kept.pop(audience, None)
    kept = sections._redraws.pop(audience, None)
    html = dict(sections.show(audience).html)
    sections._redraws[audience] = kept or redraw.Redraw()
    sections._kept.pop(audience, None)
    return html


def check(web: Web, when: str) -> None:
    for audience in AUDIENCES:
        drawn = dict(web.room.sections.show(audience).html)
        assert drawn == from_nothing(web, audience), f"{audience.role} {audience.seat}, {when}"


def test_all_through_a_game_nothing_stale_is_shown(evening: tuple[MonsterHouse, Web]):
    house, web = evening
    room, chance = web.room, random.Random(3)
    check(web, "before the game")
    room.seats.sit(RED, "Mia")
    house.tap({"do": "set_up", "seats": ["red", "blue", "green"], "track": 12})
    for number in range(90):
        assert house.step(chance), house.table.position()
        if number % 6 == 0:
            check(web, house.table.position())
        match number:
            case 20:
                room.seats.sit(Seat("blue"), "Ravi")
            case 35:
                room.manner.show_first_game(house.row.id, is_first=True)
            case 50:
                room.manner.set_timer(house.row.id, 60)
                room.manner.show_first_game(house.row.id, is_first=False)
            case 65:
                entry = house.table.look(None).log[-1].seq
                struck = house.table.preview_strike([entry]).result(5).seqs
                house.table.strike(struck, request="s", cause=Cause("host", client="h")).result(5)
                check(web, "after a strike")
            case _:
                pass
    room.seats.free(RED)
    check(web, "after a seat was given free")
    house.new_table()
    check(web, "at a new table")


def test_what_did_not_change_is_not_drawn_again(
    evening: tuple[MonsterHouse, Web], monkeypatch: pytest.MonkeyPatch
):
    house, web = evening
    house.tap({"do": "set_up", "seats": ["red", "blue", "green"], "track": 12})
    chance = random.Random(3)
    while not house.table.look(None).view.phase.key.endswith("order"):
        assert house.step(chance)
    audience = Audience(Role.WATCH, language="en")
    before = web.room.sections.show(audience).html
    drawn: list[str] = []
    draw = redraw._draw

    def noted(block: Any, *rest: Any) -> redraw.Drawn:
        drawn.append(block.__name__)
        return draw(block, *rest)

    monkeypatch.setattr(redraw, "_draw", noted)
    assert house.tap({"do": "choose_order", "seat": "red", "order": "red"}, RED)
    after = web.room.sections.show(audience).html
    changed = {name for name in after if after[name] != before[name]}
    assert changed
    assert len(drawn) < len(after)
