"""A lens whose bending was measured: pictures come out as a lens without any would draw them.

A profile is a small JSON file that ``companion calibrate lens`` writes; a camera names it in its
settings (``lens = "FILE"``). Model: OpenCV's pinhole with two radial and two tangential terms.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Camera, DeviceLost, Frame, Pixels

FORMAT = 1
SAME_SHAPE = 0.01  # how far the sides' ratio of a picture may be from the profile's


@dataclass(frozen=True, slots=True)
class LensProfile:
    """Focal lengths and middle in pixels of a picture of ``size_px`` (width, height); how lines bend.

    ``distortion`` are k1, k2, p1, p2. ``error_px`` is how far, on average, the sheet lay from where
    the model has it.
    """

    size_px: tuple[int, int]
    focal_px: tuple[float, float]
    middle_px: tuple[float, float]
    distortion: tuple[float, float, float, float]
    error_px: float = 0.0

    def matrix(self, size_px: tuple[int, int]) -> NDArray[np.float64]:
        """Return the camera matrix for pictures of another size of the same shape.

        Raises ValueError for pictures of another shape: their lens cannot be told from this one.
        """
        share = size_px[0] / self.size_px[0]
        if abs(size_px[1] / self.size_px[1] / share - 1) > SAME_SHAPE:
            raise ValueError(
                f"The lens was measured on pictures of {self.size_px[0]} x {self.size_px[1]}; "
                f"these are {size_px[0]} x {size_px[1]}, of another shape. Measure it again."
            )
        (fx, fy), (cx, cy) = self.focal_px, self.middle_px
        middle = ((cx + 0.5) * share - 0.5, (cy + 0.5) * share - 0.5)
        return np.array([[fx * share, 0, middle[0]], [0, fy * share, middle[1]], [0, 0, 1]], float)

    def save(self, path: Path) -> None:
        """Write the profile. Raises OSError."""
        told = {
            "format": FORMAT,
            "size_px": self.size_px,
            "focal_px": self.focal_px,
            "middle_px": self.middle_px,
            "distortion": self.distortion,
            "error_px": self.error_px,
        }
        path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def load_lens(path: Path) -> LensProfile:
    """Read a profile. Raises ValueError in plain words."""
    again = "Measure the lens again with `companion calibrate lens`."
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        if told["format"] != FORMAT:
            raise ValueError("it is of another version")
        profile = LensProfile(
            (int(told["size_px"][0]), int(told["size_px"][1])),
            _numbers(told["focal_px"], 2),
            _numbers(told["middle_px"], 2),
            _numbers(told["distortion"], 4),
            float(told["error_px"]),
        )
    except OSError as fault:
        raise ValueError(f"The lens profile {path} cannot be read: {fault.strerror}. {again}") from fault
    except (ValueError, KeyError, TypeError, IndexError) as fault:
        raise ValueError(f"{path} is no lens profile ({fault}). {again}") from fault
    if min(*profile.size_px, *profile.focal_px) <= 0:
        raise ValueError(f"{path} is no lens profile (sizes must be above 0). {again}")
    return profile


class StraightCamera:
    """A camera whose pictures are straightened as its lens profile says."""

    def __init__(self, camera: Camera, profile: LensProfile) -> None:
        self.name = camera.name
        self._camera = camera
        self._straightener = Straightener(profile)

    def read(self, *, timeout_ms: int) -> Frame | None:
        """Wait for a frame, straightened. Raises DeviceLost, also for pictures of another shape."""
        frame = self._camera.read(timeout_ms=timeout_ms)
        if frame is None:
            return None
        try:
            pixels = self._straightener.straighten(frame.pixels)
        except ValueError as fault:
            raise DeviceLost(str(fault)) from fault
        return replace(frame, pixels=pixels)

    def close(self) -> None:
        self._camera.close()


class Straightener:
    """Straightens pictures; keeps the maps of the last size, which take longer to make than to use."""

    def __init__(self, profile: LensProfile) -> None:
        self._profile = profile
        self._size_px = (0, 0)
        self._maps: tuple[Any, Any] = (None, None)

    def straighten(self, pixels: Pixels) -> Pixels:
        """Return a picture (height, width, 3) as a lens without bending draws it, in the same size.

        Raises ValueError for pictures of another shape than the profile's.
        """
        size_px = (pixels.shape[1], pixels.shape[0])
        if size_px != self._size_px:
            matrix = self._profile.matrix(size_px)
            bent = np.array(self._profile.distortion)
            self._maps = cv2.initUndistortRectifyMap(matrix, bent, None, matrix, size_px, cv2.CV_16SC2)
            self._size_px = size_px
        return np.asarray(cv2.remap(pixels, *self._maps, cv2.INTER_LINEAR), np.uint8)


def with_lens(camera: Camera, lens: str) -> Camera:
    """Return the camera, straightened if a lens profile is named. Raises ValueError in plain words."""
    if not lens:
        return camera
    try:
        return StraightCamera(camera, load_lens(Path(lens).expanduser()))
    except ValueError:
        camera.close()
        raise


def _numbers(given: Any, count: int) -> Any:
    """Return so many finite numbers. Raises ValueError."""
    numbers = tuple(float(one) for one in given)
    if len(numbers) != count or not all(math.isfinite(one) for one in numbers):
        raise ValueError(f"{given!r} are not {count} numbers")
    return numbers
