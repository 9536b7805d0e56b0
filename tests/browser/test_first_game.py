"""A first game, the sums and the guided set-up in a real Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from companion.game import Seat
from companion.games.making_monsters.game import GAME
from companion.journal import Cause
from companion.table.writer import Submission
from tests.browser.served import Served
from tests.web.monster_house import MonsterHouse

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
NARROW = {"width": 320, "height": 640}
DESK = {"width": 1440, "height": 900}
TV = {"width": 1920, "height": 1080}

SPEECH = """
window.said = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", {
  value: { speak: (words) => said.push(words.text), cancel: () => {} },
});
"""


class Evening:
    """A served table of Making Monsters and the pages that look at it."""

    def __init__(self, browser: Browser, tmp_path: Path) -> None:
        self._browser = browser
        self.house = MonsterHouse()
        self.served = Served(self.house, seats_path=tmp_path / "seats.sqlite")
        self.complaints: list[str] = []
        self._contexts: list[Any] = []

    def page(self, path: str = "/", viewport: dict[str, int] | None = None, **options: Any) -> Page:
        script = options.pop("script", "")
        context = self._browser.new_context(viewport=viewport or PHONE, **options)
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        if script:
            page.add_init_script(script)
        page.goto(self.served.url + path)
        return page

    def phone(self, name: str, seat: str, **options: Any) -> Page:
        page = self.page(**options)
        page.get_by_label("Your name").fill(name)
        page.locator(f"button[value={seat}]").click()
        page.wait_for_url("**/seat/**")
        return page

    def say(self, command: dict[str, Any]) -> None:
        """Let the host say something for whom it concerns."""
        table = self.house.table
        cause = Cause(by="host", for_seat=command.get("seat"), client="test")
        receipt = table.submit(Submission("", cause, table.look(None).seq, command)).result(5)
        assert receipt.is_done, receipt

    def set_up(self, until: str = "order") -> None:
        """Bring the table to a stage of red, one of two seats."""
        self.say({"do": "set_up", "seats": ["red", "blue"], "track": 6})
        while self.house.table.look(Seat("red")).view.facts["stage"] != until:
            state = GAME.from_position(self.house.table.position(), GAME.stand_in)
            seat = state.waited_for()[0]
            self.say(dict(GAME.codec.command_out(next(iter(GAME.legal(state, seat))))))

    def close(self) -> None:
        for context in self._contexts:
            context.close()
        self.served.close()
        self.house.close()


@pytest.fixture
def evening(browser: Browser, tmp_path: Path) -> Iterator[Evening]:
    running = Evening(browser, tmp_path)
    yield running
    running.close()
    assert running.complaints == []


def check(pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        found = Axe().run(page).response["violations"]
        said = [f"{one['id']}: {[node['html'][:160] for node in one['nodes']]}" for one in found]
        assert said == [], f"{name}: {said}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} sticks out"


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
