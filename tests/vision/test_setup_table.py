"""Setting up at the table: what is seen, what lies outside and where to move it, kept and held against."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.setup_job import changes, setup
from calibration.setup_pages import StartCheck
from companion.kept_setup import kept
from companion.ports import DeviceLost, Frame, Pixels, Recogniser
from vision.placement import fit_of
from vision.pose import BoardPose, Lens
from vision.recogniser import OpenCvRecogniser, open_recogniser

FRAMES = Path(__file__).parents[2] / "../shared/scenes/A"
PICTURE = (1600, 900)


def pose(left: float, top: float, *, px_per_mm: float = 2.0) -> BoardPose:
    """A board of 420 x 300 mm, its top left corner at a pixel."""
    plane = np.array([[px_per_mm, 0, left], [0, px_per_mm, top], [0, 0, 1.0]])
    return BoardPose("lab_red", plane, Lens.of_picture(*PICTURE), (420.0, 300.0), "tags")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("left", "top", "move_mm"),
    [
        (300, 100, (0.0, 0.0)),
        (-420, 100, (220.0, 0.0)),
        (1180, 100, (-220.0, 0.0)),
        (300, 400, (0.0, -60.0)),
        (-84, -90, (50.0, 60.0)),
    ],
    ids=["inside", "left", "right", "below", "corner"],
)
def test_a_board_that_sticks_out_is_to_be_moved_back(
    left: float, top: float, move_mm: tuple[float, float]
) -> None:
    fit = fit_of(pose(left, top), PICTURE)
    assert (fit.move_mm, fit.is_too_large) == (move_mm, False)


def test_a_board_larger_than_the_picture_wants_the_camera_higher() -> None:
    fit = fit_of(pose(-200, -100, px_per_mm=5.0), PICTURE)
    assert fit.is_too_large
    assert fit.rise == pytest.approx(1.8, abs=0.11)


class Bench:
    """A workbench with one camera that shows a picture."""

    box_folder = ""

    def __init__(self, eyes: OpenCvRecogniser | None, **shown: Pixels | None) -> None:
        self._eyes, self._shown = eyes, shown

    @property
    def cameras(self) -> tuple[str, ...]:
        return tuple(self._shown)

    def frame(self, camera: str) -> Frame:
        pixels = self._shown[camera]
        if pixels is None:
            raise DeviceLost(f"The camera {camera} gives no picture now.")
        return Frame(pixels, 0, 0, camera)

    def recogniser(self) -> Recogniser | None:
        return self._eyes


@pytest.fixture(scope="module")
def eyes(home: Path) -> OpenCvRecogniser:
    return open_recogniser(str(home / "boxes/A"))


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))


def seat() -> Pixels:
    return np.asarray(cv2.imread(str(FRAMES / "sequences/seq1/frame_00.jpg")), np.uint8)


def shifted(pixels: Pixels, right_px: int) -> Pixels:
    """The same table, the camera turned aside."""
    move = np.array([[1.0, 0, right_px], [0, 1, 0]])
    return np.asarray(cv2.warpAffine(pixels, move, pixels.shape[1::-1], borderValue=(60, 80, 100)), np.uint8)


@pytest.mark.eyes
def test_a_well_placed_board_in_good_light_is_all_well(eyes: OpenCvRecogniser) -> None:
    answer = setup(Bench(eyes, above=seat()), {"do": "look"}, b"")
    (camera,) = answer["cameras"]
    (board,) = camera["boards"]
    assert (board["board"], board["inside"], board["move_cm"]) == ("lab_red", 1.0, [0, 0])
    assert board["token_px"] > board["needed_px"]
    assert camera["cautions"] == []
    assert {"central", "score", "lab_blue"} <= set(answer["missing"])
    json.dumps(answer)


@pytest.mark.eyes
def test_a_board_half_outside_is_said_with_how_far_to_move_it(eyes: OpenCvRecogniser) -> None:
    answer = setup(Bench(eyes, above=shifted(seat(), 700)), {"do": "look"}, b"")
    (board,) = answer["cameras"][0]["boards"]
    assert 0.3 < board["inside"] < 0.7
    right, down = board["move_cm"]
    assert (right < -15, down) == (True, 0)


@pytest.mark.eyes
def test_a_dark_table_is_said(eyes: OpenCvRecogniser) -> None:
    dark = (seat() * 0.16).astype(np.uint8)
    (camera,) = setup(Bench(eyes, above=dark), {"do": "look"}, b"")["cameras"]
    assert camera.get("obstacle") or "dim" in {strain for strain, *_ in camera["cautions"]}


@pytest.mark.eyes
def test_what_was_kept_is_held_against_at_the_next_start(eyes: OpenCvRecogniser, tmp_path: Path) -> None:
    setup(Bench(eyes, above=seat()), {"do": "keep"}, b"")
    assert kept(tmp_path) is not None
    assert setup(Bench(eyes, above=seat()), {"do": "check"}, b"")["changes"] == []
    moved = setup(Bench(eyes, above=shifted(seat(), 120)), {"do": "check"}, b"")["changes"]
    assert moved == [{"what": "moved", "camera": "above", "board": "lab_red"}]
    dead = setup(Bench(eyes, above=None), {"do": "check"}, b"")["changes"]
    assert dead == [{"what": "camera", "camera": "above"}]


def test_without_a_box_or_a_camera_there_is_nothing_to_look_at() -> None:
    assert setup(Bench(None, above=seat()), {"do": "look"}, b"")["why"]["key"] == "setup.no_box"


def test_a_broken_file_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "setup.json").write_text("{")
    assert kept(tmp_path) is None
    assert changes(None, {"box": "A", "cameras": []}) == []


def test_the_check_at_the_start_is_patient_with_cameras_that_wake_up() -> None:
    gone = {"what": "camera", "camera": "above"}
    answers: list[Mapping[str, Any]] = [{"ok": False}, {"ok": True, "changes": [gone]}, {"ok": True}, {}]
    pauses: list[float] = []
    check = StartCheck(lambda: answers.pop(0), pauses.append)
    check.run()
    assert (check.changes, len(answers), len(pauses)) == ((), 1, 3)
    stuck = StartCheck(lambda: {"ok": True, "changes": [gone]}, pauses.append)
    stuck.run()
    assert stuck.changes == (gone,)
