"""A plain die in a tray under a camera (``companion.dice`` entry point ``camera``).

Settings: ``camera`` (a table: the driver and its own keys), ``area`` (left, top, width and height of
the tray as shares of the picture), ``set`` and ``kind`` (which die of a taught set, where several lie),
``tilt`` (degrees that the camera looks from straight down, 5 if not said).
"""

from __future__ import annotations

import logging
import math
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion import plugins
from companion.options import Option, number, read_options, text
from companion.plugins import PartUnusable
from companion.ports import (
    Camera,
    DeviceLost,
    DeviceStanding,
    DeviceState,
    DieReading,
    DieRoll,
    Frame,
    Need,
    Obstacle,
    OpenCamera,
    Pixels,
)
from vision.dice import DiceEyes
from vision.dice_colours import load_set
from vision.dice_shelf import set_path
from vision.report import why_unreadable
from vision.settle import Gate, Stillness
from vision.throws import Throws

log = logging.getLogger(__name__)

WHOLE = (0.0, 0.0, 1.0, 1.0)
REOPEN_MS = 2_000
STALLED_MS = 3_000  # without a picture
LIKE = (0.65, 1.5)  # of the size of a die that was read: so small or large may the next be


def _is_area(given: object) -> bool:
    if not isinstance(given, list | tuple) or len(given) != 4:
        return False
    if not all(isinstance(share, int | float) and not isinstance(share, bool) for share in given):
        return False
    left, top, width, height = given
    return bool(0 <= left < left + width <= 1 and 0 <= top < top + height <= 1)


def _is_camera(given: object) -> bool:
    return isinstance(given, Mapping) and isinstance(given.get("driver"), str)


OPTIONS = (
    Option("camera", {}, 'a table with a driver and its keys, such as { driver = "usb" }', _is_camera),
    Option("area", WHOLE, "four shares from 0 to 1: left, top, width, height, inside the picture", _is_area),
    text("set", ""),
    text("kind", ""),
    number("tilt", 5, 0, 45),
)


