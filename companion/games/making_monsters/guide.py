"""The game one step at a time, for people who play it for the first time."""

from __future__ import annotations

from collections.abc import Mapping

from companion.game import Sentence
from companion.games.making_monsters.state import Stage
from companion.games.making_monsters.words import say

STEPS: Mapping[Stage, int] = {
    Stage.CARD: 3,
    Stage.STOCK: 3,
    Stage.ORDER: 3,
    Stage.TELL: 1,
    Stage.DRAW: 3,
    Stage.REPORT: 1,
    Stage.COUNT: 1,
    Stage.ADD: 1,
    Stage.LESTER: 2,
    Stage.DECIDE: 3,
    Stage.ITEMS: 2,
    Stage.SPARE: 1,
    Stage.COUPON: 1,
    Stage.CHILL: 1,
    Stage.KEEP: 2,
    Stage.CHOOSE: 2,
}
"""How many steps are said at a stage; at all others there is nothing to explain."""


def guide(stage: Stage) -> tuple[Sentence, ...]:
    """Return the steps of a stage in their order: ``mm.guide.<stage>.<number>``."""
    return tuple(say(f"guide.{stage}.{number}") for number in range(1, STEPS.get(stage, 0) + 1))
