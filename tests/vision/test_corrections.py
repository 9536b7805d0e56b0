"""Eyes that learn from corrections: the same mistake is not made again, and no other piece pays for it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.board import BoardId, PieceKind, Place, SpaceId
from companion.ports import Frame, Pixels
from tests.vision.measure_corrections import judged, laid_when_taught, spoilt, truth_of
from vision.bare_spots import BareSpot, painted
from vision.box import ART_FILE
from vision.corrections import BOOK, FOLDER, NO_CARD, CorrectionBook, Use
from vision.learner import Shown
from vision.recogniser import OpenCvRecogniser, open_recogniser

pytestmark = [pytest.mark.eyes, pytest.mark.timeout(300)]

SEQUENCE = Path(__file__).parents[2] / "../shared/scenes/A/sequences/seq1"
LAB = BoardId("lab_red")
LIMB, GOOP = PieceKind("limb"), PieceKind("goop")
CORRECTED = Place(LAB, SpaceId("card3.part1"))
REJECT = Place(LAB, SpaceId("reject6"))  # nothing lies there all evening
ROTTEN = Place(LAB, SpaceId("reject3"))  # a rot lies there from the second picture on


def picture(number: int) -> tuple[Pixels, Mapping[Place, PieceKind]]:
    path = SEQUENCE / f"frame_{number:02}.jpg"
    return np.asarray(cv2.imread(str(path)), np.uint8), truth_of(path.with_suffix(".json"))


@pytest.fixture
def poor_box(home: Path, tmp_path: Path) -> Path:
    """Box A, the limb token taught out of focus and under a warm lamp."""
    return spoilt(home / "boxes/A", "limb", tmp_path)


def correct(eyes: OpenCvRecogniser, pixels: Pixels, place: Place, said: str, seen: str = "unknown") -> Any:
    assert eyes.learner is not None
    poses = {pose.board: pose for pose in eyes.reader.find(pixels)}
    return eyes.learner.learn(
        Shown(pixels, poses), place, PieceKind(said), seen=PieceKind(seen), at_utc="2026-11-30T20:00:00Z"
    )


def verdicts(eyes: OpenCvRecogniser, number: int) -> tuple[list[str], list[str]]:
    """Return how limbs were read in a picture, and how all else was."""
    pixels, truth = picture(number)
    found = judged(eyes, pixels, truth)
    limbs = [verdict for place, (verdict, _) in found.items() if truth[place] == LIMB]
    return limbs, [verdict for place, (verdict, _) in found.items() if truth[place] != LIMB]


def read_at(eyes: OpenCvRecogniser, number: int, place: Place) -> tuple[str, bool]:
    """Return what is read on a place of a picture, and whether that is sure."""
    seen = eyes.read(Frame(picture(number)[0], 0, 0)).at(place)
    assert seen is not None
    return str(seen.reads), seen.sure


def test_what_was_corrected_once_is_right_from_the_next_picture_on(poor_box: Path) -> None:
    eyes = open_recogniser(str(poor_box))
    before, others_before = verdicts(eyes, 10)
    assert before and "right" not in before
    kept = correct(eyes, picture(7)[0], CORRECTED, "limb")
    assert (kept.use, kept.said, kept.place) == (Use.USED, LIMB, CORRECTED)
    after, others_after = verdicts(eyes, 10)
    assert set(after) == {"right"}
    assert others_after == others_before
    anew = open_recogniser(str(poor_box))  # the service was started again
    assert verdicts(anew, 10)[0] == after


def test_a_correction_is_taken_back_and_all_is_as_before(poor_box: Path) -> None:
    eyes = open_recogniser(str(poor_box))
    before = verdicts(eyes, 10)
    kept = correct(eyes, picture(7)[0], CORRECTED, "limb")
    assert eyes.learner is not None
    assert eyes.learner.take_back(kept.number)
    assert verdicts(eyes, 10) == before
    assert not eyes.learner.take_back(kept.number)
    assert CorrectionBook(poor_box).all == ()
    assert not list((poor_box / FOLDER).glob("*.png"))


def test_a_correction_that_would_cost_another_piece_is_put_aside(home: Path, tmp_path: Path) -> None:
    box = Path(shutil.copytree(home / "boxes/A", tmp_path / "A"))
    eyes = open_recogniser(str(box))
    pixels, truth = picture(10)
    goop = next(place for place, lies in truth.items() if lies == GOOP)
    kept = correct(eyes, pixels, goop, "limb", seen="goop")  # a slip of the thumb
    assert (kept.use, kept.against) == (Use.ASIDE, "goop")
    assert set(verdicts(eyes, 10)[1]) == {"right"}


def test_what_no_picture_teaches_is_kept_to_be_looked_at(home: Path, tmp_path: Path) -> None:
    box = Path(shutil.copytree(home / "boxes/A", tmp_path / "A"))
    eyes = open_recogniser(str(box))
    pixels, truth = picture(10)
    assert correct(eyes, pixels, next(iter(truth)), "coin").use is Use.KEPT
    assert [one.said for one in CorrectionBook(box).all] == ["coin"]


def test_a_space_that_was_said_to_be_empty_is_empty_from_then_on(home: Path, tmp_path: Path) -> None:
    eyes = open_recogniser(str(laid_when_taught(home / "boxes/A", REJECT.space, "limb", tmp_path)))
    assert read_at(eyes, 10, REJECT) != ("empty", True)
    others_before = verdicts(eyes, 10)
    kept = correct(eyes, picture(0)[0], REJECT, "empty")
    assert (kept.use, kept.said) == (Use.USED, "empty")
    assert read_at(eyes, 10, REJECT) == ("empty", True)
    assert verdicts(eyes, 10)[0] == others_before[0]
    assert eyes.learner is not None
    assert eyes.learner.take_back(kept.number)
    assert read_at(eyes, 10, REJECT) != ("empty", True)


def taught_as_seen(box_folder: Path, pixels: Pixels, place: Place, folder: Path) -> Path:
    """Copy a box whose board was taught with what lies on a place of a picture."""
    copy = Path(shutil.copytree(box_folder, folder / "box"))
    eyes = open_recogniser(str(copy))
    seen = correct(eyes, pixels, place, "coin")
    assert eyes.learner is not None
    shown = eyes.learner.book.picture(seen.number)
    assert eyes.learner.take_back(seen.number)
    with np.load(copy / ART_FILE) as stored:
        art = {name: stored[name] for name in stored.files}
    spot = BareSpot(place, NO_CARD, "token", shown)
    art[f"board/{place.board}"] = painted(art[f"board/{place.board}"], [spot], eyes.reader.box)
    with (copy / ART_FILE).open("wb") as file:
        np.savez(file, **art)
    return copy


def test_a_piece_is_not_nothing_once_that_was_said_though_the_board_was_taught_with_it(
    home: Path, tmp_path: Path
) -> None:
    eyes = open_recogniser(str(taught_as_seen(home / "boxes/A", picture(5)[0], ROTTEN, tmp_path)))
    assert read_at(eyes, 5, ROTTEN)[0] == "empty"
    kept = correct(eyes, picture(5)[0], ROTTEN, "rot", seen="empty")
    assert (kept.use, kept.against) == (Use.ASIDE, "empty")  # it looks as the space was taught
    assert read_at(eyes, 10, ROTTEN) == ("rot", True)
    assert read_at(eyes, 0, ROTTEN)[1] is False  # nobody said yet how it looks with nothing on it
    assert correct(eyes, picture(0)[0], ROTTEN, "empty").use is Use.USED
    assert (read_at(eyes, 0, ROTTEN), read_at(eyes, 10, ROTTEN)) == (("empty", True), ("rot", True))


def test_a_piece_that_plainly_lies_there_is_never_taken_for_nothing(home: Path, tmp_path: Path) -> None:
    box = Path(shutil.copytree(home / "boxes/A", tmp_path / "A"))
    eyes = open_recogniser(str(box))
    kept = correct(eyes, picture(10)[0], ROTTEN, "empty", seen="rot")  # a slip of the thumb
    assert (kept.use, kept.against) == (Use.ASIDE, "rot")
    slip = correct(eyes, picture(10)[0], REJECT, "limb", seen="empty")
    assert (slip.use, slip.against) == (Use.ASIDE, "empty")
    assert read_at(eyes, 10, REJECT)[1] is False  # asked about
    assert correct(eyes, picture(10)[0], REJECT, "empty").use is Use.USED
    assert set(verdicts(eyes, 10)[1]) == {"right"}


def test_live_eyes_look_at_a_corrected_space_once_more(poor_box: Path) -> None:
    eyes = open_recogniser(str(poor_box))
    watch, (pixels, _) = eyes.watch("seat"), picture(7)
    told = None
    for number in range(25):
        told = watch.see(Frame(pixels, number, 200 * number, "seat")) or told
    assert told is not None and told.at(CORRECTED) is not None
    seen = told.at(CORRECTED)
    assert seen is not None and not seen.sure
    assert eyes.learn(CORRECTED, LIMB, seen=seen.reads, source="seat", at_utc="") is not None
    for number in range(25, 45):
        told = watch.see(Frame(pixels, number, 200 * number, "seat")) or told
    seen = told.at(CORRECTED)
    assert seen is not None
    assert (seen.reads, seen.sure) == (LIMB, True)


def test_a_place_that_is_not_to_be_seen_teaches_nothing(poor_box: Path) -> None:
    eyes = open_recogniser(str(poor_box))
    assert eyes.learn(CORRECTED, LIMB, seen=GOOP, source="attic", at_utc="") is None
    assert correct(eyes, picture(7)[0], Place(BoardId("lab_blue"), SpaceId("sort1")), "limb") is None


def test_a_broken_book_is_no_reason_not_to_open_the_box(poor_box: Path) -> None:
    (poor_box / FOLDER).mkdir()
    (poor_box / FOLDER / BOOK).write_text('{"format": 1, "corrections": [')
    assert CorrectionBook(poor_box).all == ()
    assert open_recogniser(str(poor_box)).box == "A"
