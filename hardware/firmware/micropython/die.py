"""A die that knows whether it was thrown: accelerations and spin in, states and rolls out.

Runs on MicroPython and on CPython; imports ``tlp`` and ``faces``. Accelerations are in g (at rest 1, away
from the earth), spin in degrees a second, both along the axes of the die; 100 samples a second.

A roll is a flight or several knocks while it spins, then rest within a moment, without a hand: so
a die that is carried, shaken, set down, turned over, pushed or bumped rolls nothing. After Pixels,
whose dice tell ``rolled`` from ``onFace`` in the same way.
"""

from faces import Faces
from tlp import Device

STEP_MS = 10
FLIES_BELOW_G = 0.55  # a die that spins feels itself flung outwards
FLIGHT_STEPS = 4
FLIGHT_SPIN_DPS = 100.0
KNOCK_G = 0.7  # from one sample to the next
SOFT_KNOCK_G = 0.45  # of a die that is known to roll
TUMBLES_DPS = 260.0
KNOCKS_TO_TUMBLE = 3
KNOCKS_WITHIN_MS = 600
LEAST_TURNED_DEG = 110.0
LEAST_KNOCKS = 2
BALANCES_MS = 400  # on an edge between two knocks; a hand takes longer from shaking to setting down
SETTLES_WITHIN_MS = 650  # from the last knock to the beginning of rest
REST_MS = 260
REST_JERK_G = 0.055
REST_SPIN_DPS = 14.0
HELD_JERK_G = 0.05
LONG_ROLL_MS = 8000
MEAN_OF = 8  # samples by which a face that is laid up is learnt


def length(x: float, y: float, z: float) -> float:
    """Return the length of a vector."""
    return float((x * x + y * y + z * z) ** 0.5)


