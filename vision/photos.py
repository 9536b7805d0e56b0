"""Photos as phones make them: opened, turned upright, brought to a size that eyes need, or refused.

A picture is judged by its header before its pixels are unpacked, so that a small file which
claims a gigantic picture costs nothing. What is not a still picture is refused with the reason.
"""

from __future__ import annotations

import importlib
import io
import warnings
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from companion.ports import MOST_PX, Obstacle, Pixels

SMALLEST_PX = 16
FORMATS = ("JPEG", "PNG", "WEBP", "BMP")
ENOUGH_PX, MOST_SIDE_PX = 1920, 2560
"""The long side of a photo that a phone sends: unpacked to at least the one, shrunk to the other."""

HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1")
FIRST_FRAME_ONLY = frozenset({"MPO"})
"""A JPEG with a second picture behind it (depth, a still of a motion photo): the first is the photo."""


class NotAPicture(Exception):
    """Something that cannot be read as a still picture; ``obstacle`` says why."""

    def __init__(self, obstacle: Obstacle) -> None:
        super().__init__(obstacle.value)
        self.obstacle = obstacle


def load_photo(path: Path) -> Pixels:
    """Return a photo from disk in full size (height, width, 3), blue-green-red, upright by its EXIF.

    Raises NotAPicture, and OSError for a file that cannot be opened.
    """
    return open_photo(path.read_bytes())


def open_photo(coded: bytes, *, enough_px: int | None = None) -> Pixels:
    """Return a coded picture as (height, width, 3), blue-green-red, upright by its EXIF orientation.

    JPEG, PNG, WebP, BMP, and HEIC where ``pillow-heif`` is installed. Sixteen bits a
    channel become eight, transparency is dropped. With ``enough_px`` the long side may be
    smaller than it was, but not smaller than that. Raises NotAPicture.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow's own remark on large pictures; ours is MOST_PX
            with _opened(coded) as image:
                _check(image)
                if enough_px is not None:
                    image.draft("RGB", _at_least(image.size, enough_px))  # heeded by JPEG only
                return _upright(image, enough_px)
    except NotAPicture:
        raise
    except Image.DecompressionBombError:
        raise NotAPicture(Obstacle.TOO_LARGE) from None
    except UnidentifiedImageError:
        raise NotAPicture(_unopened(coded)) from None
    # Broken files make readers stumble in any way, TypeError included; each means the same to its owner.
    except Exception as fault:
        raise NotAPicture(Obstacle.CUT_SHORT) from fault


def shrunk(pixels: Pixels) -> Pixels:
    """Return a photo with a long side of at most 2,560 px: more shows eyes nothing new of one board."""
    share = MOST_SIDE_PX / max(pixels.shape[:2])
    if share >= 1:
        return pixels
    size = (round(pixels.shape[1] * share), round(pixels.shape[0] * share))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def _opened(coded: bytes) -> Image.Image:
    if not _is_heic(coded):
        return Image.open(io.BytesIO(coded), formats=FORMATS)
    try:
        heif = importlib.import_module("pillow_heif")
    except ImportError:
        raise NotAPicture(Obstacle.FORMAT_NOT_READ) from None
    opened: Image.Image = heif.open_heif(io.BytesIO(coded)).to_pillow()
    opened.format = "HEIF"
    return opened


def _is_heic(coded: bytes) -> bool:
    return coded[4:8] == b"ftyp" and coded[8:12] in HEIC_BRANDS


def _unopened(coded: bytes) -> Obstacle:
    """Return why Pillow knows no picture in it: a kind that is not read, or none at all."""
    known = (b"GIF8", b"%PDF", b"RIFF", b"II*\0", b"MM\0*")
    is_film = coded[4:8] == b"ftyp"
    return Obstacle.FORMAT_NOT_READ if is_film or coded[:4] in known else Obstacle.NOT_A_PICTURE


def _check(image: Image.Image) -> None:
    width, height = image.size
    if width * height > MOST_PX:
        raise NotAPicture(Obstacle.TOO_LARGE)
    if min(width, height) < SMALLEST_PX:
        raise NotAPicture(Obstacle.TOO_SMALL)
    if image.format not in FIRST_FRAME_ONLY and getattr(image, "n_frames", 1) > 1:
        raise NotAPicture(Obstacle.MOVES)


def _at_least(size: tuple[int, int], enough_px: int) -> tuple[int, int]:
    """Return what to ask a JPEG for: its decoder halves as long as both sides stay above it."""
    share = min(1.0, enough_px / max(size))
    return max(1, int(size[0] * share)), max(1, int(size[1] * share))


def _upright(image: Image.Image, enough_px: int | None) -> Pixels:
    """Return an opened picture's pixels, averaged down as far as ``enough_px`` allows."""
    turned = ImageOps.exif_transpose(image)
    if turned.mode.startswith("I"):  # sixteen bits of grey; Pillow would cut off, not scale
        grey = np.asarray(turned).astype(np.int64) >> 8
        turned = Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8), "L")
    seen = turned.convert("RGB")
    if enough_px is not None and max(seen.size) >= 2 * enough_px:
        seen = seen.reduce(max(seen.size) // enough_px)
    return np.ascontiguousarray(np.asarray(seen, np.uint8)[..., ::-1])
