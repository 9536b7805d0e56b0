"""The big screen in Chromium: legible from afar, growing scores, awake; the overlay, the evening's pages."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

import cv2
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from companion.game import Seat
from tests.browser.legible import texts
from tests.browser.pages import Pages
from tests.browser.served import Served
from tests.web.monster_house import MonsterHouse
from web.gains import Gains

pytestmark = pytest.mark.browser

LEAST_SHARE = 0.025
LEAST_CONTRAST = 7.0
SCREENS = {"1080p": (1920, 1080), "4K": (3840, 2160), "standing": (1080, 1920), "square": (1280, 1024)}
NAMES = {"red": "Mia", "blue": "Ravi", "green": "Bartholomäus", "yellow": "Ada"}
MOST_STEPS = 2000
LOCKS = """
navigator.__defineGetter__("wakeLock", () => ({ request: (what) => {
  window.locks = [...(window.locks || []), what];
  return Promise.resolve({});
} }));
"""


class Evening(Pages):
    """A table of Making Monsters that plays by itself, as far as it is asked to."""

    def __init__(self, browser: Browser) -> None:
        self._chance = random.Random(3)
        self.house = MonsterHouse()
        self.served = Served(self.house, address="http://192.168.4.1:8080/")
        super().__init__(browser, self.served.url)

    def at(self, path: str, size: tuple[int, int], **options: Any) -> Page:
        """Open a page of a size in px, still unless it is said otherwise."""
        options.setdefault("reduced_motion", "reduce")
        return self.page(path, {"width": size[0], "height": size[1]}, **options)

    def set_up(self) -> None:
        self.house.tap({"do": "set_up", "seats": list(NAMES), "track": 16})
        for seat, name in NAMES.items():
            self.served.web.room.seats.sit(Seat(seat), name)

    def play_to(self, phase: str, *, gained: int = 0) -> None:
        """Play on until a phase of a round in which at least so many lines of scores came about."""
        gains = Gains()
        for _ in range(MOST_STEPS):
            seen = self.house.table.look(None)
            lines = sum(len(of_seat) for of_seat in gains.of(self.house.table, seen).values())
            if seen.view.phase.key.endswith(phase) and lines >= gained:
                return
            assert self.house.step(self._chance), self.house.table.position()
        raise AssertionError(f"no {phase} in {MOST_STEPS} steps")

    def close(self) -> None:
        self.close_pages()
        self.served.close()
        self.house.close()


@pytest.fixture(scope="module")
def over(browser: Browser) -> Iterator[Evening]:
    """A game that is over, for all that looks at it only."""
    running = Evening(browser)
    running.set_up()
    running.play_to("over")
    yield running
    running.close()
    assert running.complaints == []


@pytest.fixture
def evening(browser: Browser) -> Iterator[Evening]:
    running = Evening(browser)
    yield running
    running.close()
    assert running.complaints == []


def check_legible(pages: Mapping[str, Page], when: str) -> None:
    for name, page in pages.items():
        page.wait_for_function("document.fonts.status === 'loaded'")
        found = texts(page)
        assert found, f"{name}, {when}: nothing to read"
        small = [one for one in found if one.share < LEAST_SHARE]
        faint = [one for one in found if one.contrast < LEAST_CONTRAST]
        cut = [one.text for one in found if one.cut]
        assert (small, faint, cut) == ([], [], []), f"{name}, {when}"


def test_all_evening_every_screen_can_be_read_from_afar(evening: Evening):
    pages = {
        f"{name}{look}": evening.at(f"/screen{look}", size)
        for name, size in SCREENS.items()
        for look in ("", "?quiet")
        if name != "square" or not look
    }
    expect(pages["1080p"].get_by_role("heading", level=1)).to_have_text("Who plays tonight?")
    check_legible(pages, "while nobody plays")
    evening.set_up()
    for phase, gained in (("setup", 0), ("deliveries", 0), ("refresh", 2), ("over", 0)):
        evening.play_to(phase, gained=gained)
        seq = evening.house.table.look(None).seq
        for page in pages.values():
            expect(page.locator("body")).to_have_attribute("data-seq", str(seq))
        check_legible(pages, phase)
        if phase == "deliveries":
            expect(pages["1080p"].locator(".ring .sector")).to_have_count(4)
            expect(pages["1080p"].locator(".ring use[href*='#order-']")).to_have_count(4)
    expect(pages["1080p"].get_by_text("192.168.4.1:8080/after")).to_be_visible()


def test_a_score_grows_line_by_line_and_ends_at_the_truth(evening: Evening):
    evening.set_up()
    evening.play_to("deliveries")
    page = evening.at("/screen", SCREENS["1080p"], reduced_motion="no-preference")
    page.clock.install()
    evening.play_to("refresh", gained=2)
    seq = evening.house.table.look(None).seq
    expect(page.locator("body")).to_have_attribute("data-seq", str(seq))
    total = page.locator(".gains li").count()
    assert total > 1
    assert page.locator(".gains li:visible").count() < total, "the lines do not come all at once"
    for _ in range(total + 1):
        page.clock.run_for(900)
        for seat in evening.house.table.look(None).view.seats:
            shown = int(page.locator(f".score[data-of={seat.seat}]").inner_text().replace("−", "-"))
            out = page.locator(f"[data-gains={seat.seat}] li:not([hidden])").evaluate_all(
                "lines => lines.reduce((sum, line) => sum + Number(line.dataset.amount), 0)"
            )
            all_ = page.locator(f"[data-gains={seat.seat}] li").evaluate_all(
                "lines => lines.reduce((sum, line) => sum + Number(line.dataset.amount), 0)"
            )
            assert shown == seat.score - all_ + out
    expect(page.locator(".gains li:not([hidden])")).to_have_count(total)
    page.clock.run_for(21_000)
    expect(page.locator(".gains").first).to_be_hidden()


def test_the_screen_stays_awake_where_the_browser_can_and_does_without_where_not(evening: Evening):
    can = evening.at("/screen", SCREENS["1080p"], script=LOCKS)
    can.wait_for_function("window.locks?.[0] === 'screen'")
    can.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    can.wait_for_function("window.locks.length === 2")
    cannot = evening.at(
        "/screen", SCREENS["1080p"], script="navigator.__defineGetter__('wakeLock', () => undefined)"
    )
    expect(cannot.get_by_role("heading", level=1)).to_be_visible()


def test_the_overlay_lets_the_picture_shine_through(over: Evening):
    page = over.at("/overlay", SCREENS["1080p"])
    expect(page.get_by_text("Bartholomäus")).to_be_visible()
    png = np.frombuffer(page.screenshot(omit_background=True), np.uint8)
    alpha = cv2.imdecode(png, cv2.IMREAD_UNCHANGED)[..., 3]
    assert (alpha[:600] == 0).all()
    assert (alpha == 255).mean() > 0.05
    check_legible({"overlay": page}, "over")


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (390, "light")])
def test_axe_finds_nothing_on_the_evenings_pages(over: Evening, width: int, scheme: Any):
    for path in ("/after", "/after/sheet", "/after/journal", "/evenings"):
        page = over.at(path, (width, 800), color_scheme=scheme)
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        found = Axe().run(page).response["violations"]
        assert [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found] == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_axe_finds_nothing_on_the_screens(over: Evening):
    for path in ("/screen", "/screen?quiet", "/overlay"):
        page = over.at(path, SCREENS["1080p"])
        assert [one["id"] for one in Axe().run(page).response["violations"]] == [], path


def test_the_evening_is_leafed_through_by_slider_by_keys_and_by_links(over: Evening):
    page = over.at("/after/journal", (390, 844))
    slider, heading = page.get_by_role("slider"), page.get_by_role("heading", level=1)
    last = heading.inner_text()
    slider.press("Home")
    expect(heading).to_have_text("Nothing has happened yet.")
    page.get_by_role("link", name="After").click()
    expect(heading).to_contain_text("play; 16 rot on the track")
    expect(page).to_have_url(re.compile(r"\?at=1$"))
    slider.press("End")
    expect(heading).to_have_text(last)
    without = over.at("/after/journal?at=1", (390, 844), java_script_enabled=False)
    without.get_by_role("link", name="Before").click()
    expect(without.get_by_role("heading", level=1)).to_have_text("Nothing has happened yet.")


def test_the_evening_is_read_and_taken_away_without_script(over: Evening):
    page = over.at("/after", (390, 844), java_script_enabled=False)
    expect(page.get_by_role("heading", level=1)).to_contain_text("win")
    expect(page.get_by_role("img", name="Score after each round")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Spreadsheet").click()
    assert download.value.suggested_filename.endswith(".csv")
    page.get_by_role("link", name="Why?").first.click()
    expect(page.locator(".ledger").first).to_be_visible()
