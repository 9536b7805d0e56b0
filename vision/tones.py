"""Is there any colour in a picture, and anything at all: asked before it is read.

Some cameras turn grey in the dark, some deliver one even tone until they are plugged in once more. Pure.
"""

from __future__ import annotations

import numpy as np

from companion.ports import Pixels

STEP_PX = 8
VIVID_SHARE = 0.02  # of a picture of a table: its most colourful part
LEAST_COLOUR = 4  # grey levels between the channels there; tables by a dim lamp show 40 and more
TOO_DARK = 12.0  # mean grey level below which nobody could read a board
LEAST_CONTRAST = 2.0  # grey levels (standard deviation); noise alone makes as much


def is_too_dark(pixels: Pixels) -> bool:
    """Tell whether a picture (height, width, 3) is too dark to see a board."""
    return bool(pixels[::STEP_PX, ::STEP_PX].mean() < TOO_DARK)


def is_colourless(pixels: Pixels) -> bool:
    """Tell whether even the most colourful part of a picture that shows something is grey."""
    seen = pixels[::STEP_PX, ::STEP_PX].reshape(-1, 3)
    if is_too_dark(pixels) or is_blank(pixels):
        return False
    range_of = seen.max(axis=1) - seen.min(axis=1)
    return bool(np.quantile(range_of, 1 - VIVID_SHARE) < LEAST_COLOUR)


def is_blank(pixels: Pixels) -> bool:
    """Tell whether a picture shows one even tone."""
    return bool(pixels[::STEP_PX, ::STEP_PX].reshape(-1, 3).std(axis=0).max() < LEAST_CONTRAST)
