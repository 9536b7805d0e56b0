"""A camera's pictures as a stream: what is shown now, with fresh noise, and who has seen it.

A shown picture is encoded a few times with different noise and those are sent in turn, so
an idle camera costs next to nothing. A hand waits here until every onlooker was sent enough
frames of what lay still before: speed shortens the time between frames, never their number.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import cv2
import numpy as np

from companion.ports import Pixels
from hardware.simulated.lens import Lens

FRAME_MS = 200.0
FASTEST_FRAME_MS = 60.0
STILL_FRAMES = 8
"""Frames of a settled picture that every onlooker gets before the next hand comes; the eyes need 6."""

_VARIANTS = 4
_PATIENCE_S = 8.0  # an onlooker that takes no frame for so long is not waited for
_MARGIN_PX = 48


def frame_interval_s(speed: float) -> float:
    """Return the time between two frames at a speed; 1 is 5 frames a second."""
    return max(FRAME_MS / speed, FASTEST_FRAME_MS) / 1000.0


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame to send: its number, which picture it shows, and the JPEG."""

    number: int
    picture: int
    jpeg: bytes


class Grain:
    """Noise of a sensor, drawn once and cut anew for every frame."""

    def __init__(self, size_wh: tuple[int, int], sigma: float, seed: int) -> None:
        rng = np.random.default_rng(seed)
        shape = (size_wh[1] + _MARGIN_PX, size_wh[0] + _MARGIN_PX, 3)
        noise = (rng.standard_normal(shape, np.float32) * sigma).round().astype(np.int8)
        self._more = np.maximum(noise, 0).astype(np.uint8)
        self._less = np.maximum(-noise, 0).astype(np.uint8)

    def over(self, picture: Pixels, variant: int) -> Pixels:
        """Return the picture with noise of one of many cuts."""
        height, width = picture.shape[:2]
        x, y = (variant * 17) % _MARGIN_PX, (variant * 29) % _MARGIN_PX
        cut = (slice(y, y + height), slice(x, x + width))
        return np.asarray(cv2.subtract(cv2.add(picture, self._more[cut]), self._less[cut]), np.uint8)


class Viewed(Protocol):
    """What a camera looks at; ``hardware.simulated.scene.Scene``."""

    @property
    def lens(self) -> Lens: ...


Scene_co = TypeVar("Scene_co", bound=Viewed, covariant=True)


class Feed(Generic[Scene_co]):
    """One camera: its scene, the picture it shows, its onlookers.

    ``turn`` is held by whoever has a hand in this picture. Safe to use from many threads.
    """

    def __init__(
        self, name: str, scene: Scene_co, grain: Grain, interval_s: float, quality: int = 88
    ) -> None:
        self.name = name
        self.scene = scene
        self.turn = threading.RLock()
        self.interval_s = interval_s
        self._grain = grain
        self._quality = (cv2.IMWRITE_JPEG_QUALITY, quality)
        self._news = threading.Condition()
        self._packing = threading.Lock()
        self._picture: Pixels = np.zeros((scene.lens.size_wh[1], scene.lens.size_wh[0], 3), np.uint8)
        self._packed: dict[int, bytes] = {}
        self._version = 0
        self._number = 0
        self._seen: dict[int, int] = {}
        self._next_onlooker = 0
        self._must_be_seen = False

    def show(self, picture: Pixels, *, has_changed: bool = False) -> None:
        """Show a lit picture from now on; ``has_changed``: it is new and must be seen long enough."""
        with self._packing, self._news:
            self._picture = picture
            self._packed = {}
            self._version += 1
            self._seen = dict.fromkeys(self._seen, 0)
            self._must_be_seen = self._must_be_seen or has_changed
            self._news.notify_all()

    def shot(self) -> Shot:
        """Take the next frame."""
        with self._packing:
            self._number += 1
            variant = self._number % _VARIANTS
            if variant not in self._packed:
                noisy = self._grain.over(self._picture, self._number)
                self._packed[variant] = cv2.imencode(".jpg", noisy, self._quality)[1].tobytes()
            return Shot(self._number, self._version, self._packed[variant])

    def join(self) -> int:
        """Begin to look on; give the onlooker's number."""
        with self._news:
            self._next_onlooker += 1
            self._seen[self._next_onlooker] = 0
            return self._next_onlooker

    def leave(self, onlooker: int) -> None:
        """Stop looking on."""
        with self._news:
            self._seen.pop(onlooker, None)
            self._news.notify_all()

    def was_sent(self, onlooker: int, shot: Shot) -> None:
        """Note that an onlooker was sent a frame."""
        with self._news:
            if shot.picture == self._version and onlooker in self._seen:
                self._seen[onlooker] += 1
                self._news.notify_all()

    def wait_for(self, due_s: float) -> None:
        """Wait until the next frame is due, by the monotonic clock."""
        rest = due_s - time.monotonic()
        if rest > 0:
            time.sleep(rest)

    def wait_until_seen(self, frames: int) -> None:
        """Wait until every onlooker was sent so many frames of what is shown now."""
        self._wait(lambda: all(count >= frames for count in self._seen.values()))

    def wait_until_settled(self, frames: int) -> None:
        """Wait until what changed last was seen long enough; at once if nothing did."""
        if self._must_be_seen:
            self.wait_until_seen(frames)
            self._must_be_seen = False

    def _wait(self, is_so: Callable[[], bool]) -> None:
        with self._news:
            self._news.wait_for(is_so, timeout=_PATIENCE_S)

    @property
    def onlookers(self) -> int:
        """How many look on now."""
        return len(self._seen)
