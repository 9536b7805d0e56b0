"""Where phones find the table just now, and by which Wi-Fi.

Wi-Fi hands out another address in the middle of an evening; the table's own goes on and off.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from web.addresses import code_path
from web.wifi import Wifi

LOOK_AGAIN_S = 5.0


class Whereabouts:
    """The address of the page and its code. ``find`` finds it anew, None: it never changes.

    ``find_wifi`` tells the table's own Wi-Fi while it is on. ``version`` counts the changes. Looks again
    on a thread of its own once ``follow`` was called.
    """

    def __init__(
        self,
        address: str,
        find: Callable[[], str] | None = None,
        find_wifi: Callable[[], Wifi | None] = lambda: None,
    ) -> None:
        self._find = find
        self._find_wifi = find_wifi
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self.address = address
        self.code = code_path(address)
        self.wifi = find_wifi()
        self.version = 0

    @property
    def shown(self) -> str:
        """Return the address as people type it."""
        return self.address.removeprefix("http://").rstrip("/")

    def look(self) -> bool:
        """Find address and Wi-Fi anew; tell whether one of them changed."""
        found = self.address if self._find is None else self._find()
        wifi = self._find_wifi()
        if (found, wifi) == (self.address, self.wifi):
            return False
        self.code = code_path(found)
        self.address = found
        self.wifi = wifi
        self.version += 1
        return True

    def follow(self, changed: Callable[[], None]) -> None:
        """Look again every few seconds and call ``changed`` when the address did."""
        if self._find is None:
            return
        self._thread = threading.Thread(target=self._follow, args=(changed,), name="address", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join()

    def _follow(self, changed: Callable[[], None]) -> None:
        while not self._closed.wait(LOOK_AGAIN_S):
            if self.look():
                changed()
