"""What ``companion watch`` looks at: a folder of stills, a video, or a camera.

A folder and a video are shown in their own time: frames carry the clock that they would have had,
and come as fast as they are taken. A camera comes through its entry point.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from companion import plugins
from companion.ports import Camera, DeviceLost, Frame, OpenCamera, Pixels

RATE_HZ = 5
FRAMES_A_STILL = 2 * RATE_HZ
PICTURES = (".jpg", ".jpeg", ".png")
VIDEOS = (".mp4", ".m4v", ".avi", ".mkv", ".mov", ".webm", ".mjpeg", ".mjpg")
GRAIN = 1.5  # grey levels of fresh noise on each showing of a still
GRAIN_SHIFT_PX = 64
QUIET_S = 10


class NothingToWatch(Exception):
    """A source that cannot be watched. The message says what happened and what to do."""


def frames_of(source: str, *, speed: float | None = None) -> Iterator[Frame]:
    """Return the frames of a source. Raises NothingToWatch, and DeviceLost for a camera.

    ``speed`` lets a folder or a video take its own time, shortened by that factor; without it
    they come as fast as they are taken.
    """
    if source.startswith(("http://", "https://")):
        return _live("mjpeg", {"url": source})
    if source.startswith("usb:"):
        return _live("usb", {"device": source.removeprefix("usb:")})
    if source.startswith("camera:"):
        return _live(source.removeprefix("camera:"), {})
    path = Path(source)
    if path.is_dir():
        return _paced(_stills(path), speed)
    if path.is_file() and path.suffix.lower() in VIDEOS:
        return _paced(_video(path), speed)
    if path.is_file():
        raise NothingToWatch(
            f"{source} is no video that can be watched ({', '.join(VIDEOS)}). "
            "One photo is read with `companion read`."
        )
    raise NothingToWatch(
        f"There is nothing to watch at {source}. Give a folder of stills, a video, http://..., usb:DEVICE "
        "or camera:DRIVER."
    )


def fresh(picture: Pixels, field: np.ndarray, chance: np.random.Generator) -> Pixels:
    """Return a picture with the noise of another exposure, cut from a larger field of noise."""
    down, right = chance.integers(0, GRAIN_SHIFT_PX, 2)
    height, width = picture.shape[:2]
    grain = np.ascontiguousarray(field[down : down + height, right : right + width])
    return np.asarray(cv2.add(picture, grain, dtype=cv2.CV_8U), dtype=np.uint8)


def _stills(folder: Path) -> Iterator[Frame]:
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
    if not paths:
        raise NothingToWatch(f"There is no picture in {folder} ({', '.join(PICTURES)}).")
    chance = np.random.default_rng(0)  # two runs show the same
    field = np.zeros((0, 0, 3), np.int16)
    for still, path in enumerate(paths):
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if picture is None:
            raise NothingToWatch(f"{path} is no picture that can be read; take it out of the folder.")
        shape = (picture.shape[0] + GRAIN_SHIFT_PX, picture.shape[1] + GRAIN_SHIFT_PX, 3)
        if field.shape != shape:
            field = chance.normal(0, GRAIN, shape).round().astype(np.int16)
        for showing in range(FRAMES_A_STILL):
            at_ms = (still * FRAMES_A_STILL + showing) * 1000 // RATE_HZ
            yield Frame(fresh(np.asarray(picture, np.uint8), field, chance), still, at_ms, folder.name)


def _video(path: Path) -> Iterator[Frame]:
    capture = cv2.VideoCapture(str(path))
    try:
        if not capture.isOpened():
            raise NothingToWatch(f"{path} cannot be opened as a video. Try to play it first.")
        own_hz = capture.get(cv2.CAP_PROP_FPS) or RATE_HZ
        number, shown = 0, -1
        while capture.grab():
            if number * RATE_HZ // own_hz > shown:
                shown = int(number * RATE_HZ // own_hz)
                is_read, picture = capture.retrieve()
                if is_read:
                    at_ms = int(1000 * number / own_hz)
                    yield Frame(np.asarray(picture, np.uint8), number, at_ms, path.name)
            number += 1
        if shown < 0:
            raise NothingToWatch(f"There is no picture in the video {path}.")
    finally:
        capture.release()


def _paced(frames: Iterator[Frame], speed: float | None) -> Iterator[Frame]:
    """Wait between frames as their clock says, divided by ``speed``."""
    before_ms: int | None = None
    for frame in frames:
        if speed is not None and before_ms is not None:
            time.sleep((frame.at_ms - before_ms) / 1000 / speed)
        before_ms = frame.at_ms
        yield frame


def _live(driver: str, settings: dict[str, str]) -> Iterator[Frame]:
    open_camera: OpenCamera = plugins.load("companion.cameras", driver)
    camera = open_camera("watch", settings)
    return _taken(camera)


def _taken(camera: Camera) -> Iterator[Frame]:
    """Take frames at the rate that the eyes want, until the camera is lost."""
    quiet = 0
    try:
        while quiet < QUIET_S:
            frame = camera.read(timeout_ms=1000)
            quiet = 0 if frame is not None else quiet + 1
            if frame is not None:
                yield frame
        raise DeviceLost(f"No picture came from the camera for {QUIET_S} s. Check it and start again.")
    finally:
        camera.close()
