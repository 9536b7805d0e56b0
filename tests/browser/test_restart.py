"""The real service, killed under its phones: they come back by themselves and nothing is lost."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

BACK_WITHIN_MS = 30_000  # a shared machine starts Python slowly; phones themselves dial twice a second


class Service:
    """``companion serve`` on loopback, with a folder of its own."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self.port = 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "companion", "serve", "--json"]
        self._process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(self.port)],
            env={**os.environ, "COMPANION_HOME": str(self._home)},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        told: dict[str, Any] = json.loads(self._process.stdout.readline())
        self.port, self.url = told["port"], told["addresses"][0]

    def end(self, how: signal.Signals) -> int:
        """End the master alone; its worker must follow."""
        self._process.send_signal(how)
        code = self._process.wait(10)
        assert self._process.stdout is not None
        self._process.stdout.close()
        return code


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    running = Service(tmp_path)
    yield running
    running.end(signal.SIGTERM)


def page_at(browser: Browser, url: str) -> Page:
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.set_default_timeout(20_000)
    page.goto(url)
    return page


def phone(browser: Browser, service: Service, name: str, seat: str) -> Page:
    page = page_at(browser, service.url)
    page.get_by_label("Your name").fill(name)
    page.locator(f"button[value={seat}]").click()
    page.wait_for_url("**/seat/**")
    return page


def set_up(browser: Browser, service: Service) -> Page:
    host = page_at(browser, f"{service.url}host")
    host.locator("[data-part=todo] .key").first.click()
    expect(host.get_by_text("Play for a seat")).to_be_visible()
    return host


def test_phones_come_back_by_themselves_after_a_kill(browser: Browser, service: Service):
    set_up(browser, service)
    mia, ravi = phone(browser, service, "Mia", "red"), phone(browser, service, "Ravi", "blue")
    mia.locator("[data-part=todo] .key").first.click()
    expect(mia.locator(".log li")).to_have_count(2)
    said = mia.locator(".log li").first.inner_text()
    expect(ravi.locator(".log li").first).to_contain_text(said.splitlines()[0])
    service.end(signal.SIGKILL)
    expect(mia.locator("#conn")).to_have_text(re.compile("Looking for the table"))
    service.start()
    for page in (mia, ravi):
        expect(page.locator("#conn")).to_have_text("Back. Nothing was lost.", timeout=BACK_WITHIN_MS)
        expect(page.locator(".log li").first).to_contain_text(said.splitlines()[0])
    ravi.locator("[data-part=todo] .key").first.click()
    expect(mia.locator(".log li").first).to_contain_text("Ravi")


def test_a_tap_while_the_table_is_gone_is_kept_and_counts_once(browser: Browser, service: Service):
    set_up(browser, service)
    mia = phone(browser, service, "Mia", "red")
    before = mia.locator(".log li").count()
    service.end(signal.SIGKILL)
    expect(mia.locator("#conn")).to_be_visible()
    mia.locator("[data-part=todo] .key").first.click()
    service.start()
    expect(mia.locator(".log li")).to_have_count(before + 1, timeout=BACK_WITHIN_MS)
    mia.reload()
    expect(mia.locator(".log li")).to_have_count(before + 1)
