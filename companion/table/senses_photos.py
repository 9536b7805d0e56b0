"""Photos that phones send, read by the senses: the asking side, and the loop that reads them.

``PhotosAsked`` lives in the service, ``PhotoLoop`` in the senses process: a hostile picture can
harm only the child, which is started anew.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future

from companion.ports import Reading
from companion.table.senses_loops import PATIENT_MS, Eyes, HopelessDevice, Outbox
from companion.table.senses_messages import PhotoRead, ReadPhoto, Request, monotonic_ms

log = logging.getLogger(__name__)

MOST_WAITING = 8
"""Photos that may wait: one each for a full table, twice; each may hold 20 MB."""


class EyesClosed(Exception):
    """Nobody can read a photo now. The message says why and what to do; empty: try again soon."""


class TooManyPhotos(Exception):
    """As many photos as may wait are waiting."""


class PhotosAsked:
    """Photos handed to the senses that are not answered yet. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked = 0
        self._open: dict[int, Future[Reading]] = {}

    def ask(self, coded: bytes, source: str, send: Callable[[Request], bool]) -> Future[Reading]:
        """Hand over a photo. The future holds its reading, or EyesClosed. Raises TooManyPhotos."""
        with self._lock:
            if len(self._open) >= MOST_WAITING:
                raise TooManyPhotos
            self._asked += 1
            number = self._asked
            future: Future[Reading] = Future()
            self._open[number] = future
        if not send(ReadPhoto(number, coded, source, monotonic_ms())):
            self.answer(PhotoRead(number, None))
        return future

    def answer(self, read: PhotoRead) -> None:
        """Give a photo's asker what was read."""
        with self._lock:
            future = self._open.pop(read.number, None)
        if future is None:
            return
        if read.reading is None:
            future.set_exception(EyesClosed(read.why))
        else:
            future.set_result(read.reading)

    def give_up(self) -> None:
        """The senses are gone: what they had been asked, nobody will answer."""
        with self._lock:
            numbers = tuple(self._open)
        for number in numbers:
            self.answer(PhotoRead(number, None))


class PhotoLoop(threading.Thread):
    """Reads photos one after the other, so that ten phones need no more memory than one."""

    def __init__(self, eyes: Eyes, outbox: Outbox) -> None:
        super().__init__(name="photos", daemon=True)
        self._eyes = eyes
        self._outbox = outbox
        self._waiting: queue.SimpleQueue[ReadPhoto] = queue.SimpleQueue()
        self._busy_since_ms: int | None = None

    def take(self, photo: ReadPhoto) -> None:
        """Read a photo when its turn comes."""
        self._waiting.put(photo)

    def is_hung(self, now_ms: int) -> bool:
        """Tell whether a photo has been read for so long that it never will be."""
        since_ms = self._busy_since_ms
        return since_ms is not None and now_ms - since_ms > PATIENT_MS

    def run(self) -> None:
        while True:
            photo = self._waiting.get()
            self._busy_since_ms = monotonic_ms()
            self._outbox.put(self._read(photo))
            self._busy_since_ms = None

    def _read(self, photo: ReadPhoto) -> PhotoRead:
        try:
            eyes = self._eyes.recogniser()
            reading = eyes.read_photo(photo.coded, camera=photo.source, at_ms=photo.at_ms)
        except HopelessDevice as hopeless:
            return PhotoRead(photo.number, None, str(hopeless))
        # One of the loops that must not end: the next photo may be a better one.
        except Exception as fault:
            log.exception("photos: %s could not be read", photo.source)
            return PhotoRead(photo.number, None, f"{type(fault).__name__}: {fault}")
        return PhotoRead(photo.number, reading)
