"""Which cameras are there: on USB by their own names, on the Pi's ribbon cables, at an address in the house.

What is found can be written into the settings as it is: a driver and its options.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from companion.ports import DeviceLost
from hardware.cameras.http_stream import HttpStream, split_url
from hardware.cameras.pi_camera import PROGRAM

BY_ID, BY_PATH = Path("/dev/v4l/by-id"), Path("/dev/v4l/by-path")
PICTURES = "-video-index0"
"""How a device is called that gives pictures; others of the same camera give figures about them."""

SYSTEM_PYTHON = Path("/usr/bin/python3")
PICAMERA2 = Path("/usr/lib/python3/dist-packages/picamera2")
LIST_S = 10.0
ANSWER_S = 3.0

WAYS_IN = ("/video", "/mjpegfeed", "/?action=stream", "/stream", "/stream.mjpg", "/camera.mjpg")
"""Where camera apps and small servers have their stream: IP Webcam, DroidCam, mjpg-streamer, uStreamer."""


@dataclass(frozen=True, slots=True)
class FoundCamera:
    """A camera that is there: its driver, the options that open it, and what it is called."""

    driver: str
    options: Mapping[str, Any]
    called: str


def found_cameras() -> tuple[FoundCamera, ...]:
    """Return the cameras that are plugged into this computer."""
    return (*usb_cameras(), *pi_cameras())


def usb_cameras(by_id: Path = BY_ID, by_path: Path = BY_PATH) -> tuple[FoundCamera, ...]:
    """Return the USB cameras by names that stay theirs whatever else is plugged in.

    A camera without a serial number of its own has only the name of the socket that it is in.
    """
    known = {path.resolve(): path for path in sorted(by_path.glob(f"*usb*{PICTURES}"))}
    known |= {path.resolve(): path for path in sorted(by_id.glob(f"*{PICTURES}"))}
    return tuple(
        FoundCamera("usb", {"device": str(path)}, _called(path)) for _, path in sorted(known.items())
    )


def pi_cameras(python: Path = SYSTEM_PYTHON, picamera2: Path = PICAMERA2) -> tuple[FoundCamera, ...]:
    """Return the cameras on ribbon cables; none where the system has no picamera2."""
    if not (python.exists() and picamera2.exists()):
        return ()
    try:
        done = subprocess.run(
            [str(python), str(PROGRAM), "list"], capture_output=True, timeout=LIST_S, check=True
        )
        told: Sequence[Mapping[str, Any]] = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return ()
    return tuple(FoundCamera("pi", {"number": one["number"]}, str(one["model"])) for one in told)


def camera_at(address: str) -> FoundCamera:
    """Return the camera at an address; of a bare one the usual ways in are tried.

    Raises DeviceLost or ValueError in plain words.
    """
    address = address.strip()
    address = address if "://" in address else f"http://{address}"
    parts = split_url(address)
    try:
        return _streaming(address, parts.hostname or "")
    except DeviceLost as lost:
        if parts.path not in ("", "/") or parts.query:
            raise
        bare = lost
    for way in WAYS_IN:
        path = urlsplit(way)
        try:
            url = urlunsplit((parts.scheme, parts.netloc, path.path, path.query, ""))
            return _streaming(url, parts.hostname or "")
        except DeviceLost:
            continue
    raise bare


def _streaming(url: str, called: str) -> FoundCamera:
    with closing(HttpStream(url, timeout_s=ANSWER_S)):
        return FoundCamera("mjpeg", {"url": url}, called)


def _called(path: Path) -> str:
    """Return what people read off ``usb-046d_HD_Pro_Webcam_C920_1A2B-video-index0``."""
    name = path.name.removesuffix(PICTURES).removeprefix("usb-")
    return " ".join(name.replace("_", " ").split())
