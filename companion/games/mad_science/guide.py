"""The game one step at a time, for people who play it for the first time."""

from __future__ import annotations

from collections.abc import Mapping

from companion.game import Sentence
from companion.games.mad_science.state import Phase, Stage
from companion.games.mad_science.words import say

STEPS: Mapping[Stage, int] = {
    Stage.FIRST: 1,
    Stage.TURN_UP: 2,
    Stage.BODY: 2,
    Stage.DEAL: 2,
    Stage.PLAY: 4,
    Stage.DRAW: 2,
    Stage.DISCARD: 1,
    Stage.ROLL: 3,
    Stage.TWICE: 1,
    Stage.RECOVER: 2,
    Stage.MOVE: 2,
    Stage.REVEAL: 2,
    Stage.TARGET: 2,
    Stage.TAKE: 1,
}
"""How many steps are said at a stage; at all others there is nothing to explain."""

BREAK_ROLL_STEPS = 3


def guide(stage: Stage, phase: Phase) -> tuple[Sentence, ...]:
    """Return the steps of a stage in their order: ``ms.guide.<stage>.<number>``."""
    if stage is Stage.ROLL and phase is Phase.BREAK:
        return tuple(say(f"guide.attack.{number}") for number in range(1, BREAK_ROLL_STEPS + 1))
    return tuple(say(f"guide.{stage}.{number}") for number in range(1, STEPS.get(stage, 0) + 1))
