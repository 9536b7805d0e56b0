"""What people correct goes to the eyes, so that they learn from it; the table never waits for that."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from companion.board import PieceKind, Place
from companion.shown import Wire
from companion.table.senses_asked import EyesClosed, TooManyAsked

log = logging.getLogger(__name__)

JOB = "corrections"
"""The job (entry point ``companion.jobs``) that takes corrections in."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A person said what lies on a place; ``source`` is the camera or photo that saw ``seen`` there."""

    place: Place
    seen: PieceKind
    said: PieceKind
    source: str


class EyeLessons:
    """Passes corrections on, one after the other. Close it before the senses."""

    def __init__(
        self, do_job: Callable[[str, Wire], Future[Wire] | None], now_utc: Callable[[], str]
    ) -> None:
        self._do_job = do_job
        self._now_utc = now_utc
        self._sender = ThreadPoolExecutor(1, thread_name_prefix="eye lessons")

    def take(self, corrected: Corrected) -> None:
        """Take a correction in; returns at once."""
        self._sender.submit(self._send, corrected, self._now_utc())

    def close(self) -> None:
        self._sender.shutdown(cancel_futures=True)

    def _send(self, corrected: Corrected, at_utc: str) -> None:
        told = {
            "do": "learn",
            "place": str(corrected.place),
            "seen": str(corrected.seen),
            "said": str(corrected.said),
            "source": corrected.source,
            "at_utc": at_utc,
        }
        try:
            asked = self._do_job(JOB, told)
        except TooManyAsked:
            log.warning("%s: the eyes are too busy to learn from this correction", corrected.place)
            return
        if asked is not None:
            asked.add_done_callback(lambda done: _look(done, corrected.place))


def _look(done: Future[Wire], place: Place) -> None:
    fault = None if done.cancelled() else done.exception()
    if isinstance(fault, EyesClosed):
        log.warning("%s: the eyes did not learn from this correction: %s", place, fault)
    elif fault is not None:
        log.error("%s: the eyes stumbled over a correction", place, exc_info=fault)
