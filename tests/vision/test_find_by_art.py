"""Boards without any tag are found by their printed art, named by their colours, or left open."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.board import BoardId
from companion.ports import Frame, Obstacle, Pixels
from vision.box import load_box
from vision.photos import load_photo
from vision.reader import Reader
from vision.recogniser import OpenCvRecogniser
from vision.which_board import name_boards

pytestmark = pytest.mark.eyes
SCENES = Path(__file__).parents[2] / "../shared/scenes"
PHOTOS = Path(__file__).parents[2] / "../shared/photos"
WITHOUT_TAGS = ("A_002", "A_003", "A_028", "A_049")
LABS = ("lab_red", "lab_blue", "lab_green", "lab_yellow")


@pytest.fixture(scope="module")
def reader(home: Path) -> Reader:
    return Reader(load_box(home / "boxes/A"))


def picture(frame: str) -> Pixels:
    return load_photo(SCENES / f"A/frames/{frame}.jpg")


def truth(frame: str) -> dict[str, np.ndarray]:
    told = json.loads((SCENES / f"A/truth/{frame}.json").read_text())
    seen = [b for b in told["boards"] if b["visible_fraction"] > 0.6 and b["type"] != "mat"]
    return {b["id"]: np.array(b["corners_px"]) for b in seen}


def flat(reader: Reader, board: str, *, gain: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Pixels:
    """The art of a board on a plain table, a little askew, in a light of some colour."""
    art = reader.box.boards[BoardId(board)]
    plane = np.array([[1.3, 0.2, 260.0], [-0.15, 1.25, 190.0], [2e-5, 5e-5, 1.0]])
    table = np.full((1080, 1920, 3), 130, np.uint8)
    there = cv2.warpPerspective(art, plane, (1920, 1080), dst=table, borderMode=cv2.BORDER_TRANSPARENT)
    return np.clip(there * np.array(gain), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("frame", WITHOUT_TAGS)
def test_boards_without_tags_are_found_within_two_pixels(reader: Reader, frame: str) -> None:
    found = {pose.board: pose for pose in reader.find(picture(frame))}
    assert set(found) == set(truth(frame))
    for board, corners in truth(frame).items():
        away = np.linalg.norm(np.array(found[BoardId(board)].corners_px) - corners, axis=1)
        assert np.median(away) < 2.0
        assert found[BoardId(board)].found_by == "print"


@pytest.mark.parametrize("board", LABS)
@pytest.mark.parametrize("gain", [(0.6, 0.85, 1.1), (1.1, 0.95, 0.75)])
def test_labs_that_differ_by_colour_are_told_apart_in_any_light(
    reader: Reader, board: str, gain: tuple[float, float, float]
) -> None:
    assert [pose.board for pose in reader.find(flat(reader, board, gain=gain))] == [board]


def faded(pixels: Pixels, colour: float) -> Pixels:
    """The same picture with only a share of its colour left."""
    grey = cv2.cvtColor(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.addWeighted(grey, 1 - colour, pixels, colour, 0), np.uint8)


@pytest.mark.parametrize("board", LABS)
def test_a_board_that_could_be_several_stays_unnamed_and_is_said(reader: Reader, board: str) -> None:
    pixels = faded(flat(reader, board), 0.15)
    found = reader.finder.search(pixels)
    assert found.poses == ()
    assert [obstacle for obstacle, _ in found.doubts] == [Obstacle.WHICH_BOARD]
    assert OpenCvRecogniser(reader).read(Frame(pixels, 0, 0)).obstacle is Obstacle.WHICH_BOARD


@pytest.mark.parametrize("board", LABS)
def test_labs_whose_colours_have_faded_by_half_are_told_apart(reader: Reader, board: str) -> None:
    assert [pose.board for pose in reader.find(faded(flat(reader, board), 0.5))] == [board]


def test_in_a_picture_without_colours_no_board_is_named_and_it_is_said(reader: Reader) -> None:
    pixels = faded(flat(reader, "lab_red"), 0.0)
    found = reader.finder.search(pixels)
    assert found.poses == ()
    assert [obstacle for obstacle, _ in found.doubts] == [Obstacle.COLOURLESS]
    assert OpenCvRecogniser(reader).read(Frame(pixels, 0, 0)).obstacle is Obstacle.COLOURLESS


@pytest.mark.parametrize("turn", [cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180])
def test_the_round_centre_is_found_however_it_lies(reader: Reader, turn: int) -> None:
    pixels = picture("A_002")
    before = {pose.board: pose.rotation_deg for pose in reader.find(pixels)}
    turned = np.ascontiguousarray(cv2.rotate(pixels, turn))
    after = {pose.board: pose.rotation_deg for pose in reader.find(turned)}
    step = {cv2.ROTATE_90_CLOCKWISE: 90.0, cv2.ROTATE_180: 180.0}[turn]
    off = (after[BoardId("central")] - before[BoardId("central")] - step + 180) % 360 - 180
    assert abs(off) < 0.5


def test_a_mirrored_picture_is_refused_with_the_reason(reader: Reader) -> None:
    mirrored = np.ascontiguousarray(picture("A_003")[:, ::-1])
    reading = OpenCvRecogniser(reader).read(Frame(mirrored, 0, 0))
    assert (reading.boards, reading.obstacle) == ({}, Obstacle.MIRRORED)


@pytest.mark.parametrize("photo", ["cards/ed_2456.jpg", "dice/nb_20191209_095447.jpg", "tokens/tt_4152.jpg"])
def test_photos_of_other_games_show_no_board_and_no_tag(reader: Reader, photo: str) -> None:
    found = reader.finder.search(load_photo(PHOTOS / photo))
    assert (found.poses, found.doubts) == ((), ())


def test_a_board_found_by_its_art_is_vouched_for_by_its_art(reader: Reader) -> None:
    pixels = picture("A_028")
    (pose,) = reader.find(pixels)
    assert reader.finder.rests(pixels, pose) is True
    shifted = np.ascontiguousarray(np.roll(pixels, 4, axis=1))
    assert reader.finder.rests(shifted, pose) is False
    assert reader.finder.rests(np.zeros_like(pixels), pose) is None
    assert len(reader.finder.anchors(pose)) == 8


def test_names_that_fit_about_equally_well_are_not_given() -> None:
    clear, doubtful = np.array([0.2, 0.5, 0.5]), np.array([0.30, 0.31, 0.6])
    assert name_boards([clear], [True] * 3) == (0,)
    assert name_boards([doubtful], [True] * 3) == (None,)
    assert name_boards([clear, doubtful], [True] * 3) == (0, 1)  # the first name is taken
    assert name_boards([None], [True] * 3) == (None,)
