"""A real printed board, taught from one photo of it empty: placed in every photo of it with pieces on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.ports import Pixels
from tests.bench.real_board import EMPTY_PHOTO, board_eyes
from vision.reader import Reader

pytestmark = pytest.mark.eyes

PHOTOS = Path(__file__).parents[2] / "../shared/photos/tokens"
LABELS: dict[str, Any] = json.loads((PHOTOS / "labels.json").read_text())
LADEN = sorted(name for name in LABELS["images"] if name.startswith("tt_") and name != EMPTY_PHOTO)
MOST_OFF_PX = 15.0  # the labels themselves are good to 8


def photo(name: str) -> Pixels:
    return np.asarray(cv2.imread(str(PHOTOS / name)), np.uint8)


@pytest.fixture(scope="module")
def eyes() -> Reader:
    """Eyes that know the board from its one empty photo; it wears no markers."""
    return board_eyes(PHOTOS, LABELS)


@pytest.mark.parametrize("name", LADEN)
def test_the_board_is_placed_within_fifteen_pixels(eyes: Reader, name: str) -> None:
    (pose,) = eyes.find(photo(name))
    assert pose.found_by == "print"
    off = np.linalg.norm(np.array(pose.corners_px) - LABELS["images"][name]["board_corners"], axis=1)
    assert off.max() <= MOST_OFF_PX


def test_a_photo_without_the_board_has_none(eyes: Reader) -> None:
    other = next(path for path in sorted((PHOTOS.parent / "dice").glob("*.jpg")))
    assert eyes.find(np.asarray(cv2.imread(str(other)), np.uint8)) == ()
