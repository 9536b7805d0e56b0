"""One board seen by several cameras: what they agree on holds, what they contradict each other on is unknown.

A hand or a lamp's gloss seldom hides a space from two cameras. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.board import SpaceId
from companion.ports import HIDDEN, UNKNOWN, BoardReading, Obstacle, Reading, SpaceReading


def fused_space(seen: Sequence[SpaceReading]) -> SpaceReading:
    """Return what several cameras say of one space together; the first counts where all say the same.

    Sure beats unsure, seen beats hidden. Two that are sure of different things make it unknown, however
    sure each is: one of them is wrong, and nobody can tell which.
    """
    shown = [one for one in seen if one.reads != HIDDEN]
    if not shown:
        return seen[0]
    sure = [one for one in shown if one.sure]
    answers = dict.fromkeys((one.reads, one.on_top) for one in sure)
    if len(answers) > 1:
        others = tuple(dict.fromkeys(one.reads for one in sure))
        return SpaceReading(UNKNOWN, 0.0, False, others, obstacle=Obstacle.TWO_CANDIDATES)
    return max(sure or shown, key=lambda one: one.confidence)


def fused_board(readings: Sequence[Reading], base: BoardReading, old: Mapping[SpaceId, int]) -> BoardReading:
    """Return a board as several cameras see it, placed and marked as in ``base``.

    ``old`` are spaces that an event touched, and when: what was read before says nothing where a newer
    reading says something.
    """
    boards = [(one.at_ms, one.boards[base.board]) for one in readings]
    spaces: dict[SpaceId, SpaceReading] = {}
    for space in dict.fromkeys(space for _, board in boards for space in board.spaces):
        said = [(at_ms, board.spaces[space]) for at_ms, board in boards if space in board.spaces]
        fresh = [one for at_ms, one in said if at_ms > old.get(space, -1)]
        spaces[space] = fused_space(fresh or [one for _, one in said])
    return replace(base, spaces=spaces)
