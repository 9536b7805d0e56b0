"""How the nets that read dice are shown a picture: at which size, how far around, in which light."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Pixels

FINDER_PX, FINDER_FACE_PX = 34, 15.0  # side of a window, and of a top face in it
READER_PX, READER_FACE_PX = 46, 24.0
LEANS_DEG = (5.0, 15.0, 25.0, 35.0, 45.0)
"""How a die lies, in classes: how far its face looks away from the camera; one class more: upon a die."""

_AROUND_PX = 33  # the light of a place is that of its neighbourhood
_FAINT = 7.0  # grey levels: fainter patterns are noise and stay small


def cut_out(
    pixels: Pixels, centre_xy: tuple[float, float], span_px: float, side: int, turn_deg: float = 0.0
) -> Pixels:
    """Cut a square of ``span_px`` out of a picture, turned, and bring it to ``side`` pixels."""
    ratio = span_px / side
    reach = math.ceil(span_px * 0.75) + 3
    left, top = int(centre_xy[0]) - reach, int(centre_xy[1]) - reach
    size = 2 * reach + 1
    rows = np.clip(np.arange(top, top + size), 0, pixels.shape[0] - 1)
    columns = np.clip(np.arange(left, left + size), 0, pixels.shape[1] - 1)
    around = pixels[rows[:, None], columns[None]]
    if ratio > 1.2:
        around = cv2.GaussianBlur(around, (0, 0), 0.4 * math.sqrt(ratio**2 - 1))  # type: ignore[assignment]
    turn = math.radians(turn_deg)
    cos, sin = math.cos(turn) * ratio, math.sin(turn) * ratio
    half = (side - 1) / 2
    x = centre_xy[0] - left - (cos - sin) * half
    y = centre_xy[1] - top - (sin + cos) * half
    affine = np.array(((cos, -sin, x), (sin, cos, y)), np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(around, affine, (side, side), flags=flags), np.uint8)


def levelled(pixels: Pixels) -> NDArray[np.float32]:
    """Take the light of its neighbourhood out of each pixel, for the finder: dark on dark counts, too."""
    seen = pixels.astype(np.float32)
    box = (_AROUND_PX, _AROUND_PX)
    mean = cv2.blur(seen, box, borderType=cv2.BORDER_REFLECT)
    square = cv2.blur(seen * seen, box, borderType=cv2.BORDER_REFLECT)
    spread = np.sqrt(np.maximum(square - mean * mean, 0).mean(-1, keepdims=True))
    return np.asarray((seen - mean) / (spread + _FAINT), np.float32)


def evened(patches: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Bring patches (n, side, side, 3) to the same light, each by itself, for the reader."""
    seen = patches.astype(np.float32)
    mean = seen.mean((1, 2), keepdims=True)
    spread = np.sqrt(((seen - mean) ** 2).mean((1, 2, 3), keepdims=True))
    return np.asarray((seen - mean) / (spread + _FAINT), np.float32)
