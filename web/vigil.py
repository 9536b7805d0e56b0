"""The vigil that systemd asks for: the service says that it is ready, how it goes, and that it goes on.

Two things are asked again and again: the table's thread, which also writes the journal, and a page, by
the way that a phone takes. No camera and no die is asked: a table is played without them.
"""

from __future__ import annotations

import http
import http.client
import sys
import threading
import traceback
from pathlib import Path

from companion.sentences import Speaker
from companion.table.host import Host
from companion.table.notify import Watchdog, tell_systemd
from web.whereabouts import Whereabouts

ANSWER_S = 5.0
LOOK_AGAIN_S = 0.1
TABLE_THREAD = "table "
LINES_TOLD = 5
ALIVE = "/alive"
"""The page that says no more than that pages are served."""


def page_answers(host: str, port: int, path: str = ALIVE, *, timeout_s: float = ANSWER_S) -> bool:
    """Ask for a page over the network's own way and tell whether one came in time that did not break.

    The page that says why no table can be opened is one, too.
    """
    asking = http.client.HTTPConnection(host, port, timeout=timeout_s)
    try:
        asking.request("GET", path)
        return asking.getresponse().status != http.HTTPStatus.INTERNAL_SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        asking.close()


def where_stands(thread: str) -> str:
    """Return the innermost lines that the thread whose name begins so is at: where a table hangs."""
    frames = sys._current_frames()
    for one in threading.enumerate():
        if one.name.startswith(thread) and one.ident in frames:
            stack = traceback.extract_stack(frames[one.ident])[-LINES_TOLD:]
            return "in " + ", in ".join(
                f"{line.name} ({Path(line.filename).name}:{line.lineno})" for line in stack
            )
    return "nowhere: its thread is gone"


class Vigil:
    """Watches the pages at ``at`` (address and port of this computer's own) and their table for systemd.

    READY is said once the page of the door came; then, again and again, how it goes on. ``host`` None: no
    table could be opened, and a page says why. Table and page have ``answer_s`` each to answer.
    """

    def __init__(
        self,
        host: Host | None,
        at: tuple[str, int],
        where: Whereabouts | None,
        *,
        answer_s: float = ANSWER_S,
    ) -> None:
        self._host = host
        self._at = at
        self._where = where
        self._answer_s = answer_s
        self._closing = threading.Event()
        self._said = ""
        self._speaker = Speaker(("companion",))
        self._watchdog: Watchdog | None = None
        threading.Thread(target=self._begin, name="vigil", daemon=True).start()

    def close(self) -> None:
        """Let the threads end. STOPPING is not said: the worker may end for a fresh one."""
        self._closing.set()
        if self._watchdog is not None:
            self._watchdog.close()

    def what_hangs(self) -> str:
        """Return what makes no progress, in plain English; empty: all goes on."""
        if self._host is not None and not self._host.has_answered(timeout_s=self._answer_s):
            return f"the table does not answer, and stands {where_stands(TABLE_THREAD)}"
        if not page_answers(*self._at, timeout_s=self._answer_s):
            return "no page comes"
        self._say_status()
        return ""

    def status(self) -> str:
        """Return in a line of plain English what is played where, and what is wrong."""
        if self._host is None or self._where is None:
            return "No table can be opened; the page says why"
        seen = self._host.table.look(None)
        wrong = (*self._host.start.troubles, *seen.missing)
        played = f"{self._host.row.game} on {self._host.row.id}, at {self._where.address}"
        told = " ".join([played, *(self._speaker.say(one) for one in wrong)])
        return " ".join(told.split())

    def _begin(self) -> None:
        while not page_answers(*self._at, "/"):
            if self._closing.wait(LOOK_AGAIN_S):
                return
        # Also a sign of life: a worker that says why no table opens does not live until the next one.
        tell_systemd("READY=1", "WATCHDOG=1")
        self._say_status()
        self._watchdog = Watchdog(self.what_hangs)

    def _say_status(self) -> None:
        status = self.status()
        if status != self._said:
            self._said = status
            tell_systemd(f"STATUS={status}")
