"""Pictures of a table against their truth, read alone under other names.

The judge is the scenes' own ``score.py``; the bars are the product's.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.board import BoardId, PieceKind, SpaceId
from companion.ports import Frame
from vision.box import load_box
from vision.photos import load_photo
from vision.reader import Reader
from vision.recogniser import OpenCvRecogniser, open_recogniser
from vision.report import as_json

pytestmark = pytest.mark.eyes
SCENES = Path(__file__).parents[2] / "../shared/scenes"
EASY = ("A_007", "A_021", "A_034", "A_037", "A_047", "A_057")
NORMAL = ("A_005", "A_013", "A_032", "A_044", "A_045", "A_059")
HARD = ("A_009", "A_011", "A_016", "A_042")
FOREIGN = ("A_f00", "A_f03", "A_f08", "A_f09")


@pytest.fixture(scope="session")
def eyes(home: Path) -> OpenCvRecogniser:
    return open_recogniser(str(home / "boxes/A"))


def judged(eyes: OpenCvRecogniser, folder: Path, frames: Sequence[str], scene: str = "A") -> dict[str, Any]:
    """Read frames copied alone under other names, then hold the readings against the truth."""
    alone, truth = folder / "alone", folder / "truth"
    alone.mkdir()
    truth.mkdir()
    lines = []
    for number, frame in enumerate(frames):
        photo = alone / f"evening-{number}.jpg"
        photo.write_bytes((SCENES / scene / f"frames/{frame}.jpg").read_bytes())
        (truth / f"{frame}.json").write_bytes((SCENES / scene / f"truth/{frame}.json").read_bytes())
        reading = eyes.read(Frame(load_photo(photo), number, 0, str(photo)))
        lines.append(json.dumps(as_json(f"{frame}.jpg", reading)))
    (folder / "readings.jsonl").write_text("\n".join(lines))
    command = [
        sys.executable,
        SCENES / "score.py",
        truth,
        folder / "readings.jsonl",
        "--json",
        "--show-wrong",
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_easy_pictures_are_read_almost_wholly(eyes: OpenCvRecogniser, tmp_path: Path) -> None:
    result = judged(eyes, tmp_path, EASY)
    assert result["spaces"]["all/all"]["right"] >= 99
    assert result["spaces"]["all/all"]["wrong"] == 0
    assert result["wrong_and_sure"] <= 1
    assert result["boards"]["tags"].get("missed", 0) == 0


def test_normal_and_hard_pictures_are_hardly_ever_wrong_and_sure(
    eyes: OpenCvRecogniser, tmp_path: Path
) -> None:
    result = judged(eyes, tmp_path, NORMAL + HARD)
    assert result["spaces"]["all/all"]["right"] >= 97
    assert result["spaces"]["all/all"]["wrong"] == 0
    assert result["wrong_and_sure"] <= 1, result["wrong_spaces"]
    assert result["corner_error_px_median"]["tags"] < 0.5


def test_pieces_that_were_never_taught_are_not_believed(eyes: OpenCvRecogniser, tmp_path: Path) -> None:
    result = judged(eyes, tmp_path, FOREIGN, "A/foreign")
    assert result["spaces"]["foreign/all"]["wrong"] == 0, result["wrong_spaces"]
    assert result["wrong_and_sure"] <= 1, result["wrong_spaces"]


def test_markers_and_orders_are_read(eyes: OpenCvRecogniser, tmp_path: Path) -> None:
    result = judged(eyes, tmp_path, ("A_026", "A_057"))
    assert result["markers"].get("wrong", 0) == 0 and result["markers"]["right"] >= 6
    assert result["orders"].get("wrong", 0) == 0 and result["orders"]["right"] >= 5


def test_orders_beside_cards_and_piles_are_found(eyes: OpenCvRecogniser, tmp_path: Path) -> None:
    result = judged(eyes, tmp_path, ("A_020", "A_027", "A_036", "A_047"))
    assert set(result["orders"]) == {"right"}, result["orders"]


def told_and_true(eyes: OpenCvRecogniser, frame: str) -> tuple[dict[str, int], dict[str, int]]:
    """Return the step of each marker as it was read and as it is (``score.py`` keeps one marker a step)."""
    reading = eyes.read(Frame(load_photo(SCENES / f"A/frames/{frame}.jpg"), 0, 0))
    truth = json.loads((SCENES / f"A/truth/{frame}.json").read_text())
    (score,) = (board for board in truth["boards"] if board["id"] == "score")
    return dict(reading.boards[BoardId("score")].markers), score["markers"]


@pytest.mark.parametrize("frame", ["A_012", "A_023", "A_048"])
def test_markers_that_share_a_step_are_not_told_and_all_others_are(
    eyes: OpenCvRecogniser, frame: str
) -> None:
    told, true = told_and_true(eyes, frame)
    steps = list(true.values())
    assert told == {player: step for player, step in true.items() if steps.count(step) == 1}


@pytest.mark.parametrize("frame", ["A_025", "A_045"])
def test_faces_printed_on_markers_and_red_shadows_are_no_markers(eyes: OpenCvRecogniser, frame: str) -> None:
    told, true = told_and_true(eyes, frame)
    assert told == true


def test_a_hand_hides_the_spaces_under_it_and_no_others(eyes: OpenCvRecogniser) -> None:
    frame = "A_013"
    reading = eyes.read(Frame(load_photo(SCENES / f"A/frames/{frame}.jpg"), 0, 0))
    truth = json.loads((SCENES / f"A/truth/{frame}.json").read_text())
    slots = {slot["id"]: slot for slot in truth["boards"][0]["slots"]}
    spaces = reading.boards[next(iter(reading.boards))].spaces
    for name, slot in slots.items():
        if slot["visible_fraction"] < 0.1:
            assert spaces[name].reads == "hidden", name
        elif slot["visible_fraction"] > 0.95:
            assert spaces[name].reads != "hidden", name


def test_every_answer_that_is_not_sure_says_why(eyes: OpenCvRecogniser) -> None:
    for frame in ("A_013", "A_044"):
        reading = eyes.read(Frame(load_photo(SCENES / f"A/frames/{frame}.jpg"), 0, 0))
        unsure = [s for b in reading.boards.values() for s in b.spaces.values() if not s.sure]
        assert unsure
        assert all(space.obstacle is not None for space in unsure)


def test_the_outline_of_a_part_lies_on_the_part_of_its_own_card(home: Path) -> None:
    reader = Reader(load_box(home / "boxes/A"))
    pixels = load_photo(SCENES / "A/frames/A_047.jpg")
    (pose,) = (pose for pose in reader.find(pixels) if pose.board == "lab_red")
    truth = json.loads((SCENES / "A/truth/A_047.json").read_text())
    lab = next(board for board in truth["boards"] if board["id"] == "lab_red")
    for slot in (slot for slot in lab["slots"] if slot["kind"] == "card"):
        card = slot["content"] and PieceKind(slot["content"]["card_id"])
        for part in slot["part_slots"]:
            space = SpaceId(f"{slot['id']}.part{part['index']}")
            middle = reader.outline_px(pose, space, card=card).mean(axis=0)
            assert math.dist(middle, part["center_px"]) < 12, space
