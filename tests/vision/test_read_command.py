"""``companion read`` on what is no photo, no box, no file; and on a photo as it prints it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from vision.commands import read

pytestmark = pytest.mark.eyes
SCENES = Path(__file__).parents[2] / "../shared/scenes/A"
Run = Callable[..., Result]


@pytest.fixture
def run(home: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COMPANION_HOME", str(home))
    return lambda *words: CliRunner().invoke(read, [str(w) for w in words])


def test_a_photo_is_read_line_by_line(run: Run, tmp_path: Path) -> None:
    photos = [tmp_path / "one.jpg", tmp_path / "two.jpg"]
    for photo, frame in zip(photos, ("A_008", "A_005"), strict=True):
        shutil.copy(SCENES / f"frames/{frame}.jpg", photo)
    done = run(*photos, "--box", "A", "--json")
    assert done.exit_code == 0
    readings = [json.loads(line) for line in done.stdout.splitlines()]
    assert [r["photo"] for r in readings] == [str(p) for p in photos]
    lab = readings[0]["boards"]["lab_green"]
    assert set(readings[0]) == {"photo", "answer", "obstacle", "took_ms", "boards", "loose"}
    assert lab["found_by"] == "tags" and len(lab["corners_px"]) == 4
    assert {"reads", "confidence", "sure"} <= set(lab["spaces"]["reject1"])


def test_a_photo_is_told_to_people(run: Run) -> None:
    done = run(SCENES / "frames/A_008.jpg", "--box", "A")
    assert "lab_green/card1.part0" in done.stdout or "lab_green/card3" in done.stdout
    assert "spaces taken" in done.stdout.splitlines()[-1]


def test_a_box_may_be_named_by_its_folder(run: Run, home: Path) -> None:
    assert run(SCENES / "frames/A_008.jpg", "--box", home / "boxes/A", "--json").exit_code == 0


def test_a_file_that_is_no_picture_is_unreadable_and_the_others_are_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.jpg").write_text("no picture")
    done = run(tmp_path / "notes.jpg", SCENES / "frames/A_008.jpg", "--box", "A", "--json")
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert (first["answer"], first["obstacle"]) == ("unreadable", "not_a_picture")
    assert second["answer"] == "read"
    assert done.exit_code == 0


@pytest.mark.parametrize("bytes_left", [0, 40, 600])
def test_a_photo_cut_short_at_once_is_no_picture(run: Run, tmp_path: Path, bytes_left: int) -> None:
    whole = (SCENES / "frames/A_008.jpg").read_bytes()
    (tmp_path / "cut.jpg").write_bytes(whole[:bytes_left])
    done = run(tmp_path / "cut.jpg", "--box", "A", "--json")
    assert json.loads(done.stdout)["answer"] == "unreadable"
    assert done.exit_code == 1


def test_a_photo_cut_in_the_middle_is_sure_of_nothing_false(run: Run, tmp_path: Path) -> None:
    whole = (SCENES / "frames/A_008.jpg").read_bytes()
    (tmp_path / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    answer = json.loads(run(tmp_path / "cut.jpg", "--box", "A", "--json").stdout)
    cards = [board["spaces"].get("card3") for board in answer["boards"].values()]
    assert not any(card and card["sure"] for card in cards)  # they lie in the half that is missing


@pytest.mark.parametrize(("grey", "obstacle"), [(3, "too_dark"), (128, "blank")])
def test_a_picture_without_a_board_says_why(run: Run, tmp_path: Path, grey: int, obstacle: str) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), np.full((480, 640, 3), grey, np.uint8))
    done = run(tmp_path / "table.png", "--box", "A", "--json")
    assert json.loads(done.stdout)["obstacle"] == obstacle
    assert done.exit_code == 1


def test_a_missing_photo_is_said_and_fails(run: Run, tmp_path: Path) -> None:
    done = run(tmp_path / "gone.jpg", "--box", "A")
    assert "gone.jpg cannot be opened: No such file or directory." in done.stderr
    assert done.exit_code == 1


def test_an_unknown_box_is_offered_its_near_match(run: Run) -> None:
    done = run(SCENES / "frames/A_008.jpg", "--box", "a")
    assert "There is no box a. Did you mean A? Taught: A." in done.stderr
    assert done.exit_code == 1


def test_a_folder_that_is_no_box_says_how_to_teach_one(run: Run, tmp_path: Path) -> None:
    done = run(SCENES / "frames/A_008.jpg", "--box", tmp_path)
    assert "holds no taught box" in done.stderr
    assert done.exit_code == 1


def test_read_without_photos_is_misuse(run: Run) -> None:
    assert run("--box", "A").exit_code == 2
