"""An evening in numbers: places, what each score is made of, and how it grew round by round.

Made of what everybody may know: the view of those who watch, and the sums behind its scores. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.game import Seat, SeatView, Sum
from companion.table.writer import TableView


@dataclass(frozen=True, slots=True)
class Course:
    """A seat's way through the evening.

    ``after`` are its scores after round 0 (before the first), 1, 2 and so on; ``sum`` is None where
    the game does not say how a score came about, and then only the last score is known.
    """

    seat: Seat
    score: int
    rank: int | None
    sum: Sum | None
    after: tuple[int, ...]


def courses(seen: TableView, sums: Sequence[Sum]) -> tuple[Course, ...]:
    """Return the seats' ways, the best first; ties stay in the order of the table."""
    by_key = {one.key: one for one in sums}
    own = {one.seat: by_key.get(one.why) for one in seen.view.seats}
    tallied = [line.round or 0 for one in own.values() if one for line in one.tallies]
    rounds = max([seen.view.round or 0, *tallied])
    found = [_course(one, own[one.seat], rounds) for one in seen.view.seats]
    return tuple(sorted(found, key=lambda one: (one.rank or len(found), -one.score)))


def _course(one: SeatView, sum_: Sum | None, rounds: int) -> Course:
    gained = [0] * (rounds + 1)
    for line in sum_.tallies if sum_ else ():
        gained[line.round or 0] += line.amount
    after = tuple(sum(gained[: number + 1]) for number in range(rounds + 1))
    return Course(one.seat, one.score, one.rank, sum_, after if sum_ else ())
