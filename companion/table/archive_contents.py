"""What the files of an archive may hold: pictures of a size, tables of a depth, art that is art.

A file of a few kilobytes can claim a picture of gigabytes or a million spaces; claims are judged
before anything is made of them.
"""

from __future__ import annotations

import io
import json
import math
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from companion.ports import MOST_PX
from companion.table.archive_faults import ArchiveRefused

MOST_ART = 3000
MOST_ART_BYTES = 800 * 1024 * 1024
MOST_SIDE_PX = 12_000
MOST_DEEP = 12
MOST_LISTED = 20_000
"""In one list or table: outlines have a hundred points, boxes some hundred pieces."""

FORMATS = {".jpg": "JPEG", ".png": "PNG"}


def check_picture(name: str, content: bytes) -> None:
    """See that a file is the picture that its name says, of a size that a camera makes. Header only."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(content), formats=[FORMATS[Path(name).suffix]]) as picture:
                width, height = picture.size
    except Exception as fault:  # readers of pictures stumble in any way; each means the same
        raise ArchiveRefused("no_picture", {"file": name}) from fault
    if width * height > MOST_PX:
        raise ArchiveRefused("large_picture", {"file": name, "wide": width, "high": height})


def check_told(name: str, content: bytes) -> None:
    """See that a table can be read, and is neither endlessly deep nor endlessly long."""
    try:
        told = json.loads(content.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as fault:
        raise ArchiveRefused("unreadable", {"file": name}) from fault
    _look_into(name, told, 0)


def _no_number(text: str) -> Any:
    raise ValueError(text)


def _look_into(name: str, told: Any, depth: int) -> None:
    if depth > MOST_DEEP:
        raise ArchiveRefused("too_deep", {"file": name})
    if isinstance(told, dict | list):
        if len(told) > MOST_LISTED:
            raise ArchiveRefused("too_many", {"count": len(told), "most": MOST_LISTED})
        for one in told.values() if isinstance(told, dict) else told:
            _look_into(name, one, depth + 1)
    elif isinstance(told, int | float) and not (math.isfinite(told) and abs(told) < 1e9):
        raise ArchiveRefused("odd_number", {"file": name})


def check_art(path: Path) -> None:
    """See that the art is pictures and nothing else, each as large as its file. Raises ArchiveRefused."""
    try:
        with zipfile.ZipFile(path) as art:
            infos = art.infolist()
            if len(infos) > MOST_ART:
                raise ArchiveRefused("too_many", {"count": len(infos), "most": MOST_ART})
            if sum(info.file_size for info in infos) > MOST_ART_BYTES:
                raise ArchiveRefused("bomb", {"most": MOST_ART_BYTES // (1024 * 1024)})
            for info in infos:
                _check_array(art, info, path.name)
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError, RuntimeError) as fault:
        raise ArchiveRefused("damaged", {"file": path.name}) from fault


def _check_array(art: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> None:
    with art.open(info) as file:
        is_first = np.lib.format.read_magic(file) == (1, 0)
        read = np.lib.format.read_array_header_1_0 if is_first else np.lib.format.read_array_header_2_0
        shape, _, dtype = read(file)
        start = file.tell()
    is_picture = len(shape) == 3 and shape[2] == 3 and dtype == np.uint8
    if not is_picture or not all(0 < side <= MOST_SIDE_PX for side in shape[:2]):
        raise ArchiveRefused("no_art", {"file": name})
    if math.prod(shape) != info.file_size - start:
        raise ArchiveRefused("damaged", {"file": name})
