"""The colours of the players, as their own boards show them."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import BoardId
from vision.box import TaughtBox
from vision.light import to_opponent

VIVID_SHARE = 0.01  # of a player's board: the pixels that differ most from the others' boards


def player_colours(box: TaughtBox) -> Mapping[str, NDArray[np.float32]]:
    """Return each player's colour (lightness, red against green, yellow against blue) from their boards."""
    groups: dict[tuple[int, ...], list[BoardId]] = {}
    for board in box.owners:
        groups.setdefault(box.boards[board].shape, []).append(board)
    colours: dict[str, NDArray[np.float32]] = {}
    for boards in groups.values():
        if len(boards) < 2:
            continue
        arts = {b: to_opponent(cv2.GaussianBlur(box.boards[b], (0, 0), 1.5)) for b in boards}
        for board in boards:
            others = np.mean([arts[b] for b in boards if b != board], axis=0)
            off = np.linalg.norm((arts[board] - others)[..., 1:], axis=2)
            vivid = off >= np.quantile(off, 1 - VIVID_SHARE)
            colours[box.owners[board]] = np.median(arts[board][vivid], axis=0).astype(np.float32)
    return colours
