"""A folder of stills, shown as a camera would show them (entry point ``folder``).

Settings: ``path``; ``fps`` (5 if not said); ``hold_ms``, how long each still is shown (2000);
``loop``, to begin again after the last (false); ``noise``, grey levels of fresh noise (1.5).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.options import number, read_options, text, whole, yes_or_no
from companion.ports import Camera, DeviceLost, Frame, Pixels
from hardware.cameras.lens import with_lens
from hardware.cameras.pace import Pace
from hardware.clock import Clock

log = logging.getLogger(__name__)

OPTIONS = (
    text("path"),
    number("fps", 5, 0.1, 120),
    whole("hold_ms", 2000, 0, 3_600_000),
    yes_or_no("loop", False),
    number("noise", 1.5, 0, 30),
    text("lens", ""),
)
PICTURES = (".jpg", ".jpeg", ".png")
SHIFT_PX = 64  # the same noise at another place is fresh noise to whoever compares two frames


class FolderCamera:
    """Shows stills in the order of their names; ``Frame.number`` is the still's place, from 0.

    Stills that are added behind the last are shown, too. ``spoilt`` counts those that are no pictures.
    """

    def __init__(
        self,
        name: str,
        path: Path,
        *,
        fps: float = 5,
        hold_ms: int = 2000,
        loop: bool = False,
        noise: float = 1.5,
        clock: Clock | None = None,
    ) -> None:
        """Open a folder. Raises DeviceLost if it is not there or holds no picture."""
        self.name = name
        self.spoilt = 0
        self._path, self._loop = path, loop
        self._pace = Pace(fps, clock or Clock())
        self._showings = max(1, round(hold_ms * fps / 1000))
        self._shown = 0
        self._still = -1
        self._picture: Pixels | None = None
        self._grain = _Grain(noise)
        self._lost = ""
        if not self._stills():
            raise DeviceLost(
                f"There is no picture in {path} ({', '.join(PICTURES)}). Put some in, or correct the path."
            )

    def read(self, *, timeout_ms: int) -> Frame | None:
        """Wait for the next frame; None when it is not due in time. Raises DeviceLost after the last."""
        if not self._lost:
            self._go_on()
        if self._lost:
            raise DeviceLost(self._lost)
        at_ms = self._pace.wait(timeout_ms=timeout_ms)
        if at_ms is None or self._picture is None:
            return None
        self._shown += 1
        return Frame(self._grain.over(self._picture), self._still, at_ms, self.name)

    def close(self) -> None:
        self._lost = self._lost or f"The camera {self.name} was closed."

    def _go_on(self) -> None:
        """Have the still in hand that is shown next."""
        try:
            if self._picture is not None and self._shown < self._showings:
                self._path.stat()
                return
            self._picture, self._shown = None, 0
            while self._picture is None and not self._lost:
                self._next()
        except (OSError, DeviceLost) as error:
            self._lost = f"The folder {self._path} of the camera {self.name} went away ({error})."

    def _next(self) -> None:
        stills = self._stills()
        self._still += 1
        if self._still >= len(stills):
            if not self._loop or self.spoilt >= len(stills):
                self._lost = (
                    f"All {len(stills)} stills of {self._path} were shown. Set loop = true to begin again."
                )
                return
            self._still = 0
        # Read by Python: OpenCV writes to stderr about a file that is gone, and knows no odd names.
        raw = np.frombuffer(stills[self._still].read_bytes(), np.uint8)
        picture = cv2.imdecode(raw, cv2.IMREAD_COLOR) if raw.size else None
        if picture is None:
            self.spoilt += 1
            log.warning("camera %s: %s is no picture; it is left out", self.name, stills[self._still])
        else:
            self._picture = np.asarray(picture, np.uint8)

    def _stills(self) -> Sequence[Path]:
        try:
            return sorted(path for path in self._path.iterdir() if path.suffix.lower() in PICTURES)
        except OSError as error:
            raise DeviceLost(
                f"The folder {self._path} cannot be looked into: {error.strerror}. Correct the path."
            ) from error


class _Grain:
    """Noise, the same in every run, different on every frame."""

    def __init__(self, noise: float) -> None:
        self._noise = noise
        self._chance = np.random.default_rng(0)
        self._field: NDArray[np.int16] = np.zeros((0, 0, 3), np.int16)

    def over(self, picture: Pixels) -> Pixels:
        if not self._noise:
            return picture.copy()
        height, width = picture.shape[:2]
        shape = (height + SHIFT_PX, width + SHIFT_PX, 3)
        if self._field.shape != shape:
            self._field = self._chance.normal(0, self._noise, shape).round().astype(np.int16)
        down, right = self._chance.integers(0, SHIFT_PX, 2)
        grain = np.ascontiguousarray(self._field[down : down + height, right : right + width])
        return np.asarray(cv2.add(picture, grain, dtype=cv2.CV_8U), np.uint8)


def open_camera(name: str, settings: Mapping[str, Any]) -> Camera:
    """Open a folder of stills. Raises DeviceLost or, for wrong settings, ValueError."""
    options = read_options(f"camera {name}", settings, OPTIONS)
    path = Path(options.pop("path")).expanduser()
    lens = options.pop("lens")
    return with_lens(FolderCamera(name, path, **options), lens)
