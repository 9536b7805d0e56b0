"""Is there any colour in a picture, and anything at all: asked before it is read.

Some cameras turn grey in the dark, some deliver one even tone until they are plugged in once more. Pure.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.ports import Pixels

STEP_PX = 8
VIVID_SHARE = 0.02  # of a picture of a table: its most colourful part
LEAST_COLOUR = 4  # grey levels between the channels there; tables by a dim lamp show 40 and more
TOO_DARK = 12.0  # mean grey level below which nobody could read a board
LEAST_CONTRAST = 2.0  # grey levels (standard deviation); noise alone makes as much


def is_too_dark(pixels: Pixels) -> bool:
    """Tell whether a picture (height, width, 3) is too dark to see a board."""
    return _is_dark(_sampled(pixels))


def is_blank(pixels: Pixels) -> bool:
    """Tell whether a picture shows one even tone."""
    return _is_even(_sampled(pixels))


def is_colourless(pixels: Pixels) -> bool:
    """Tell whether even the most colourful part of a picture that shows something is grey."""
    sample = _sampled(pixels)
    if _is_dark(sample) or _is_even(sample):
        return False
    blue, green, red = cv2.split(sample)
    colour = cv2.max(cv2.max(blue, green), red) - cv2.min(cv2.min(blue, green), red)
    return bool(np.count_nonzero(colour >= LEAST_COLOUR) <= VIVID_SHARE * colour.size)


def _sampled(pixels: Pixels) -> Pixels:
    return np.ascontiguousarray(pixels[::STEP_PX, ::STEP_PX])


def _is_dark(sample: Pixels) -> bool:
    return bool(sample.mean() < TOO_DARK)


def _is_even(sample: Pixels) -> bool:
    return bool(cv2.meanStdDev(sample)[1].max() < LEAST_CONTRAST)
