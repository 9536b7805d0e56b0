"""Turn looks into readings: an answer, how likely it is right, whether to act on it without asking.

The chance comes from what the eyes made of practice views when the box was taught (a small
logistic model for each group of spaces, ``TaughtBox.judgement``), never from a fixed level: what
"alike enough" means depends on the pieces.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.board import EMPTY, PieceKind, SpaceId
from companion.ports import HIDDEN, UNKNOWN, Obstacle, SpaceReading
from vision.box import TaughtBox
from vision.hinges import Hinges
from vision.look import Look
from vision.reasons import why_not_sure
from vision.sight import BoardSight

SURE = 0.9
LIKELY = 0.4  # below it an answer is no answer
PILE = PieceKind("pile")
INSIDE_ENOUGH = 0.75
MOST_LEAD = 1.2
NOISE = 20.0  # grey levels that a blank, noisy space varies by
CLEAR = 0.5
FAMILIES = {
    "token": "token",
    "part": "part",
    "on_top": "part",
    "card": "card",
    "tile": "tile",
    "stack": "tile",
    "pile": "pile",
}
PIECES = {"part": "token", "on_top": "token"}


def judge_board(looks: Sequence[Look], sight: BoardSight, box: TaughtBox) -> dict[SpaceId, SpaceReading]:
    """Judge all looks of a board; a part space is judged only where its card is likely."""
    readings: dict[SpaceId, SpaceReading] = {}
    for look in looks:
        parent = readings.get(look.parent) if look.parent is not None else None
        if look.parent is not None and (parent is None or parent.reads in (UNKNOWN, HIDDEN)):
            continue
        reading = judge(look, sight, box)
        if parent is not None and not parent.sure and reading.sure:
            doubt = min(reading.confidence, parent.confidence)
            reading = replace(reading, confidence=doubt, sure=False, obstacle=parent.obstacle)
        readings[look.space] = reading
    for (board, space), kind in box.printed.items():
        # Whatever lies on it: the parts of a printed card that nobody can see are hidden with it.
        if board == sight.pose.board and space in readings and readings[space].reads == HIDDEN:
            for part in box.cards[kind].parts:
                own = SpaceId(f"{space}.part{part.index}")
                readings.setdefault(own, replace(readings[space], others=(), on_top=()))
    return readings


def judge(look: Look, sight: BoardSight, box: TaughtBox) -> SpaceReading:
    """Judge one look."""
    if look.inside < INSIDE_ENOUGH:
        return SpaceReading(HIDDEN, 0.0, False, obstacle=Obstacle.OUTSIDE)
    confidence = chance(box.judgement, look, "right")
    reads = look.answers[0]
    others = tuple(k for k in look.answers[1:] if k != reads)[:2]
    if look.group == "pile" and reads != EMPTY:
        reads, others = PILE, ()
    on_top: tuple[PieceKind, ...] = ()
    for top in look.on_top:
        confidence = min(confidence, chance(box.judgement, top, "right"))
        if top.answers[0] != EMPTY:
            on_top = (top.answers[0],)
    if confidence < SURE and chance(box.judgement, look, "clear") < CLEAR:
        return SpaceReading(HIDDEN, 0.0, False, obstacle=Obstacle.COVERED)
    if confidence < LIKELY:
        likely = (reads, *others)[:3]
        return SpaceReading(UNKNOWN, confidence, False, likely, obstacle=why_not_sure(look, sight))
    obstacle = None if confidence >= SURE else why_not_sure(look, sight)
    return SpaceReading(reads, confidence, confidence >= SURE, others, on_top, obstacle)


def features_of(look: Look) -> NDArray[np.float64]:
    """Return what a chance rests on; GROWS tells which of it speaks for an answer.

    Of colours: lead over the runner-up (log ratio of misses); miss in grey levels; how much of what
    lies there stays unexplained (0 to 1 and beyond); miss around it; share of the board around that
    looks wrong. Of shape: likeness; its lead over the next piece; what it lacks though the board is sharp.
    """
    best = math.sqrt(look.misfits[0])
    if look.answers[0] == EMPTY:  # in poor light the whole board is a little off, not only this space
        best = math.sqrt(max(look.bare - look.usual, 0.0))
    lead = MOST_LEAD
    if len(look.misfits) > 1:
        runner_up = min(look.misfits[1:])
        lead = min(0.5 * math.log((runner_up + 9) / (look.misfits[0] + 9)), MOST_LEAD)
    unexplained = best / (math.sqrt(look.contrast) + NOISE) if look.contrast else 0.0
    # A heap spills over its space: what lies around tells nothing.
    ring = 0.0 if look.group == "pile" else math.sqrt(look.ring)
    unlike = (1 - look.alike) * look.clarity
    return np.array([lead, best, unexplained, ring, look.around, look.alike, look.lead, unlike])


KNOTS = (
    (-0.05, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7),
    (20.0, 28.0, 36.0, 45.0, 60.0),
    (0.35, 0.45, 0.55, 0.7, 0.9, 1.2),
    (20.0, 32.0, 45.0, 60.0),
    (0.1, 0.25, 0.5),
    (0.5, 0.65, 0.75, 0.85, 0.92),
    (-0.05, 0.05, 0.1, 0.2, 0.3, 0.45),
    (0.05, 0.1, 0.15, 0.2, 0.3),
)
UNITS = (0.1, 10.0, 0.1, 10.0, 0.1, 0.05, 0.05, 0.05)
GROWS = (0, 5, 6)  # features that speak for an answer; all others speak against it


HINGES = Hinges(KNOTS, UNITS, GROWS)


def model_name(look: Look, question: str) -> str:
    """Return which model answers a question (``right`` or ``clear``) about a look.

    A token is known by itself, wherever it lies; a bare part of a card is not like a bare space of a board.
    """
    if look.answers[0] == EMPTY:
        return f"{question}/{FAMILIES[look.group]}/empty"
    return f"{question}/{PIECES.get(look.group, FAMILIES[look.group])}/piece"


def chance(judgement: Mapping[str, Any], look: Look, question: str) -> float:
    """Return the chance, 0 to 1, that the answer to a question about a look is yes."""
    weights = judgement.get(model_name(look, question))
    if weights is None:
        return 0.0
    return HINGES.chance(weights, features_of(look))
