"""How a sensor was built under its turning board: what is found out by turning it, five times. Pure.

The steps are for hands: the mark to north first, then one quarter clockwise, four times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.ports import BoardTurn

TURNS = 4


@dataclass(frozen=True, slots=True)
class Orientation:
    """Which of the sensor's quarters is north, and whether it counts anticlockwise."""

    north: int
    is_reversed: bool

    @property
    def settings(self) -> str:
        """Return the lines for the settings file."""
        return f"north = {self.north}\nreversed = {str(self.is_reversed).lower()}"


@dataclass(frozen=True, slots=True)
class Amiss:
    """Why no orientation comes of it, in plain English, and what to do."""

    why: str


def orientation_of(north: int, turns: Sequence[BoardTurn]) -> Orientation | Amiss:
    """Return what four turns by one quarter clockwise say of a sensor that began at ``north``."""
    for number, turn in enumerate(turns, 1):
        if abs(turn.delta) != 1:
            return Amiss(
                f"Turn {number} was told as {abs(turn.delta)} quarters. If you turned one, a switch or the "
                "magnet is not felt there: check it. Then begin again."
            )
    if len({turn.delta for turn in turns}) > 1:
        told = ", ".join(f"{turn.delta:+d}" for turn in turns)
        return Amiss(f"The turns were told as {told}: not all one way. Turn clockwise only, and begin again.")
    if len(turns) == TURNS and turns[-1].to_quarter != north:
        return Amiss(
            f"After four quarters the sensor says {turns[-1].to_quarter}, and began at {north}. Two switches "
            "may be swapped: check that their pins go round clockwise. Then begin again."
        )
    return Orientation(north, is_reversed=bool(turns) and turns[0].delta < 0)
