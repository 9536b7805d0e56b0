"""A group without any rig: a taught box, the unchanged service, and photos taken with a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.evenings.service import Service, companion
from tests.evenings.test_real_input import SEEN_WITHIN_MS, SEQUENCE, laid_since, page_at, take_over

pytestmark = [pytest.mark.browser, pytest.mark.eyes, pytest.mark.timeout(300)]

REFERENCE = SEQUENCE.parents[1] / "reference"
PHONE_PX = (4032, 2268)
"""Twelve megapixels as wide as the stills: what a phone sends when it cannot make a photo smaller."""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    home = tmp_path / "home"
    companion("box", "teach", str(REFERENCE), "--name", "A", home=home)
    settings = tmp_path / "companion.toml"
    settings.write_text('[table]\nbox = "A"\n')
    running = Service(home, settings)
    yield running
    running.stop()


def photo_of(number: int, folder: Path) -> Path:
    """Return a still as a phone's photo of twelve megapixels, under a name that says nothing."""
    still = cv2.imread(str(SEQUENCE / f"frame_{number:02}.jpg"))
    photo = folder / f"IMG_{hash(still.tobytes()) % 10_000:04}.jpg"
    cv2.imwrite(str(photo), cv2.resize(still, PHONE_PX, interpolation=cv2.INTER_CUBIC))
    return photo


def snap(page: Page, photo: Path) -> None:
    page.locator("form[data-snap] input[type=file]").set_input_files(photo)


def test_photos_of_a_phone_take_the_table_over_and_propose_what_was_laid(
    browser: Browser, service: Service, tmp_path: Path
) -> None:
    host = page_at(browser, f"{service.url}/host", width=1280)
    snap(host, photo_of(0, tmp_path))
    take_over(host)
    phone = page_at(browser, service.url)
    phone.get_by_label("Your name").fill("Ravi")
    phone.locator("button[value=red]").click()
    phone.wait_for_url("**/seat/**")

    letter = tmp_path / "letter.jpg"
    letter.write_text(json.dumps("Dear table"))
    snap(phone, letter)
    expect(phone.locator("#toasts")).to_contain_text("This file is no picture.", timeout=SEEN_WITHIN_MS)

    snap(phone, photo_of(4, tmp_path))
    expect(phone.locator("#toasts")).to_contain_text("Photo read. Look at", timeout=SEEN_WITHIN_MS)
    laid = laid_since(0, 4)
    rows = phone.locator("article.proposal ul.spaces > li")
    expect(rows).to_have_count(len(laid))
    for space, kind in laid.items():
        row = phone.locator(f"article.proposal li[data-key='lab_red/{space}']")
        expect(row.locator(".reads")).to_have_text(re.compile(kind, re.IGNORECASE))
        assert row.locator("img").count() == 1
    phone.locator("article.proposal form button.key").first.click()
    expect(phone.locator("article.proposal")).to_have_count(0)

    snap(phone, photo_of(4, tmp_path))
    expect(phone.locator("#toasts")).to_contain_text("nothing that the table does not know")
