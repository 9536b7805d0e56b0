"""A real lens, photographed by others, is measured as they measured it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from calibration.calibrate_command import lens as lens_command
from calibration.lens_sheet import Chessboard
from hardware.cameras.lens import load_lens
from tests.bench.lens import KNOWN_MATRIX, bent_off_px, corners_off_px, named_by_board, watched

PHOTOS = Path(__file__).parents[2] / "../shared/photos/markers"
LABELS: dict[str, Any] = json.loads((PHOTOS / "labels.json").read_text())
SERIES = named_by_board(LABELS["images"], "chessboard")


def test_six_photos_of_a_chessboard_measure_the_lens_as_it_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    done = CliRunner().invoke(lens_command, [*(str(PHOTOS / name) for name in SERIES), "--chessboard", "9x6"])
    assert done.exit_code == 0, done.output
    profile = load_lens(tmp_path / "lenses/photos.json")
    assert profile.focal_px == pytest.approx((KNOWN_MATRIX[0, 0],) * 2, rel=0.01)
    assert profile.middle_px == pytest.approx(tuple(KNOWN_MATRIX[:2, 2]), abs=5)


def test_pictures_come_out_as_straight_as_the_known_lens_makes_them():
    work = watched([PHOTOS / name for name in SERIES], (9, 6))
    profile, _ = work.solve()
    where_seen, _ = bent_off_px(profile, work.views)
    assert where_seen < 0.5


def test_parts_of_the_picture_that_no_chessboard_reached_are_asked_for():
    work = watched([PHOTOS / name for name in SERIES], (9, 6))
    _, verdict = work.solve()
    assert not work.is_enough
    assert verdict.said.key == "lens.verdict.usable"


@pytest.mark.parametrize("name", LABELS["camera"]["for_files"])
def test_corners_of_a_charuco_board_lie_where_the_known_lens_has_them(name: str):
    assert corners_off_px(PHOTOS / name, LABELS["images"][name], LABELS["camera"]) < 0.5


@pytest.mark.parametrize("given", ["9", "9x", "2x6", "9x6x3", "99x6", "squares"])
def test_what_counts_no_chessboard_is_refused(given: str):
    done = CliRunner().invoke(lens_command, ["photo.jpg", "--chessboard", given])
    assert (done.exit_code, "give its corners as 9x6" in done.stderr) == (2, True), done.output


def test_a_chessboard_without_enough_corners_is_none():
    with pytest.raises(ValueError, match="needs 3 to 40"):
        Chessboard(2, 6)
