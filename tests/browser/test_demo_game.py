"""A whole game of the demo, followed in Chromium by four phones, the host and the big screen.

The seats belong to the pages: they sit down there. The demo's players move the hands and tap by
socket with the same tokens, but two of their proposals are answered on the pages themselves.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from companion.catalogue import names_of
from companion.games.making_monsters.game import GAME
from hardware.simulated.evening.evening import NAMES, Evening, Outcome, Wishes
from hardware.simulated.evening.phone import Phone
from hardware.simulated.evening.seen import proposal_of
from tests.browser.served import chromium

pytestmark = [pytest.mark.browser, pytest.mark.demo, pytest.mark.timeout(280)]

SEATS = ("red", "blue", "green", "yellow")
ANSWER_S = 90
PRINTED = names_of(GAME.box.sheets, GAME.stand_in)
"""What the demo's box prints on its cards."""

Ask = tuple[str, str, Future[Mapping[str, Any]]]
"""Whose page is asked, what its first space reads, and where the answer goes."""


class PagePhone(Phone):
    """A phone whose first proposal is answered on its page, by the thread that holds the browser."""

    def __init__(self, url: str, seat: str, token: str, asks: SimpleQueue[Ask]) -> None:
        super().__init__(url, role="seat", token=token)
        self._seat = seat
        self._asks = asks
        self._has_asked = False

    def tap(self, **deed: Any) -> Mapping[str, Any]:
        if "accept" not in deed or self._has_asked:
            return super().tap(**deed)
        self._has_asked = True
        answer: Future[Mapping[str, Any]] = Future()
        proposal = proposal_of(self._view or {}, self._seat) or {}
        reads = str(proposal["proposal"]["spaces"][0]["seen"]["reads"])
        self._asks.put((self._seat, PRINTED.get(reads, reads.replace("_", " ")), answer))
        return answer.result(ANSWER_S)


class WatchedEvening(Evening):
    """A demo whose seats were taken on pages: ``tokens`` are theirs."""

    tokens: dict[str, str]
    asks: SimpleQueue[Ask]

    def phone_of(self, seat: str) -> Phone:
        return PagePhone(self.url, seat, self.tokens[seat], self.asks)


def test_four_phones_host_and_screen_follow_a_whole_game(demo_home: Path) -> None:
    wishes = Wishes(seats=4, speed=8, seed=5, track=1)
    with (
        chromium() as browser,
        WatchedEvening(demo_home / "demo-by-itself", wishes, lambda _: None) as evening,
    ):
        phones = {seat: sit_down(browser, evening.url, seat) for seat in SEATS}
        host = page_at(browser, f"{evening.url}/host", 1440)
        screen = page_at(browser, f"{evening.url}/screen", 1920)
        evening.tokens = {seat: page.url.rstrip("/").rpartition("/")[2] for seat, page in phones.items()}
        evening.asks = SimpleQueue()
        outcome = play_on_pages(evening, phones)
        assert outcome.troubles == ()
        assert outcome.is_over
        assert dict(outcome.scores) == dict(outcome.counted)
        for seat, score in outcome.scores.items():
            shown = f'[data-of="{seat}"]'
            expect(phones[seat].locator(f".strip {shown}")).to_have_text(str(score))
            expect(host.locator(f".table-seats {shown}")).to_have_text(str(score))
            expect(screen.locator(f".jartag {shown}")).to_have_text(str(score))


def play_on_pages(evening: WatchedEvening, phones: Mapping[str, Page]) -> Outcome:
    """Play, and answer on the pages what they are asked."""
    ended: list[Outcome] = []
    game = threading.Thread(target=lambda: ended.append(evening.play()), daemon=True)
    game.start()
    answered: set[str] = set()
    while game.is_alive():
        try:
            seat, reads, answer = evening.asks.get(timeout=0.2)
        except Empty:
            continue
        answer.set_result(answer_on(phones[seat], reads, is_corrected=seat == "blue"))
        answered.add(seat)
    assert answered == set(SEATS)
    return ended[0]


def answer_on(page: Page, reads: str, *, is_corrected: bool) -> Mapping[str, Any]:
    """Take the open proposal on a page; before that, correct one space of it, and correct it back."""
    expect(page.locator(".proposal")).to_have_count(1)
    if is_corrected:
        unfold(page.locator(".proposal > details"))
        space = page.locator(".spaces > li").first
        # The eyes may have changed their mind a moment ago: correct what is proposed now.
        expect(space.locator(".reads")).to_have_text(reads)
        unfold(space.locator("details"))
        correct(page, space.locator(".likely .knob").first.inner_text())
        expect(space.get_by_text("you said so")).to_be_visible()
        expect(space.locator(".reads")).not_to_have_text(reads)
        correct(page, reads)
        expect(space.locator(".reads")).to_have_text(reads)
    page.get_by_role("button", name="Right").click()
    expect(page.locator(".proposal")).to_have_count(0)  # it is written; others may have tapped meanwhile
    return {"ok": True, "seq": int(page.evaluate("document.body.dataset.seq"))}


def correct(page: Page, reads: str) -> None:
    """Say on the page what lies on the first space: by a button, or by the list of the others."""
    space = page.locator(".spaces > li").first
    unfold(space.locator("details"))
    button = space.get_by_role("button", name=reads, exact=True)
    if button.count():
        button.click()
    else:
        space.locator("select").select_option(label=reads)
        space.get_by_role("button", name="It is this").click()


def unfold(details: Locator) -> None:
    """Open what is folded."""
    if details.get_attribute("open") is None:
        details.locator("summary").first.click()


def sit_down(browser: Browser, url: str, seat: str) -> Page:
    page = page_at(browser, url, 390)
    page.get_by_label("Your name").fill(NAMES[SEATS.index(seat)])
    page.locator(f"button[value={seat}]").click()
    page.wait_for_url("**/seat/**")
    return page


def page_at(browser: Browser, url: str, width: int) -> Page:
    page = browser.new_context(viewport={"width": width, "height": 844}).new_page()
    page.set_default_timeout(20_000)
    page.goto(url)
    return page
