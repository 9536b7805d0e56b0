"""A home of its own, a house in which a host teaches, and the host's phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.calibration.teaching_house import TeachingHouse
from tests.web.lantern_house import opened


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def house(home: Path) -> Iterator[Any]:
    """A house with one camera; a test that wants another one has a fixture of this name."""
    house = TeachingHouse(cameras=("above",))
    yield house
    house.close()


@pytest.fixture
def host(house: Any) -> Iterator[FlaskClient]:
    app, _, web = opened(house)
    yield app.test_client()
    web.close()
