"""Turn looks into readings: an answer, how likely it is right, whether to act on it without asking."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from companion.board import EMPTY, PieceKind, SpaceId
from companion.ports import HIDDEN, UNKNOWN, SpaceReading
from vision.box import TaughtBox
from vision.sight import BoardSight
from vision.spaces import Look

SURE = 0.9
PILE = PieceKind("pile")
INSIDE_ENOUGH = 0.7
NO_RIVAL = 1.2


def judge_board(looks: Sequence[Look], sight: BoardSight, box: TaughtBox) -> dict[SpaceId, SpaceReading]:
    """Judge all looks of a board; a part space is judged only where its card is likely."""
    readings: dict[SpaceId, SpaceReading] = {}
    for look in looks:
        parent = readings.get(look.parent) if look.parent is not None else None
        if look.parent is not None and (parent is None or parent.reads in (UNKNOWN, HIDDEN)):
            continue
        reading = judge(look, sight, box)
        if parent is not None and not parent.sure:
            reading = SpaceReading(
                reading.reads, min(reading.confidence, parent.confidence), False, reading.others
            )
        readings[look.space] = reading
    return readings


def judge(look: Look, sight: BoardSight, box: TaughtBox) -> SpaceReading:
    if look.inside < INSIDE_ENOUGH:
        return SpaceReading(HIDDEN, 0.0, False)
    confidence = confidence_of(look, sight)
    reads = look.answers[0]
    others = tuple(k for k in look.answers[1:] if k != reads)[:2]
    if look.group == "pile" and reads != EMPTY:
        expected = box.pile_kinds.get((sight.pose.board, look.space))
        if expected is not None and reads != expected:
            return SpaceReading(UNKNOWN, 0.0, False, (PILE,))
        reads, others = PILE, ()
    on_top: tuple[PieceKind, ...] = ()
    for top in look.on_top:
        confidence = min(confidence, confidence_of(top, sight))
        if top.answers[0] != EMPTY:
            on_top = (top.answers[0],)
    if confidence < 0.4:
        return SpaceReading(UNKNOWN, confidence, False, (reads, *others)[:3])
    return SpaceReading(reads, confidence, confidence >= SURE, others, on_top)


def features_of(look: Look, sight: BoardSight) -> Mapping[str, float]:
    """Return what the confidence rests on: all are about 0 to 3."""
    best = math.sqrt(look.misfits[0])
    rival = (
        NO_RIVAL if len(look.misfits) < 2 else 0.5 * math.log((look.misfits[1] + 9) / (look.misfits[0] + 9))
    )
    return {
        "lead": min(rival, NO_RIVAL),
        "miss": best / 30,
        "board_miss": sight.light.miss / 10,
        "blur": sight.light.blur / 5,
        "unexplained": best / math.sqrt(look.contrast + 100) if look.contrast else 0.5,
    }


def confidence_of(look: Look, sight: BoardSight) -> float:
    f = features_of(look, sight)
    z = 14 * (f["lead"] - 0.1) + 6 * (1.9 - f["miss"])
    return 1 / (1 + math.exp(-max(min(z, 30), -30)))
