"""A turning board that knows its quarter: angles in, states and turns out.

Runs on MicroPython and on CPython; imports ``tlp`` only. Angles are tenths of a degree, clockwise; the same
thresholds as the host has for switches and cameras: it leaves a detent at 20 degrees, and has arrived
within 10 degrees of one after 400 ms of rest.
"""

from tlp import Device

QUARTERS = 4
LEAVES_TENTHS = 200
ARRIVES_TENTHS = 100
REST_TENTHS = 20
SETTLES_MS = 400
UNFINISHED_MS = 3000
BLIND_READINGS = 20
ROUND = 3600


def off_tenths(angle: int, start: int) -> int:
    """Return the signed way from one angle to another, at most half a round."""
    return (angle - start + ROUND // 2) % ROUND - ROUND // 2


class Rotor(Device):
    """A board with four detents.

    ``sense`` takes an angle and returns what to say: ``""`` nothing, ``ST`` the state changed, ``TURN`` a
    turn was completed. ``zero_tenths`` is where quarter 0 is, ``sign`` -1 for a magnet that
    turns the other way.
    """

    kind = "rotor"
    positions = QUARTERS

    def __init__(self, zero_tenths: int = 0, sign: int = 1) -> None:
        self.zero_tenths = zero_tenths
        self.sign = sign
        self.state = "X"
        self.magnet = 1
        self.turns = self.net = 0
        self._quarter: object = "-"
        self._angle: object = "-"
        self._raw = 0
        self._way = 0
        self._rest_tenths = self._rest_ms = 0
        self._left_ms = 0
        self._settles_ms = SETTLES_MS
        self._blind = 0
        self._turned: list[object] = []

    def status(self) -> list[object]:
        return [self.state, self._quarter, self._angle, self.turns, self.net, self.magnet]

    def turned(self) -> list[object]:
        """Return the fields of the TURN line of the last completed turn."""
        return self._turned

    def set(self, key: str, value: str) -> bool:
        if key == "sign" and value in ("1", "-1"):
            self.sign = int(value)
            self._begin_anew()
            return True
        if key == "settle" and value.isdigit() and 100 <= int(value) <= 2000:
            self._settles_ms = int(value)
            return True
        return False

    def zero(self) -> bool:
        """Call where the board stands now quarter 0; not while it moves."""
        if self.state != "L":
            return False
        self.zero_tenths = self._raw
        self._begin_anew()
        return True

    def sense(self, raw_tenths: int | None, magnet: int, now_ms: int) -> str:
        """Take in a reading; None: the sensor gave none."""
        said = "ST" if magnet != self.magnet else ""
        self.magnet = magnet
        self._blind = self._blind + 1 if raw_tenths is None or magnet == 0 else 0
        if self._blind >= BLIND_READINGS:
            return self._become("E") or said
        if self._blind or raw_tenths is None:
            return said
        self._raw = raw_tenths
        angle = self.sign * (raw_tenths - self.zero_tenths) % ROUND
        before = self._angle
        self._angle = angle
        if not isinstance(before, int) or self.state == "E":
            self._rest_tenths, self._rest_ms = angle, now_ms
            return self._become("X")
        self._way += off_tenths(angle, before)
        if abs(off_tenths(angle, self._rest_tenths)) > REST_TENTHS:
            self._rest_tenths, self._rest_ms = angle, now_ms
        return self._follow(angle, now_ms) or said

    def _follow(self, angle: int, now_ms: int) -> str:
        if self.state == "L":
            if abs(self._way) <= LEAVES_TENTHS:
                return ""
            self._left_ms = now_ms
            return self._become("M")
        near = (angle + ROUND // QUARTERS // 2) // (ROUND // QUARTERS) % QUARTERS
        off = off_tenths(angle, near * ROUND // QUARTERS)
        rested_ms = now_ms - self._rest_ms
        if abs(off) <= ARRIVES_TENTHS:
            return self._arrive(near, off, now_ms) if rested_ms >= self._settles_ms else ""
        if rested_ms >= UNFINISHED_MS:
            return self._become("X")
        return self._become("M") if rested_ms == 0 and self._quarter != "-" else ""

    def _arrive(self, quarter: int, off: int, now_ms: int) -> str:
        start, way, self._way = self._quarter, self._way, off
        self._quarter = quarter
        said = self._become("L")
        if not isinstance(start, int):
            return said
        # The way tells the direction and the rounds, the detent tells the exact quarter.
        steps = (quarter - start) % QUARTERS
        rounds = (way * QUARTERS - steps * ROUND + ROUND * QUARTERS // 2) // (ROUND * QUARTERS)
        delta = steps + QUARTERS * rounds
        if delta == 0:
            return said
        self.turns, self.net = self.turns + 1, self.net + delta
        self._turned = [self.turns, start, quarter, delta, now_ms - self._left_ms]
        return "TURN"

    def _begin_anew(self) -> None:
        self._quarter = self._angle = "-"
        self._way = 0
        self.state = "X"

    def _become(self, state: str) -> str:
        if state == self.state:
            return ""
        self.state = state
        return "ST"
