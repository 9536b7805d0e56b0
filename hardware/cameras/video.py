"""A video file, shown in its own time (entry point ``video``).

Settings: ``path``; ``fps``, how many frames a second are shown (5 if not said); ``loop``, to
begin again at the end (false).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.options import number, read_options, text, yes_or_no
from companion.ports import Camera, DeviceLost, Frame
from hardware.cameras.lens import with_lens
from hardware.cameras.pace import Pace
from hardware.clock import Clock

OPTIONS = (text("path"), number("fps", 5, 0.1, 120), yes_or_no("loop", False), text("lens", ""))


class VideoCamera:
    """Shows a video; ``Frame.number`` is the frame's place in it, from 0 (rising on when it loops)."""

    def __init__(
        self, name: str, path: Path, *, fps: float = 5, loop: bool = False, clock: Clock | None = None
    ) -> None:
        """Open a video. Raises DeviceLost if it is not there or cannot be played."""
        self.name = name
        self._path, self._loop, self._fps = path, loop, fps
        self._video = _opened(path)
        self._own_fps = self._video.get(cv2.CAP_PROP_FPS) or 25.0
        self._pace = Pace(min(fps, self._own_fps), clock or Clock())
        self._next = self._showing = self._base = 0
        self._lost = ""

    def read(self, *, timeout_ms: int) -> Frame | None:
        """Wait for the next frame; None when it is not due in time. Raises DeviceLost at the end."""
        if not self._lost and not self._path.exists():
            self._lost = f"The video {self._path} of the camera {self.name} went away."
        if self._lost:
            raise DeviceLost(self._lost)
        at_ms = self._pace.wait(timeout_ms=timeout_ms)
        if at_ms is None:
            return None
        frame = self._frame(at_ms)
        if frame is None and self._loop and self._next:
            self._begin_again()
            frame = self._frame(at_ms)
        if frame is None:
            self._lost = f"The video {self._path} was shown to its end. Set loop = true to begin again."
            raise DeviceLost(self._lost)
        return frame

    def close(self) -> None:
        self._lost = self._lost or f"The camera {self.name} was closed."
        self._video.release()

    def _frame(self, at_ms: int) -> Frame | None:
        """Return the next frame to show, passing over those between; None at the end."""
        wanted = math.floor(self._showing * max(1.0, self._own_fps / self._fps))
        while self._next <= wanted:
            if not self._video.grab():
                return None
            self._next += 1
        is_read, picture = self._video.retrieve()
        self._showing += 1
        number = self._base + self._next - 1
        return Frame(np.asarray(picture, np.uint8), number, at_ms, self.name) if is_read else None

    def _begin_again(self) -> None:
        self._base += self._next
        self._next = self._showing = 0
        self._video.release()
        self._video = _opened(self._path)


def _opened(path: Path) -> cv2.VideoCapture:
    if not path.is_file():
        raise DeviceLost(f"There is no video {path}. Correct the path.")
    video = cv2.VideoCapture(str(path))
    if not video.isOpened():
        video.release()
        raise DeviceLost(f"{path} cannot be played as a video. Try it in a player, or save it as MP4.")
    return video


def open_camera(name: str, settings: Mapping[str, Any]) -> Camera:
    """Open a video. Raises DeviceLost or, for wrong settings, ValueError."""
    options = read_options(f"camera {name}", settings, OPTIONS)
    path = Path(options["path"]).expanduser()
    camera = VideoCamera(name, path, fps=options["fps"], loop=options["loop"])
    return with_lens(camera, options["lens"])
