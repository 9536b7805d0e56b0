"""A real camera picture becomes a number on a phone: stills over HTTP, the unchanged service, a real browser.

The stills are copied alone under other names, so that no truth lies beside what is read; the truth is
read by this test only, from where it stands.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.evenings.service import Service, companion
from tests.evenings.stills import StillsServer

pytestmark = [pytest.mark.browser, pytest.mark.eyes, pytest.mark.timeout(600)]

SCENES = Path(__file__).parents[2] / "../shared/scenes/A"
SEQUENCE = SCENES / "sequences" / "seq1"
SETTLED_FRAMES = 12  # two seconds of stillness, and a little
SEEN_WITHIN_MS = 60_000  # the machine may be busy; a quiet one needs two seconds
LAB = "lab_red"


def truth(number: int) -> dict[str, Any]:
    return json.loads((SEQUENCE / f"frame_{number:02}.json").read_text())


def tokens_at(number: int) -> dict[str, str]:
    """Return the tokens on the lab in a still, by space."""
    lying = {}
    board = next(b for b in truth(number)["boards"] if b["id"] == LAB)
    for slot in board["slots"]:
        for part in slot.get("part_slots", []):
            if part["content"]:
                lying[f"{slot['id']}.part{part['index']}"] = part["content"]
        if slot["kind"] == "token" and slot["content"]:
            lying[slot["id"]] = slot["content"]["token_kind"]
    return lying


def laid_since(first: int, number: int) -> dict[str, str]:
    before = tokens_at(first)
    return {space: kind for space, kind in tokens_at(number).items() if space not in before}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    companion("box", "teach", str(SCENES / "reference"), "--name", "A", home=folder)
    return folder


@pytest.fixture
def camera(tmp_path: Path) -> Iterator[StillsServer]:
    stills = []
    for number, still in enumerate(sorted(SEQUENCE.glob("*.jpg"))):
        stills.append(Path(shutil.copy(still, tmp_path / f"picture{number:03}.jpg")))
    server = StillsServer(stills)
    yield server
    server.close()


@pytest.fixture
def service(home: Path, camera: StillsServer, tmp_path: Path) -> Iterator[Service]:
    settings = tmp_path / "companion.toml"
    settings.write_text(
        f'[table]\nbox = "A"\n[[cameras]]\nname = "above"\ndriver = "mjpeg"\nurl = "{camera.url}"\n'
    )
    running = Service(home, settings)
    yield running
    running.stop()


def page_at(browser: Browser, url: str, width: int = 390) -> Page:
    page = browser.new_context(viewport={"width": width, "height": 844}).new_page()
    page.set_default_timeout(SEEN_WITHIN_MS)
    page.goto(url)
    return page


def take_over(host: Page) -> None:
    """Take the table over as the camera sees it: red and blue play, red receives a super Blue delivery."""
    form = host.locator("form", has=host.locator("[name='pick.phase']"))
    # The form is filled from the first reading; until then it knows no card.
    filled = re.compile(r".*card_38.*")
    expect(form.locator("input[name='command']")).to_have_value(filled, timeout=SEEN_WITHIN_MS)
    folded = host.locator("main details:not([open]) > summary")
    while folded.count():
        folded.first.click()
    for seat in ("red", "blue", "green", "yellow"):
        box = form.locator(f"input[name='picks.seats'][value='{seat}']")
        if box.is_checked() != (seat in ("red", "blue")):
            form.locator("label", has=box).click()
    choose(form, "pick.phase", "deliveries")
    choose(form, "pick.order_red", "blue_super")
    choose(form, "pick.order_blue", "red")
    form.get_by_role("button").last.click()
    expect(host.locator("form", has=host.locator("[name='pick.phase']"))).to_have_count(0)


def choose(form: Any, name: str, value: str) -> None:
    """Choose an option, whether it is drawn as radio buttons or as a list."""
    radio = form.locator(f"label:has(input[type=radio][name='{name}'][value='{value}'])")
    if radio.count():
        radio.click()
    else:
        form.locator(f"select[name='{name}']").select_option(value)


def proposed(phone: Page) -> set[str]:
    """Return the places that the phone's proposal names."""
    return {
        str(row.get_attribute("data-key")) for row in phone.locator("article.proposal ul.spaces > li").all()
    }


def expect_proposed(phone: Page, laid: dict[str, str]) -> None:
    rows = phone.locator("article.proposal ul.spaces > li")
    expect(rows).to_have_count(len(laid), timeout=SEEN_WITHIN_MS)
    for space, kind in laid.items():
        row = phone.locator(f"article.proposal li[data-key='{LAB}/{space}']")
        expect(row.locator(".reads")).to_have_text(re.compile(kind, re.IGNORECASE), timeout=SEEN_WITHIN_MS)


def test_tokens_laid_one_by_one_reach_the_right_phone_and_survive_a_pulled_plug(
    browser: Browser, service: Service, camera: StillsServer, home: Path
) -> None:
    host = page_at(browser, f"{service.url}/host", width=1280)
    take_over(host)
    phone = page_at(browser, service.url)
    phone.get_by_label("Your name").fill("Ravi")
    phone.locator("button[value=red]").click()
    phone.wait_for_url("**/seat/**")
    expect(phone.locator("article.proposal")).to_have_count(0)

    confirmed = 0
    for number in range(1, len(camera)):
        before = proposed(phone)
        camera.show(number)
        if truth(number)["hand"]["present"]:
            camera.wait_for_frames(SETTLED_FRAMES)
            assert proposed(phone) == before, f"a hand in still {number} was taken for a token"
            continue
        expect_proposed(phone, laid_since(confirmed, number))
        if number == 4:
            phone.locator("article.proposal form button.key").first.click()
            expect(phone.locator("article.proposal")).to_have_count(0, timeout=SEEN_WITHIN_MS)
            confirmed = number
            os.kill(service.senses(), signal.SIGKILL)
        if number == 9:
            service.kill()
            service.start()
            expect_proposed(phone, laid_since(confirmed, number))

    laid = laid_since(confirmed, len(camera) - 1)
    phone.locator("article.proposal form button.key").first.click()
    expect(phone.locator("article.proposal")).to_have_count(0)
    assert delivered(home) == sorted((kind, space) for space, kind in laid_since(0, len(camera) - 1).items())
    assert len(laid) == 4


def delivered(home: Path) -> list[tuple[str, str]]:
    """Return every token that the journal says was drawn and placed, by its own words."""
    with sqlite3.connect(f"file:{home}/journal.sqlite?mode=ro", uri=True) as journal:
        rows = journal.execute("select kind, body from records order by seq").fetchall()
    placed = []
    for kind, body in rows:
        if kind == "delivered":
            placed += [(token, space) for token, space in json.loads(body)["placements"]]
    return sorted(placed)
