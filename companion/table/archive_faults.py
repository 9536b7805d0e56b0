"""Why an archive of a box or a backup is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.game import Sentence
from companion.sentences import Speaker


class ArchiveRefused(Exception):
    """An archive that is not what it should be; ``sentence`` says why (``archive.<reason>``).

    ``kind`` is what it should be: ``box`` or ``backup``.
    """

    def __init__(self, reason: str, values: Mapping[str, Any] | None = None, *, kind: str = "box") -> None:
        self.reason = reason
        called = Sentence(f"archive.kind.{kind}")
        self.sentence = Sentence(f"archive.{reason}", {**(values or {}), "kind": called})
        super().__init__(Speaker(["companion"]).say(self.sentence))
