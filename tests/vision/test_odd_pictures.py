"""Pictures that are pictures, but not of a table as it is: each is refused with its own sentence."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.game import Sentence
from companion.ports import DeviceState, Frame, Obstacle, Pixels
from companion.sentences import Speaker
from vision.photos import load_photo
from vision.recogniser import OpenCvRecogniser, open_recogniser
from vision.tones import is_blank, is_colourless

pytestmark = pytest.mark.eyes
SCENES = Path(__file__).parents[2] / "../shared/scenes/A"


@pytest.fixture(scope="module")
def eyes(home: Path) -> OpenCvRecogniser:
    return open_recogniser(str(home / "boxes/A"))


@pytest.fixture(scope="module")
def seat() -> Pixels:
    return load_photo(SCENES / "frames/A_007.jpg")


def grey(pixels: Pixels) -> Pixels:
    return cv2.cvtColor(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)


def sheet(family: int, columns: int = 4) -> Pixels:
    """Return a light table with markers of a family in a row."""
    table = np.full((480, 200 * columns, 3), 210, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(family)
    for number in range(columns):
        marker = cv2.aruco.generateImageMarker(dictionary, number, 120)
        table[180:300, 200 * number + 40 : 200 * number + 160] = marker[..., None]
    table[:, :, 0] //= 2  # a warm lamp: the picture has its colours
    return table


def said(eyes: OpenCvRecogniser, pixels: Pixels) -> str:
    """Return what is said of a picture in which nothing can be read."""
    reading = eyes.read(Frame(pixels, 0, 0))
    assert reading.obstacle is not None and not reading.boards
    return Speaker(("companion",)).say(Sentence(f"obstacle.{reading.obstacle}"))


def test_a_camera_that_delivers_grey_is_said_and_nothing_is_read(eyes: OpenCvRecogniser, seat: Pixels):
    assert said(eyes, grey(seat)).startswith("The picture is grey, and pieces are told by their colours.")


def test_one_even_tone_is_said_to_be_empty(eyes: OpenCvRecogniser):
    even = np.full((480, 640, 3), (40, 120, 130), np.uint8)
    assert said(eyes, even).startswith("There is nothing in the picture but one even tone.")


@pytest.mark.parametrize("family", [cv2.aruco.DICT_APRILTAG_25H9, cv2.aruco.DICT_5X5_100])
def test_markers_of_another_family_are_said(eyes: OpenCvRecogniser, family: int):
    assert said(eyes, sheet(family)).startswith("The corner markers in the picture are of another kind.")


def test_a_mirrored_picture_is_said(eyes: OpenCvRecogniser):
    mirrored = np.ascontiguousarray(load_photo(SCENES / "frames/A_003.jpg")[:, ::-1])
    assert said(eyes, mirrored).startswith("The picture is mirrored.")


def test_two_boards_with_the_same_markers_are_said(eyes: OpenCvRecogniser, seat: Pixels):
    reading = eyes.read(Frame(np.concatenate([seat, seat], axis=1), 0, 0))
    assert Obstacle.SAME_TAGS in (reading.obstacle, *reading.doubts)


def test_pictures_of_tables_have_their_colours(seat: Pixels):
    dimmest = load_photo(SCENES / "frames/A_031.jpg")
    assert not any(is_colourless(pixels) or is_blank(pixels) for pixels in (seat, dimmest))


def test_a_camera_that_turns_grey_during_a_game_changes_nothing_that_is_known(
    eyes: OpenCvRecogniser, seat: Pixels
):
    watch = eyes.watch("seat")
    chance = np.random.default_rng(3)
    known = None

    def shown(pixels: Pixels, number: int):
        noisy = np.clip(pixels + chance.normal(0, 1.0, pixels.shape[:2])[..., None], 0, 255).astype(np.uint8)
        return watch.see(Frame(noisy, number, 200 * number))

    for number in range(10):
        known = shown(seat, number) or known
    assert known is not None
    (board,) = known.boards
    taken = {space: seen.reads for space, seen in known.boards[board].spaces.items() if seen.is_taken}
    after = [shown(grey(seat), 10 + number) for number in range(12)]
    for reading in filter(None, after):
        spaces = reading.boards[board].spaces
        assert all(spaces[space].reads == piece or not spaces[space].sure for space, piece in taken.items())
        assert all(space in taken for space, seen in spaces.items() if seen.is_taken and seen.sure)


def test_live_eyes_on_a_grey_camera_say_what_to_do(eyes: OpenCvRecogniser, seat: Pixels):
    watch = eyes.watch("seat")
    for number in range(12):
        watch.see(Frame(grey(seat), number, 200 * number))
    standing = watch.standing()
    assert standing.state is DeviceState.STALE
    assert standing.detail == "the picture is grey; switch the camera's colours on, or a lamp"
