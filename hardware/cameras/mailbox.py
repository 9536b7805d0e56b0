"""One slot between a thread that takes pictures and the one that wants them: only the newest stays."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

from companion.ports import DeviceLost

T = TypeVar("T")


class Mailbox(Generic[T]):
    """Holds at most one picture, and nothing once its source is lost."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._newest: T | None = None
        self._lost: str | None = None
        self._is_wanted = False
        self.overtaken = 0

    @property
    def is_wanted(self) -> bool:
        """Whether somebody waits: whoever fills the box may spare the work until then."""
        return self._is_wanted

    def put(self, picture: T) -> None:
        """Put a picture in, in place of one that nobody took."""
        with self._changed:
            self.overtaken += self._newest is not None
            self._newest = picture
            self._is_wanted = False
            self._changed.notify_all()

    def lose(self, why: str) -> None:
        """Say that no more will come, and why; what lies in the box is thrown away, for it is old."""
        with self._changed:
            self._lost = self._lost or why
            self._newest = None
            self._changed.notify_all()

    def take(self, *, timeout_ms: int) -> T | None:
        """Wait for a picture and take it out; None when none came in time. Raises DeviceLost."""
        with self._changed:
            if self._newest is None and self._lost is None:
                self._is_wanted = True
                self._changed.wait_for(
                    lambda: self._newest is not None or self._lost is not None, max(0, timeout_ms) / 1000
                )
            if self._lost is not None:
                raise DeviceLost(self._lost)
            picture, self._newest = self._newest, None
            return picture
