"""Monster Graveyard in a real browser: its pages are legible, whole and tapped through at phone size."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.pages import DESK, NARROW, TV, Pages, check
from tests.browser.served import Served
from tests.web.monster_house import GraveyardHouse

pytestmark = pytest.mark.browser


@pytest.fixture
def house() -> Iterator[GraveyardHouse]:
    house = GraveyardHouse()
    yield house
    house.close()


def test_a_laboratory_is_tapped_through_on_legible_pages(browser: Browser, house: GraveyardHouse) -> None:
    served = Served(house)
    pages = Pages(browser, served.url)
    try:
        seats = ["orange", "purple", "green", "red", "blue"]
        assert house.tap({"do": "set_up", "seats": seats, "rp": 3})
        mia = pages.phone("Mia", "orange")
        ravi = pages.phone("Ravi", "purple", color_scheme="dark", viewport=NARROW)
        check({"choosing": mia})
        mia.get_by_role("button", name="Laboratory").click()
        mia.get_by_role("button", name="Reanimate").wait_for()
        check({"acting": mia})
        mia.locator("input[name='pick.head'][value=putrefied]").check()
        mia.get_by_label("Mermaid Tail").check()
        mia.get_by_role("button", name="Reanimate").click()
        mia.get_by_text("set the dice to Terror 2").wait_for()
        mia.get_by_role("button", name="3 RP, 1 left").click()
        mia.get_by_text("Which one do you play?").wait_for()
        check({"looking": mia})
        mia.get_by_role("button", name="Improved Science").click()
        ravi.get_by_role("button", name="Reanimate").wait_for()
        check({"acting, dark and narrow": ravi})
        screen, host = pages.page("/screen", TV), pages.page("/host", DESK)
        check({"big screen": screen, "host": host})
        assert pages.complaints == []
    finally:
        pages.close_pages()
        served.close()
