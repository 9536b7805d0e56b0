"""What tests of several folders share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import chaos

chaos.register()


@pytest.fixture(scope="session")
def demo_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home folder for demos; the first of them teaches the stand-in box there, once."""
    return tmp_path_factory.mktemp("demo")
