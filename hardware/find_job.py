"""The job that says what is plugged in, and looks through it (entry point ``companion.jobs``).

Dice and rotors are told with their number, where they are heard, and the port to write into the settings.
``do`` is ``cameras``, ``camera_at`` (``address``), ``picture`` (``camera`` of the settings, or ``driver``
and ``options`` of one that was found), or ``speakers``: dice and rotors that speak on serial ports.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2

from companion.plugins import PartUnusable, load
from companion.ports import DeviceLost, Frame, Workbench
from companion.shown import Wire
from hardware.cameras.found import camera_at, found_cameras
from hardware.clock import monotonic_ms
from hardware.contact import Wanted
from hardware.line_protocol import SPEEDS_BAUD
from hardware.messages import DeviceKind, Hello
from hardware.serial_port import Heard, SerialPort
from hardware.tty import AUTO, ports_matching

ON_PINS = {"hall": "/dev/gpiochip0", "as5600": "/dev/i2c-1"}
"""Sensors of a turning board that speak on no port, and what this computer must have for them."""

WIDE_PX = 960
JPEG_QUALITY = 80
READ_MS, MOST_SILENT = 500, 12
SPEAKS_MS = 4_000
"""How long a port may be silent: boot loaders come first, then two heartbeats."""


def find(bench: Workbench, told: Wire, coded: bytes) -> Wire:
    """Say what is there, or how it looks."""
    try:
        return {"ok": True, **DEEDS[str(told["do"])](bench, told)}
    except (DeviceLost, PartUnusable, ValueError) as fault:
        return {"ok": False, "why": {"key": "teach.plainly", "values": {"text": str(fault)}}}


def _cameras(bench: Workbench, told: Wire) -> Wire:
    return {"cameras": [asdict(camera) for camera in found_cameras()]}


def _camera_at(bench: Workbench, told: Wire) -> Wire:
    return {"camera": asdict(camera_at(str(told["address"])))}


def _picture(bench: Workbench, told: Wire) -> Wire:
    frame = bench.frame(str(told["camera"])) if "camera" in told else _frame_of(told)
    height, width = frame.pixels.shape[:2]
    share = min(1.0, WIDE_PX / width)
    size = (round(width * share), round(height * share))
    small = cv2.resize(frame.pixels, size, interpolation=cv2.INTER_AREA)
    jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
    return {"jpeg": jpeg, "size": [width, height]}


def _frame_of(told: Wire) -> Frame:
    """Look once through a camera that is not in the settings. Raises DeviceLost, ValueError."""
    options: Mapping[str, Any] = told["options"]
    with closing(load("companion.cameras", str(told["driver"]))("found", options)) as camera:
        for _ in range(MOST_SILENT):
            frame: Frame | None = camera.read(timeout_ms=READ_MS)
            if frame is not None:
                return frame
    raise DeviceLost("It gives no picture.")


def _speakers(bench: Workbench, told: Wire) -> Wire:
    """Listen at all ports at once; those that a loop of this process holds are in use and left alone."""
    found: list[dict[str, Any]] = []
    looked_at = ports_matching(AUTO)
    ports = ports_matching(str(told["ports"])) if "ports" in told else looked_at
    threads = [threading.Thread(target=_hear, args=(port, found), daemon=True) for port in ports]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=2 * SPEAKS_MS / 1000)
    # A port that is looked at by itself need not be named: its device is found wherever it is plugged in.
    rows = [{**one, "at": AUTO if one["port"] in looked_at else one["port"]} for one in found]
    pins = [driver for driver, needs in ON_PINS.items() if Path(needs).exists()]
    return {"speakers": sorted(rows, key=lambda one: str(one["id"])), "ports": list(ports), "pins": pins}


def _hear(path: str, found: list[dict[str, Any]]) -> None:
    deadline_ms = monotonic_ms() + SPEAKS_MS
    with closing(SerialPort(path, Wanted(None), speed_baud=SPEEDS_BAUD[0])) as port:
        while (left_ms := deadline_ms - monotonic_ms()) > 0:
            said = port.read(timeout_ms=min(READ_MS, left_ms))
            if isinstance(said, Heard):
                device, message = said.line.device, said.line.message
                name = message.name if isinstance(message, Hello) else ""
                kind = DeviceKind.DIE if device.startswith("D") else DeviceKind.ROTOR
                found.append({"id": device, "kind": kind.value, "port": path, "called": name or ""})
                return


DEEDS = {"cameras": _cameras, "camera_at": _camera_at, "picture": _picture, "speakers": _speakers}
