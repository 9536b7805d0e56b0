"""Styles, scripts, drawings: held in memory, served under a name that changes with their content.

All files share one digest in the path, because modules and styles name one another by
relative addresses; so every phone keeps them for ever and never has an old one.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from flask import Blueprint, Response, abort, request

FOLDER = Path(__file__).parent / "static"
KEEP_FOR_EVER = "public, max-age=31536000, immutable"
TYPES = {".js": "text/javascript", ".woff2": "font/woff2", ".svg": "image/svg+xml"}
MIN_SAVING = 0.9
"""A packed file is kept if it is smaller than this share of the plain one (a font is not)."""


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file, plain and packed (empty if packing saves nothing)."""

    body: bytes
    packed: bytes
    type: str


class StaticFiles:
    """All files of a folder; ``version`` is the digest of their names and content."""

    def __init__(self, folder: Path = FOLDER) -> None:
        digest = hashlib.sha256()
        self._files: dict[str, StaticFile] = {}
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                name = path.relative_to(folder).as_posix()
                body = path.read_bytes()
                digest.update(name.encode() + b"\0" + body)
                self._files[name] = _loaded(path, body)
        self.version = digest.hexdigest()[:12]
        self.signs = frozenset(re.findall(r'<symbol id="([\w-]+)"', self._text("signs.svg")))

    @property
    def files(self) -> Mapping[str, StaticFile]:
        return self._files

    def url(self, name: str) -> str:
        """Return the address of a file. Raises KeyError if there is none of that name."""
        self._files[name]
        return f"/static/{self.version}/{name}"

    def blueprint(self) -> Blueprint:
        """Return the routes that serve the files."""
        pages = Blueprint("static_files", __name__)

        @pages.get("/static/<version>/<path:name>")
        def file(version: str, name: str) -> Response:
            """A file of the pages; its address changes when it does, so that it may be kept for ever."""
            found = self._files.get(name)
            if found is None:
                abort(404)
            is_packed = bool(found.packed) and "gzip" in request.headers.get("Accept-Encoding", "")
            response = Response(found.packed if is_packed else found.body, content_type=found.type)
            if is_packed:
                response.headers["Content-Encoding"] = "gzip"
            response.headers["Vary"] = "Accept-Encoding"
            # An old version's address gets the new file, but must not keep it.
            response.headers["Cache-Control"] = KEEP_FOR_EVER if version == self.version else "no-store"
            return response

        return pages

    def _text(self, name: str) -> str:
        return self._files[name].body.decode() if name in self._files else ""


def _loaded(path: Path, body: bytes) -> StaticFile:
    guessed = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    text = guessed.startswith("text/") or guessed.endswith("+xml")
    packed = gzip.compress(body, mtime=0)
    is_smaller = len(packed) < MIN_SAVING * len(body)
    return StaticFile(body, packed if is_smaller else b"", f"{guessed}; charset=utf-8" if text else guessed)
