"""A USB camera through V4L2 (entry point ``usb``).

Settings: ``device`` (best a name under ``/dev/v4l/by-id``, or ``/dev/video0``), ``width``,
``height`` (1280 by 720), ``fps`` (10), ``stall_ms`` (2000), ``lock`` (true: once the table is set up,
exposure, white balance and focus stay as they are, see ``locking``). Kept thin: it needs a real camera.
"""

from __future__ import annotations

import grp
import logging
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from companion.kept_setup import KeptCamera
from companion.options import number, read_options, text, whole, yes_or_no
from companion.ports import Camera, DeviceLost, Frame, Pixels
from companion.settings import home
from hardware.cameras.found import BY_ID
from hardware.cameras.lens import with_lens
from hardware.cameras.locking import Locking
from hardware.cameras.mailbox import Mailbox
from hardware.clock import monotonic_ms

log = logging.getLogger(__name__)

OPTIONS = (
    text("device"),
    whole("width", 1280, 160, 7680),
    whole("height", 720, 120, 4320),
    number("fps", 10, 1, 120),
    whole("stall_ms", 2000, 200, 60_000),
    yes_or_no("lock", True),
    text("lens", ""),
)
FIRST_PICTURE_MS = 5000
STALE_MS = 500  # decoded for somebody who then did not come
MJPG = cv2.VideoWriter.fourcc(*"MJPG")


class Capture(Protocol):
    """The part of ``cv2.VideoCapture`` that is used."""

    def grab(self) -> bool: ...
    def retrieve(self) -> tuple[bool, Any]: ...
    def release(self) -> None: ...


class UsbCamera:
    """Grabs without pause in a thread, so that no old frame waits in the driver; decodes what is asked for.

    A driver may hang for 10 s in the kernel: the thread is left to itself then, and ends later.
    """

    def __init__(
        self,
        name: str,
        capture: Capture,
        *,
        stall_ms: int = 2000,
        now_ms: Callable[[], int] = monotonic_ms,
        locking: Locking | None = None,
        source: str = "",
    ) -> None:
        self.name = name
        self._source = source
        self._capture = capture
        self._stall_ms = stall_ms
        self._now_ms = now_ms
        self._locking = locking
        self._box: Mailbox[tuple[Pixels, int, int]] = Mailbox()
        self._late_ms = now_ms() + max(stall_ms, FIRST_PICTURE_MS)
        self._is_closed = False
        self._thread = threading.Thread(target=self._grab, name=f"camera {name}", daemon=True)
        self._thread.start()

    def read(self, *, timeout_ms: int) -> Frame | None:
        """Wait for a frame grabbed from now on; None when none came in time. Raises DeviceLost."""
        if self._now_ms() >= self._late_ms:
            self._box.lose(
                f"The camera {self.name} has given no picture for {self._stall_ms / 1000:g} s. Replug it."
            )
        deadline_ms = self._now_ms() + timeout_ms
        while True:
            taken = self._box.take(timeout_ms=deadline_ms - self._now_ms())
            if taken is None:
                return None
            picture, count, at_ms = taken
            if self._now_ms() - at_ms <= STALE_MS:
                is_fickle = self._locking is not None and self._locking.is_fickle
                return Frame(picture, count, at_ms, self.name, self._source, is_fickle)

    def close(self) -> None:
        self._is_closed = True
        self._box.lose(f"The camera {self.name} was closed.")
        self._thread.join(timeout=1)

    def _grab(self) -> None:
        count = 0
        try:
            while not self._is_closed:
                # After one failure OpenCV fails for ever, although the camera may be back.
                if not self._capture.grab():
                    self._box.lose(f"The camera {self.name} went away. Plug it in again.")
                    return
                at_ms = self._now_ms()
                self._late_ms = at_ms + self._stall_ms
                if self._box.is_wanted:
                    is_read, picture = self._capture.retrieve()
                    if is_read:
                        pixels = np.asarray(picture, np.uint8)
                        if self._locking is not None:
                            self._locking.see(pixels, at_ms)
                        self._box.put((pixels, count, at_ms))
                count += 1
        finally:
            self._capture.release()


def open_camera(name: str, settings: Mapping[str, Any]) -> Camera:
    """Open a USB camera. Raises DeviceLost when it is not there, ValueError for wrong settings."""
    options = read_options(f"camera {name}", settings, OPTIONS)
    device = options["device"]
    _check_access(name, device)
    capture = cv2.VideoCapture(os.path.realpath(device), cv2.CAP_V4L2)
    if not capture.isOpened():
        capture.release()
        raise DeviceLost(
            f"{device} of the camera {name} cannot be opened as a camera. "
            "Another program may hold it; close that one, or name another device."
        )
    # The order matters: a driver takes the size only for the format that is set (hardware.md 4.2).
    asked = {
        cv2.CAP_PROP_FOURCC: MJPG,
        cv2.CAP_PROP_FRAME_WIDTH: options["width"],
        cv2.CAP_PROP_FRAME_HEIGHT: options["height"],
        cv2.CAP_PROP_FPS: options["fps"],
        cv2.CAP_PROP_BUFFERSIZE: 1,
    }
    for setting, value in asked.items():
        capture.set(setting, value)
    got = {setting: capture.get(setting) for setting in asked}
    log.info("camera %s: asked for %s, got %s", name, list(asked.values()), list(got.values()))
    locking = Locking(capture, once_set_up(name)) if options["lock"] else None
    camera = UsbCamera(name, capture, stall_ms=options["stall_ms"], locking=locking, source=own_name(device))
    return with_lens(camera, options["lens"])


def own_name(device: str, by_id: Path = BY_ID) -> str:
    """Return the name by which a camera is known again in whatever socket, empty if it has none."""
    real = os.path.realpath(device)
    return next((path.name for path in sorted(by_id.glob("*")) if os.path.realpath(path) == real), "")


def once_set_up(camera: str) -> Callable[[], int]:
    """Return what names the set-up of a camera, 0 before it was set up."""
    kept = KeptCamera(home(), camera)
    return lambda: kept.version if kept.look() is not None else 0


def _check_access(name: str, device: str) -> None:
    path = Path(device)
    if not path.exists():
        there = sorted(str(found) for found in Path("/dev").glob("video*"))
        others = f"There are: {', '.join(there)}." if there else "No other camera is there either."
        raise DeviceLost(
            f"There is no camera {device} for {name}. Plug it in or correct its device. {others}"
        )
    if not os.access(path, os.R_OK | os.W_OK):
        group = grp.getgrgid(path.stat().st_gid).gr_name
        raise DeviceLost(
            f"The camera {device} may not be opened by this user. It belongs to the group {group}: "
            f"run `sudo usermod -aG {group} $USER` and log in again."
        )
