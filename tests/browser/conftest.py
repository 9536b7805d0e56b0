"""A real browser, and an evening of the invented game for it to look at."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.lantern_evening import Evening
from tests.browser.served import chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, one for the tests of a file."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with chromium() as started:
        yield started


@pytest.fixture
def evening(browser: Browser, tmp_path: Path) -> Iterator[Evening]:
    """A served table of the invented game; at the end no page may have complained."""
    running = Evening(browser, tmp_path)
    yield running
    running.close()
    assert running.complaints == []
