"""The boxes that the eyes are tested with, each taught once: box A, and our own drawn one."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.teach import teach_box
from hardware.simulated.contents import contents_of
from hardware.simulated.scans import write_scans

SCENES = Path(__file__).parents[2] / "../shared/scenes"


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder with box A."""
    folder = tmp_path_factory.mktemp("home")
    teach_box(SCENES / "A/reference", "A", folder / "boxes")
    return folder


@pytest.fixture(scope="session")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the box that lies on the simulated table."""
    folder = tmp_path_factory.mktemp("stand-in")
    write_scans(contents_of("making_monsters"), folder / "scans")
    teach_box(folder / "scans", "stand-in", folder)
    return folder / "stand-in"
