"""When a die in a tray was thrown: motion, then the picture rests, then several looks agree.

Pure: pictures are read elsewhere. What lies there when watching begins is no throw, and a hand
that passes over a die which stays as it lay throws nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from companion.ports import DieReading, Obstacle

AGREEING = 3  # looks in a row
EMPTY_LOOKS = 2  # a tray without a die; less depends on it
MOST_LOOKS = 8  # after these a die that cannot be read stays unread until something moves
MOVED = 0.25  # of a face: a die that lies nearer to where it lay was not thrown ...
TURNED_DEG = 12.0  # ... if it is not turned either


@dataclass(frozen=True, slots=True)
class Thrown:
    """A throw that came to rest. ``started_ms`` is when motion was first seen."""

    face: int
    started_ms: int


class Throws:
    """Follows one die. ``kind`` is which of a taught set; empty: the only die that lies there."""

    def __init__(self, kind: str = "") -> None:
        self._kind = kind
        self._lay: DieReading | None = None  # at rest, as last agreed on
        self._has_begun = False
        self._was_gone = False
        self._moved_ms: int | None = None
        self._now: DieReading | None = None
        self._agreeing = self._looks = 0
        self.is_due = True
        self.trouble: Obstacle | None = None
        self.count = 0  # of dice that might be it

    def move(self, at_ms: int) -> None:
        """Note that something moves."""
        if self._moved_ms is None:
            self._moved_ms = at_ms
        self._now, self._agreeing, self._looks, self.is_due = None, 0, 0, True

    def look(self, dice: Sequence[DieReading]) -> Thrown | None:
        """Take in the dice of a settled picture; return the throw once looks agree on a new one."""
        self._looks += 1
        mine = [die for die in dice if not self._kind or die.kind == self._kind]
        strange = Obstacle.NOT_TAUGHT  # a die of somebody else's set is not in the way
        unnamed = [d for d in dice if self._kind and d.kind is None and d.kind_obstacle is not strange]
        self.count = len(mine)
        self.trouble = None
        if len(mine) != 1 or unnamed:
            self._without(mine, unnamed)
            return None
        die = mine[0]
        self._agreeing = self._agreeing + 1 if _is_same(self._now, die) else 1
        self._now = die
        if not die.sure:
            self.trouble = die.obstacle or Obstacle.TWO_CANDIDATES
            self._agreeing = 0
            self.is_due = self._looks < MOST_LOOKS
            return None
        if self._agreeing < AGREEING:
            self.is_due = True
            return None
        return self._rest(die)

    def _without(self, mine: Sequence[DieReading], unnamed: Sequence[DieReading]) -> None:
        """Take in a picture without the die, or with too many that might be it."""
        if unnamed:
            self.trouble = unnamed[0].kind_obstacle or unnamed[0].obstacle
        self._now, self._agreeing = None, 0
        is_empty = not mine and not unnamed
        self.is_due = self._looks < (EMPTY_LOOKS if is_empty else MOST_LOOKS)
        if is_empty and not self.is_due:
            self._was_gone, self._has_begun = True, True

    def _rest(self, die: DieReading) -> Thrown | None:
        self.is_due = False
        is_new = self._was_gone or not _is_same(self._lay, die)
        started_ms, self._moved_ms = self._moved_ms, None
        had_begun, self._has_begun = self._has_begun, True
        self._lay, self._was_gone = die, False
        if not had_begun or not is_new or die.value is None or started_ms is None:
            return None
        return Thrown(die.value, started_ms)


def _is_same(one: DieReading | None, other: DieReading) -> bool:
    """Tell whether two readings are of a die that was not touched in between."""
    if one is None or one.value != other.value:
        return False
    edge, turn = _edge(other)
    turned = abs((turn - _edge(one)[1] + 45) % 90 - 45)
    return math.dist(one.centre_px, other.centre_px) < MOVED * edge and turned < TURNED_DEG


def _edge(die: DieReading) -> tuple[float, float]:
    """Return the length of the first edge of a face, and how it is turned."""
    if len(die.corners_px) < 2:
        return 1.0, 0.0
    (ax, ay), (bx, by) = die.corners_px[:2]
    return math.hypot(bx - ax, by - ay), math.degrees(math.atan2(by - ay, bx - ax))
