"""The drawn mats of Monster Graveyard: every scan is there, every card lies in its place in the picture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.board import PieceKind, SpaceId
from companion.games.monster_graveyard.game import GAME
from companion.spreadsheet import csv_in
from hardware.simulated.card_table import CardTable
from hardware.simulated.commands import simulated_table
from hardware.simulated.mat_scene import CARE, MatScene
from hardware.simulated.mats import small_cards
from hardware.simulated.placed import by_hand, set_dice
from hardware.simulated.table import Setting
from hardware.simulated.tables import table_of
from hardware.simulated.world import Impossible

MAT = "mat_orange"


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


@pytest.fixture(scope="module")
def table() -> Iterator[CardTable]:
    whole = table_of(GAME.name, 1, Setting((), speed=100.0))
    assert isinstance(whole, CardTable)
    yield whole
    whole.close()


def test_hands_lay_parts_in_one_visit_and_set_a_monster_with_its_dice(table: CardTable) -> None:
    lay = [{"do": "lay", "place": f"{MAT}/part{n}", "kind": "skeletal_arm"} for n in (1, 2)]
    table.do({"do": "visit", "deeds": lay})
    monster = {"do": "lay", "place": f"{MAT}/monster1", "kind": "monster", "dice": ["terror 6", "terror 2"]}
    take = [{"do": "take", "place": f"{MAT}/part{n}"} for n in (1, 2)]
    table.do({"do": "visit", "deeds": [*take, monster]})
    assert table.truth()["places"] == {f"{MAT}/monster1": "monster"}
    assert table.truth()["dice"] == {f"{MAT}/monster1": [["terror", 6], ["terror", 2]]}
    table.do({"do": "set_dice", "place": f"{MAT}/monster1", "dice": []})
    assert table.truth()["dice"] == {}
    table.do({"do": "clear"})


@pytest.mark.parametrize(
    "deeds",
    [
        [],
        [{"do": "lay", "place": f"{MAT}/part1", "kind": "fresh_tail"}],
        [{"do": "lay", "place": "mat_purple/part1", "kind": "fresh_head"}],
        [{"do": "set_dice", "place": f"{MAT}/monster1", "dice": ["terror 2"]}],
        [{"do": "lay", "place": f"{MAT}/monster1", "kind": "monster", "dice": ["terror 7"]}],
        [{"do": "lay", "place": f"{MAT}/monster1", "kind": "monster", "dice": ["courage 1"]}],
        [
            {"do": "lay", "place": f"{MAT}/part1", "kind": "fresh_head"},
            {"do": "take", "place": f"{MAT}/part2"},
        ],
    ],
)
def test_a_visit_that_is_impossible_changes_nothing(table: CardTable, deeds: list[dict[str, object]]) -> None:
    with pytest.raises(Impossible):
        table.do({"do": "visit", "deeds": deeds})
    assert table.truth()["places"] == {}


def test_dice_stay_as_they_were_set_from_picture_to_picture() -> None:
    scene = MatScene(GAME, GAME.seats[0], seed=3)
    placed = by_hand(Random(1), PieceKind("monster"), CARE)
    places = {f"{MAT}/monster2": replace(placed, dice=set_dice(Random(2), [(PieceKind("health"), 4)]))}
    assert np.array_equal(scene.render(places), scene.render(places))
    assert not np.array_equal(scene.render(places), scene.render({}))
