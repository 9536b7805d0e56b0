"""The wizard on the host's phone, over the real service: a camera is chosen, the power goes, it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from companion.settings import load
from tests.browser.pages import Pages, check
from tests.hardware.cameras.phone_camera import PhoneCamera
from tests.web.serving import serving

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 390, "height": 844}
NARROW: ViewportSize = {"width": 320, "height": 640}
STEPS = ("", "language", "camera", "boards", "die", "rotor", "players")
WORKS_WITHIN_MS = 30_000  # the senses begin anew, on a machine that has other things to do


@pytest.fixture
def phone() -> Iterator[PhoneCamera]:
    with closing(PhoneCamera()) as camera:
        yield camera


def wizard(pages: Pages) -> Page:
    """Open the wizard from the host's page, as somebody does who has just started the companion."""
    page = pages.page("host")
    page.get_by_role("link", name="Set up").first.click()
    return page


def test_a_camera_is_chosen_and_after_a_restart_it_goes_on_where_it_was(
    browser: Browser, phone: PhoneCamera, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with serving(tmp_path, "--port", "0") as (_, told):
        pages = Pages(browser, told["addresses"][0])
        page = wizard(pages)
        page.get_by_role("link", name="Begin").click()
        page.get_by_role("button", name="English").click()
        page.get_by_label("Its address").fill(phone.address)
        page.get_by_role("button", name="Look there").click()
        page.get_by_label("Where it hangs").fill("on the lamp")
        page.get_by_role("button", name="Use this camera").click()
        expect(page.locator(".sure", has_text="working")).to_be_visible(timeout=WORKS_WITHIN_MS)
        page.wait_for_function("document.querySelector('img.seen').naturalWidth === 160")
        pages.close_pages()
        assert pages.complaints == []
    with serving(tmp_path, "--port", "0") as (_, told):
        pages = Pages(browser, told["addresses"][0])
        page = wizard(pages)
        expect(page.locator("li.done")).to_have_text(["Languagedone", "Cameracamera"])
        page.get_by_role("link", name="Go on").click()
        for words in ("Skip this", "Tap faces by hand", "Tap turns by hand"):
            page.get_by_role("button", name=words).click()
        look_at_all(page)
        page.get_by_role("button", name="To the table").click()
        expect(page.get_by_text("Nobody has played here yet")).to_have_count(0)
        pages.close_pages()
        assert pages.complaints == []
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    (camera,) = load().cameras
    assert (camera.place, camera.options["url"]) == ("on the lamp", f"http://{phone.address}/video")


def look_at_all(page: Page) -> None:
    """Hold every page of the wizard against axe, narrow by day or wide by night; end at the players."""
    at = page.url.rpartition("/")[0]
    for number, step in enumerate(STEPS):
        page.set_viewport_size(NARROW if number % 2 else PHONE)
        page.emulate_media(color_scheme="light" if number % 2 else "dark")
        page.goto(f"{at}/{step}")
        check({step or "all steps": page})
        page.set_viewport_size(PHONE if number % 2 else NARROW)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), step
