"""How a board turns: from angles to finished turns. One state machine for every source of angles.

Pure. Hall switches, an angle sensor or the camera feed it with samples, at least one a quarter.
Angles are degrees clockwise; quarter 0 is at 0, quarter 1 at 90 unless ``detents_deg`` says otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

DETENTS_DEG = (0.0, 90.0, 180.0, 270.0)
LEAVES_AT_DEG = 20.0
ARRIVES_WITHIN_DEG = 10.0
SETTLES_MS = 400
REST_DEG = 2.0  # 5 degrees a second over the time to settle
UNFINISHED_MS = 3000


class Phase(Enum):
    UNKNOWN = auto()  # nothing seen at rest yet
    LOCKED = auto()
    MOVING = auto()
    UNFINISHED = auto()  # at rest outside every detent


@dataclass(frozen=True, slots=True)
class Sample:
    """An angle, None when all that is known is that no detent holds the board."""

    angle_deg: float | None
    at_ms: int


@dataclass(frozen=True, slots=True)
class Found:
    """The board stands at a quarter, and nobody saw how it came there."""

    quarter: int


@dataclass(frozen=True, slots=True)
class Completed:
    """A turn ended; ``delta`` is its way in signed quarters, clockwise positive."""

    from_quarter: int
    to_quarter: int
    delta: int
    started_ms: int


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The board left its detent and came back to it."""

    quarter: int


@dataclass(frozen=True, slots=True)
class LeftBetween:
    """The board rests between two detents."""

    angle_deg: float | None


Happening = Found | Completed | Cancelled | LeftBetween


@dataclass(frozen=True, slots=True)
class Turning:
    """What is known of a board. ``quarter`` is its detent, or the last one; None before the first.

    ``way_deg`` is the signed way since that detent, ``rest`` the angle that it has kept
    (within 2 degrees) since a time.
    """

    phase: Phase = Phase.UNKNOWN
    quarter: int | None = None
    angle_deg: float | None = None
    way_deg: float = 0.0
    rest: Sample | None = None
    left_ms: int = 0


def follow(
    board: Turning, sample: Sample, *, detents_deg: Sequence[float] = DETENTS_DEG
) -> tuple[Turning, Happening | None]:
    """Return the board after a sample, and what happened, if anything did."""
    board = _moved(board, sample)
    at = _detent(sample.angle_deg, detents_deg)
    if board.phase is Phase.LOCKED:
        return _locked(board, sample, detents_deg), None
    rested_ms = sample.at_ms - (board.rest or sample).at_ms
    if at is not None and rested_ms >= SETTLES_MS:
        return _arrived(board, sample, at, detents_deg)
    if at is None and rested_ms >= UNFINISHED_MS and board.phase is not Phase.UNFINISHED:
        return replace(board, phase=Phase.UNFINISHED), LeftBetween(sample.angle_deg)
    if board.phase is Phase.UNFINISHED and rested_ms == 0:
        return replace(board, phase=Phase.MOVING), None
    return board, None


def _moved(board: Turning, sample: Sample) -> Turning:
    rest = board.rest
    if rest is None or not _is_same_rest(rest.angle_deg, sample.angle_deg):
        rest = sample
    way_deg, angle_deg = board.way_deg, board.angle_deg
    if sample.angle_deg is not None:
        if angle_deg is not None:
            way_deg += _step_deg(angle_deg, sample.angle_deg, way_deg)
        angle_deg = sample.angle_deg
    return replace(board, angle_deg=angle_deg, way_deg=way_deg, rest=rest)


def _locked(board: Turning, sample: Sample, detents_deg: Sequence[float]) -> Turning:
    assert board.quarter is not None
    if sample.angle_deg is None or abs(board.way_deg) > LEAVES_AT_DEG:
        return replace(board, phase=Phase.MOVING, left_ms=sample.at_ms)
    return replace(board, way_deg=_off_deg(sample.angle_deg, detents_deg[board.quarter]))


def _arrived(
    board: Turning, sample: Sample, quarter: int, detents_deg: Sequence[float]
) -> tuple[Turning, Happening]:
    assert sample.angle_deg is not None
    count = len(detents_deg)
    happened: Happening
    if board.quarter is None:
        happened = Found(quarter)
    else:
        # The way tells the direction and the rounds, the detent tells the exact quarter.
        steps = (quarter - board.quarter) % count
        delta = steps + count * round((board.way_deg * count / 360 - steps) / count)
        happened = (
            Completed(board.quarter, quarter, delta, board.left_ms) if delta else Cancelled(board.quarter)
        )
    off_deg = _off_deg(sample.angle_deg, detents_deg[quarter])
    return replace(board, phase=Phase.LOCKED, quarter=quarter, way_deg=off_deg), happened


def _detent(angle_deg: float | None, detents_deg: Sequence[float]) -> int | None:
    if angle_deg is None:
        return None
    near = min(range(len(detents_deg)), key=lambda quarter: abs(_off_deg(angle_deg, detents_deg[quarter])))
    return near if abs(_off_deg(angle_deg, detents_deg[near])) <= ARRIVES_WITHIN_DEG else None


def _is_same_rest(one_deg: float | None, other_deg: float | None) -> bool:
    if one_deg is None or other_deg is None:
        return one_deg is other_deg
    return abs(_off_deg(one_deg, other_deg)) <= REST_DEG


def _off_deg(angle_deg: float, from_deg: float) -> float:
    """Return the signed way from an angle to another, more than -180 and at most 180."""
    return 180.0 - (180.0 - (angle_deg - from_deg)) % 360.0


def _step_deg(before_deg: float, after_deg: float, way_deg: float) -> float:
    """Return the way between two samples; half a round may be either, and goes on as it came."""
    step_deg = _off_deg(after_deg, before_deg)
    return math.copysign(180.0, way_deg) if step_deg == 180.0 and way_deg else step_deg
