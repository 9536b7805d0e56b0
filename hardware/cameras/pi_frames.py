"""Frames of a camera on the Pi's ribbon cable, to standard output. Run by the system's own Python.

picamera2 comes from Debian alone and does not fit the companion's numpy; so it lives in a process of
its own that ``pi_camera`` starts and kills. Imports the standard library and picamera2, nothing of the
house. Each frame is a header (``HEADER``: mark, width, height, nanoseconds) and its pixels.
With the word ``list`` it writes which cameras there are, as JSON.
"""

import json
import struct
import sys
import time
from typing import Any

HEADER = struct.Struct("<4sIIQ")
MARK = b"FRM1"
SETTLE_S = 2.0
DRIFTS_S = 5.0
MOVED_SHARE = 0.15
EVERY_PIXEL = 16


def opened(options: dict[str, Any]) -> Any:
    """Start the camera. What "RGB888" names lies in memory as blue, green, red."""
    from picamera2 import Picamera2  # noqa: PLC0415

    camera = Picamera2(options["number"])
    size = (options["width"], options["height"])
    camera.configure(
        camera.create_video_configuration(
            main={"size": size, "format": "RGB888"}, controls={"FrameRate": options["fps"]}
        )
    )
    camera.start()
    return camera


class Keeping:
    """When to keep exposure, white balance and focus as they are, and when to let them be found anew.

    As ``hardware.cameras.locking`` does it for webcams, which this process cannot import. Times are seconds.
    """

    def __init__(self, now_s: float) -> None:
        self._lock_at_s: float | None = now_s + SETTLE_S
        self._level = 0.0
        self._moved_s: float | None = None

    def see(self, level: float, now_s: float) -> str:
        """Take in how bright a picture is; return ``lock``, ``free`` or nothing. A hand is no light."""
        if self._lock_at_s is not None:
            if now_s < self._lock_at_s:
                return ""
            self._lock_at_s, self._level, self._moved_s = None, level, None
            return "lock"
        if abs(level - self._level) <= MOVED_SHARE * max(self._level, 1.0):
            self._moved_s = None
        elif self._moved_s is None:
            self._moved_s = now_s
        elif now_s - self._moved_s >= DRIFTS_S:
            self._lock_at_s = now_s + SETTLE_S
            return "free"
        return ""


def lock(camera: Any) -> None:
    """Keep exposure, white balance and focus as they are now."""
    seen = camera.capture_metadata()
    controls = {
        "AeEnable": False,
        "ExposureTime": seen["ExposureTime"],
        "AnalogueGain": seen["AnalogueGain"],
        "AwbEnable": False,
        "ColourGains": seen["ColourGains"],
    }
    if "LensPosition" in camera.camera_controls and "LensPosition" in seen:
        controls |= {"AfMode": 0, "LensPosition": seen["LensPosition"]}
    camera.set_controls(controls)


def free(camera: Any) -> None:
    """Let exposure, white balance and focus be found anew."""
    focus = {"AfMode": 2} if "LensPosition" in camera.camera_controls else {}  # by itself, all the time
    camera.set_controls({"AeEnable": True, "AwbEnable": True, **focus})


def listed() -> list[dict[str, Any]]:
    """Return the cameras on ribbon cables, each with its number and its model."""
    from picamera2 import Picamera2  # noqa: PLC0415

    told = Picamera2.global_camera_info()
    return [
        {"number": one["Num"], "model": one.get("Model", "")}
        for one in told
        if "usb" not in str(one.get("Id", "")).lower()
    ]


def main(options: dict[str, Any]) -> None:
    """Write frames until the reader is gone."""
    camera = opened(options)
    keeping = Keeping(time.monotonic()) if options["lock"] else None
    out = sys.stdout.buffer
    while True:
        pixels = camera.capture_array("main")
        height, width = pixels.shape[:2]
        out.write(HEADER.pack(MARK, width, height, time.monotonic_ns()))
        out.write(pixels[:, :, :3].tobytes())
        out.flush()
        if keeping is not None:
            level = float(pixels[::EVERY_PIXEL, ::EVERY_PIXEL].mean())
            deed = {"lock": lock, "free": free}.get(keeping.see(level, time.monotonic()))
            if deed is not None:
                deed(camera)


if __name__ == "__main__":
    try:
        if sys.argv[1] == "list":
            sys.stdout.write(json.dumps(listed()))
        else:
            main(json.loads(sys.argv[1]))
    except BrokenPipeError:
        sys.exit(0)
