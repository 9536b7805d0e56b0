"""Cutting a stream of ``multipart/x-mixed-replace`` into its parts. Pure, bounded memory."""

from __future__ import annotations

import re

PART_MAX_BYTES = 16_000_000  # a 12-megapixel JPEG of the best quality has fewer
HEADERS_MAX_BYTES = 4096
_LENGTH = re.compile(rb"content-length\s*:\s*([0-9]{1,9})\s*(?:\r?\n|$)", re.IGNORECASE)
_BOUNDARY = re.compile(r"boundary\s*=\s*(?:\"([^\"]+)\"|([^;\s]+))", re.IGNORECASE)


def boundary_of(content_type: str) -> bytes | None:
    """Return the boundary that a Content-Type names, without its dashes; None if it names none."""
    found = _BOUNDARY.search(content_type)
    # Some cameras write the two dashes into the header, too.
    return (found[1] or found[2]).encode("latin-1", "replace").lstrip(b"-") or None if found else None


class PartSplitter:
    """Takes bytes however they come and gives whole parts, each without its headers.

    A part ends after its Content-Length, or, without one, at the next boundary. What lies
    between parts is skipped; ``dropped`` counts parts too long to be true.
    """

    def __init__(self, boundary: bytes) -> None:
        self._mark = b"--" + boundary
        self._held = bytearray()
        self._searched = 0
        self._is_inside = False
        self._length: int | None = None
        self.dropped = 0

    @property
    def held_bytes(self) -> int:
        return len(self._held)

    def feed(self, received: bytes) -> list[bytes]:
        """Take in bytes and return the parts that they complete, oldest first."""
        self._held += received
        parts: list[bytes] = []
        while True:
            if not self._is_inside and not self._enter():
                return parts
            part = self._cut()
            if part is None:
                return parts
            self._is_inside, self._length, self._searched = False, None, 0
            if part:
                parts.append(part)

    def _enter(self) -> bool:
        """Go behind the next boundary and its headers; False if they are not all here."""
        at = self._held.find(self._mark)
        if at < 0:
            del self._held[: -len(self._mark)]
            return False
        del self._held[:at]
        headers = re.search(rb"\r?\n\r?\n", self._held[: HEADERS_MAX_BYTES + 4])
        if headers is None:
            if len(self._held) > HEADERS_MAX_BYTES:
                self.dropped += 1
                del self._held[: len(self._mark)]
                return self._enter()
            return False
        length = _LENGTH.search(self._held[: headers.end()])
        self._length = int(length[1]) if length else None
        del self._held[: headers.end()]
        if self._length is not None and self._length > PART_MAX_BYTES:
            self.dropped += 1
            return self._enter()
        self._is_inside = True
        return True

    def _cut(self) -> bytes | None:
        """Return the part that is inside, empty if it must be given up, None if it is not all here."""
        if self._length is not None:
            if len(self._held) < self._length:
                return None
            end = self._length
        else:
            end = self._held.find(self._mark, self._searched)
            if end < 0:
                self._searched = max(0, len(self._held) - len(self._mark))
                if len(self._held) <= PART_MAX_BYTES:
                    return None
                self.dropped += 1
                self._held.clear()
                return b""
        part = bytes(self._held[:end])
        del self._held[:end]
        return part
