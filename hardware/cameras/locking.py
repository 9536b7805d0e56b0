"""Exposure, white balance and focus of a USB camera, kept as they are once they are right.

A camera that adjusts itself whenever a hand comes into view gives other colours each time. Drivers say
yes and do nothing, so the picture has the last word: what was locked is looked at again.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

import cv2
import numpy as np

from companion.ports import Pixels

log = logging.getLogger(__name__)

SETTLES_MS = 3000
LOOKS_MS = 1500
DRIFTS_MS = 5000
MOVED_SHARE = 0.15
EVERY_PIXEL = 16
MANUAL_EXPOSURE, AUTO_EXPOSURE = 1.0, 3.0  # of V4L2; other back ends count otherwise


class Controls(Protocol):
    """The part of ``cv2.VideoCapture`` that is used."""

    def get(self, setting: int) -> float: ...
    def set(self, setting: int, value: float) -> bool: ...


class Phase(Enum):
    SETTLING = auto()  # the camera finds what is right
    LOOKING = auto()  # locked; does the picture stay as it was?
    LOCKED = auto()
    REFUSED = auto()  # the camera does something else when locked: left to itself


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing to lock: its switch, what the switch says by hand and by itself, and its value."""

    switch: int
    by_hand: float
    by_itself: float
    value: int


SETTINGS = (
    Setting(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE, AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE),
    Setting(cv2.CAP_PROP_AUTO_WB, 0.0, 1.0, cv2.CAP_PROP_WB_TEMPERATURE),
    Setting(cv2.CAP_PROP_AUTOFOCUS, 0.0, 1.0, cv2.CAP_PROP_FOCUS),
)


class Locking:
    """Locks a camera after it has settled, checks by the picture, and settles anew when the light changed."""

    def __init__(self, controls: Controls) -> None:
        self._controls = controls
        self._phase_ms: int | None = None
        self._level = 0.0
        self._moved_ms: int | None = None
        self.phase = Phase.SETTLING

    def see(self, pixels: Pixels, now_ms: int) -> None:
        """Take in a picture, (height, width, 3), uint8; a few a second are enough."""
        if self._phase_ms is None:
            self._phase_ms = now_ms
        level = float(np.median(pixels[::EVERY_PIXEL, ::EVERY_PIXEL]))
        in_phase_ms = now_ms - self._phase_ms
        if self.phase is Phase.SETTLING and in_phase_ms >= SETTLES_MS:
            self._level = level
            self._lock()
            self._enter(Phase.LOOKING, now_ms)
        elif self.phase is Phase.LOOKING and in_phase_ms >= LOOKS_MS:
            if self._has_moved(level):
                log.warning("camera: brighter or darker when locked (%.0f, %.0f before)", level, self._level)
                self._unlock()
                self._enter(Phase.REFUSED, now_ms)
            else:
                self._enter(Phase.LOCKED, now_ms)
        elif self.phase is Phase.LOCKED:
            self._watch(level, now_ms)

    def _watch(self, level: float, now_ms: int) -> None:
        """Let the camera settle anew once the light has been another for a while; a hand is no light."""
        if not self._has_moved(level):
            self._moved_ms = None
        elif self._moved_ms is None:
            self._moved_ms = now_ms
        elif now_ms - self._moved_ms >= DRIFTS_MS:
            log.info("camera: the light has changed; exposure and white balance are found anew")
            self._unlock()
            self._moved_ms = None
            self._enter(Phase.SETTLING, now_ms)

    def _has_moved(self, level: float) -> bool:
        return abs(level - self._level) > MOVED_SHARE * max(self._level, 1.0)

    def _enter(self, phase: Phase, now_ms: int) -> None:
        self.phase, self._phase_ms = phase, now_ms

    def _lock(self) -> None:
        for setting in SETTINGS:
            value = self._controls.get(setting.value)
            if value >= 0 and self._controls.set(setting.switch, setting.by_hand):  # -1: it has no such thing
                self._controls.set(setting.value, value)

    def _unlock(self) -> None:
        for setting in SETTINGS:
            self._controls.set(setting.switch, setting.by_itself)
