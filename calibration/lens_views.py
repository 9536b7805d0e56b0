"""What is kept of the measuring of a lens: the views so far, the last picture, the profile.

All in the folder ``lenses`` under the companion's home, by the name of the camera. Views are kept, so that
a page may look step by step and a restart loses nothing.
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from calibration.lens import LensWork, View
from companion.ports import Pixels
from companion.settings import home
from hardware.cameras.lens import LensProfile

LENSES = "lenses"
SHOWN_PX = 640
SEEN, EARLIER = (60, 200, 60), (210, 150, 40)  # blue, green, red
JPEG = (cv2.IMWRITE_JPEG_QUALITY, 80)


def is_name(called: str) -> bool:
    """Tell whether something may name a lens: it becomes the name of a file."""
    return bool(called) and "/" not in called and not called.startswith(".")


def profile_file(called: str) -> Path:
    """Return where the profile of a lens is kept."""
    return home() / LENSES / f"{called}.json"


def picture_file(called: str) -> Path:
    """Return where the picture that was looked at last is kept."""
    return home() / LENSES / f"{called}.jpg"


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


def keep_picture(pixels: Pixels, work: LensWork, called: str) -> None:
    """Write the picture looked at, small, with the corners of all views in it. Raises OSError."""
    share = min(1.0, SHOWN_PX / pixels.shape[1])
    size = (round(pixels.shape[1] * share), round(pixels.shape[0] * share))
    shown = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    for number, view in enumerate(work.views, start=1):
        colour = SEEN if number == len(work.views) else EARLIER
        for x, y in (view.corners_px * share).round().astype(int).tolist():
            cv2.circle(shown, (x, y), 2, colour, -1, cv2.LINE_AA)
    picture_file(called).parent.mkdir(parents=True, exist_ok=True)
    picture_file(called).write_bytes(cv2.imencode(".jpg", shown, JPEG)[1].tobytes())


def forget(called: str) -> None:
    """Forget the views and the picture of a lens; a profile stays."""
    for file in (_views_file(called), picture_file(called)):
        file.unlink(missing_ok=True)


def _views_file(called: str) -> Path:
    return home() / LENSES / f"{called}.views"
