"""The flight recorder: the last minutes of what the senses took in, in memory, until somebody asks.

Lives in the senses process. Frames are kept as JPEG, and only those that show something new or
that the eyes said something about; the oldest go when the memory is full.
"""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.ports import BoardTurn, DeviceStanding, DieRoll, Frame, Pixels, Reading
from companion.table.recording import FRAMES, SENSES, reading_out
from companion.table.senses_messages import Heard
from companion.table.stored import json_out

MB = 1_000_000
QUALITY, QUALITY_OF_A_COPY = 90, 95
AT_MOST_EVERY_MS = 250
AT_LEAST_EVERY_MS = 5_000
STEP_PX = 16
SHOWS_SOMETHING_NEW = 2.0  # mean difference of every sixteenth pixel; noise alone makes 1.5
EVENT_BYTES = 2_000  # about what a reading takes in memory
PAINT = (127, 127, 127)
PASSWORD = re.compile(r"//[^/@\s]*@")
"""A name and a password in the address of a camera: of no use to whoever reads a recording."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """One thing that came in; a frame with its coded picture."""

    at_ms: int
    told: Mapping[str, Any]
    coded: bytes = b""

    @property
    def bytes_taken(self) -> int:
        return len(self.coded) + EVENT_BYTES


@dataclass(slots=True)
class _Last:
    """What was last kept of a camera."""

    at_ms: int
    sample: NDArray[np.int16]


class FlightRecorder:
    """Keeps what came in, up to a number of megabytes; 0 keeps nothing. Safe from any thread."""

    def __init__(self, memory_mb: int) -> None:
        self._most_bytes = memory_mb * MB
        self._lock = threading.Lock()
        self._kept: deque[_Kept] = deque()
        self._bytes = 0
        self._last: dict[str, _Last] = {}

    def see(self, frame: Frame, reading: Reading | None) -> None:
        """Take in a frame and what the eyes said of it."""
        if not self._most_bytes or not self._is_worth_keeping(frame, said=reading is not None):
            return
        # In here, since a table of phones alone starts without OpenCV's system libraries.
        import cv2  # noqa: PLC0415

        _, coded = cv2.imencode(".jpg", frame.pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        told = {"heard": "frame", "camera": frame.camera, "number": frame.number, "at_ms": frame.at_ms}
        self._keep(_Kept(frame.at_ms, told, coded.tobytes()))

    def hear(self, message: Heard, at_ms: int) -> None:
        """Take in what a device or the eyes said."""
        if not self._most_bytes:
            return
        match message:
            case Reading():
                told = {"heard": "reading", **reading_out(message)}
            case DieRoll() | BoardTurn() | DeviceStanding():
                told = {"heard": type(message).__name__, "at_ms": at_ms, **asdict(message)}
                if "detail" in told:
                    told["detail"] = PASSWORD.sub("//", told["detail"])
            case _:
                return
        self._keep(_Kept(at_ms, told))

    def save(self, folder: Path, *, secret_since_ms: int) -> int:
        """Write what is kept into a folder and return how many pictures that are. Raises OSError."""
        with self._lock:
            kept = tuple(self._kept)
        (folder / FRAMES).mkdir(parents=True, exist_ok=True)
        corners: dict[str, list[NDArray[np.float64]]] = {}
        pictures, lines = 0, []
        for one in kept:
            told = dict(one.told)
            if told["heard"] == "reading":
                found = [np.array(board["corners_px"], float) for board in told["boards"].values()]
                corners[told["camera"]] = [quad for quad in found if len(quad) == 4]
                if one.at_ms >= secret_since_ms:
                    told["loose"] = []
            if one.coded:
                coded = one.coded
                if one.at_ms >= secret_since_ms:
                    coded = _boards_alone(coded, corners.get(told["camera"], []))
                    told["boards_alone"] = True
                told["file"] = f"{FRAMES}/{_slug(told['camera'])}-{pictures:05}.jpg"
                (folder / told["file"]).write_bytes(coded)
                pictures += 1
            lines.append(json_out(told))
        (folder / SENSES).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return pictures

    def _is_worth_keeping(self, frame: Frame, *, said: bool) -> bool:
        sample = frame.pixels[::STEP_PX, ::STEP_PX].astype(np.int16)
        last = self._last.get(frame.camera)
        if last is not None and not said:
            since_ms = frame.at_ms - last.at_ms
            if since_ms < AT_MOST_EVERY_MS:
                return False
            same_shape = sample.shape == last.sample.shape
            is_new = not same_shape or float(np.abs(sample - last.sample).mean()) > SHOWS_SOMETHING_NEW
            if not is_new and since_ms < AT_LEAST_EVERY_MS:
                return False
        self._last[frame.camera] = _Last(frame.at_ms, sample)
        return True

    def _keep(self, one: _Kept) -> None:
        with self._lock:
            self._kept.append(one)
            self._bytes += one.bytes_taken
            while self._bytes > self._most_bytes:
                self._bytes -= self._kept.popleft().bytes_taken


def _boards_alone(coded: bytes, quads: list[NDArray[np.float64]]) -> bytes:
    """Return a picture with everything but its boards painted over; all of it when none is known."""
    import cv2  # noqa: PLC0415

    pixels: Pixels = np.asarray(cv2.imdecode(np.frombuffer(coded, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    mask = np.zeros(pixels.shape[:2], np.uint8)
    for quad in quads:
        cv2.fillPoly(mask, [np.rint(quad).astype(np.int32)], 255)
    seen: Pixels = np.where(mask[..., None] > 0, pixels, np.array(PAINT, np.uint8))
    _, again = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, QUALITY_OF_A_COPY])
    return again.tobytes()


def _slug(name: str) -> str:
    """Return a camera's name as a file name may hold it."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-") or "camera"
