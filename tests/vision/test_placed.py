"""A camera that no longer stands as it was set up is said to, until that is mended or kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from companion.board import BoardId
from companion.kept_setup import KeptCamera, keep
from companion.ports import Frame, Strain
from vision.placed import Placed
from vision.pose import BoardPose, Lens
from vision.survey import EVERY_FRAMES, PATIENCE

LONG = EVERY_FRAMES * PATIENCE
ONE, TWO = BoardId("one"), BoardId("two")
WIDE, HIGH = 1280, 720


def pose(board: BoardId, left_px: float, top_px: float = 100) -> BoardPose:
    plane = np.array([[1.0, 0, left_px], [0, 1.0, top_px], [0, 0, 1.0]])
    return BoardPose(board, plane, Lens.of_picture(WIDE, HIGH), (300.0, 200.0), "art")


class Corner:
    """A camera over two boards, and the folder in which its set-up is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.placed = Placed(KeptCamera(folder, "above"), "A")
        self.lies = {ONE: 100.0, TWO: 700.0}
        self.source = "usb-One"
        self.is_fickle = False
        self._versions = 0

    @property
    def poses(self) -> dict[BoardId, BoardPose]:
        return {board: pose(board, left_px) for board, left_px in self.lies.items()}

    def keep(self, box: str = "A") -> None:
        boards = [
            {"board": board, "corners": [[x / WIDE, y / HIGH] for x, y in lying.corners_px]}
            for board, lying in self.poses.items()
        ]
        camera: dict[str, Any] = {"camera": "above", "source": self.source, "boards": boards}
        keep(self.folder, {"box": box, "cameras": [camera], "missing": [], "at_utc": f"{self._versions}"})
        self._versions += 1

    def rest(self, frames: int = LONG) -> list[Strain]:
        pixels = np.zeros((HIGH, WIDE, 3), np.uint8)
        for number in range(frames):
            frame = Frame(pixels, number, 0, "above", self.source, self.is_fickle)
            self.placed.rest(frame, self.poses)
        return [caution.strain for caution in self.placed.cautions]


def test_a_table_that_nobody_set_up_is_doubted_by_nobody(tmp_path: Path) -> None:
    assert Corner(tmp_path).rest() == []


def test_a_camera_that_was_moved_is_doubted_after_some_patience_until_it_is_kept_so(tmp_path: Path) -> None:
    corner = Corner(tmp_path)
    corner.keep()
    assert corner.rest() == []
    corner.lies = {ONE: 150.0, TWO: 750.0}
    assert corner.rest(LONG - EVERY_FRAMES) == []
    assert corner.rest(EVERY_FRAMES) == [Strain.SHIFTED]
    corner.keep()
    assert corner.rest(EVERY_FRAMES) == []
    assert corner.rest() == []


def test_moved_back_it_is_doubted_no_more(tmp_path: Path) -> None:
    corner = Corner(tmp_path)
    corner.keep()
    before, corner.lies = corner.lies, {ONE: 20.0, TWO: 600.0}
    assert corner.rest() == [Strain.SHIFTED]
    corner.lies = before
    assert corner.rest() == []


def test_a_board_that_was_moved_beside_one_that_was_not_is_no_moved_camera(tmp_path: Path) -> None:
    corner = Corner(tmp_path)
    corner.keep()
    corner.lies = {ONE: 100.0, TWO: 900.0}
    assert corner.rest() == []
    del corner.lies[ONE]
    assert corner.rest() == [Strain.SHIFTED]


def test_another_camera_in_its_place_is_doubted_and_the_same_one_come_back_is_not(tmp_path: Path) -> None:
    corner = Corner(tmp_path)
    corner.keep()
    corner.source = "usb-Another"
    assert corner.rest() == [Strain.OTHER_CAMERA]
    corner.source = "usb-One"
    assert corner.rest() == []
    corner.source = ""  # one without a name of its own
    assert corner.rest() == []


def test_what_was_kept_with_another_box_says_nothing_of_this_one(tmp_path: Path) -> None:
    corner = Corner(tmp_path)
    corner.keep(box="B")
    corner.lies = {ONE: 400.0, TWO: 900.0}
    assert corner.rest() == []


def test_a_camera_that_does_not_obey_is_said_to(tmp_path: Path) -> None:
    corner = Corner(tmp_path)
    corner.is_fickle = True
    assert corner.rest(1) == [Strain.FICKLE]
