"""What an arm covers of a board: seen where nothing may lie, followed over the spaces beside it.

Where a board is bare its art tells what does not belong there. Over spaces nothing is known before they
are read; but an arm is smooth: cell by cell it goes on as long as the colours hardly change.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.light import BLOCK_PX, Colours, Light
from vision.matching import cuts

CELL_LEVEL = 3  # the picture halved three times: 4 mm a pixel, as blocks of the light
FEWEST_CELLS, LIKE_IT = 6, 3  # wrong cells of a board; of the nine about one
SMOOTH = 16.0  # most that each channel changes from one cell of an arm to the next
BARE, FOLLOWED = 1, 2
_NEAR = np.ones((3, 3), np.uint8)
_FLOOD = 8 | cv2.FLOODFILL_MASK_ONLY | FOLLOWED << 8


def covered_cells(picture: Colours, light: Light) -> NDArray[np.bool_] | None:
    """Return which cells of a board something large covers; None when nothing does.

    ``picture`` is the flat board in the colours of its art, a cell a pixel.
    """
    usable = light.usable
    height, width = (min(a, b) for a, b in zip(picture.shape[:2], usable.shape, strict=True))
    picture, usable = picture[:height, :width], usable[:height, :width]
    wrong = usable & ~light.agrees[:height, :width]
    around = _summed(wrong.astype(np.float32))
    covered = wrong & (around >= LIKE_IT)
    if np.count_nonzero(covered) < FEWEST_CELLS:
        return None
    return np.asarray(covered | _followed(picture, covered, usable))


def _followed(picture: Colours, covered: NDArray[np.bool_], usable: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the cells over spaces that go on from covered ones without a step."""
    height, width = covered.shape
    mask = np.zeros((height + 2, width + 2), np.uint8)
    own = mask[1:-1, 1:-1]
    own[usable & ~covered] = BARE
    cells = np.ascontiguousarray(picture)
    beside = cv2.dilate((~usable).astype(np.uint8), _NEAR) > 0
    for y, x in np.argwhere(covered & beside).tolist():
        if not own[y, x]:
            cv2.floodFill(cells, mask, (x, y), 0, (SMOOTH,) * 3, (SMOOTH,) * 3, _FLOOD)
    return np.asarray((own == FOLLOWED) & ~usable)


def _summed(cells: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the sums over each cell and the eight around it."""
    return np.asarray(
        cv2.boxFilter(cells, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT), np.float32
    )


def clear_of(
    cells: NDArray[np.bool_],
    spot_px: tuple[float, float],
    turn_deg: float,
    size_hw: tuple[int, int],
    level: int,
) -> NDArray[np.float32]:
    """Return which pixels (1) of a sheet nothing covers; a cell of play is left out.

    It lies about a spot of the flat board. All is halved ``level`` times.
    """
    scale = BLOCK_PX / 2**level
    x, y = ((c + 0.5) / scale for c in spot_px)
    reach = math.ceil(math.hypot(*size_hw) / scale / 2) + 2
    left, top = max(int(x) - reach, 0), max(int(y) - reach, 0)
    near = cells[top : int(y) + reach, left : int(x) + reach]
    if not near.any():
        return np.ones(size_hw, np.float32)
    wide = cv2.dilate(near.astype(np.uint8), _NEAR).astype(np.float32)
    grown = cv2.resize(wide, None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST)
    spots, turns = np.array([spot_px]) - (left * scale, top * scale), np.array([turn_deg])
    (mask,) = cuts([np.asarray(grown[..., None], np.float32)], spots, size_hw, turns)
    return np.asarray(mask[..., 0] < 0.5, np.float32)