class Die(Device):
    """A die of six faces, or of as many as ``faces`` has.

    ``sense`` takes a sample and returns what to say: ``""`` nothing, ``ST`` the state changed, ``ROLL``
    a roll was completed.
    """

    kind = "die"

    def __init__(self, faces: Faces | None = None) -> None:
        self.faces = faces or Faces()
        self.battery: object = "-"
        self.state = "U"
        self.roll = self.face = self.up = self.confidence = self.took_ms = 0
        self._rest_ms = REST_MS
        self._last = (0.0, 0.0, 0.0)
        self._mean = (0.0, 0.0, 0.0)
        self._calm_ms = 0
        self._flight = 0
        self._knocks: list[int] = []
        self._lay_up = 0
        self._forget()

    def status(self) -> list[object]:
        is_up = self.state in ("F", "C")
        up = self.up if self.state == "F" else 0
        return [self.state, self.roll, self.face, up, self.confidence if is_up else 0, self.battery]

    def rolled(self) -> list[object]:
        """Return the fields of the ROLL line of the last completed roll."""
        return [self.roll, self.face, self.confidence, self.took_ms]

    @property
    def positions(self) -> int:  # type: ignore[override]
        return len(self.faces.normals)

    def set(self, key: str, value: str) -> bool:
        self.answer = ""
        if key in ("faces", "face", "cocked"):
            is_done = self._learn(key, value)
            self.answer = self.faces.answer
            self._lay_up = 0  # what lies up may have another number now
            return is_done
        if key != "settle" or not value.isdigit() or not 100 <= int(value) <= 2000:
            return False
        self._rest_ms = int(value)
        return True

    def _learn(self, key: str, value: str) -> bool:
        if key == "faces":
            return self.faces.begin(value)
        if key == "face":
            return self.faces.lay(value, self._mean, self.is_still)
        return self.faces.lean(value)

    @property
    def is_still(self) -> bool:
        """Whether the die has been lying still for a while."""
        return self.state in ("F", "C") and self._calm_ms >= self._rest_ms

    def fail(self) -> str:
        """Note that the sensor does not answer."""
        return self._become("E")

    def sense(self, force: tuple[float, float, float], spin_dps: float, now_ms: int) -> str:
        """Take in a sample: acceleration in g, spin in degrees a second, whichever way."""
        jerk = length(force[0] - self._last[0], force[1] - self._last[1], force[2] - self._last[2])
        self._last = force
        self._flight = self._flight + 1 if length(*force) < FLIES_BELOW_G else 0
        if jerk > KNOCK_G:
            self._knocks = self._knocks[1 - KNOCKS_TO_TUMBLE :] + [now_ms]
        is_calm = jerk < REST_JERK_G and spin_dps < REST_SPIN_DPS
        self._calm_ms = self._calm_ms + STEP_MS if is_calm else 0
        self._mean = self._smoothed(force) if is_calm else force
        if self.state in ("R", "S"):
            return self._roll_on(jerk, spin_dps, now_ms)
        if self._flies(spin_dps) or self._tumbles(spin_dps, now_ms):
            return self._begin(now_ms)
        if self._calm_ms >= self._rest_ms:
            return self._lie(force)
        if self.state in ("U", "E") or (self._calm_ms == 0 and self._is_moved(jerk, spin_dps)):
            return self._become("H")
        return ""

    def _smoothed(self, force: tuple[float, float, float]) -> tuple[float, float, float]:
        x, y, z = [was + (now - was) / MEAN_OF for was, now in zip(self._mean, force)]  # noqa: B905
        return (x, y, z)

    def _tumbles(self, spin_dps: float, now_ms: int) -> bool:
        if spin_dps < TUMBLES_DPS or len(self._knocks) < KNOCKS_TO_TUMBLE:
            return False
        return now_ms - self._knocks[0] < KNOCKS_WITHIN_MS

    def _flies(self, spin_dps: float) -> bool:
        return self._flight >= FLIGHT_STEPS and spin_dps > FLIGHT_SPIN_DPS

    def _begin(self, now_ms: int) -> str:
        self._forget()
        self._started_ms = self._agitated_ms = now_ms
        return self._become("R")

    def _is_moved(self, jerk: float, spin_dps: float) -> bool:
        return jerk > HELD_JERK_G or spin_dps > REST_SPIN_DPS

    def _roll_on(self, jerk: float, spin_dps: float, now_ms: int) -> str:
        """Follow a throw until it rests, or turns out to be in a hand."""
        self._turned_deg += spin_dps * STEP_MS / 1000
        is_knock = jerk > SOFT_KNOCK_G
        self._hits += is_knock
        since_ms = now_ms - self._agitated_ms
        if since_ms > BALANCES_MS and self._flies(spin_dps):
            return self._begin(now_ms)  # shaken before, thrown now
        if is_knock or self._flight >= FLIGHT_STEPS:
            self._agitated_ms = now_ms
            if since_ms > BALANCES_MS or now_ms - self._started_ms > LONG_ROLL_MS:
                return self._become("H")  # carried from shaking to the table, or shaken all the time
            return self._become("R")
        if self._calm_ms >= self._rest_ms:
            is_roll = self._turned_deg >= LEAST_TURNED_DEG and self._hits >= LEAST_KNOCKS
            self.took_ms = now_ms - self._calm_ms - self._started_ms
            return self._land() if is_roll else self._lie(self._last)
        if since_ms - self._calm_ms > SETTLES_WITHIN_MS:
            return self._become("H")
        return "" if spin_dps > TUMBLES_DPS else self._become("S")

    def _land(self) -> str:
        """Count the roll if a face is up."""
        said = self._lie(self._last)
        if self.state != "F":
            return said
        self.roll, self.face = self.roll + 1, self.up
        return "ROLL"

    def _lie(self, force: tuple[float, float, float]) -> str:
        """Say which face is up, or that none is."""
        self.up, best = self.faces.best(force)
        self.confidence = max(0, min(100, round(100 * best)))
        before = self._lay_up
        self._lay_up = self.up
        said = self._become("F" if self.faces.is_flat(best) else "C")
        return said or ("ST" if before != self.up else "")

    def _become(self, state: str) -> str:
        if state == self.state:
            return ""
        self.state = state
        return "ST"

    def _forget(self) -> None:
        self._turned_deg = 0.0
        self._hits = 0
        self._started_ms = self._agitated_ms = 0
        self._knocks = []
        self._lay_up = 0
