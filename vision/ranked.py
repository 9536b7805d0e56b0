"""The race between the empty space and the pieces that were tried there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.board import EMPTY, PieceKind


class Ranked(NamedTuple):
    """Answers, the empty space among them, best first; how the winner stands in shape."""

    answers: tuple[PieceKind, ...]
    misfits: tuple[float, ...]
    alike: float = 1.0
    lead: float = 1.0


def rank(
    empty: float, kinds: Sequence[PieceKind], misfits: Sequence[float], likes: Sequence[float]
) -> Ranked:
    """Let the empty space race with pieces (best first) by misfit."""
    if not kinds:
        return Ranked((EMPTY,), (empty,))
    alike, lead = 1.0, 1.0
    at = 0 if empty < misfits[0] else max(1, sum(m <= empty for m in misfits))
    if likes and at == 0:
        lead = 1.0 - max(likes)
    elif likes:
        alike, lead = likes[0], likes[0] - max(likes[1:], default=0.0)
    answers = (*kinds[:at], EMPTY, *kinds[at:])
    return Ranked(answers, (*misfits[:at], empty, *misfits[at:]), alike, lead)
