"""Phones, host and big screen in a real Chromium, around a table in this process."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.lantern_evening import Evening
from tests.browser.pages import NARROW, PHONE, TV, check
from tests.web.lantern_house import bank_reading
from web.presence import MAX_LINES, Line

pytestmark = pytest.mark.browser

# The smallest valid JPEG that a browser draws: one grey pixel.
JPEG = bytes.fromhex(
    "ffd8ffe000104a46494600010101004800480000ffdb004300" + "08" * 64 + "ffc0000b080001000101011100"
    "ffc40014000100000000000000000000000000000008ffc40014100100000000000000000000000000000000ffda0008010100003f0037ffd9"
)


def test_two_phones_host_and_screen_follow_the_same_game(evening: Evening):
    host = evening.lit()
    mia, ravi = evening.phone("Mia", "red"), evening.phone("Ravi", "blue")
    screen = evening.page("/screen", TV)
    expect(screen.get_by_text("Ravi", exact=True)).to_be_visible()
    expect(host.get_by_text("phone here").first).to_be_visible()
    mia.get_by_role("button", name="north wind").click()
    expect(mia.get_by_role("heading", level=1)).to_have_text("Waiting for Ravi.")
    ravi.get_by_role("button", name="south wind").click()
    expect(mia.get_by_role("heading", level=1)).to_have_text("Turn the mill one quarter.")
    host.get_by_role("button", name="Mill turned").click()
    expect(mia.get_by_role("heading", level=1)).to_have_text("Roll the die.")
    expect(screen.locator(".when")).to_have_text("Round 1")
    expect(screen.get_by_role("heading", level=1)).to_have_text("walk")


def test_a_proposal_is_confirmed_on_one_phone_and_corrected_on_another(evening: Evening):
    evening.lit()
    mia, ravi = evening.phone("Mia", "red"), evening.phone("Ravi", "blue")
    screen = evening.page("/screen", TV)
    seen = {"red1": ("pebble", True), "blue1": ("pebble", False), "blue2": ("pebble", True)}
    evening.house.table.sighted(bank_reading(seen, crop=JPEG)).result(5)
    mia.get_by_role("button", name="Right").click()
    expect(mia.locator(".proposal")).to_have_count(0)
    expect(ravi.get_by_text("please check").first).to_be_visible()
    ravi.get_by_role("button", name="a shell").first.click()
    expect(ravi.get_by_text("you said so")).to_be_visible()
    ravi.get_by_role("button", name="Right").click()
    for page in (mia, screen):
        expect(page.locator("[data-of=red]").first).to_have_attribute("data-score", "1")
    expect(screen.locator("[data-of=blue]")).to_have_text("2")
    expect(ravi.locator("[data-of=blue]")).to_have_text("2")
    log = evening.house.table.look(None).log
    assert [line.cause.for_seat for line in log if line.say.key == "lantern.log.laid"] == ["red", "blue"]


def test_a_refused_tap_says_why_and_stays_until_it_is_read(evening: Evening):
    evening.lit()
    mia = evening.phone("Mia", "red")
    # A page whose sections are not renewed, as on a phone that missed the last push.
    mia.evaluate("document.querySelector('[data-part=deck]').removeAttribute('data-part')")
    mia.get_by_role("button", name="north wind").click()
    expect(mia.get_by_text("Waiting for Blue bank.")).to_be_visible()
    mia.get_by_role("button", name="south wind").click()
    expect(mia.get_by_text("The wind is chosen already.")).to_be_visible()
    mia.get_by_role("button", name="All right").click()
    expect(mia.locator(".toast")).to_have_count(0)


def test_a_reload_lands_on_the_seat_and_so_does_the_first_page(evening: Evening):
    evening.lit()
    mia = evening.phone("Mia", "red")
    mia.reload()
    expect(mia.get_by_text("Choose your wind.")).to_be_visible()
    mia.goto(evening.served.url)
    mia.wait_for_url("**/seat/**")
    expect(mia.get_by_text("Choose your wind.")).to_be_visible()


def test_a_phone_that_slept_asks_again_when_it_wakes(evening: Evening):
    evening.lit()
    mia = evening.phone("Mia", "red")
    expect(mia.get_by_text("Choose your wind.")).to_be_visible()
    mia.evaluate("document.querySelector('[data-part=tag] h1').textContent = 'old'")
    mia.evaluate("document.querySelector('[data-part=tag]').dataset.is = 'old'")
    mia.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(mia.get_by_role("heading", level=1)).to_have_text("Choose your wind.")


def test_a_freed_seat_sends_its_phone_to_the_door(evening: Evening):
    host = evening.lit()
    mia = evening.phone("Mia", "red")
    host.get_by_role("button", name="Free seat").click()
    expect(mia.get_by_text("Who are you tonight?")).to_be_visible()


def test_everything_is_done_by_keyboard(evening: Evening):
    evening.lit()
    mia = evening.page()
    mia.keyboard.press("Tab")
    mia.keyboard.type("Mia")
    mia.keyboard.press("Tab")
    mia.keyboard.press("Enter")
    mia.wait_for_url("**/seat/**")
    mia.get_by_role("button", name="north wind").press("Enter")
    expect(mia.get_by_text("Mia chose the north wind")).to_be_visible()


def test_focus_and_open_details_survive_what_is_pushed(evening: Evening):
    evening.lit()
    mia = evening.phone("Mia", "red")
    evening.house.table.sighted(bank_reading({"red1": ("pebble", True)})).result(5)
    opened = mia.locator(".space ~ details summary")
    opened.click()
    opened.focus()
    evening.house.table.sighted(
        bank_reading({"red1": ("pebble", True), "red2": ("shell", True)}, frame=2)
    ).result(5)
    expect(mia.get_by_text("You laid 2 stones")).to_be_visible()
    expect(opened.first).to_be_focused()
    expect(mia.get_by_role("button", name="a shell").first).to_be_visible()


def test_without_script_a_page_is_complete(evening: Evening):
    evening.lit()
    mia = evening.phone("Mia", "red", java_script_enabled=False)
    mia.get_by_role("button", name="north wind").click()
    expect(mia.get_by_text("Waiting for Blue bank.")).to_be_visible()
    expect(mia.get_by_text("Mia chose the north wind")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [NARROW, PHONE], ids=["320", "390"])
def test_axe_finds_nothing_and_nothing_sticks_out(evening: Evening, viewport: dict[str, int], scheme: str):
    look = {"viewport": viewport, "color_scheme": scheme, "reduced_motion": "reduce"}
    host = evening.host(**look)
    join = evening.page(**look)
    pages = {"opening": host, "join": join}
    check(pages)
    host.get_by_role("button", name="2 lanterns").click()
    mia = evening.phone("Mia", "red", **look)
    evening.house.table.sighted(
        bank_reading({"red1": ("pebble", True), "red2": ("shell", False)}, crop=JPEG)
    ).result(5)
    expect(mia.locator(".proposal")).to_be_visible()
    pages = {"seat": mia, "host": host, "watch": evening.page("/watch", **look)}
    for name in ("mend", "strike"):
        pages[name] = evening.host(**look)
        pages[name].get_by_role("link", name="Change").first.click()
    pages["strike"].get_by_role("link", name="Or strike it").click()
    mia.locator("[data-size]").click()
    mia.locator("[data-size]").click()
    check(pages)


def test_axe_finds_nothing_on_the_big_screen(evening: Evening):
    evening.lit()
    evening.phone("Mia", "red")
    check({"screen": evening.page("/screen", TV, reduced_motion="reduce")})


def test_what_a_thumb_must_hit_is_large_enough(evening: Evening):
    evening.lit()
    mia = evening.phone("Mia", "red")
    evening.house.table.sighted(bank_reading({"red1": ("pebble", False)}, crop=JPEG)).result(5)
    expect(mia.locator(".proposal")).to_be_visible()
    for button in mia.locator("button:visible, summary:visible, a:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44, button.inner_text()


def test_the_thirty_third_page_is_told_why_it_stays_still(evening: Evening):
    for number in range(MAX_LINES):
        evening.served.web.room.presence.opened(Line(f"line-{number}", "10.0.0.2"))
    late = evening.page("/watch")
    expect(late.locator("#conn")).to_have_text(re.compile("Too many phones look at this table"))
    for number in range(MAX_LINES):
        evening.served.web.room.presence.closed(f"line-{number}", was_silent=False)
    expect(late.locator("#conn")).to_be_hidden()
