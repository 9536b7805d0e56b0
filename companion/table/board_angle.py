"""How a turning board stands, told by two witnesses: the sensor under it, and a camera above. Pure.

Both count from where they like; how far apart they are is learnt when they first rest together.
Neither is believed against the other: where they disagree nothing happens by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from companion.board import BoardId
from companion.ports import BoardReading, DeviceState, Reading
from companion.ports import DeviceStanding as Standing

APART_DEG = 15.0
DISAGREE_MS = 2000
CATCH_UP_MS = 3000  # eyes speak when something changed and no hand is in view; a hand has just turned it
SILENT_MS = 10_000
LIFTED_MS = 3000
QUARTER_DEG = 90


class Agreement(Enum):
    """What both together say."""

    UNKNOWN = auto()
    ONE_WITNESS = auto()
    SURE = auto()
    DISAGREE = auto()
    LIFTED = auto()  # the camera sees the table and no turning board


class ToldBy(StrEnum):
    """Who tells how the board stands; rendered as ``table.board_told.<value>``."""

    BOTH = "both"
    SENSOR = "sensor"  # one witness
    CAMERA = "camera"  # one witness


@dataclass(frozen=True, slots=True)
class Seen:
    """A turning board, clockwise from the board it lies on; ``angle_deg`` None: it is not there."""

    board: BoardId
    angle_deg: float | None


def seen_turning(reading: Reading, known: BoardId | None = None) -> Seen | None:
    """Return the board that lies within another one, None if the reading says nothing of one.

    ``known`` is one that was seen before: where the board under it is seen without it, it is gone.
    """
    for inner in reading.boards.values():
        for outer in reading.boards.values():
            if inner.board != outer.board and _lies_within(inner, outer):
                return Seen(inner.board, (inner.rotation_deg - outer.rotation_deg) % 360)
    if known is None or known in reading.boards or not reading.boards:
        return None
    return Seen(known, None)


class BoardAngle:
    """What is known of the turning board. Times are monotonic milliseconds."""

    def __init__(self) -> None:
        self._sensor_deg: float | None = None
        self._has_sensor = False
        self._sensor_gone_ms: int | None = None
        self._camera_deg: float | None = None
        self._lifted_ms: int | None = None
        self._offset_deg: int | None = None
        self._apart_ms: int | None = None
        self._board: BoardId | None = None

    def hear(self, standing: Standing, now_ms: int) -> None:
        """Take in how the sensor is; while the board moves it says nothing of an angle."""
        if standing.state is DeviceState.LIVE:
            self._has_sensor = True
            self._sensor_gone_ms = None
            self._sensor_deg = None if standing.quarter is None else standing.quarter * float(QUARTER_DEG)
        elif self._sensor_gone_ms is None:
            self._sensor_gone_ms = now_ms
        if standing.state is DeviceState.FAULT:
            self._sensor_deg, self._has_sensor = None, False
        self._weigh(now_ms + CATCH_UP_MS)

    def see(self, reading: Reading, now_ms: int) -> None:
        """Take in what a camera saw."""
        seen = seen_turning(reading, self._board)
        if seen is None:
            return
        self._board = seen.board
        self._camera_deg = seen.angle_deg
        if seen.angle_deg is not None:
            self._lifted_ms = None
        elif self._lifted_ms is None:
            self._lifted_ms = now_ms
        self._weigh(now_ms)

    def lose_camera(self) -> None:
        """The camera is gone or dark: from now on the sensor speaks alone."""
        self._camera_deg = self._lifted_ms = self._apart_ms = None

    def trust(self) -> None:
        """A person says that all is well: how the witnesses stand now is how they belong together."""
        self._offset_deg = self._apart_ms = None

    def agreement(self, now_ms: int) -> Agreement:
        """Say what both together say now."""
        sensor_deg = None if self._is_silent(now_ms) else self._sensor_deg
        if self._lifted_ms is not None and now_ms - self._lifted_ms >= LIFTED_MS:
            return Agreement.LIFTED
        if self._apart_ms is not None and now_ms - self._apart_ms >= DISAGREE_MS:
            return Agreement.DISAGREE
        if sensor_deg is None and self._camera_deg is None:
            return Agreement.UNKNOWN
        if sensor_deg is None or self._camera_deg is None or self._offset_deg is None:
            return Agreement.ONE_WITNESS
        return Agreement.SURE if self._apart_ms is None else Agreement.ONE_WITNESS

    def told_by(self, now_ms: int) -> ToldBy | None:
        """Say who tells how the board stands, None while nobody does. One that is moved is told of, too."""
        has_sensor = self._has_sensor and not self._is_silent(now_ms)
        if has_sensor and self._camera_deg is not None:
            return ToldBy.BOTH
        if has_sensor:
            return ToldBy.SENSOR
        return ToldBy.CAMERA if self._camera_deg is not None else None

    def _is_silent(self, now_ms: int) -> bool:
        return self._sensor_gone_ms is not None and now_ms - self._sensor_gone_ms >= SILENT_MS

    def due_ms(self, now_ms: int) -> int | None:
        """Return when the agreement may change although nobody speaks, None if it cannot."""
        waits = (
            (self._apart_ms, DISAGREE_MS),
            (self._lifted_ms, LIFTED_MS),
            (self._sensor_gone_ms if self._has_sensor else None, SILENT_MS),
        )
        due = [since_ms + wait_ms for since_ms, wait_ms in waits if since_ms is not None]
        return min((one for one in due if one > now_ms), default=None)

    def _weigh(self, from_ms: int) -> None:
        if self._sensor_deg is None or self._camera_deg is None:
            self._apart_ms = None
            return
        apart_deg = self._camera_deg - self._sensor_deg
        if self._offset_deg is None:
            nearest = round(apart_deg / QUARTER_DEG) * QUARTER_DEG
            if abs(_off(apart_deg - nearest)) <= APART_DEG:
                self._offset_deg = nearest
            return
        if abs(_off(apart_deg - self._offset_deg)) <= APART_DEG:
            self._apart_ms = None
        elif self._apart_ms is None:
            self._apart_ms = from_ms


def _off(angle_deg: float) -> float:
    return (angle_deg + 180) % 360 - 180


def _lies_within(inner: BoardReading, outer: BoardReading) -> bool:
    """Tell whether the middle of a board lies within a larger one, both seen with four corners, clockwise."""
    if len(inner.corners_px) != 4 or len(outer.corners_px) != 4:
        return False
    x = sum(corner[0] for corner in inner.corners_px) / 4
    y = sum(corner[1] for corner in inner.corners_px) / 4
    sides = zip(outer.corners_px, (*outer.corners_px[1:], outer.corners_px[0]), strict=True)
    turns = {(bx - ax) * (y - ay) > (by - ay) * (x - ax) for (ax, ay), (bx, by) in sides}
    return len(turns) == 1 and _area(inner) < _area(outer)


def _area(board: BoardReading) -> float:
    corners = board.corners_px
    sides = zip(corners, (*corners[1:], corners[0]), strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in sides)) / 2
