"""Mad Science in a real browser: its pages are legible and whole, from the first roll to the last part."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.pages import DESK, NARROW, TV, Pages, check
from tests.browser.served import Served
from tests.web.monster_house import ScienceHouse

pytestmark = pytest.mark.browser

SHOWN = {("play", "play"), ("play", "roll"), ("play", "recover"), ("break", "roll"), ("break", "target")}
"""Moments at which all pages are looked at: phase and stage of who is on turn."""


@pytest.fixture
def house() -> Iterator[ScienceHouse]:
    house = ScienceHouse()
    yield house
    house.close()


def test_a_game_is_shown_on_legible_pages_from_its_first_roll_to_its_end(
    browser: Browser, house: ScienceHouse
) -> None:
    served = Served(house)
    pages = Pages(browser, served.url)
    chance, seen = random.Random(5), set()
    try:
        seats = ["cyclops", "ghoul", "slime"]
        assert house.tap({"do": "set_up", "seats": seats, "options": {"virtual_die": "yes"}})
        assert house.tap({"do": "show_odds", "is_on": True})
        mia = pages.phone("Mia", "cyclops")
        ravi = pages.phone("Ravi", "ghoul", color_scheme="dark", viewport=NARROW)
        screen, host = pages.page("/screen", TV), pages.page("/host", DESK)
        mia.get_by_role("button", name="Let the phone roll").click()
        ravi.get_by_text("Roll: the lowest begins.").wait_for()
        for _ in range(1200):
            view = house.table.look(None).view
            moment = (view.facts["phase"], view.facts["stage"])
            if moment in SHOWN and moment not in seen and view.facts["turn"] in seats[:2]:
                seen.add(moment)
                asked = mia if view.facts["turn"] == "cyclops" else ravi
                asked.locator("[data-turn]").first.wait_for()
                check({str(moment): asked, "big screen": screen})
            if view.is_over:
                break
            house.step(chance)
        mia.get_by_text("The evening in numbers").wait_for()
        check({"the end": mia, "dark and narrow": ravi, "big screen": screen, "host": host})
        assert seen >= {("play", "play"), ("play", "roll"), ("break", "roll")}
        assert pages.complaints == []
    finally:
        pages.close_pages()
        served.close()
