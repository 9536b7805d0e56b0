"""What a page has to say once: the answer to a form that led back to it by a redirect.

So a reload does not send the form again, and every form of the page still goes where it belongs.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from companion.table.writer import Receipt

MOST_KEPT = 64


class Notices:
    """One answer a phone, until its page has said it; the oldest go first. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._left: OrderedDict[str, Receipt] = OrderedDict()

    def leave(self, client: str, answer: Receipt) -> None:
        """Let the next page of a phone say an answer."""
        with self._lock:
            self._left.pop(client, None)
            self._left[client] = answer
            if len(self._left) > MOST_KEPT:
                self._left.popitem(last=False)

    def take(self, client: str) -> Receipt | None:
        """Return what a phone's page has to say, once."""
        with self._lock:
            return self._left.pop(client, None)
