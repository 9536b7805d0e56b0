"""How the table was set up when somebody said that it is right: a file in the home folder.

Which boards each camera saw and where, and which camera it was. Eyes warn when they see them elsewhere, and a
webcam keeps its exposure once it is set up. Lives on the ground floor.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.whole_files import write_whole

FILE = "setup.json"
FORMAT = 1


def keep(folder: Path, told: Mapping[str, Any]) -> None:
    """Remember how the table is set up. Raises OSError."""
    write_whole(folder / FILE, json.dumps({"format": FORMAT, **told}, indent=1).encode())


def kept(folder: Path) -> Mapping[str, Any] | None:
    """Return how the table was set up when somebody said it is right; None if nobody did."""
    try:
        told = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return told if isinstance(told, dict) and told.get("format") == FORMAT else None


class KeptCamera:
    """What was kept of one camera; the file is read again whenever it was written anew."""

    def __init__(self, folder: Path, camera: str) -> None:
        self._folder = folder
        self._camera = camera
        self._told: Mapping[str, Any] | None = None
        self.version = 0
        """Names what was kept: another number, another set-up. 0: none."""

    def look(self) -> Mapping[str, Any] | None:
        """Return the camera's part of what is kept now, with the ``box``; None without one."""
        version = self._written()
        if version != self.version:
            self.version = version
            self._told = self._read()
        return self._told

    def _read(self) -> Mapping[str, Any] | None:
        told = kept(self._folder) or {}
        try:
            mine = [one for one in told.get("cameras", ()) if one["camera"] == self._camera]
            if not mine or "fault" in mine[0]:
                return None
            return {**mine[0], "boards": mine[0]["boards"], "box": told["box"]}
        except (KeyError, TypeError):  # written by somebody else
            return None

    def _written(self) -> int:
        """Name the file as it stands: kept twice within a tick of the clock it is another file."""
        try:
            stat = (self._folder / FILE).stat()
        except OSError:
            return 0
        return (stat.st_mtime_ns << 24) | (stat.st_ino & 0xFFFFFF)
