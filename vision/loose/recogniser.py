"""The eyes of a box whose cards lie loose, as the house knows them: ``companion.ports.Recogniser``."""

from __future__ import annotations

import time
from dataclasses import replace

from companion.ports import Frame, Obstacle, Pixels, Reading, Watch
from vision.box import TaughtBox
from vision.loose.read_loose import LooseReader
from vision.loose.watching import LooseWatch
from vision.photos import ENOUGH_PX, NotAPicture, open_photo, shrunk
from vision.tones import is_blank, is_too_dark


class LooseRecogniser:
    """Reads pictures of one taught box of loose cards with OpenCV."""

    def __init__(self, box: TaughtBox) -> None:
        self.reader = LooseReader(box)
        self.box = box.name

    def read(self, frame: Frame) -> Reading:
        """Read one picture with nothing known before. A table without a card is read, and empty."""
        began = time.perf_counter()
        reading = Reading(frame.camera, frame.number, frame.at_ms, {}, obstacle=_obstacle(frame.pixels))
        if reading.obstacle is None:
            pieces, zones = self.reader.read(frame.pixels)
            reading = replace(reading, loose=pieces, boards=zones)
        return replace(reading, took_ms=1000 * (time.perf_counter() - began))

    def read_photo(self, coded: bytes, *, camera: str, at_ms: int) -> Reading:
        """Read a photo as a phone sends it."""
        try:
            pixels = shrunk(open_photo(coded, enough_px=ENOUGH_PX))
        except NotAPicture as fault:
            return Reading(camera, 0, at_ms, {}, obstacle=fault.obstacle)
        return self.read(Frame(pixels, 0, at_ms, camera))

    def watch(self, camera: str) -> Watch:
        """Begin to watch a camera."""
        return LooseWatch(self, camera)


def _obstacle(pixels: Pixels) -> Obstacle | None:
    """Return why nothing can be seen in a picture, None if something can."""
    if is_too_dark(pixels):
        return Obstacle.TOO_DARK
    return Obstacle.BLANK if is_blank(pixels) else None
