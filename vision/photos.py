"""Photos from disk: what can be opened, turned as the camera was held, and what cannot."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.ports import Pixels

SMALLEST_PX = 16


class NotAPicture(Exception):
    """A file that shows nothing: no picture at all, or cut short before its first line."""


def load_photo(path: Path) -> Pixels:
    """Return a photo (height, width, 3), blue-green-red, turned upright by its EXIF orientation.

    A JPEG cut short gives what is there of it, as far as OpenCV can decode it. Raises NotAPicture,
    and OSError for a file that cannot be opened.
    """
    coded = np.frombuffer(path.read_bytes(), np.uint8)
    pixels = cv2.imdecode(coded, cv2.IMREAD_COLOR) if coded.size else None
    if pixels is None or min(pixels.shape[:2]) < SMALLEST_PX:
        raise NotAPicture(f"{path} is no picture.")
    return np.asarray(pixels, np.uint8)
