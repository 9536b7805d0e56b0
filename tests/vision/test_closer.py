"""Tiles that share their frame are told apart by their print, where colours do not say enough."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.confidence import flat_pose
from companion.board import EMPTY, BoardId, SpaceId, SpaceKind
from companion.ports import Pixels
from vision.box import ART_PX_PER_MM, TaughtBox, load_box
from vision.closer import look_closer
from vision.look import Look
from vision.sight import BoardSight, sight_of
from vision.wardrobe import TILE_BACK, Wardrobe

pytestmark = pytest.mark.eyes
LAB = BoardId("lab_red")


@pytest.fixture(scope="module")
def wardrobe(home: Path) -> Wardrobe:
    return Wardrobe(load_box(home / "boxes/A"))


def tile_space(box: TaughtBox) -> SpaceId:
    return next(s.id for s in box.layouts[LAB].spaces.values() if s.kind is SpaceKind.TILE)


def sight_with(wardrobe: Wardrobe, art: Pixels, *, blur_px: float) -> BoardSight:
    """See a lab board with a tile on its first space."""
    box = wardrobe.box
    flat = box.boards[LAB].copy()
    x, y = box.layouts[LAB].spaces[tile_space(box)].centre_mm
    height, width = art.shape[:2]
    left, top = round(x * ART_PX_PER_MM - width / 2), round(y * ART_PX_PER_MM - height / 2)
    flat[top : top + height, left : left + width] = art
    seen = cv2.GaussianBlur(flat, (0, 0), blur_px)
    sight = sight_of(
        seen, np.ones(flat.shape[:2], bool), flat_pose(box.layouts[LAB], ART_PX_PER_MM), wardrobe
    )
    assert sight is not None
    return sight


def torn(wardrobe: Wardrobe, first: str, second: str) -> Look:
    """Return a look that holds the wrong tile for as likely as the right one."""
    kinds = {str(kind): kind for kind in wardrobe.box.tiles}
    answers = (kinds[first], kinds[second], EMPTY)
    return Look(
        tile_space(wardrobe.box),
        "tile",
        answers,
        (900.0, 950.0, 9000.0),
        9000.0,
        9000.0,
        1.0,
        alike=0.8,
        lead=0.02,
    )


@pytest.mark.parametrize("likelier", [0, 1])
def test_print_tells_which_of_two_likely_tiles_lies_there(wardrobe: Wardrobe, likelier: int) -> None:
    box = wardrobe.box
    right, wrong = [kind for kind in box.tiles if kind != TILE_BACK][:2]
    space = box.layouts[LAB].spaces[tile_space(box)]
    sight = sight_with(wardrobe, box.tiles[right].art, blur_px=0.6)
    look = torn(wardrobe, *((right, wrong) if likelier == 0 else (wrong, right)))
    closer = look_closer(sight, space, look, wardrobe)
    assert closer.answers[0] == right
    assert closer.lead > 0.3


def test_a_clear_look_and_a_blurred_board_are_left_as_they_are(wardrobe: Wardrobe) -> None:
    box = wardrobe.box
    right, wrong = [kind for kind in box.tiles if kind != TILE_BACK][:2]
    space = box.layouts[LAB].spaces[tile_space(box)]
    look = torn(wardrobe, right, wrong)
    clear = replace(look, lead=0.5)
    sharp, blurred = (sight_with(wardrobe, box.tiles[right].art, blur_px=blur) for blur in (0.6, 3.0))
    assert look_closer(sharp, space, clear, wardrobe) is clear
    assert look_closer(blurred, space, look, wardrobe) is look
