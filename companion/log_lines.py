"""The log: one line a thing that happened, also when it happens ten times a second.

Lives on the ground floor, imports nothing of the house. Lines go to the standard error; under systemd
each begins with its urgency, as its journal wants it. The newest are kept for a report.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass

SAY_AGAIN_S = (60.0, 600.0, 3600.0)
"""A thing that goes on is said anew after so long: a minute, then ten, then every hour."""

FORGOTTEN_AFTER_S = 600.0
"""What was quiet for so long is news when it comes again."""

MOST_KEPT, MOST_KNOWN = 500, 200
URGENCIES = ((logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6), (logging.DEBUG, 7))


@dataclass(slots=True)
class Again:
    """A thing that was said: when, when it last happened, how often since, and how often it was said anew."""

    said_s: float
    happened_s: float
    line: str
    record: logging.LogRecord
    count: int = 0
    times_said: int = 0

    @property
    def is_due_s(self) -> float:
        """When it may be said again."""
        return self.said_s + SAY_AGAIN_S[min(self.times_said, len(SAY_AGAIN_S) - 1)]


class LogLines(logging.Handler):
    """Writes lines, each thing once; what goes on is summed up. Under the handler's own lock.

    Two lines say the same thing if they differ in numbers only. ``newest`` are the last that were written.
    """

    def __init__(
        self,
        write: Callable[[str], object],
        *,
        who: str = "",
        is_for_journal: bool = False,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._write = write
        self._who = f"{who} " if who else ""
        self._is_for_journal = is_for_journal
        self._now_s = now_s
        self._known: OrderedDict[tuple[object, ...], Again] = OrderedDict()
        self.newest: deque[str] = deque(maxlen=MOST_KEPT)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            now_s = self._now_s()
            self._sum_up(now_s)
            key, line = _thing(record), record.getMessage()
            known = self._known.get(key)
            if known is None:
                self._known[key] = Again(now_s, now_s, line, record)
                if len(self._known) > MOST_KNOWN:
                    self._known.popitem(last=False)
                self._say(record, self._with_traceback(record, line))
            else:
                known.happened_s, known.line, known.record = now_s, line, record
                known.count += 1
        except Exception:  # as logging itself does: a line that cannot be written ends no game
            self.handleError(record)

    def close(self) -> None:
        """Say of everything that went on how often, then write no more."""
        self.acquire()
        try:
            for one in self._known.values():
                self._tell_count(one)
        finally:
            self.release()
        super().close()

    def _sum_up(self, now_s: float) -> None:
        for key, one in list(self._known.items()):
            if one.count and now_s >= one.is_due_s:
                one.said_s, one.times_said = now_s, one.times_said + 1
                self._tell_count(one)
            elif now_s - one.happened_s > FORGOTTEN_AFTER_S and not one.count:
                del self._known[key]

    def _tell_count(self, one: Again) -> None:
        if one.count:
            self._say(one.record, f"{one.line}; still so, {one.count} times")
            one.count = 0

    def _with_traceback(self, record: logging.LogRecord, line: str) -> str:
        return f"{line}\n{logging.Formatter().formatException(record.exc_info)}" if record.exc_info else line

    def _say(self, record: logging.LogRecord, text: str) -> None:
        told = f"{self._who}{record.name}: {text}"
        self.newest.append(f"{record.levelname} {told}")
        if self._is_for_journal:
            urgency = next((number for level, number in URGENCIES if record.levelno >= level), 7)
            for line in told.splitlines():
                self._write(f"<{urgency}>{line}\n")
        else:
            self._write(f"{record.levelname} {told}\n")


def begin_log(level: int, *, who: str = "") -> None:
    """Let the log of this process go to its standard error, unless it goes somewhere already."""
    if not logging.root.handlers:
        lines = LogLines(sys.stderr.write, who=who, is_for_journal=_goes_to_journal())
        logging.basicConfig(level=level, handlers=[lines])


def newest_lines() -> tuple[str, ...]:
    """Return the newest lines of this process's log, the oldest first."""
    return tuple(
        line for handler in logging.root.handlers if isinstance(handler, LogLines) for line in handler.newest
    )


def _thing(record: logging.LogRecord) -> tuple[object, ...]:
    """Return what a line is about: who says it, how, and of whom; numbers are no part of that."""
    args = record.args if isinstance(record.args, tuple) else ()
    named = tuple(str(one) for one in args if not isinstance(one, int | float))
    return (record.name, record.levelno, str(record.msg), named)


def _goes_to_journal() -> bool:
    """Tell whether the standard error is systemd's journal (systemd.exec(5), JOURNAL_STREAM)."""
    try:
        device, _, inode = os.environ.get("JOURNAL_STREAM", "").partition(":")
        of = os.fstat(2)
        return (int(device), int(inode)) == (of.st_dev, of.st_ino)
    except (OSError, ValueError):
        return False
