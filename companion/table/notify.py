"""Telling systemd how the service is: ready, what it does, that it makes progress, that it stops.

The protocol is one datagram of ``KEY=value`` lines to ``$NOTIFY_SOCKET`` (sd_notify(3)).
Everything here does nothing where no systemd asked.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)


def tell_systemd(*lines: str) -> bool:
    """Send lines such as ``READY=1`` or ``STATUS=...``. Returns False if nobody listens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    # "@" begins an abstract address, which has no file.
    name = "\0" + address[1:] if address.startswith("@") else address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        try:
            notify.sendto("\n".join(lines).encode(), name)
        except OSError as error:
            log.warning("systemd could not be told %s: %s", ", ".join(lines), error)
            return False
    return True


class Watchdog:
    """Tells systemd four times in each of its watchdog's times that there was progress, if there was.

    ``what_hangs`` says what makes none, empty when all goes on. It may wait, but less than half of
    the watchdog's time; a lost camera or die is no reason to restart the service and must not be asked for.
    """

    def __init__(self, what_hangs: Callable[[], str]) -> None:
        self._what_hangs = what_hangs
        self._closing = threading.Event()
        # WATCHDOG_PID is not asked: the unit says NotifyAccess=all, and the worker speaks for the service.
        self.pause_s = int(os.environ.get("WATCHDOG_USEC") or 0) / 4_000_000
        if self.pause_s and os.environ.get("NOTIFY_SOCKET"):
            threading.Thread(target=self._run, name="watchdog", daemon=True).start()

    def close(self) -> None:
        """Stop telling. A question that is under way is not waited for; its answer is dropped."""
        self._closing.set()

    def _run(self) -> None:
        while not self._closing.wait(self.pause_s):
            hangs = self._what_hangs()
            if self._closing.is_set():
                return
            if hangs:
                log.error("%s; if that lasts, systemd starts the service anew", hangs)
            else:
                tell_systemd("WATCHDOG=1")
