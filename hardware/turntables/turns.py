"""Which turns a rotor has made, from the lines it says: each one once, whatever was lost or said twice.

Pure. Imports ``companion.ports`` and ``hardware.messages`` only.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace

from companion.ports import BoardTurn, Need
from hardware.messages import Line, Magnet, RotorState, RotorStatus, Turned

BOOTS_KEPT = 32
QUARTERS = 4
UNFINISHED_MS = 3000


@dataclass(frozen=True, slots=True)
class _Known:
    """The last turn of a boot, the net quarters after it, and where it led."""

    turn: int = 0
    net: int = 0
    quarter: int | None = None


class Turns:
    """The memory of one rotor. A turn is named by (boot, turn); every status repeats count and net way."""

    def __init__(self, sensor: str) -> None:
        self._sensor = sensor
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._status: RotorStatus | None = None
        self._between_ms: int | None = None
        self._now_ms = 0
        self._contradiction = ""

    def hear(self, line: Line, at_ms: int) -> BoardTurn | None:
        """Take in a fresh line; return the turn that it tells of, if that is new."""
        self._now_ms = at_ms
        match line.message:
            case RotorStatus():
                return self._stood(line.boot, line.message, at_ms)
            case Turned():
                return self._turned(line.boot, line.message, at_ms)
        return None

    @property
    def quarter(self) -> int | None:
        """Where the board stands; None while it moves or nobody knows."""
        status = self._status
        return status.quarter if status is not None and status.state is RotorState.LOCKED else None

    @property
    def is_turning(self) -> bool:
        return self._status is not None and self._status.state is RotorState.MOVING

    @property
    def trouble(self) -> str:
        """What is wrong, in plain English; empty: all is well."""
        status = self._status
        if status is not None and status.state is RotorState.FAULT:
            return "The rotor's sensor fails; check its magnet and cable. The camera or a tap stands in."
        if self._between_ms is not None and self._now_ms - self._between_ms >= UNFINISHED_MS:
            tenths = status.angle_tenths_deg if status is not None else None
            where = "" if tenths is None else f" (at {tenths / 10:.0f} degrees)"
            return f"The board stands between two quarters{where}; turn on until it clicks."
        return self._contradiction

    @property
    def need(self) -> Need | None:
        """What hands must do about the trouble."""
        if self._status is not None and self._status.state is RotorState.FAULT:
            return Need.SENSOR_FAILS
        if self.trouble and self._between_ms is not None:
            return Need.BETWEEN
        return Need.CONTRADICTS if self._contradiction else None

    @property
    def angle_deg(self) -> int | None:
        """Where the board stands while it stands in no quarter."""
        tenths = self._status.angle_tenths_deg if self._status is not None else None
        return None if tenths is None or self.quarter is not None else round(tenths / 10)

    @property
    def note(self) -> str:
        if self._status is None or self._status.magnet is Magnet.GOOD:
            return ""
        return "its magnet is too weak" if self._status.magnet is Magnet.WEAK else "its magnet is too strong"

    def _stood(self, boot: str, status: RotorStatus, at_ms: int) -> BoardTurn | None:
        if status.state is not RotorState.BETWEEN:
            self._between_ms = None
        elif self._between_ms is None:
            self._between_ms = at_ms
        self._status = status
        if not self._known:
            # Turns from before we listened are nobody's now.
            self._remember(boot, _Known(status.turn, status.net_quarters, status.quarter))
        known = self._known.get(boot, _Known())
        delta = status.net_quarters - known.net
        if status.turn <= known.turn or status.quarter is None:
            # A turn heard before any status told no net way: this one does.
            is_same = status.turn == known.turn
            self._remember(boot, replace(known, net=status.net_quarters) if is_same else known)
            return None
        self._remember(boot, _Known(status.turn, status.net_quarters, status.quarter))
        if delta == 0:
            return None  # there and back again while nobody listened
        start = (status.quarter - delta) % QUARTERS
        return BoardTurn(self._sensor, boot, status.turn, start, status.quarter, delta, at_ms)

    def _turned(self, boot: str, turned: Turned, at_ms: int) -> BoardTurn | None:
        known = self._known.get(boot, _Known() if self._known else _Known(turn=turned.turn - 1))
        if turned.turn == known.turn and known.quarter not in (None, turned.to_quarter):
            self._contradiction = (
                f"Turn {turned.turn} led to quarter {known.quarter} and is now said to lead to "
                f"{turned.to_quarter}; look at the board."
            )
        if turned.turn != known.turn + 1:
            return None  # told before; or some are missing, and the next status knows the whole way
        self._contradiction = ""
        self._remember(boot, _Known(turned.turn, known.net + turned.delta, turned.to_quarter))
        return BoardTurn(
            self._sensor, boot, turned.turn, turned.from_quarter, turned.to_quarter, turned.delta, at_ms
        )

    def _remember(self, boot: str, known: _Known) -> None:
        self._known[boot] = known
        self._known.move_to_end(boot)
        if len(self._known) > BOOTS_KEPT:
            self._known.popitem(last=False)
