"""The eyes as the rest of the house knows them: ``companion.ports.Recogniser``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from companion.board import EMPTY, PieceKind, Place
from companion.ports import HIDDEN, Frame, Obstacle, Pixels, Reading, Watch
from vision.box import load_box
from vision.corrections import Correction
from vision.evidence import without_secrets
from vision.finder import Finder, Found, other_tags
from vision.learner import Learner, Shown
from vision.loose.recogniser import LooseRecogniser
from vision.photos import ENOUGH_PX, NotAPicture, open_photo, shrunk
from vision.places import card_space_of
from vision.pose import BoardPose
from vision.reader import Reader
from vision.second_look import SecondLook
from vision.tones import is_blank, is_too_dark
from vision.watching import LiveWatch

NOTHING = np.zeros((1, 1, 3), np.uint8)


class OpenCvRecogniser:
    """Reads pictures of one taught box with OpenCV."""

    def __init__(self, reader: Reader, box_folder: Path | None = None) -> None:
        self.reader = reader
        self.box = reader.box.name
        self.learner = None if box_folder is None else Learner(reader, box_folder)
        self._watches: dict[str, LiveWatch] = {}
        self._photo: tuple[str, Shown] = ("", Shown(NOTHING, {}))

    def learn(
        self, place: Place, said: PieceKind, *, seen: PieceKind, source: str, at_utc: str
    ) -> Correction | None:
        """Learn what lies on a place of the picture last seen by a camera, or of the last photo.

        None if the place cannot be seen there, or nothing can be kept. Raises OSError.
        """
        watch, (name, photo) = self._watches.get(source), self._photo
        shown = watch.shown() if watch is not None else photo if name == source else None
        if self.learner is None or shown is None:
            return None
        kept = self.learner.learn(shown, place, said, seen=seen, at_utc=at_utc)
        self.look_again([place])
        return kept

    def look_again(self, places: Sequence[Place]) -> None:
        """Let the live eyes look at places once more, all those in view if none is named."""
        for watch in tuple(self._watches.values()):
            watch.look_again(places)

    def read(self, frame: Frame) -> Reading:
        """Read one picture with nothing known before."""
        return self._read(frame)[0]

    def read_photo(self, coded: bytes, *, camera: str, at_ms: int) -> Reading:
        """Read a photo as a phone sends it, with crops of all that lies there."""
        try:
            pixels = shrunk(open_photo(coded, enough_px=ENOUGH_PX))
        except NotAPicture as fault:
            return Reading(camera, 0, at_ms, {}, obstacle=fault.obstacle)
        reading, poses = self._read(Frame(pixels, 0, at_ms, camera))
        self._photo = (camera, Shown(pixels, {pose.board: pose for pose in poses}))
        return replace(reading, crops=self._crops(pixels, reading, poses))

    def watch(self, camera: str) -> Watch:
        """Begin to watch a camera."""
        watch = self._watches[camera] = LiveWatch(SecondLook(self.reader), camera)
        return watch

    def _read(self, frame: Frame) -> tuple[Reading, tuple[BoardPose, ...]]:
        began = time.perf_counter()
        found = self.reader.finder.search(frame.pixels, is_alone=True)
        boards, loose = self.reader.read_boards(frame.pixels, found.poses)
        dice = self.reader.read_dice(frame.pixels, found.poses)
        reading = Reading(
            camera=frame.camera,
            frame=frame.number,
            at_ms=frame.at_ms,
            boards=boards,
            loose=loose,
            obstacle=None if boards else why_not(frame.pixels, found, self.reader.finder),
            took_ms=1000 * (time.perf_counter() - began),
            doubts=tuple(obstacle for obstacle, _ in found.doubts),
            dice=dice,
        )
        return reading, found.poses

    def _crops(self, pixels: Pixels, reading: Reading, poses: tuple[BoardPose, ...]) -> dict[Place, bytes]:
        """Return pictures of all that lies there, but none that an order token might lie in."""
        places = [
            Place(board.board, space)
            for board in reading.boards.values()
            for space, seen in board.spaces.items()
            if seen.reads not in (EMPTY, HIDDEN)
        ]
        by_board = {pose.board: pose for pose in poses}
        crops = {}
        for place in without_secrets(self.reader.box, by_board, places, reading.loose):
            card = _card_under(reading, place)
            crops[place] = self.reader.crop(pixels, by_board[place.board], place.space, card=card)
        return crops


def _card_under(reading: Reading, place: Place) -> PieceKind | None:
    """Return the card whose part space a place is, as it was read."""
    own = card_space_of(place)
    seen = reading.at(Place(place.board, own)) if own is not None else None
    return seen.reads if seen is not None and seen.is_taken else None


def why_not(pixels: Pixels, found: Found, finder: Finder) -> Obstacle:
    """Return why no board was read: one is doubtful, nothing can be seen, or nothing of the box."""
    if found.doubts:
        return found.doubts[0][0]
    if is_too_dark(pixels):
        return Obstacle.TOO_DARK
    if is_blank(pixels):
        return Obstacle.BLANK
    if finder.is_mirrored(pixels):
        return Obstacle.MIRRORED
    return Obstacle.OTHER_TAGS if other_tags(pixels) else Obstacle.BOARD_NOT_FOUND


def open_recogniser(box_folder: str) -> OpenCvRecogniser | LooseRecogniser:
    """Open the eyes for the box taught into a folder. Raises ValueError in plain words."""
    box = load_box(box_folder)
    return OpenCvRecogniser(Reader(box), Path(box_folder)) if box.boards else LooseRecogniser(box)
