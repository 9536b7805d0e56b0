"""The computer as checks see it: files under a root, programs that answer, a home folder on a disk."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.settings import home

ANSWER_S = 5


@dataclass(frozen=True, slots=True)
class Machine:
    """``root`` is where its files lie; ``ask`` runs a program, "" if there is none or it fails.

    ``free_bytes`` is how much room there is for a folder.
    """

    root: Path
    home: Path
    ask: Callable[[Sequence[str]], str]
    free_bytes: Callable[[Path], int]

    def text(self, path: str) -> str:
        """Return what a file says without blanks around it; empty if it cannot be read."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return ""

    def texts(self, pattern: str) -> Iterator[tuple[Path, str]]:
        """Yield the files of a pattern with what they say, in order; without those that say nothing."""
        for path in sorted(self.root.glob(pattern)):
            said = self.text(str(path.relative_to(self.root)))
            if said:
                yield path, said


def this_machine() -> Machine:
    """Return the computer that this runs on."""
    return Machine(Path("/"), home(), asked, free_bytes)


def asked(words: Sequence[str]) -> str:
    """Return what a program says; empty if it is not there, fails, or takes too long."""
    try:
        done = subprocess.run(list(words), capture_output=True, text=True, timeout=ANSWER_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def free_bytes(folder: Path) -> int:
    """Return the room that is left for who is not root."""
    told = os.statvfs(folder)
    return told.f_bavail * told.f_frsize
