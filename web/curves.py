"""The score curves as a drawing: one line a seat, told apart by colour, dashes and sign. Pure.

Units are those of the drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion.game import Seat
from web.evening import Course

SIZE_WH = (720, 420)
LEFT, RIGHT, TOP, BOTTOM = 62, 640, 24, 372
SIGN_APART = 36
MOST_GRID_LINES = 6
MOST_ROUNDS_NAMED = 12
DASHES = ("", "18 7", "4 7", "18 7 4 7", "10 6", "26 6")


@dataclass(frozen=True, slots=True)
class Curve:
    """A seat's line: its ``points`` for a polyline, its dashes, and where its sign stands."""

    seat: Seat
    points: str
    dashes: str
    sign_y: int


@dataclass(frozen=True, slots=True)
class Curves:
    """The drawing: lines, and what is written on its axes as (place, number)."""

    lines: tuple[Curve, ...]
    scores: tuple[tuple[int, int], ...]
    rounds: tuple[tuple[int, int], ...]


def drawn_curves(courses: Sequence[Course]) -> Curves | None:
    """Return the drawing; None before there are two points to join."""
    known = [one for one in courses if len(one.after) > 1]
    if not known:
        return None
    rounds = max(len(one.after) for one in known) - 1
    values = [value for one in known for value in one.after]
    step = _step(max(values) - min(*values, 0))
    low = step * (min(*values, 0) // step)
    high = max(step * -(-max(values) // step), low + step)

    def x(number: int) -> int:
        return round(LEFT + (RIGHT - LEFT) * number / rounds)

    def y(score: int) -> int:
        return round(BOTTOM - (BOTTOM - TOP) * (score - low) / (high - low))

    signs = _apart([y(one.after[-1]) for one in known])
    lines = tuple(
        Curve(
            one.seat,
            " ".join(f"{x(number)},{y(score)}" for number, score in enumerate(one.after)),
            DASHES[place % len(DASHES)],
            signs[place],
        )
        for place, one in enumerate(known)
    )
    every = -(-rounds // MOST_ROUNDS_NAMED)
    return Curves(
        lines,
        tuple((y(score), score) for score in range(low, high + 1, step)),
        tuple((x(number), number) for number in range(0, rounds + 1, every)),
    )


def _step(span: int) -> int:
    """Return a round number that divides a span into few parts: 1, 2, 5, 10, 20, 50 and so on."""
    scale = 1
    while True:
        for digit in (1, 2, 5):
            if span <= digit * scale * MOST_GRID_LINES:
                return digit * scale
        scale *= 10


def _apart(wanted: Sequence[int]) -> list[int]:
    """Return heights near those wanted, so that signs do not lie on one another."""
    placed = list(wanted)
    order = sorted(range(len(placed)), key=lambda one: placed[one])
    for before, one in pairwise(order):
        placed[one] = max(placed[one], placed[before] + SIGN_APART)
    over = max(0, placed[order[-1]] - BOTTOM)
    return [height - over for height in placed]
