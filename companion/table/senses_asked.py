"""What the service asks of the senses and waits for: photos to be read, recordings to be saved.

``Asked`` lives in the service, ``PhotoLoop`` in the senses process: a hostile picture can harm
only the child, which is started anew.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

from companion.table.senses_loops import PATIENT_MS, Eyes, HopelessDevice, Outbox
from companion.table.senses_messages import PhotoRead, ReadPhoto, Request, monotonic_ms

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

MOST_PHOTOS = 8
"""Photos that may wait: one each for a full table, twice; each may hold 20 MB."""


class EyesClosed(Exception):
    """Nobody can answer now. The message says why and what to do; empty: try again soon."""


class TooManyAsked(Exception):
    """As many as may wait are waiting."""


class Asked(Generic[Answer]):
    """Questions handed to the senses that are not answered yet, ``most`` at once. Safe from any thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._asked = 0
        self._open: dict[int, Future[Answer]] = {}

    def ask(self, request: Callable[[int], Request], send: Callable[[Request], bool]) -> Future[Answer]:
        """Hand over a request made for its number. The future holds the answer, or EyesClosed.

        Raises TooManyAsked.
        """
        with self._lock:
            if len(self._open) >= self._most:
                raise TooManyAsked
            self._asked += 1
            number = self._asked
            future: Future[Answer] = Future()
            self._open[number] = future
        if not send(request(number)):
            self.answer(number, None)
        return future

    def answer(self, number: int, answer: Answer | None, why: str = "") -> None:
        """Give who asked the answer, or why there is none."""
        with self._lock:
            future = self._open.pop(number, None)
        if future is None:
            return
        if answer is None:
            future.set_exception(EyesClosed(why))
        else:
            future.set_result(answer)

    def give_up(self) -> None:
        """The senses are gone: what they had been asked, nobody will answer."""
        with self._lock:
            numbers = tuple(self._open)
        for number in numbers:
            self.answer(number, None)


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
