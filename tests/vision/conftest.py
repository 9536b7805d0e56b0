"""Box A, taught once for all tests of the eyes."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.teach import teach_box

SCENES = Path(__file__).parents[2] / "../shared/scenes"


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder with box A."""
    folder = tmp_path_factory.mktemp("home")
    teach_box(SCENES / "A/reference", "A", folder / "boxes")
    return folder
