"""The drawn mats of Monster Graveyard: every scan is there, every card lies in its place in the picture."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.board import SpaceId
from companion.games.monster_graveyard.game import GAME
from companion.spreadsheet import csv_in
from hardware.simulated.commands import simulated_table
from hardware.simulated.mat_scene import MatScene
from hardware.simulated.mats import small_cards


@pytest.fixture(scope="module")
def scans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mats") / "scans"
    done = CliRunner().invoke(simulated_table, ["--game", "monster_graveyard", "--scans", str(folder)])
    assert done.exit_code == 0, done.output
    assert "companion box teach" in done.output
    return folder


def test_every_scan_is_there_and_as_large_as_it_says(scans: Path) -> None:
    index = json.loads((scans / "index.json").read_text())
    kinds = {row["upgrade_id"] for row in index if row["kind"] == "upgrade"}
    assert kinds == {*GAME.stand_in["specials"], *GAME.stand_in["research"], *_plain()}
    for row in index:
        height, width = cv2.imread(str(scans / row["file"])).shape[:2]
        assert (width, height) == tuple(round(side * row["px_per_mm"]) for side in row["image_mm"])


def _plain() -> list[str]:
    return [str(kind) for kind in GAME.box.counts if str(kind).split("_")[0] in GAME.stand_in["forms"]]


def test_what_the_box_prints_lies_beside_its_scans(scans: Path) -> None:
    for sheet in GAME.box.sheets:
        rows = (scans / f"{sheet.name}.csv").read_bytes()
        assert csv_in(GAME.box.sheets, GAME.stand_in, rows)[sheet.name] == GAME.stand_in


def test_no_two_small_cards_look_alike() -> None:
    drawn = [pixels.astype(float) for _, pixels in small_cards(GAME)]
    for at, one in enumerate(drawn):
        for other in drawn[at + 1 :]:
            assert np.abs(one - other).mean() > 2.0


def test_a_card_shows_in_its_place_and_nowhere_else() -> None:
    seat = GAME.seats[2]
    empty, laid = (MatScene(GAME, seat, seed=5).show(cards) for cards in ({}, {"part3": "fresh_head"}))
    scene = MatScene(GAME, seat, seed=5)
    differs = np.argwhere(cv2.absdiff(empty, laid).max(axis=2) > 40)
    middle = scene.lens.to_px(np.array([_centre("part3")]))[0]
    assert np.abs(differs.mean(axis=0)[::-1] - middle).max() < 12


def test_a_die_of_each_colour_shows_on_a_monster_card() -> None:
    seat = GAME.seats[1]
    dice = {"monster2": [("terror", 3), ("science", 1), ("health", 6)]}
    bare, set_ = (MatScene(GAME, seat, seed=6).show({"monster2": "monster"}, lying) for lying in ({}, dice))
    scene = MatScene(GAME, seat, seed=6)
    centre = np.array(GAME.box.boards[1].spaces[SpaceId("monster2")].centre_mm)
    for number in range(3):
        spot = centre + np.array([20.0 * (number - 1), 30.0])
        x, y = scene.lens.to_px(spot[None])[0].round().astype(int)
        differs = cv2.absdiff(bare, set_)[y - 12 : y + 12, x - 12 : x + 12]
        assert differs.mean() > 25


def _centre(space: str) -> tuple[float, float]:
    return GAME.box.boards[2].spaces[SpaceId(space)].centre_mm


def test_there_is_no_simulated_table_of_mats_yet() -> None:
    done = CliRunner().invoke(simulated_table, ["--game", "monster_graveyard"])
    assert done.exit_code == 2
    assert "only its --scans" in done.output
