"""A real printed board without markers, known from one photo of it empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.board_photos import by_corners
from vision.box import ART_PX_PER_MM, FORMAT, Outline, box_of
from vision.photos import load_photo
from vision.reader import Reader

EMPTY_PHOTO = "tt_4181.jpg"


def outlines_of(told: Mapping[str, Any]) -> Sequence[Outline]:
    """Return the outlines of the spaces in mm."""
    share = told["board_mm"][0] / told["rectified_size"][0]
    return [np.array(polygon, float) * share for polygon in told["slot_polygons"]]


def board_eyes(photos: Path, labels: Mapping[str, Any]) -> Reader:
    """Return eyes that know the board; of its spaces they know the first."""
    size = (float(labels["board_mm"][0]), float(labels["board_mm"][1]))
    empty = load_photo(photos / EMPTY_PHOTO)
    flat = by_corners(empty, size, labels["images"][EMPTY_PHOTO]["board_corners"]).pixels
    small = tuple(round(side * ART_PX_PER_MM) for side in size)
    art = {"board/map": np.asarray(cv2.resize(flat, small, interpolation=cv2.INTER_AREA), np.uint8)}
    slot = outlines_of(labels)[0]
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
