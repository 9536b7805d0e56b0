"""A finger, or a key, on its way down and up while the table goes on: its tap is meant as it was seen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from companion.game import Seat
from companion.journal import Cause
from companion.table.writer import Submission
from tests.browser.lantern_evening import Evening
from tests.web.lantern_house import bank_reading

pytestmark = pytest.mark.browser

LONG_MS = 1500


class StillPhone:
    """Mia's phone with a clock of its own that stands, so that a press lasts as long as it is told to."""

    def __init__(self, evening: Evening) -> None:
        self._table = evening.house.table
        self.page = evening.phone("Mia", "red")
        self.page.clock.install(time=0)
        with self.page.expect_websocket() as opened:
            self.page.reload()
        self._line = opened.value
        expect(self.page.locator("body")).to_have_attribute("data-line", re.compile("up|back"))
        self.page.clock.pause_at(self.page.evaluate("Date.now()") / 1000 + 1)
        self.wind = self.page.get_by_role("button", name="north wind")

    def put_finger_on_wind(self) -> None:
        self.wind.hover()
        self.page.mouse.down()

    def blue_chooses(self) -> None:
        """Let the other seat choose, and wait until this phone is told; its buttons stand there."""
        command = {"do": "choose", "seat": "blue", "wind": "south"}
        wind = Submission("blue", Cause("host", client="test"), self._table.look(None).seq, command)
        with self._line.expect_event("framereceived", lambda frame: "shown" in str(frame)):
            assert self._table.submit(wind).result(5).is_done

    def winds(self) -> list[str]:
        log = self._table.look(Seat("red")).log
        return [str(line.say.values["seat"]) for line in log if line.say.key == "lantern.log.wind"]


@pytest.fixture
def mia(evening: Evening) -> StillPhone:
    evening.lit()
    return StillPhone(evening)


def test_a_key_counts_though_the_section_around_its_button_changed_meanwhile(mia: StillPhone):
    mia.wind.focus()
    mia.page.keyboard.down("Space")
    mia.blue_chooses()
    mia.page.keyboard.up("Space")
    mia.page.clock.run_for(LONG_MS)
    expect(mia.page.get_by_role("heading", level=1)).to_have_text("Turn the mill one quarter.")


def test_nothing_moves_away_under_a_finger_and_its_tap_counts(evening: Evening, mia: StillPhone):
    mia.put_finger_on_wind()
    before = mia.wind.bounding_box()
    evening.house.table.sighted(bank_reading({"red1": ("pebble", True)})).result(5)
    mia.blue_chooses()
    assert mia.wind.bounding_box() == before
    mia.page.mouse.up()
    mia.page.clock.run_for(LONG_MS)
    expect(mia.page.locator(".proposal")).to_be_visible()
    assert mia.winds() == ["blue", "red"]


def test_a_finger_that_rests_does_not_stop_the_table_and_what_it_did_not_do_is_said(mia: StillPhone):
    mia.put_finger_on_wind()
    mia.page.clock.run_for(LONG_MS)
    mia.blue_chooses()
    expect(mia.page.locator("[data-part=deck] [data-key=blue]")).not_to_have_class(re.compile("waited"))
    mia.page.mouse.up()
    expect(mia.page.get_by_text("The page changed under your finger.")).to_be_visible()
    mia.page.clock.run_for(LONG_MS)
    expect(mia.page.get_by_role("heading", level=1)).to_have_text("Choose your wind.")
    mia.wind.click()
    mia.page.clock.run_for(LONG_MS)
    expect(mia.page.get_by_role("heading", level=1)).to_have_text("Turn the mill one quarter.")


def test_focus_stays_on_the_button_of_a_page_that_came_a_moment_ago(mia: StillPhone):
    mia.wind.focus()
    mia.blue_chooses()
    expect(mia.page.locator("[data-part=deck] [data-key=blue]")).not_to_have_class(re.compile("waited"))
    expect(mia.wind).to_be_focused()
    # The same when what stood above it goes, or comes.
    mia.page.evaluate(
        """async (page) => {
            const { morphInto } = await import(page.replace(/page[^/]*$/, "morph.js"));
            const place = document.querySelector("[data-part=todo]");
            place.innerHTML = '<p>gone</p><p id="above"></p><input><button>Right</button>';
            place.lastChild.focus();
            morphInto(place, "<b>new</b><button>Right</button>");
        }""",
        mia.page.locator("script[type=module]").first.get_attribute("src"),
    )
    expect(mia.page.get_by_role("button", name="Right")).to_be_focused()
