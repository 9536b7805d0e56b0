"""What is kept of the measuring of a lens: the views so far, a drawing of them, the profile.

All in the folder ``lenses`` under the companion's home, by the name of the camera. Views are kept, so that
a page may look step by step and a restart loses nothing.
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from calibration.lens import GRID, LensWork
from calibration.lens_sheet import View
from companion.settings import home
from hardware.cameras.lens import LensProfile

LENSES = "lenses"
SHOWN_PX = 640
GROUND, LINES = (58, 46, 42), (96, 82, 76)  # blue, green, red
SEEN, EARLIER = (90, 220, 120), (210, 170, 90)


def is_name(called: str) -> bool:
    """Tell whether something may name a lens: it becomes the name of a file."""
    return bool(called) and "/" not in called and not called.startswith(".")


def profile_file(called: str) -> Path:
    """Return where the profile of a lens is kept."""
    return home() / LENSES / f"{called}.json"


def drawing_file(called: str) -> Path:
    """Return where it is drawn what was seen of the sheet."""
    return home() / LENSES / f"{called}.png"


def keep_profile(profile: LensProfile, called: str) -> Path:
    """Write a profile and return its file. Raises OSError."""
    file = profile_file(called)
    file.parent.mkdir(parents=True, exist_ok=True)
    profile.save(file)
    return file


def kept_work(called: str) -> LensWork:
    """Return the views of a lens so far; none if there are none, or none that can be read."""
    try:
        told = json.loads(_views_file(called).read_text(encoding="utf-8"))
        width, height = told["size_px"]
        views = [
            View(np.array(view["ids"], np.int32), np.array(view["corners_px"], np.float32).reshape(-1, 2))
            for view in told["views"]
        ]
        return LensWork((int(width), int(height)), views)
    except (OSError, ValueError, KeyError, TypeError):
        return LensWork()


def keep_work(work: LensWork, called: str) -> None:
    """Write the views of a lens. Raises OSError."""
    if work.size_px is None:
        return
    views = [{"ids": v.ids.tolist(), "corners_px": v.corners_px.round(3).tolist()} for v in work.views]
    file = _views_file(called)
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_suffix(".fresh")  # whoever reads meanwhile finds the ones before
    fresh.write_text(json.dumps({"size_px": work.size_px, "views": views}), encoding="utf-8")
    fresh.replace(file)


def keep_drawing(work: LensWork, called: str) -> None:
    """Draw where the sheet was seen in the picture. Raises OSError.

    The picture itself is not shown: order tokens may lie in it.
    """
    width, height = work.size_px or (SHOWN_PX, SHOWN_PX)
    share = SHOWN_PX / width
    shown = np.full((round(height * share), SHOWN_PX, 3), GROUND, np.uint8)
    for column in range(1, GRID[0]):
        x = round(column * SHOWN_PX / GRID[0])
        cv2.line(shown, (x, 0), (x, shown.shape[0]), LINES, 1)
    for row in range(1, GRID[1]):
        y = round(row * shown.shape[0] / GRID[1])
        cv2.line(shown, (0, y), (SHOWN_PX, y), LINES, 1)
    for number, view in enumerate(work.views, start=1):
        colour = SEEN if number == len(work.views) else EARLIER
        for x, y in (view.corners_px * share).round().astype(int).tolist():
            cv2.circle(shown, (x, y), 4, colour, -1, cv2.LINE_AA)
    drawing_file(called).parent.mkdir(parents=True, exist_ok=True)
    drawing_file(called).write_bytes(cv2.imencode(".png", shown)[1].tobytes())


def forget(called: str) -> None:
    """Forget the views of a lens; a profile stays."""
    for file in (_views_file(called), drawing_file(called)):
        file.unlink(missing_ok=True)


def _views_file(called: str) -> Path:
    return home() / LENSES / f"{called}.views"
