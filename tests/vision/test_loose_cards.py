"""Loose cards on real photographs, taught from flat pictures of six of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.teach import NotTaught, teach_box
from companion.ports import Frame, Obstacle, Reading, Recogniser
from vision.photos import load_photo
from vision.recogniser import open_recogniser
from vision.report import as_json, as_lines

CARDS = Path(__file__).parents[2] / "../shared/photos/cards"
TAUGHT = ("10S", "9S", "AH", "KH", "QH", "JD")
FOUR_CARDS, ONE_UNDER_ANOTHER = "ed_2558.jpg", "ed_2627.jpg"


@pytest.fixture(scope="module")
def eyes(tmp_path_factory: pytest.TempPathFactory) -> Recogniser:
    folder = tmp_path_factory.mktemp("loose")
    scans = folder / "scans"
    scans.mkdir()
    for card in TAUGHT:
        shutil.copy(CARDS / "reference" / f"{card}.jpg", scans / f"{card}.jpg")
    return open_recogniser(str(teach_box(scans, "six", folder / "boxes")))


def read(eyes: Recogniser, photo: str) -> Reading:
    return eyes.read(Frame(load_photo(CARDS / photo), 0, 0))


def sure(reading: Reading) -> dict[str, tuple[float, float]]:
    return {str(piece.reads): piece.centre_px for piece in reading.loose if piece.sure}


def truth(photo: str) -> Sequence[dict[str, Any]]:
    labels = json.loads((CARDS / "labels.json").read_text(encoding="utf-8"))
    cards: Sequence[dict[str, Any]] = labels["images"][photo]["cards"]
    return cards


@pytest.fixture(scope="module")
def four(eyes: Recogniser) -> Reading:
    return read(eyes, FOUR_CARDS)


def test_cards_are_named_where_they_lie_however_they_are_turned(four: Reading) -> None:
    found = sure(four)
    for card in truth(FOUR_CARDS):
        if card["id"] in TAUGHT:
            middle = np.mean(card["corners"], axis=0)
            assert np.linalg.norm(np.array(found[card["id"]]) - middle) < 4


def test_a_card_that_was_never_taught_is_not_named(four: Reading) -> None:
    assert set(sure(four)) == {card["id"] for card in truth(FOUR_CARDS)} - {"10D"}
    strange = [piece for piece in four.loose if not piece.sure]
    assert [piece.obstacle for piece in strange] == [Obstacle.NOT_TAUGHT]
    assert np.linalg.norm(np.array(strange[0].centre_px) - (272, 165)) < 8


def test_a_card_half_under_another_is_named(eyes: Recogniser) -> None:
    assert set(sure(read(eyes, ONE_UNDER_ANOTHER))) == {"KH", "QH"}


def test_loose_cards_are_told_with_their_corners_and_their_reasons(four: Reading) -> None:
    told = as_json("table.jpg", four)
    assert told["answer"] == "read" and told["boards"] == {}
    assert all(len(piece["corners_px"]) == 4 for piece in told["loose"])
    assert [piece["obstacle"] for piece in told["loose"] if not piece["sure"]] == ["not_taught"]
    assert as_lines("table.jpg", four)[-1].startswith("table.jpg: 4 loose cards; 1 unsure.")


def test_a_dark_picture_is_refused_and_a_bare_table_is_empty(eyes: Recogniser) -> None:
    dark = eyes.read(Frame(np.full((240, 320, 3), 3, np.uint8), 0, 0))
    assert dark.obstacle is Obstacle.TOO_DARK
    grain = np.random.default_rng(3).integers(90, 130, (240, 320, 3)).astype(np.uint8)
    bare = eyes.read(Frame(grain, 0, 0))
    assert bare.answer == "read" and bare.loose == ()


def test_everything_wrong_with_pictures_of_cards_is_said_at_once(tmp_path: Path) -> None:
    scans = tmp_path / "scans"
    scans.mkdir()
    shutil.copy(CARDS / "reference/AH.jpg", scans / "AH.jpg")
    index = [
        {"file": "AH.jpg", "kind": "card"},
        {"file": "gone.jpg", "kind": "card_back"},
        {"file": "AH.jpg", "kind": "card", "card_id": "corner", "corners_px": [[0, 0], [9, 0]]},
        {"kind": "card"},
    ]
    (scans / "index.json").write_text(json.dumps(index))
    with pytest.raises(NotTaught) as refused:
        teach_box(scans, "odd", tmp_path / "boxes")
    for fault in ("gone.jpg is missing", "corners_px of corner are not four points", "entry 4 needs a file"):
        assert fault in str(refused.value)
    assert not (tmp_path / "boxes").exists()
