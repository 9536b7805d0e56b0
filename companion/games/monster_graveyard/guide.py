"""The game one step at a time, for people who play it for the first time."""

from __future__ import annotations

from collections.abc import Mapping

from companion.game import Sentence
from companion.games.monster_graveyard.state import Stage
from companion.games.monster_graveyard.words import say

STEPS: Mapping[Stage, int] = {
    Stage.CHOOSE: 2,
    Stage.ACT: 4,
    Stage.BUY: 2,
    Stage.LOOK: 3,
    Stage.DROP: 1,
    Stage.RECORD: 2,
}
"""How many steps are said at a stage; at all others there is nothing to explain."""


def guide(stage: Stage) -> tuple[Sentence, ...]:
    """Return the steps of a stage in their order: ``mg.guide.<stage>.<number>``."""
    return tuple(say(f"guide.{stage}.{number}") for number in range(1, STEPS.get(stage, 0) + 1))
