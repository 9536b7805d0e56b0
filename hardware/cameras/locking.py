"""Exposure, white balance and focus of a USB camera, kept as they are once they are right.

A camera that adjusts itself whenever a hand comes into view gives other colours each time. Drivers say
yes and do nothing, or lock what was right an hour ago; so the picture has the last word: what was locked is
looked at again, and exposure is corrected until the picture is as it was.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
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
BLURRED_SHARE = 0.5  # of the sharpness before: it was focused, and elsewhere
SHARP = 20.0  # below it there is nothing in view to focus on
OBEYS_SHARE = 0.04  # so much a picture changes at least when its exposure does
CORRECTIONS = 4
EVERY_PIXEL = 16
MANUAL_EXPOSURE, AUTO_EXPOSURE = 1.0, 3.0  # of V4L2; other back ends count otherwise


class Controls(Protocol):
    """The part of ``cv2.VideoCapture`` that is used."""

    def get(self, setting: int) -> float: ...
    def set(self, setting: int, value: float) -> bool: ...


class Phase(Enum):
    FREE = auto()  # nobody has said yet that all is right
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


EXPOSURE = Setting(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE, AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE)
SETTINGS = (
    EXPOSURE,
    Setting(cv2.CAP_PROP_AUTO_WB, 0.0, 1.0, cv2.CAP_PROP_WB_TEMPERATURE),
    Setting(cv2.CAP_PROP_AUTOFOCUS, 0.0, 1.0, cv2.CAP_PROP_FOCUS),
)


@dataclass(frozen=True, slots=True)
class Look:
    """What a picture tells: its median level, blue and red by green, and how sharp it is."""

    level: float
    tint: tuple[float, float]
    sharpness: float

    @classmethod
    def at(cls, pixels: Pixels) -> Look:
        blue, green, red = (max(float(one), 1.0) for one in np.median(_sparse(pixels), axis=(0, 1)))
        grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
        return cls(_level(pixels), (blue / green, red / green), float(cv2.Laplacian(grey, cv2.CV_32F).var()))

    def is_otherwise(self, before: Look) -> str:
        """Say in a word what is otherwise than before, nothing if it is as it was."""
        if _has_moved(self.level, before.level):
            return "brightness"
        if any(_has_moved(now, then) for now, then in zip(self.tint, before.tint, strict=True)):
            return "colours"
        is_blurred = before.sharpness > SHARP and self.sharpness < BLURRED_SHARE * before.sharpness
        return "focus" if is_blurred else ""


class Locking:
    """Locks a camera after it has settled, checks by the picture, and settles anew when the light changed.

    ``wish`` names the set-up for which it is to be locked, 0: not yet; another one settles it anew.
    """

    def __init__(self, controls: Controls, wish: Callable[[], int] = lambda: 1) -> None:
        self._controls = controls
        self._wish = wish
        self._for = 0
        self._phase_ms = 0
        self._before = Look(0.0, (1.0, 1.0), 0.0)
        self._level = 0.0
        self._corrections = 0
        self._corrected_from: float | None = None
        self._moved_ms: int | None = None
        self.phase = Phase.FREE

    @property
    def is_fickle(self) -> bool:
        """Whether the camera was told to keep its picture as it is, and did not."""
        return self.phase is Phase.REFUSED

    def see(self, pixels: Pixels, now_ms: int) -> None:
        """Take in a picture, (height, width, 3), uint8; a few a second are enough."""
        wish = self._wish()
        if wish != self._for:
            self._for = wish
            self._unlock()
            self._enter(Phase.SETTLING if wish else Phase.FREE, now_ms)
        in_phase_ms = now_ms - self._phase_ms
        if self.phase is Phase.SETTLING and in_phase_ms >= SETTLES_MS:
            self._before = Look.at(pixels)
            self._corrections, self._corrected_from = 0, None
            self._lock()
            self._enter(Phase.LOOKING, now_ms)
        elif self.phase is Phase.LOOKING and in_phase_ms >= LOOKS_MS:
            self._check(Look.at(pixels), now_ms)
        elif self.phase is Phase.LOCKED:
            self._watch(_level(pixels), now_ms)

    def _check(self, now: Look, now_ms: int) -> None:
        """Judge a picture of the locked camera: as it was, to be corrected, or not to be had."""
        otherwise = now.is_otherwise(self._before)
        if not otherwise:
            self._level = now.level
            log.info("camera: exposure, white balance and focus stay as they are")
            self._enter(Phase.LOCKED, now_ms)
            return
        was = self._corrected_from
        obeys = was is None or abs(now.level - was) > OBEYS_SHARE * max(was, 1.0)
        if otherwise == "brightness" and obeys and self._corrections < CORRECTIONS and self._correct(now):
            self._enter(Phase.LOOKING, now_ms)
            return
        log.warning("camera: other %s when locked; it is left to itself", otherwise)
        self._unlock()
        self._enter(Phase.REFUSED, now_ms)

    def _correct(self, now: Look) -> bool:
        """Set the exposure by which the picture should be as it was; False if there is none."""
        exposure = self._controls.get(EXPOSURE.value)
        if exposure <= 0:
            return False
        self._corrections += 1
        self._corrected_from = now.level
        wanted = exposure * max(self._before.level, 1.0) / max(now.level, 1.0)
        return self._controls.set(EXPOSURE.value, max(1.0, round(wanted)))

    def _watch(self, level: float, now_ms: int) -> None:
        """Let the camera settle anew once the light has been another for a while; a hand is no light."""
        if not _has_moved(level, self._level):
            self._moved_ms = None
        elif self._moved_ms is None:
            self._moved_ms = now_ms
        elif now_ms - self._moved_ms >= DRIFTS_MS:
            log.info("camera: the light has changed; exposure and white balance are found anew")
            self._unlock()
            self._moved_ms = None
            self._enter(Phase.SETTLING, now_ms)

    def _enter(self, phase: Phase, now_ms: int) -> None:
        self.phase, self._phase_ms = phase, now_ms

    def _lock(self) -> None:
        for setting in SETTINGS:
            value = self._controls.get(setting.value)
            if value >= 0 and self._controls.set(setting.switch, setting.by_hand):  # -1: it has no such thing
                self._controls.set(setting.value, value)

    def _unlock(self) -> None:
        for setting in SETTINGS:
            if self._controls.get(setting.value) >= 0:
                self._controls.set(setting.switch, setting.by_itself)


def _sparse(pixels: Pixels) -> Pixels:
    return pixels[::EVERY_PIXEL, ::EVERY_PIXEL]


def _level(pixels: Pixels) -> float:
    return float(np.median(_sparse(pixels)))


def _has_moved(now: float, before: float) -> bool:
    return abs(now - before) > MOVED_SHARE * max(before, 1e-6)
