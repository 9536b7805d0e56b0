"""A real browser for whole evenings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.served import chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, one for the tests of a file."""
    with chromium() as started:
        yield started
