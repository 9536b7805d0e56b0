"""Photos that phones send of their boards: taken in, read by the senses, answered in one sentence.

The picture itself is kept nowhere; what was read of it comes back as a proposal on the phone.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import TimeoutError as NotYet
from contextlib import closing, contextmanager

from flask import jsonify, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from companion.game import Seat, Sentence
from companion.ports import Reading
from companion.table.senses_asked import EyesClosed, TooManyAsked
from companion.table.writer import Receipt
from web.desk import Guest
from web.room import Room

MAX_PHOTO_BYTES = 20 * 1024 * 1024
MULTIPART_BYTES = 64 * 1024
READ_S = 20.0
"""How long a phone waits; a reading takes well under a second, other phones' photos come first."""

LOOK, PUZZLED, NOTHING_NEW = "web.photo.look", "web.photo.puzzled", "web.photo.nothing_new"
NO_FILE, TOO_BIG, BUSY = "web.photo.no_file", "web.photo.too_big", "web.photo.busy"
NO_BOX, CLOSED, LATE = "web.photo.no_box", "web.photo.closed", "web.photo.late"
GOOD = frozenset({LOOK, PUZZLED, NOTHING_NEW})


class PhotoDesk:
    """Takes photos in, one at a time from each phone. Safe from any thread."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._lock = threading.Lock()
        self._busy: set[str] = set()

    def take(self, guest: Guest) -> str:
        """Read the photo of the request in hand; return the key of the sentence that answers it."""
        request.max_content_length = MAX_PHOTO_BYTES + MULTIPART_BYTES
        if (request.content_length or 0) > request.max_content_length:
            return TOO_BIG  # before a temporary file is begun for it
        sent = request.files.get("photo")
        if sent is None:
            return NO_FILE
        with closing(sent):
            coded = sent.read()
        if not coded:
            return NO_FILE
        if len(coded) > MAX_PHOTO_BYTES:
            return TOO_BIG
        if not self._room.host.has_eyes:
            return NO_BOX
        with self._alone(guest.client) as is_alone:
            return self._read(coded, guest.seat) if is_alone else BUSY

    def _read(self, coded: bytes, seat: Seat | None) -> str:
        try:
            reading = self._room.host.read_photo(coded, f"photo of {seat or 'the host'}").result(READ_S)
        except TooManyAsked:
            return BUSY
        except EyesClosed:
            return CLOSED
        except NotYet:
            return LATE
        return self._answer(reading, seat)

    def _answer(self, reading: Reading, seat: Seat | None) -> str:
        if reading.obstacle is not None:
            return f"obstacle.{reading.obstacle}"
        seen = self._room.host.table.look(seat)
        proposed = [open_ for open_ in seen.proposals if not open_.is_roll]
        if any(seat in (None, open_.proposal.seat) for open_ in proposed):
            return LOOK
        return PUZZLED if any(seat in (None, puzzle.seat) for puzzle in seen.puzzles) else NOTHING_NEW

    @contextmanager
    def _alone(self, client: str) -> Iterator[bool]:
        with self._lock:
            is_alone = client not in self._busy
            self._busy.add(client)
        try:
            yield is_alone
        finally:
            if is_alone:
                with self._lock:
                    self._busy.discard(client)


def answer_photo(room: Room, guest: Guest, key: str, back: str) -> AnyResponse:
    """Answer a photo: a script gets the sentence, a form the page that it was sent from."""
    if request.accept_mimetypes.best == "application/json":
        return jsonify(ok=key in GOOD, why=room.sections.words().say(Sentence(key)), key=key)
    room.notices.leave(guest.client, Receipt(key in GOOD, 0, why=Sentence(key)))
    return redirect(back, 303)
