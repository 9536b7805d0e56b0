"""Which rolls a die has made, from the lines it says: each one once, whatever was lost or said twice.

Pure. Imports ``companion.ports`` and ``hardware.messages`` only.
"""

from __future__ import annotations

from collections import OrderedDict

from companion.ports import DieRoll, Need
from hardware.messages import DieState, DieStatus, Line, Rolled

BOOTS_KEPT = 32
LOW_BATTERY_PERCENT = 10


class Rolls:
    """The memory of one die. A roll is named by (boot, roll); every status repeats the last one."""

    def __init__(self, die: str) -> None:
        self._die = die
        self._last: OrderedDict[str, tuple[int, int]] = OrderedDict()
        self._started_ms: int | None = None
        self._state: DieState | None = None
        self._contradiction = ""
        self.note = ""

    @property
    def trouble(self) -> str:
        """Why the die cannot be trusted now, in plain English; empty: all is well."""
        match self._state:
            case DieState.COCKED:
                return "The die is cocked: roll it again or enter the face by hand."
            case DieState.FAULT:
                return "The die's sensor fails: enter faces by hand, and charge or restart the die."
        return self._contradiction

    @property
    def need(self) -> Need | None:
        """What hands must do about the trouble."""
        match self._state:
            case DieState.COCKED:
                return Need.COCKED
            case DieState.FAULT:
                return Need.DIE_FAILS
        return Need.CONTRADICTS if self._contradiction else None

    def hear(self, line: Line, at_ms: int) -> DieRoll | None:
        """Take in a fresh line; return the roll that it tells of, if that is new."""
        match line.message:
            case DieStatus():
                return self._status(line.boot, line.message, at_ms)
            case Rolled(roll, face):
                return self._completed(line.boot, roll, face, at_ms)
        return None

    def lose_sight(self) -> None:
        """Note that the connection broke: of a roll under way nobody knows when it started."""
        self._started_ms = None
        self._state = None

    def _status(self, boot: str, status: DieStatus, at_ms: int) -> DieRoll | None:
        if status.state is DieState.ROLLING:
            if self._state not in (None, DieState.ROLLING, DieState.SETTLING):
                self._started_ms = at_ms  # not for a die that was rolling when we first looked
        elif status.state not in (DieState.SETTLING, DieState.FLAT):
            self._started_ms = None  # lifted or stuck: whatever rolls next has not started yet
        self._state = status.state
        is_first_contact = not self._last
        if is_first_contact:
            # A roll from before we listened is nobody's now; the rules have it if it counted.
            self._remember(boot, status.roll, status.face)
        roll = self._completed(boot, status.roll, status.face, at_ms) if status.roll else None
        if boot not in self._last:
            self._remember(boot, 0, 0)
        self._look_closer(status)
        return roll

    def _completed(self, boot: str, roll: int, face: int, at_ms: int) -> DieRoll | None:
        last_roll, last_face = self._last.get(boot, (0, 0))
        if roll < last_roll:
            return None
        if roll == last_roll:
            if face != last_face:
                self._contradiction = f"Roll {roll} was {last_face} and is now said to be {face}; roll again."
            return None
        self._remember(boot, roll, face)
        started_ms, self._started_ms = self._started_ms, None
        self._contradiction = ""
        return DieRoll(self._die, boot, roll, face, at_ms, started_ms)

    def _remember(self, boot: str, roll: int, face: int) -> None:
        self._last[boot] = (roll, face)
        self._last.move_to_end(boot)
        if len(self._last) > BOOTS_KEPT:
            self._last.popitem(last=False)

    def _look_closer(self, status: DieStatus) -> None:
        self.note = ""
        if status.state is DieState.FLAT and status.face and status.up not in (0, status.face):
            self.note = f"it was turned to {status.up} after roll {status.roll}, which stands"
        elif status.battery_percent is not None and status.battery_percent <= LOW_BATTERY_PERCENT:
            self.note = f"its battery is at {status.battery_percent} %"
