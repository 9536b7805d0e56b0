"""Put a taught box on the shelf: written beside it first, then renamed, so that it is whole or not there."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.game import Wire
from companion.ports import Pixels
from companion.table.boxes import PICTURES
from vision.box import ART_FILE, BOX_FILE, CATALOGUE_FILE, DICE_FILE

SHOWN = {"card": "cards", "tile": "tiles", "loose": "cards"}
"""Art that people are shown, and the table of the catalogue that it belongs to."""
KEPT = ("lessons", "corrections")
"""Folders of a box that teaching does not make."""

KEPT_FILES = (DICE_FILE,)


def _write_pictures(folder: Path, art: Mapping[str, Pixels]) -> None:
    """Write cards and tiles once more as pictures that people look at when something is asked of them."""
    for name, pixels in art.items():
        kind, _, piece = name.partition("/")
        if kind in SHOWN:
            (folder / SHOWN[kind]).mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(folder / SHOWN[kind] / f"{piece}.jpg"), pixels, (cv2.IMWRITE_JPEG_QUALITY, 85))


def _take_along(old: Path, fresh: Path) -> None:
    """Let what a person made in a box stay in it when it is taught anew: lessons, corrections, dice."""
    for name in KEPT:
        if (old / name).is_dir():
            shutil.copytree(old / name, fresh / name, copy_function=os.link)
    for name in KEPT_FILES:
        if (old / name).is_file():
            os.link(old / name, fresh / name)


def write_box(
    boxes_folder: Path,
    name: str,
    told: Mapping[str, Any],
    catalogue: Wire,
    art: Mapping[str, Pixels],
) -> Path:
    """Put a box on the shelf, in the place of one of the same name: whole, or not at all."""
    boxes_folder.mkdir(parents=True, exist_ok=True)
    goal = boxes_folder / name
    fresh = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=boxes_folder))
    fresh.chmod(0o755)
    try:
        (fresh / BOX_FILE).write_text(json.dumps(told), encoding="utf-8")
        (fresh / CATALOGUE_FILE).write_text(json.dumps(catalogue, indent=1), encoding="utf-8")
        with (fresh / ART_FILE).open("wb") as file:
            np.savez(file, **art)  # type: ignore[arg-type]
        _write_pictures(fresh / PICTURES, art)
        _take_along(goal, fresh)
        if goal.exists():
            old = Path(tempfile.mkdtemp(prefix=f".{name}-old-", dir=boxes_folder))
            goal.rename(old / name)
            fresh.rename(goal)
            shutil.rmtree(old)
        else:
            fresh.rename(goal)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    return goal
