"""The eyes as the rest of the house knows them: ``companion.ports.Recogniser``."""

from __future__ import annotations

import time

from companion.ports import Frame, Obstacle, Pixels, Reading, Watch
from vision.box import load_box
from vision.reader import Reader
from vision.second_look import SecondLook
from vision.watching import LiveWatch

TOO_DARK = 12.0  # mean grey level below which nobody could read a board


class OpenCvRecogniser:
    """Reads pictures of one taught box with OpenCV."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.box = reader.box.name

    def read(self, frame: Frame) -> Reading:
        """Read one picture with nothing known before."""
        began = time.perf_counter()
        poses = self.reader.find(frame.pixels)
        boards, loose = self.reader.read_boards(frame.pixels, poses)
        return Reading(
            camera=frame.camera,
            frame=frame.number,
            at_ms=frame.at_ms,
            boards=boards,
            loose=loose,
            obstacle=None if boards else why_not(frame.pixels),
            took_ms=1000 * (time.perf_counter() - began),
        )

    def watch(self, camera: str) -> Watch:
        """Begin to watch a camera."""
        return LiveWatch(SecondLook(self.reader), camera)


def why_not(pixels: Pixels) -> Obstacle:
    """Return why no board was found: too dark to see any, else none there."""
    return Obstacle.TOO_DARK if float(pixels[::8, ::8].mean()) < TOO_DARK else Obstacle.BOARD_NOT_FOUND


def open_recogniser(box_folder: str) -> OpenCvRecogniser:
    """Open the eyes for the box taught into a folder. Raises ValueError in plain words."""
    return OpenCvRecogniser(Reader(load_box(box_folder)))
