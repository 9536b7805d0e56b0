"""A table of which some boards carry corner markers and others none is read whole."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.board import BoardId
from companion.ports import BoardReading, Frame, Pixels
from vision.box import load_box
from vision.find_tags import TagPatterns, as_grey, see_tags
from vision.finder import room_for
from vision.photos import load_photo
from vision.reader import Reader
from vision.recogniser import OpenCvRecogniser

pytestmark = pytest.mark.eyes
TABLE = Path(__file__).parents[2] / "../shared/scenes/A/frames/A_000.jpg"
BARE = (BoardId("lab_red"), BoardId("score"))  # their markers are plastered over
PLASTER = 1.6  # a marker with its white border, to the marker
SETTLED = 12  # frames


@pytest.fixture(scope="module")
def reader(home: Path) -> Reader:
    return Reader(load_box(home / "boxes/A"))


@pytest.fixture(scope="module")
def whole() -> Pixels:
    return load_photo(TABLE)


@pytest.fixture(scope="module")
def mixed(reader: Reader, whole: Pixels) -> Pixels:
    """The table with the markers of some boards plastered over in the colour around them."""
    pixels = whole.copy()
    numbers = {tag.number for board in BARE for tag in reader.box.layouts[board].tags}
    seen = see_tags(as_grey(pixels), TagPatterns.of(reader.box.tag_numbers)).once
    for corners in (corners for number, corners in seen.items() if number in numbers):
        middle = corners.mean(axis=0)
        outline = np.rint(middle + (corners - middle) * PLASTER).astype(np.int32)
        beside = pixels[tuple(np.clip(outline[0][::-1] - 3, 0, None))]
        cv2.fillPoly(pixels, [outline], beside.tolist())
    return pixels


def sure(board: BoardReading) -> dict[str, str]:
    return {str(space): str(seen.reads) for space, seen in board.spaces.items() if seen.sure}


def test_boards_without_markers_are_found_beside_others_with_them(
    reader: Reader, whole: Pixels, mixed: Pixels
) -> None:
    by_tags = {pose.board: pose for pose in reader.find(whole)}
    found = {pose.board: pose for pose in reader.find(mixed)}  # a photo alone, nothing known before
    assert set(found) == set(by_tags)
    for board, pose in found.items():
        assert pose.found_by == ("print" if board in BARE else "tags")
        away_px = np.linalg.norm(np.array(pose.corners_px) - by_tags[board].corners_px, axis=1)
        assert float(np.median(away_px)) < 2.5


def test_a_picture_has_room_only_for_boards_that_fit_beside_those_found(
    reader: Reader, whole: Pixels
) -> None:
    poses = reader.find(whole)
    sizes = {board: reader.box.layouts[board].size_mm for board in BARE}
    rest = [pose for pose in poses if pose.board not in BARE]
    assert room_for(sizes, rest, whole.shape[:2]) == set(BARE)
    assert room_for(sizes, poses, whole.shape[:2]) == set()


def test_live_eyes_read_both_kinds_of_boards_alike(reader: Reader, whole: Pixels, mixed: Pixels) -> None:
    watch = OpenCvRecogniser(reader).watch("table")
    chance = np.random.default_rng(5)
    told = None
    for number in range(SETTLED):
        grain = chance.normal(0, 1.5, (*mixed.shape[:2], 1)).astype(np.float32)
        told = watch.see(Frame(np.clip(mixed + grain, 0, 255).astype(np.uint8), number, 200 * number)) or told
    assert told is not None
    expected, _ = reader.read_boards(whole, reader.find(whole))
    for board in BARE:
        seen, known = sure(told.boards[board]), sure(expected[board])
        both = set(seen) & set(known)
        assert {space: seen[space] for space in both} == {space: known[space] for space in both}
        assert len(both) >= 0.9 * len(known)
