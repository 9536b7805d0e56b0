"""Scans of the stand-in box: complete, in the form in which boxes are taught, ours alone."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.games.making_monsters import components
from hardware.simulated.contents import read_contents
from hardware.simulated.scans import ScansNotWritten, layout_of, write_scans

BOX = read_contents(components.BOX.boards, components.stand_in_catalogue(), components.BOX.counts)
SCENES = Path(__file__).parents[2] / "../shared/scenes/A/reference"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scans")
    write_scans(BOX, folder)
    return folder


def test_every_piece_and_board_is_scanned_in_the_size_that_the_index_says(folder):
    index = json.loads((folder / "index.json").read_text())
    for row in index:
        height, width = cv2.imread(str(folder / row["file"])).shape[:2]
        size_mm = (width / row["px_per_mm"], height / row["px_per_mm"])
        assert size_mm == pytest.approx(row["image_mm"], abs=0.2), row["file"]
    kinds = [row["kind"] for row in index]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "token": 7, "card": 72, "card_back": 1, "order": 3, "order_back": 4,
        "upgrade": len(BOX.upgrades), "upgrade_back": 1, "lester": 20, "lester_back": 4, "board": 6,
    }  # fmt: skip


def test_the_index_and_the_layout_say_what_those_of_the_scenes_say(folder):
    ours, theirs = (json.loads((f / "index.json").read_text()) for f in (folder, SCENES))
    keys = {row["kind"]: set(row) for row in theirs if row.get("board") != "mat"}
    assert {row["kind"]: set(row) for row in ours} == keys
    layout, model = layout_of(BOX), json.loads((SCENES / "layout.json").read_text())
    assert set(model) <= set(layout)
    for board in ("lab", "central", "score"):
        ids = {slot["id"]: slot["kind"] for slot in layout["boards"][board]["slots"]}
        assert ids == {slot["id"]: slot["kind"] for slot in model["boards"][board]["slots"]}


def test_no_two_cards_look_alike(folder):
    thumbs = []
    for card in BOX.cards:
        picture = cv2.imread(str(folder / f"cards/{card}.png"))
        thumbs.append(cv2.resize(picture, (21, 29), interpolation=cv2.INTER_AREA).astype(float).ravel())
    apart = [float(np.abs(one - other).mean()) for n, one in enumerate(thumbs) for other in thumbs[n + 1 :]]
    assert min(apart) > 12.0  # grey levels on average; noise and light of a camera stay far below


def test_scanning_twice_gives_the_same_bytes(folder, tmp_path):
    write_scans(BOX, tmp_path)
    for name in ("tokens/goop.png", "cards/card_11.png", "boards/central.jpg", "layout.json"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_a_folder_that_cannot_be_written_is_said_in_one_sentence(tmp_path):
    (tmp_path / "file").write_text("here")
    with pytest.raises(ScansNotWritten, match="Choose another folder"):
        write_scans(BOX, tmp_path / "file")
