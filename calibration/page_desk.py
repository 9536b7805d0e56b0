"""What the pages of this package share: who may see them, how they speak, how they ask for work.

Pages are complete forms that work without script; a photo is a file input or the rig's own camera.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from contextlib import closing
from functools import lru_cache
from typing import Any, Protocol

from flask import abort, redirect, render_template, request
from werkzeug.exceptions import RequestEntityTooLarge

from calibration.lessons import Lessons, LessonsUnusable, Piece, open_lessons
from companion.board import PieceKind
from companion.game import Game, Sentence, Wire
from companion.journal import TableRow
from companion.sentences import SOURCE_LANGUAGE, Speaker, languages_in
from companion.settings import Settings
from companion.table.senses_asked import EyesClosed, TooManyAsked

PACKAGE = "calibration"
MAX_PHOTO_BYTES = 20 * 1024 * 1024
MULTIPART_BYTES = 64 * 1024
STEP_S = 30.0
"""How long a page waits for one step; a photo of nine cards takes 4 s here."""

LATE_S = 3.0
AGAIN_S = 0.3
Shown = tuple[str, int]


class House(Protocol):
    """The part of the host that these pages need."""

    game: Game[Any, Any, Any]
    settings: Settings

    @property
    def row(self) -> TableRow: ...

    def do_job(self, job: str, told: Wire, coded: bytes = b"") -> Future[Wire]: ...

    def reopen_eyes(self) -> None: ...


class Context(Protocol):
    """What the web hands to a page; the part of it that these need."""

    host: House
    is_host: Callable[[str], bool]
    static_url: Callable[[str], str]
    language: Callable[[], str]
    piece: Callable[[PieceKind], str]


class Desk:
    """One for all pages of this package."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._languages = languages_in(PACKAGE)
        # Catalogues are long, and few languages are spoken at one table.
        self._speaker = lru_cache(maxsize=8)(lambda language: Speaker([PACKAGE, "companion"], language))

    def say(self, sentence: Sentence) -> str:
        language = self.context.language()
        return self._speaker(language if language in self._languages else SOURCE_LANGUAGE).say(sentence)

    def tell(self, key: str, **values: Any) -> str:
        return self.say(Sentence(key, values))

    def host_only(self, token: str) -> None:
        """Send everybody but the host to the door."""
        if not self.context.is_host(token):
            abort(redirect("/host", 303))

    def lessons(self, box: str) -> Lessons:
        """Return the lessons of a box; a page in plain words if there are none."""
        try:
            return open_lessons(box)
        except LessonsUnusable as fault:
            abort(404, str(fault))

    def piece(self, lessons: Lessons, piece_id: str) -> Piece:
        found = lessons.piece(piece_id)
        if found is None:
            abort(404)
        return found

    def called(self, piece: Piece) -> str:
        """Return what people call a piece: ``limb token``, ``card Grim Golem``, ``board of red``."""
        own = piece.names.get("player", piece.name) if piece.kind == "order_back" else piece.name
        name = piece.title or self.context.piece(PieceKind(own))
        if piece.kind == "board":
            owner = piece.names.get("player")
            board = self.context.piece(PieceKind(piece.names["board"]))
            return (
                self.tell("teach.called.own_board", board=board, owner=owner)
                if owner
                else self.tell("teach.called.board", name=board)
            )
        return self.tell(f"teach.called.{piece.kind}", name=name)

    @property
    def cameras(self) -> tuple[str, ...]:
        """The names of the rig's cameras."""
        return tuple(device.name for device in self.context.host.settings.cameras)

    def shown(self, template: str, token: str, status: int = 200, **values: Any) -> Shown:
        """Return a page."""
        common: Mapping[str, Any] = {
            "language": self.context.language(),
            "say": self.say,
            "tell": self.tell,
            "asset": self.context.static_url,
            "called": self.called,
            "token": token,
            "cameras": self.cameras,
        }
        return render_template(template, **{**common, **values}), status

    def photo(self) -> bytes:
        """Return the photo of the request in hand; empty if none was sent, or one too large."""
        request.max_content_length = MAX_PHOTO_BYTES + MULTIPART_BYTES
        try:
            sent = request.files.get("photo")
            if sent is None:
                return b""
            with closing(sent):
                return bytes(sent.read())
        except RequestEntityTooLarge:
            return b""

    def do(self, job: str, told: Wire, coded: bytes = b"", *, wait_s: float = STEP_S) -> Wire:
        """Let a step be done and return its answer; what stands in the way is an answer, too."""
        try:
            return self.begin(job, told, coded).result(wait_s)
        except TooManyAsked:
            return refused("teach.busy")
        except EyesClosed as closed:
            return refused("teach.plainly", text=str(closed)) if str(closed) else refused("teach.closed")
        except NotYet:
            return refused("teach.late")

    def begin(self, job: str, told: Wire, coded: bytes = b"") -> Future[Wire]:
        """Begin a step; the senses may be just starting."""
        asked = self.context.host.do_job(job, told, coded)
        deadline = time.monotonic() + LATE_S
        while asked.done() and isinstance(asked.exception(), EyesClosed) and not str(asked.exception()):
            if time.monotonic() > deadline:
                break
            time.sleep(AGAIN_S)
            asked = self.context.host.do_job(job, told, coded)
        return asked

    def why(self, answer: Wire) -> Sentence | None:
        """Return why a step was not done, None if it was."""
        if answer.get("ok"):
            return None
        told = answer.get("why", {})
        values = dict(told.get("values", {}))
        if "obstacle" in values:
            values["obstacle"] = Sentence(f"obstacle.{values['obstacle']}")
        return Sentence(str(told.get("key", "teach.closed")), values)


def refused(key: str, **values: Any) -> Wire:
    """Return the answer of a step that could not be done."""
    return {"ok": False, "why": {"key": key, "values": values}}
