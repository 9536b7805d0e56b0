"""A phone loses the table and finds it again: right numbers, no tap lost, none counted twice."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from companion.game import Seat
from tests.browser.lantern_evening import Evening
from tests.browser.measure_reconnect import gather
from tests.browser.pages import TV

pytestmark = pytest.mark.browser

RED = Seat("red")


def heading(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(text)


def winds(evening: Evening) -> list[str]:
    """Return whose winds the journal holds, in its order."""
    log = evening.house.table.look(RED).log
    return [str(line.cause.for_seat) for line in log if line.say.key == "lantern.log.wind"]


def test_what_happened_behind_a_cut_line_is_there_when_it_is_back(evening: Evening):
    evening.lit()
    mia = evening.phone("Mia", "red", url=evening.cable.url)
    ravi = evening.phone("Ravi", "blue")
    evening.cable.cut()
    expect(mia.locator("#conn")).to_have_text(re.compile("Looking for the table"))
    ravi.get_by_role("button", name="south wind").click()
    heading(ravi, "Waiting for Mia.")
    evening.cable.mend()
    expect(mia.locator("#conn")).to_have_text("Back. Nothing was lost.")
    expect(mia.locator("[data-part=deck] [data-key=blue]")).not_to_have_class(re.compile("waited"))


def test_a_phone_that_wakes_on_a_dead_line_does_not_believe_it(evening: Evening):
    evening.lit()
    mia = evening.phone("Mia", "red", url=evening.cable.url)
    ravi = evening.phone("Ravi", "blue")
    heading(mia, "Choose your wind.")
    evening.cable.fall_silent()
    ravi.get_by_role("button", name="south wind").click()
    mia.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(mia.locator("#conn")).to_have_text(re.compile("Catching up|Looking for the table"))
    evening.cable.mend()
    expect(mia.locator("#conn")).to_be_hidden()
    mia.get_by_role("button", name="north wind").click()
    heading(mia, "Turn the mill one quarter.")
    assert winds(evening) == ["blue", "red"]


def test_a_tap_whose_answer_got_lost_counts_once(evening: Evening):
    evening.lit()
    mia = evening.phone("Mia", "red", url=evening.cable.url)
    heading(mia, "Choose your wind.")
    evening.cable.lose_answers()
    with evening.told(seq=2):
        mia.get_by_role("button", name="north wind").click()
    evening.cable.mend()
    heading(mia, "Waiting for Blue bank.")
    expect(mia.locator(".sent")).to_have_count(0)
    expect(mia.locator(".toast")).to_have_count(0)
    assert winds(evening) == ["red"]
    assert mia.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('tap:'))") == []


def test_a_tap_survives_its_page_and_is_sent_by_the_next_one(evening: Evening):
    evening.lit()
    mia = evening.phone("Mia", "red", url=evening.cable.url)
    heading(mia, "Choose your wind.")
    evening.cable.cut()
    expect(mia.locator("#conn")).to_be_visible()
    mia.get_by_role("button", name="north wind").click()
    seat = mia.url
    mia.goto("about:blank")
    assert winds(evening) == []
    evening.cable.mend()
    mia.goto(seat)
    heading(mia, "Waiting for Blue bank.")
    assert winds(evening) == ["red"]


def test_taps_made_in_the_dark_arrive_in_their_order_and_a_contradiction_is_told(evening: Evening):
    evening.lit()
    mia = evening.phone("Mia", "red", url=evening.cable.url)
    evening.cable.cut()
    expect(mia.locator("#conn")).to_be_visible()
    mia.get_by_role("button", name="south wind").click()
    mia.get_by_role("button", name="north wind").click()
    evening.cable.mend()
    expect(mia.get_by_text("Mia chose the south wind")).to_be_visible()
    expect(mia.locator(".toast")).to_contain_text("The wind is chosen already.")


def test_a_tap_for_a_table_that_is_over_does_nothing_at_the_new_one(evening: Evening):
    evening.lit()
    mia = evening.phone("Mia", "red", url=evening.cable.url)
    evening.cable.cut()
    expect(mia.locator("#conn")).to_be_visible()
    mia.get_by_role("button", name="south wind").click()
    evening.house.new_table()
    evening.lit()
    evening.cable.mend()
    expect(mia.locator(".toast")).to_contain_text("A new table was begun.")
    heading(mia, "Choose your wind.")
    assert winds(evening) == []


def test_two_pages_of_one_seat_show_the_same_and_the_way_back_shows_what_is_true(evening: Evening):
    evening.lit()
    mia = evening.phone("Mia", "red")
    ravi = evening.phone("Ravi", "blue")
    other = mia.context.new_page()
    other.goto(mia.url)
    mia.locator("a[href=more]").click()
    heading(mia, "One more seat on this phone?")
    other.get_by_role("button", name="north wind").click()
    ravi.get_by_role("button", name="south wind").click()
    for page in (other, ravi):
        heading(page, "Turn the mill one quarter.")
    mia.go_back()
    heading(mia, "Turn the mill one quarter.")
    assert winds(evening) == ["red", "blue"]


def test_a_table_that_moved_is_looked_for_at_its_new_address(evening: Evening):
    evening.lit()
    mia = evening.phone("Mia", "red", url=evening.cable.url)
    expect(mia.locator("#conn")).to_be_hidden()
    where = evening.served.web.room.whereabouts
    where._find = lambda: f"{evening.served.url}/"  # what the Wi-Fi would do
    assert where.look()
    evening.served.web.sockets.changed()
    expect(mia.locator("body")).to_have_attribute("data-at", f"{evening.served.url}/")
    evening.cable.cut()
    mia.get_by_role("link", name="Try the table’s other address").click(timeout=20_000)
    heading(mia, "Choose your wind.")
    assert mia.url.startswith(evening.served.url)


def test_a_browser_that_cannot_unpack_is_told_plainly(evening: Evening):
    evening.lit()
    old = evening.phone("Mia", "red", script="delete window.DecompressionStream")
    new = evening.phone("Ravi", "blue")
    for phone in (old, new):
        phone.evaluate("document.querySelectorAll('[data-part]').forEach((one) => (one.dataset.is = ''))")
    with evening.told(seq=2):
        old.get_by_role("button", name="north wind").click()
    for phone in (old, new):
        expect(phone.locator("body")).to_have_attribute("data-seq", "2")
    expect(old.get_by_text("Mia chose the north wind")).to_be_visible()


def test_nothing_jumps_when_numbers_change(evening: Evening):
    evening.lit()
    mia, ravi = evening.phone("Mia", "red"), evening.phone("Ravi", "blue")
    screen = evening.page("/screen", TV)
    watch = """() => {
      window.jumps = 0;
      new PerformanceObserver((list) => {
        for (const one of list.getEntries()) if (!one.hadRecentInput) window.jumps += one.value;
      }).observe({ type: "layout-shift" });
    }"""
    for page in (mia, ravi, screen):
        expect(page.locator("[data-score]").first).to_be_visible()
        page.evaluate(watch)
    for seq in range(2, 8):
        gather(evening, seq)
        for page in (mia, ravi, screen):
            expect(page.locator("body")).to_have_attribute("data-seq", str(seq))
    for page in (mia, ravi, screen):
        page.wait_for_timeout(200)
        assert page.evaluate("window.jumps") < 0.01
