"""Why an archive of a box is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.game import Sentence
from companion.sentences import Speaker


class ArchiveRefused(Exception):
    """An archive that holds no box, or more than one; ``sentence`` says why (``archive.<reason>``)."""

    def __init__(self, reason: str, values: Mapping[str, Any] | None = None) -> None:
        self.reason = reason
        self.sentence = Sentence(f"archive.{reason}", dict(values or {}))
        super().__init__(Speaker(["calibration"]).say(self.sentence))
