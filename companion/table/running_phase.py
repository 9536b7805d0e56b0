"""When the running phase of a table began: what was played since may still be a secret."""

from __future__ import annotations

from companion.table.senses_messages import monotonic_ms
from companion.table.writer import Table


class RunningPhase:
    """When the running phase of a table began: until it ends, it may hold secrets.

    ``seq`` is the last entry before it, ``since_ms`` the monotonic time. A phase that a strike leads
    back to began when it did the first time: what was played since is as secret as it was.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        seen = table.look(None)
        self._phase = (seen.view.phase.key, seen.view.round)
        self._began = {self._phase: (0, 0)}
        self.seq, self.since_ms = 0, 0
        table.on_change(self._look)

    def _look(self) -> None:
        seen = self._table.look(None)
        phase = (seen.view.phase.key, seen.view.round)
        if phase != self._phase:
            self._phase = phase
            self.seq, self.since_ms = self._began.setdefault(phase, (seen.seq, monotonic_ms()))
