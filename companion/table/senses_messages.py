"""What the service and its senses process say to each other over the pipe.

Values only, imports the contracts and the settings. Pickled: both ends are the same program.
Times (``at_ms``, ``started_ms``) are of the monotonic clock, which on Linux counts from the
boot of the computer for all processes alike, so both ends may compare them.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from companion.ports import BoardTurn, ButtonPress, DeviceStanding, DieRoll, PanelLight, Reading
from companion.settings import Settings
from companion.shown import Wire

NAME = "senses"
"""The device name under which the process itself stands, with kind ``eyes``."""

HUNG = 3
"""Exit status when a driver did not come back: only the end of the process frees its device."""


@dataclass(frozen=True, slots=True)
class PhotoRead:
    """The answer to ``ReadPhoto`` of the same number: what was read, or why nothing can be."""

    number: int
    reading: Reading | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class RecordingSaved:
    """The answer to ``SaveRecording`` of the same number: how many pictures, or why there are none."""

    number: int
    pictures: int | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class JobDone:
    """The answer to ``DoJob`` of the same number: what the job says, or why there is no answer."""

    number: int
    answer: Wire | None
    why: str = ""


Heard = Reading | DieRoll | BoardTurn | ButtonPress | DeviceStanding | PhotoRead | RecordingSaved | JobDone
"""What the senses tell the service."""


@dataclass(frozen=True, slots=True)
class SensesJob:
    """The first message to the senses: what to watch. ``box_folder`` is empty without a taught box.

    ``lock_path`` is a file that a senses process holds while it has the devices; ``turn_ms`` how
    long a driver may take for one frame or message before the process ends itself.
    """

    settings: Settings
    box_folder: str
    lock_path: str
    turn_ms: int
    log_level: int


@dataclass(frozen=True, slots=True)
class LookNow:
    """Ask for the last steady reading of each camera once more."""


@dataclass(frozen=True, slots=True)
class ReadPhoto:
    """Ask for a reading of a photo as a phone sent it. ``source`` stands as the reading's camera."""

    number: int
    coded: bytes
    source: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class SaveRecording:
    """Ask for what the senses took in of late, as files in a folder that is there.

    Of pictures taken since ``secret_since_ms`` only the boards are shown: what lies beside them
    may be a secret until the phase has ended.
    """

    number: int
    folder: str
    secret_since_ms: int


@dataclass(frozen=True, slots=True)
class DoJob:
    """Ask for work with pictures: a job by its entry point, what it is told, and perhaps a photo."""

    number: int
    job: str
    told: Wire
    coded: bytes = b""


@dataclass(frozen=True, slots=True)
class ShowLight:
    """Ask the panels to show something from now on."""

    light: PanelLight


@dataclass(frozen=True, slots=True)
class StopSensing:
    """Ask the senses to put everything down and end. The end of the pipe means the same."""


Request = LookNow | ReadPhoto | SaveRecording | DoJob | ShowLight | StopSensing


@dataclass(frozen=True, slots=True)
class Beat:
    """A sign of life, twice a second."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait before the next try: longer each time, from the start again after success."""

    pauses_s: tuple[float, ...] = (0.5, 1.0, 2.0, 5.0, 10.0)
    weary_after: int = 10
    weary_pause_s: float = 30.0

    def pause_s(self, failures: int) -> float:
        """Return the pause after so many failures in a row (from 1)."""
        if failures >= self.weary_after:
            return self.weary_pause_s
        return self.pauses_s[min(max(failures, 1), len(self.pauses_s)) - 1]


def monotonic_ms() -> int:
    """Return the time all ``at_ms`` are in."""
    return time.monotonic_ns() // 1_000_000
