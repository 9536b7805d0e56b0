"""Work that nobody waits for: what goes wrong in it is logged."""

from __future__ import annotations

import logging
from concurrent.futures import Future

log = logging.getLogger(__name__)


def log_faults(future: Future[None]) -> None:
    """Log what goes wrong in work that nobody waits for."""

    def look(done: Future[None]) -> None:
        if not done.cancelled() and (error := done.exception()) is not None:
            log.error("the table could not take in what was sensed", exc_info=error)

    future.add_done_callback(look)
