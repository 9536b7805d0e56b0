"""How the last starts went: after some that broke, the next one is made without whatever may break it.

One small file in the home folder. A start counts as broken until the service says that it is well,
so one that was killed by a driver, by the system or by the watchdog counts by itself.
"""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from companion.game import Sentence
from companion.whole_files import write_whole

log = logging.getLogger(__name__)

FILE = "starts.json"
BROKEN_UNTIL_SAFE = 3
"""So many starts in a row may break before the next one is a safe one."""


@dataclass(frozen=True, slots=True)
class Start:
    """How this start came about: what was wrong, and whether devices and strangers' parts were left out.

    ``broken_settings`` is a settings file that cannot be used while a copy that worked is kept.
    """

    troubles: tuple[Sentence, ...] = ()
    is_safe: bool = False
    broken_settings: Path | None = None

    def also(self, trouble: Sentence) -> Start:
        """Return a safe start for one more trouble; the same one is told once."""
        known = trouble in self.troubles
        return replace(self, troubles=self.troubles if known else (*self.troubles, trouble), is_safe=True)


WHOLE = Start()
"""Nothing was wrong."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What is known of the starts before: how many in a row broke, and whether a safe one was asked for."""

    broken: int = 0
    is_safe_asked: bool = False


class Starts:
    """The starts of the service of one home folder. What cannot be written is only logged."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE

    def marks(self) -> Marks:
        """Return how the starts before went; without a readable file all went well."""
        try:
            told = json.loads(self._path.read_text(encoding="utf-8"))
            return Marks(int(told["broken"]), bool(told["is_safe_asked"]))
        except (OSError, ValueError, KeyError, TypeError):
            return Marks()

    def keep(self, marks: Marks) -> None:
        """Write down how the starts went, if that is not known already."""
        if marks == self.marks():
            return
        try:
            write_whole(self._path, json.dumps(asdict(marks)).encode())
        except OSError as error:
            log.warning("starts: %s cannot be written: %s", self._path, error.strerror or error)
