"""A first game, the sums and the guided set-up in a real Chromium."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from companion.game import Seat
from tests.browser.pages import DESK, NARROW, PHONE, TV, Pages, check
from tests.browser.served import Served
from tests.web.monster_house import MonsterHouse

pytestmark = pytest.mark.browser

SPEECH = """
window.said = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", {
  value: { speak: (words) => said.push(words.text), cancel: () => {} },
});
"""


class Evening(Pages):
    """A served table of Making Monsters and the pages that look at it."""

    def __init__(self, browser: Browser, tmp_path: Path) -> None:
        self.house = MonsterHouse()
        self.served = Served(self.house, seats_path=tmp_path / "seats.sqlite")
        super().__init__(browser, self.served.url)

    def say(self, command: dict[str, Any]) -> None:
        """Let the host say something for whom it concerns."""
        assert self.house.tap(command), command

    def set_up(self, until: str = "order") -> None:
        """Bring the table to a stage of red, one of two seats."""
        self.say({"do": "set_up", "seats": ["red", "blue"], "track": 6})
        chance = random.Random(1)
        while self.house.table.look(Seat("red")).view.facts["stage"] != until:
            assert self.house.step(chance), self.house.table.position()

    def close(self) -> None:
        self.close_pages()
        self.served.close()
        self.house.close()


@pytest.fixture
def evening(browser: Browser, tmp_path: Path) -> Iterator[Evening]:
    running = Evening(browser, tmp_path)
    yield running
    running.close()
    assert running.complaints == []


def test_the_host_switches_a_first_game_on_and_off_in_the_middle(evening: Evening):
    evening.set_up()
    host, mia = evening.page("/host", DESK), evening.phone("Mia", "red")
    expect(mia.locator(".steps")).to_have_count(0)
    host.get_by_role("button", name="Show it step by step").click()
    expect(mia.get_by_text("Step 1 of 3")).to_be_visible()
    assert mia.evaluate("getComputedStyle(document.documentElement).fontSize") == "21px"
    host.get_by_role("button", name="Show it as usual").click()
    expect(mia.locator(".steps")).to_have_count(0)


def test_steps_come_one_at_a_time_and_the_choices_after_the_last(evening: Evening):
    evening.set_up()
    evening.served.web.room.manner.show_first_game(evening.house.row.id, is_first=True)
    mia = evening.phone("Mia", "red")
    expect(mia.locator(".steps li:visible")).to_have_text(["Red draws two tokens, yellow four, blue six."])
    expect(mia.get_by_role("button", name="Yellow")).to_be_hidden()
    for _ in range(2):
        mia.get_by_role("button", name="Next step").click()
    expect(mia.get_by_text("Step 3 of 3")).to_be_visible()
    mia.get_by_role("button", name="All right").click()
    mia.get_by_role("button", name="Yellow").click()
    expect(mia.get_by_role("heading", level=1)).to_have_text("Waiting for Blue.")
    mia.reload()
    expect(mia.get_by_role("heading", level=1)).to_have_text("Waiting for Blue.")


def test_without_script_all_steps_and_choices_are_there(evening: Evening):
    evening.set_up()
    evening.served.web.room.manner.show_first_game(evening.house.row.id, is_first=True)
    mia = evening.phone("Mia", "red", java_script_enabled=False)
    expect(mia.locator(".steps li:visible")).to_have_count(3)
    mia.get_by_role("button", name="Yellow").click()
    expect(mia.get_by_role("heading", level=1)).to_have_text("Waiting for Blue.")


def test_a_phone_that_can_speak_reads_aloud_once_it_is_asked_to(evening: Evening):
    evening.set_up()
    evening.served.web.room.manner.show_first_game(evening.house.row.id, is_first=True)
    mia = evening.phone("Mia", "red", script=SPEECH)
    expect(mia.get_by_role("button", name="Read it to me")).to_be_visible()
    assert mia.evaluate("said") == []
    mia.get_by_role("button", name="Read it to me").click()
    mia.get_by_role("button", name="Next step").click()
    said = mia.evaluate("said")
    assert said[0].startswith("Lay an order token face down.")
    assert "Super" in said[1]
    mia.get_by_role("button", name="Stop reading").click()
    evening.say({"do": "ready", "seat": "red"})
    expect(mia.get_by_role("heading", level=1)).to_have_text("Waiting for Blue.")
    assert len(mia.evaluate("said")) == 2


@pytest.mark.parametrize(("viewport", "scheme"), [(NARROW, "dark"), (PHONE, "light")], ids=["320", "390"])
def test_guide_sums_and_setting_up_are_clean(evening: Evening, viewport: dict[str, int], scheme: str):
    look: dict[str, Any] = {"viewport": viewport, "color_scheme": scheme, "reduced_motion": "reduce"}
    host, screen = evening.page("/host", **look), evening.page("/screen", TV, reduced_motion="reduce")
    check({"host, box closed": host, "screen, box closed": screen})
    evening.say({"do": "set_up", "seats": ["red", "blue"], "track": 6})
    mia = evening.phone("Mia", "red", **look)
    expect(mia.get_by_text("Your bag: 22 tokens")).to_be_visible()
    check({"setting up": mia, "screen": screen})
    evening.served.web.room.manner.show_first_game(evening.house.row.id, is_first=True)
    expect(mia.get_by_text("Step 1 of 3")).to_be_visible()
    check({"first game": mia, "host": host})
    mia.goto(mia.url + "why/bag")
    expect(mia.get_by_role("heading", name="Tokens in your bag")).to_be_visible()
    mia.locator("details").first.click()
    check({"why": mia})