class TrayDie:
    """A die that a camera reads: a throw that comes to rest is one roll."""

    def __init__(
        self,
        name: str,
        open_camera: Callable[[], Camera],
        eyes: DiceEyes,
        *,
        area: tuple[float, float, float, float] = WHOLE,
        kind: str = "",
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = name
        self._open_camera, self._eyes, self._area, self._kind = open_camera, eyes, area, kind
        self._pause = pause
        self._face_px = 0.0  # of the die as it was read last; 0: never
        self._boot = f"{secrets.randbelow(0xFFFF) + 1:04X}"
        self._rolled = 0
        self._camera: Camera | None = None
        self._retry_ms = self._quiet_ms = 0
        self._out: deque[DieRoll | DeviceStanding] = deque()
        self._standing: DeviceStanding | None = None
        self._begin()

    def read(self, *, timeout_ms: int) -> DieRoll | DeviceStanding | None:
        """Wait for the next throw or a standing that changed; None when nothing came in time."""
        if not self._out:
            try:
                self._read(timeout_ms)
            except DeviceLost as lost:
                self._lose(str(lost))
        return self._out.popleft() if self._out else None

    def close(self) -> None:
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _read(self, timeout_ms: int) -> None:
        if self._camera is None:
            self._open(timeout_ms)
            return
        frame = self._camera.read(timeout_ms=timeout_ms)
        if frame is not None:
            self._quiet_ms = 0
            self._take(frame)
            return
        self._quiet_ms += timeout_ms
        if self._quiet_ms > STALLED_MS:
            self._stand(DeviceState.STALE, "no picture comes from its camera")

    def _open(self, timeout_ms: int) -> None:
        if self._retry_ms > 0:
            self._pause(min(timeout_ms, self._retry_ms) / 1000)
            self._retry_ms -= timeout_ms
            return
        self._camera = self._open_camera()
        self._begin()
        self._stand(DeviceState.SEARCHING, "waits for a settled picture of the tray")

    def _begin(self) -> None:
        """Watch anew: of a die that was thrown unseen nobody knows when."""
        self._gate, self._throws, self._shape = Gate(), Throws(self._kind), (0, 0)

    def _lose(self, why: str) -> None:
        self.close()
        self._retry_ms = REOPEN_MS
        self._stand(DeviceState.LOST, why)

    def _take(self, frame: Frame) -> None:
        tray = tray_of(frame.pixels, self._area)
        if tray.shape[:2] != self._shape:
            self._begin()
            self._shape = tray.shape[:2]
        glance = self._gate.glance(tray)
        if glance.state is Stillness.MOVING or glance.has_just_settled:
            self._throws.move(frame.at_ms)
        if glance.state is not Stillness.SETTLED or glance.arm is not None or not self._throws.is_due:
            return
        thrown = self._throws.look(self._look(tray))
        if thrown is not None:
            self._rolled += 1
            self._out.append(
                DieRoll(self.name, self._boot, self._rolled, thrown.face, frame.at_ms, thrown.started_ms)
            )
        if not self._throws.is_due:
            self._tell()

    def _look(self, tray: Pixels) -> Sequence[DieReading]:
        """Read the tray; once a die was read, only sizes like its own, which is ten times as quick."""
        dice: Sequence[DieReading] = ()
        if self._face_px:
            dice = self._eyes.read(tray, faces_px=(LIKE[0] * self._face_px, LIKE[1] * self._face_px))
        if not dice:
            dice = self._eyes.read(tray)
        sure = [die for die in dice if die.sure]
        if sure:
            (ax, ay), (bx, by) = sure[0].corners_px[:2]
            self._face_px = math.hypot(bx - ax, by - ay)
        return dice

    def _tell(self) -> None:
        """Say how the die lies, once looking is over."""
        trouble, count = self._throws.trouble, self._throws.count
        if trouble is not None:
            need = Need.COCKED if trouble is Obstacle.COCKED else None
            self._stand(DeviceState.FAULT, f"{why_unreadable(trouble)} {AGAIN}", need)
        elif count > 1:
            self._stand(
                DeviceState.FAULT, f"{count} dice lie in the tray. Leave one, or name its kind. {AGAIN}"
            )
        else:
            self._stand(DeviceState.LIVE, "a die lies in the tray" if count else "the tray is empty")

    def _stand(self, state: DeviceState, detail: str, need: Need | None = None) -> None:
        standing = DeviceStanding(self.name, "die", state, detail, need=need)
        if standing != self._standing:
            self._standing = standing
            self._out.append(standing)


AGAIN = "Roll again, or enter the face by hand."


def tray_of(pixels: Pixels, area: tuple[float, float, float, float]) -> Pixels:
    """Return the part of a picture that shows the tray."""
    height, width = pixels.shape[:2]
    left, top = round(area[0] * width), round(area[1] * height)
    return pixels[
        top : max(top + 1, round((area[1] + area[3]) * height)),
        left : max(left + 1, round((area[0] + area[2]) * width)),
    ]


def area_in(words: str) -> tuple[float, float, float, float] | None:
    """Return an area written as four shares with commas, None if it makes no sense."""
    try:
        shares = tuple(float(word) for word in words.split(","))
    except ValueError:
        return None
    return (shares[0], shares[1], shares[2], shares[3]) if _is_area(shares) else None


def open_die(name: str, settings: Mapping[str, Any]) -> TrayDie:
    """Open a die under a camera; a camera that is not there yet is searched for. Raises ValueError."""
    options = read_options(f"die {name}", settings, OPTIONS)
    wanted = dict(options["camera"]) or {"driver": "usb"}
    driver = wanted.pop("driver")
    dice_set = load_set(set_path(options["set"])) if options["set"] else None
    if options["kind"] and (dice_set is None or options["kind"] not in dice_set.kinds):
        known = "no set is named" if dice_set is None else f"known are {', '.join(sorted(dice_set.kinds))}"
        raise ValueError(f"The die {name} is to be {options['kind']!r}, but {known}. Correct set and kind.")

    def open_camera() -> Camera:
        try:
            opener: OpenCamera = plugins.load("companion.cameras", driver)
            return opener(f"{name}'s camera", wanted)
        except PartUnusable as fault:
            raise DeviceLost(str(fault)) from fault

    left, top, width, height = (float(share) for share in options["area"])
    eyes = DiceEyes(dice_set, tilt_deg=float(options["tilt"]))
    return TrayDie(name, open_camera, eyes, area=(left, top, width, height), kind=options["kind"])
