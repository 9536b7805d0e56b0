"""What changed from one steady reading to the next, as ``companion watch`` prints it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.board import EMPTY, BoardId, Place, SpaceId
from companion.ports import HIDDEN, UNKNOWN, BoardReading, Reading
from vision.places import MARKER, card_space_of

QUARTER = SpaceId("quarter")
FULL_QUARTER_DEG = 20.0  # a disc further off than this is being turned

Answer = str | int


@dataclass(frozen=True, slots=True)
class Change:
    """One space that reads otherwise than before; ``was`` is what it last read surely.

    A marker is the space ``marker_<player>`` and reads a step, a rotating board the space
    ``quarter`` and reads quarter turns clockwise.
    """

    place: Place
    was: Answer
    reads: Answer
    sure: bool


@dataclass(frozen=True, slots=True)
class Known:
    """What was surely read of each place so far, and the best guess at those in doubt now."""

    answers: Mapping[Place, Answer] = field(default_factory=dict)
    guesses: Mapping[Place, Answer] = field(default_factory=dict)
    is_first: bool = True


def compare(known: Known, reading: Reading) -> tuple[Known, tuple[Change, ...]]:
    """Return what is known after a reading, and what changed. The first one is the state it begins with.

    A space that a hand hides has not changed, and neither has it when it is bare again. What
    turns out to be what was guessed is no change either.
    """
    answers, guesses, changes = dict(known.answers), dict(known.guesses), []
    seen = dict(_answers(reading))
    for place, (answer, sure, others) in seen.items():
        if answer == HIDDEN:
            continue
        was = answers.get(place, UNKNOWN if known.is_first else EMPTY)
        if sure:
            is_guessed = was == UNKNOWN and answer == guesses.get(place)
            if answer != was and not is_guessed and not known.is_first:
                changes.append(Change(place, was, answer, sure=True))
            answers[place] = answer
            guesses.pop(place, None)
            continue
        answers.setdefault(place, UNKNOWN)
        if place not in guesses and was != UNKNOWN:
            changes.append(Change(place, was, answer, sure=False))
        guesses[place] = others[0] if answer == UNKNOWN and others else answer
    for place in set(answers) - set(seen):
        if card_space_of(place) is not None:  # a part of a card that was taken
            del answers[place]
    return Known(answers, guesses, is_first=False), tuple(changes)


def _answers(reading: Reading) -> Iterator[tuple[Place, tuple[Answer, bool, tuple[Answer, ...]]]]:
    """Give each place its answer, whether it is sure, and what else it may be."""
    for board, read in reading.boards.items():
        for space, seen in read.spaces.items():
            yield Place(board, space), (str(seen.reads), seen.sure, tuple(map(str, seen.others)))
        for player, step in read.markers.items():
            yield Place(board, SpaceId(f"{MARKER}{player}")), (step, True, ())
    for board, quarter in quarters(reading.boards).items():
        yield Place(board, QUARTER), (quarter, True, ())


def quarters(boards: Mapping[BoardId, BoardReading]) -> dict[BoardId, int]:
    """Return the quarter (0 to 3, clockwise) of each board that lies within another one.

    Only what stands on a quarter, give or take 20 degrees; a board between two is being turned.
    """
    found = {}
    for board, inner in boards.items():
        for outer in boards.values():
            if outer.board == board or not _lies_within(inner, outer):
                continue
            turn_deg = (inner.rotation_deg - outer.rotation_deg) % 360
            quarter = round(turn_deg / 90)
            if abs(turn_deg - 90 * quarter) <= FULL_QUARTER_DEG:
                found[board] = quarter % 4
    return found


def _lies_within(inner: BoardReading, outer: BoardReading) -> bool:
    if len(inner.corners_px) != 4 or len(outer.corners_px) != 4:
        return False
    mine, other = np.array(inner.corners_px, np.float32), np.array(outer.corners_px, np.float32)
    middle = mine.mean(axis=0)
    is_inside = cv2.pointPolygonTest(other, (float(middle[0]), float(middle[1])), measureDist=False) > 0
    return bool(is_inside and cv2.contourArea(mine) < cv2.contourArea(other))
