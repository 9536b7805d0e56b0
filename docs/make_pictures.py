"""Take the pictures of the docs: ``python docs/make_pictures.py`` (needs Chromium, see ``make test``).

A simulated table of two seats that nobody plays: hands lay the first monster and five tokens, the real eyes
read them, and Chromium looks at the phone, the host page and the big screen while the proposal waits.
"""

from __future__ import annotations

import tempfile
import urllib.request
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import Browser, Page, expect, sync_playwright

from hardware.simulated.evening.evening import Evening, Wishes
from hardware.simulated.evening.phone import Phone
from hardware.simulated.hands import Hands

FOLDER = Path(__file__).parent / "pictures"
CHROMIUM = "/usr/bin/chromium"
SEEN_MS = 60_000
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 860}
TV = {"width": 1920, "height": 1080}


def page_at(browser: Browser, url: str, viewport: dict[str, Any], scheme: Any = "light") -> Page:
    page = browser.new_context(viewport=viewport, color_scheme=scheme).new_page()  # type: ignore[arg-type]
    page.set_default_timeout(SEEN_MS)
    page.goto(url)
    return page


def keep(png: bytes, name: str, width_px: int) -> None:
    """Write a screenshot small enough for a README: scaled, and with a palette's worth of colours."""
    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    height_px = round(pixels.shape[0] * width_px / pixels.shape[1])
    small = cv2.resize(pixels, (width_px, height_px), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(FOLDER / name), small // 8 * 8 + 4, [cv2.IMWRITE_PNG_COMPRESSION, 9])


def sit(browser: Browser, url: str, name: str, seat: str, scheme: str) -> Page:
    page = page_at(browser, url, PHONE, scheme)
    if scheme == "light":
        keep(page.screenshot(), "join.png", 390)
    page.get_by_label("Your name").fill(name)
    page.locator(f"button[value={seat}]").click()
    page.wait_for_url("**/seat/**")
    return page


def take(page: Page, places: int) -> None:
    """Wait until the eyes propose so many spaces, and take them."""
    expect(page.locator("article.proposal ul.spaces > li")).to_have_count(places, timeout=SEEN_MS)
    page.locator("article.proposal form button.key").first.click()
    expect(page.locator("article.proposal")).to_have_count(0, timeout=SEEN_MS)


def first_five(page: Page, hands: Hands, seat: str, phone: Phone) -> None:
    """Draw the first five tokens and lay them where the rules want them."""
    _, seen = phone.look(after=0, timeout_s=5)
    assert seen is not None
    drawn = hands.draw(seat, 5)
    facts = seen["view"]["facts"]
    slots, sorts = dict(facts["slots"]), list(facts["free_sorts"])
    rejects = list(facts["free_rejects"])
    laid = []
    for kind in drawn:
        fit = next((space for space, need in slots.items() if need == kind), "")
        space = fit or (sorts if sorts and kind != "rot" else rejects).pop(0)
        slots.pop(space, None)
        laid.append((str(kind), f"lab_{seat}/{space}"))
    hands.lay_all(seat, laid)
    expect(page.locator("article.proposal ul.spaces > li")).to_have_count(5, timeout=SEEN_MS)


def wizard_pictures(browser: Browser, url: str) -> None:
    """Look at the pages that set the table up, before anybody plays: then cameras may be looked through."""
    page = page_at(browser, f"{url}/host", PHONE)
    token = page.url.rstrip("/").rpartition("/")[2]
    page.goto(f"{url}/wizard/{token}/camera")
    expect(page.locator(".sure").first).to_have_text("working", timeout=SEEN_MS)
    page.wait_for_function("document.querySelector('img.seen').naturalWidth > 0")
    keep(page.screenshot(), "wizard-camera.png", 390)
    page.goto(f"{url}/wizard/{token}/")
    keep(page.screenshot(), "wizard-steps.png", 390)
    page.goto(f"{url}/teach/{token}/setup")
    keep(page.screenshot(), "wizard-setup.png", 390)


def care_pictures(browser: Browser, url: str) -> None:
    """Look at the pages that care for the table: its health, and backups."""
    host = page_at(browser, f"{url}/host", PHONE)
    at = host.url
    host.goto(at.replace("/host/", "/health/"))
    host.get_by_role("button", name="Look again").click()
    keep(host.screenshot(), "health.png", 390)
    host.goto(f"{at}backup/")
    keep(host.screenshot(), "backup.png", 390)
    host.close()


def pictures(browser: Browser, evening: Evening) -> None:
    url, hands = evening.url, Hands(str(evening.table.told["url"]))
    wizard_pictures(browser, url)
    care_pictures(browser, url)
    cards = hands.set_up(["red", "blue"], 8)
    host = page_at(browser, f"{url}/host", DESK)
    tap = Phone(url, role="host")
    tap.tap(command={"do": "set_up", "seats": ["red", "blue"], "track": 8})
    pages = {
        "red": sit(browser, url, "Mia", "red", "light"),
        "blue": sit(browser, url, "Ravi", "blue", "dark"),
    }
    for seat, page in pages.items():
        hands.place_card(seat, cards[seat][0], "card3")
        take(page, 1)
        token = page.url.rstrip("/").rpartition("/")[2]
        first_five(page, hands, seat, Phone(url, role="seat", token=token))
    pages["red"].locator("article.proposal > details > summary").click()
    keep(pages["red"].screenshot(), "proposal.png", 390)
    keep(pages["blue"].screenshot(), "proposal-dark.png", 390)
    keep(host.screenshot(), "host.png", 960)
    with urllib.request.urlopen(f"{evening.table.told['url']}/cameras/lab_red.jpg") as answer:
        keep(answer.read(), "table.png", 800)
    for page in pages.values():
        take(page, 5)
    expect(pages["red"].locator("button.pick").first).to_be_visible(timeout=SEEN_MS)
    keep(pages["red"].screenshot(), "seat-order.png", 390)
    keep(page_at(browser, f"{url}/screen", TV).screenshot(), "screen.png", 960)
    tap.close()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    wishes = Wishes(seats=2, speed=1, seed=4, people=2)
    with (
        tempfile.TemporaryDirectory() as home,
        Evening(Path(home), wishes, lambda _: None) as evening,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--headless=new", "--no-sandbox", "--disable-gpu"]
        )
        pictures(browser, evening)
        browser.close()


if __name__ == "__main__":
    main()
