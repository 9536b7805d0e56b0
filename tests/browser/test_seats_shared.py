"""Several seats on one phone, a seat to another phone, and how a phone says whose turn it is."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from companion.game import Seat
from tests.browser.lantern_evening import Evening
from tests.browser.pages import NARROW, PHONE, check

pytestmark = pytest.mark.browser

SOUND = """
const counted = { tones: 0, buzzes: 0 };
const count = (what) => (document.documentElement.dataset[what] = counted[what] += 1);
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { count("tones"); return start.call(this, at); };
Object.defineProperty(navigator, "vibrate", { value: () => { count("buzzes"); return true; } });
"""


def two_seats(evening: Evening, **look: object) -> Page:
    """Let Mia and her child share a phone; the child's page is open."""
    phone = evening.phone("Mia", "red", **look)
    phone.get_by_role("link", name="One more seat").click()
    phone.get_by_label("Your name").fill("Zoë")
    phone.locator("button[value=blue]").click()
    expect(phone.get_by_role("navigation", name="Seats on this phone")).to_be_visible()
    return phone


def test_parent_and_child_share_a_phone_and_tap_each_for_themselves(evening: Evening):
    host = evening.lit()
    phone = two_seats(evening)
    phone.get_by_role("button", name="south wind").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Waiting for Mia.")
    tab = phone.get_by_role("link", name="Mia")
    expect(tab).to_contain_text("your turn")
    tab.click()
    phone.get_by_role("button", name="north wind").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Turn the mill one quarter.")
    expect(host.get_by_text("phone here")).to_have_count(2)
    log = evening.house.table.look(None).log
    assert [(line.cause.by, line.cause.for_seat) for line in log[1:3]] == [("seat", "blue"), ("seat", "red")]


def test_a_seat_goes_to_another_phone_and_the_old_one_is_out_at_once(evening: Evening):
    evening.lit()
    old = evening.phone("Mia", "red")
    page_of_old = old.context.new_page()
    page_of_old.goto(old.url)
    old.get_by_role("button", name="Move to another phone").click()
    expect(old.get_by_role("img", name="Code that moves the seat of Mia")).to_be_visible()
    new = evening.page(f"/take/{old.url.rpartition('/')[2]}")
    new.get_by_role("button", name="Take the seat").click()
    expect(new.get_by_role("heading", level=1)).to_have_text("Choose your wind.")
    for page in (old, page_of_old):
        expect(page.get_by_text("is on another phone now")).to_be_visible()
    new.get_by_role("button", name="north wind").click()
    expect(new.get_by_text("Mia chose the north wind")).to_be_visible()


def test_a_phone_keeps_its_own_seat_when_it_takes_another(evening: Evening):
    evening.lit()
    ravi = evening.phone("Ravi", "blue")
    evening.served.web.room.seats.sit(Seat("red"), "Mia")
    ravi.goto(f"{evening.served.url}/own/red")
    ravi.get_by_label("Three digits").fill(evening.served.web.room.moving.number())
    ravi.get_by_role("button", name="Take the seat").click()
    expect(ravi.get_by_role("navigation", name="Seats on this phone")).to_contain_text("Ravi")
    assert evening.served.web.room.seats.names() == {"red": "Mia", "blue": "Ravi"}


def test_your_turn_is_seen_as_a_band_and_in_the_title_and_heard_once_it_is_wished_for(evening: Evening):
    host = evening.lit()
    mia = evening.phone("Mia", "red", script=SOUND)
    ravi = evening.phone("Ravi", "blue", script=SOUND)
    expect(mia.locator(".strip .turn")).to_contain_text("your turn")
    expect(mia).to_have_title(re.compile("^● Choose your wind"))
    band = mia.locator(".strip").bounding_box()
    assert band is not None
    assert band["width"] == PHONE["width"]
    mia.get_by_role("button", name="Sound on").click()
    expect(mia.get_by_role("button", name="Sound off")).to_be_visible()
    expect(mia.locator("html")).to_have_attribute("data-tones", "2")
    for page, wind in ((mia, "north"), (ravi, "south")):
        page.get_by_role("button", name=f"{wind} wind").click()
    expect(mia.locator(".strip .turn")).to_have_count(0)
    expect(mia).to_have_title(re.compile("^Turn the mill"))
    host.get_by_role("button", name="Mill turned").click()
    expect(mia.locator(".strip .turn")).to_have_count(1)
    expect(mia.locator("html")).to_have_attribute("data-tones", "4")
    expect(mia.locator("html")).to_have_attribute("data-buzzes", "2")
    expect(ravi.locator("html[data-tones]")).to_have_count(0)  # nobody asked for sound there


def test_a_timer_counts_down_and_ends_nothing(evening: Evening):
    evening.lit()
    mia, screen = evening.phone("Mia", "red"), evening.page("/screen")
    manner, table = evening.served.web.room.manner, evening.house.row.id
    expect(mia.locator("[data-timer-shown]")).to_be_empty()
    manner.set_timer(table, 600)
    for page in (mia, screen):
        expect(page.locator("[data-timer-shown]")).to_have_text(re.compile(r"^\d+:\d\d$"))
    manner.set_timer(table, 1)
    expect(mia.locator("[data-timer-shown]")).to_have_text("time is up")
    mia.get_by_role("button", name="north wind").click()
    expect(mia.get_by_text("Mia chose the north wind")).to_be_visible()


@pytest.mark.parametrize(("viewport", "scheme"), [(NARROW, "dark"), (PHONE, "light")], ids=["320", "390"])
def test_the_pages_at_the_door_are_clean(evening: Evening, viewport: dict[str, int], scheme: str):
    look = {"viewport": viewport, "color_scheme": scheme, "reduced_motion": "reduce"}
    evening.lit()
    phone = two_seats(evening, **look)
    check({"two seats": phone})
    evening.served.web.room.seats.sit(Seat("green"), "Ravi")
    taking = evening.page("/own/green", **look)
    check({"taking by number": taking})
    taking.goto(f"{evening.served.url}/take/nothing")
    check({"a code that is over": taking})
    taking.goto(evening.served.url)
    check({"all seats taken": taking})
    phone.locator("a[href=more]").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("One more seat on this phone?")
    check({"one more": phone})
    phone.go_back()
    phone.get_by_role("button", name="Move to another phone").click()
    expect(phone.locator(".qr.large")).to_be_visible()
    check({"code": phone})
