"""A real printed board, taught from one photo of it empty: placed in every photo of it with pieces on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.board_photos import by_corners
from companion.ports import Pixels
from vision.box import ART_PX_PER_MM, FORMAT, box_of
from vision.reader import Reader

pytestmark = pytest.mark.eyes

PHOTOS = Path(__file__).parents[2] / "../shared/photos/tokens"
LABELS: dict[str, Any] = json.loads((PHOTOS / "labels.json").read_text())
EMPTY = "tt_4181.jpg"
LADEN = sorted(name for name in LABELS["images"] if name.startswith("tt_") and name != EMPTY)
MOST_OFF_PX = 15.0  # the labels themselves are good to 8


def photo(name: str) -> Pixels:
    return np.asarray(cv2.imread(str(PHOTOS / name)), np.uint8)


@pytest.fixture(scope="module")
def eyes() -> Reader:
    """Eyes that know the board from its one empty photo; it wears no markers."""
    size = (float(LABELS["board_mm"][0]), float(LABELS["board_mm"][1]))
    flat = by_corners(photo(EMPTY), size, LABELS["images"][EMPTY]["board_corners"]).pixels
    small = tuple(round(side * ART_PX_PER_MM) for side in size)
    art = {"board/map": np.asarray(cv2.resize(flat, small, interpolation=cv2.INTER_AREA), np.uint8)}
    slot = np.array(LABELS["slot_polygons"][0], float) * size[0] / LABELS["rectified_size"][0]
    space = {"id": "slot0", "kind": "token", "centre": slot.mean(axis=0), "outline": slot, "up_deg": 0.0}
    board = {"id": "map", "player": None, "size": size, "is_round": False, "tags": [], "spaces": [space]}
    outline = [[-12.0, -4.0], [12.0, -4.0], [12.0, 4.0], [-12.0, 4.0]]
    art["token/train"] = np.full((20, 52, 3), 128, np.uint8)
    told: dict[str, Any] = {"format": FORMAT, "name": "map", "boards": [board], "tag_mm": 16.0}
    told |= {
        "token_outlines": {"train": outline},
        "order_outline": [],
        "orders": [],
        "cards": [],
        "tiles": [],
    }
    return Reader(box_of(told | {"card_mm": [63.0, 88.0], "tile_mm": [30.0, 30.0]}, art))


@pytest.mark.parametrize("name", LADEN)
def test_the_board_is_placed_within_fifteen_pixels(eyes: Reader, name: str) -> None:
    (pose,) = eyes.find(photo(name))
    assert pose.found_by == "print"
    off = np.linalg.norm(np.array(pose.corners_px) - LABELS["images"][name]["board_corners"], axis=1)
    assert off.max() <= MOST_OFF_PX


def test_a_photo_without_the_board_has_none(eyes: Reader) -> None:
    other = next(path for path in sorted((PHOTOS.parent / "dice").glob("*.jpg")))
    assert eyes.find(np.asarray(cv2.imread(str(other)), np.uint8)) == ()
