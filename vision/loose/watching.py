"""Live eyes on loose cards: all are read when the picture has settled; told is what two looks agree on.

Implements ``companion.ports.Watch``. Between settled changes it does next to nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from companion.ports import DeviceStanding, DeviceState, Frame, LoosePiece, Obstacle, Reading
from vision.settle import Gate, Stillness

NEEDED = 2  # looks that agree; one picture may catch a card in a reflection
SAME_PLACE = 0.5  # of a card's width
MOST_LOOKS = 5


class Reads(Protocol):
    """What reads one picture; ``vision.loose.recogniser.LooseRecogniser``."""

    def read(self, frame: Frame) -> Reading: ...


class LooseWatch:
    """Watches one camera. Not for several threads."""

    def __init__(self, eyes: Reads, camera: str) -> None:
        self._eyes = eyes
        self._camera = camera
        self._gate = Gate()
        self._stillness = Stillness.EMPTY
        self._looks: list[Reading] = []
        self._is_due = True
        self._told: Reading | None = None

    def see(self, frame: Frame) -> Reading | None:
        """Take in the next frame; give the steady reading when it changed."""
        glance = self._gate.glance(frame.pixels)
        self._stillness = glance.state
        if glance.state is not Stillness.SETTLED or glance.arm is not None:
            self._looks.clear()
            self._is_due |= glance.state is Stillness.MOVING
            return None
        if glance.has_just_settled:
            self._looks.clear()
            self._is_due |= bool(glance.changed is not None and glance.changed.any())
        if not self._is_due:
            return None
        self._looks.append(self._eyes.read(frame))
        agreed = self._agreed()
        if agreed is None:
            return None
        self._is_due = False
        self._looks.clear()
        if self._told is not None and is_same(self._told, agreed):
            return None
        self._told = agreed
        return agreed

    def standing(self) -> DeviceStanding:
        """Say in one line how the eyes are; ``settled`` when all that changed was read."""
        if self._told is not None and self._told.obstacle is Obstacle.TOO_DARK:
            detail = "the picture is too dark; switch on a lamp"
            return DeviceStanding(self._camera, "eyes", DeviceState.FAULT, detail)
        if self._stillness is Stillness.EMPTY:
            return DeviceStanding(self._camera, "eyes", DeviceState.SEARCHING, "no settled picture yet")
        is_looking = self._stillness is Stillness.SETTLED and self._is_due
        detail = "looking" if is_looking else str(self._stillness)
        return DeviceStanding(self._camera, "eyes", DeviceState.LIVE, detail)

    def _agreed(self) -> Reading | None:
        """Return the last look if the one before saw the same; after many, what they agree on at all."""
        last = self._looks[-1]
        if len(self._looks) >= NEEDED and is_same(self._looks[-2], last):
            return last
        if len(self._looks) < MOST_LOOKS:
            return None
        return doubted(last, self._looks[-2])


def is_same(one: Reading, other: Reading) -> bool:
    """Tell whether two readings say the same: the same boards' spaces, and the same cards where they lay."""
    if one.obstacle is not other.obstacle or len(one.loose) != len(other.loose):
        return False
    if any(
        {s: (r.reads, r.sure) for s, r in board.spaces.items()}
        != {s: (r.reads, r.sure) for s, r in other.boards[name].spaces.items()}
        for name, board in one.boards.items()
        if name in other.boards
    ):
        return False
    return set(one.boards) == set(other.boards) and all(_is_in(piece, other) for piece in one.loose)


def _is_in(piece: LoosePiece, reading: Reading) -> bool:
    return any(
        (piece.reads, piece.sure) == (other.reads, other.sure) and _is_near(piece, other)
        for other in reading.loose
    )


def _is_near(piece: LoosePiece, other: LoosePiece) -> bool:
    (x, y), (other_x, other_y) = piece.centre_px, other.centre_px
    if not piece.corners_px:
        return True
    (left, top), (right, low) = piece.corners_px[:2]
    width = float(((right - left) ** 2 + (low - top) ** 2) ** 0.5)
    return bool(((x - other_x) ** 2 + (y - other_y) ** 2) ** 0.5 < SAME_PLACE * width)


def doubted(reading: Reading, other: Reading) -> Reading:
    """Return a reading in which only what another one saw, too, is sure."""
    loose = tuple(
        piece if _is_in(piece, other) else replace(piece, sure=False, obstacle=Obstacle.TWO_CANDIDATES)
        for piece in reading.loose
    )
    return replace(reading, loose=loose)
