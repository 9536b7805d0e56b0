"""How many proposals were right, and what became of the others. Safe from many threads."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from threading import Lock


class Fate(StrEnum):
    """What a seat had to do with what the eyes proposed."""

    RIGHT = "right"  # one tap took all of it
    CORRECTED = "corrected"  # single spaces were said first
    TYPED = "typed"  # nothing usable was proposed; it was entered by hand


class Counts:
    """Proposals by fate, and what the eyes were puzzled by."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._fates: Counter[Fate] = Counter()
        self._notes: list[str] = []
        self._sensor_missed = 0

    def sensor_missed(self) -> None:
        """Count a turn of the centre that had to be told by hand."""
        with self._lock:
            self._sensor_missed += 1

    @property
    def turns_told_by_hand(self) -> int:
        with self._lock:
            return self._sensor_missed

    def add(self, fate: Fate, note: str = "") -> None:
        """Count one; ``note`` says what happened if it was not right."""
        with self._lock:
            self._fates[fate] += 1
            if note:
                self._notes.append(f"{fate}: {note}")

    def of(self, fate: Fate) -> int:
        with self._lock:
            return self._fates[fate]

    @property
    def total(self) -> int:
        with self._lock:
            return self._fates.total()

    @property
    def notes(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(self._notes)

    @property
    def share_right(self) -> float:
        """Return the share of right ones from 0 to 1; 1 when there was none at all."""
        total = self.total
        return self.of(Fate.RIGHT) / total if total else 1.0
