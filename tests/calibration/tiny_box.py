"""The smallest box that eyes can open: one board with one space, one token."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from calibration.box_folder import write_box
from vision.box import FORMAT

SQUARE = [[2.0, 2.0], [8.0, 2.0], [8.0, 8.0], [2.0, 8.0]]


def tiny_box(boxes_folder: Path, name: str = "tiny") -> Path:
    """Put the box on a shelf and return its folder."""
    space = {"id": "spot", "kind": "token", "centre": [5.0, 5.0], "outline": SQUARE, "up_deg": 0.0}
    board = {"id": "tray", "player": None, "size": [10.0, 10.0], "is_round": False, "tags": []}
    told: dict[str, Any] = {
        "format": FORMAT,
        "name": name,
        "boards": [{**board, "spaces": [space]}],
        "token_outlines": {"stone": [[-2.0, -2.0], [2.0, -2.0], [2.0, 2.0], [-2.0, 2.0]]},
        "orders": [],
        "order_outline": [],
        "cards": [],
        "card_mm": [63.0, 88.0],
        "tiles": [],
        "tile_mm": [30.0, 30.0],
        "tag_mm": 16.0,
    }
    rng = np.random.default_rng(1)
    art = {
        "board/tray": rng.integers(0, 255, (20, 20, 3)).astype(np.uint8),
        "token/stone": rng.integers(0, 255, (10, 10, 3)).astype(np.uint8),
    }
    return write_box(boxes_folder, name, told, {"name": name, "cards": {}}, art)
