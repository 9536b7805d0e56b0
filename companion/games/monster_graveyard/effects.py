"""What a card does besides its attributes: counts as data, or words for its owner to follow.

``terrorize: 1 gp; reanimate: 2 draws`` is data and resolved by itself; anything else is shown as it
stands. A clause without a trigger happens at once, when the part is used or the card is played.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum


class Trigger(StrEnum):
    """When a clause happens."""

    NOW = "now"
    REANIMATE = "reanimate"
    EXPERIMENT = "experiment"
    ACQUIRE = "acquire"
    RESEARCH = "research"  # each of the three
    TERRORIZE = "terrorize"


RESEARCH_ACTIONS = (Trigger.REANIMATE, Trigger.EXPERIMENT, Trigger.ACQUIRE)
"""Rulebook, Phase Summary: what upgrades and abilities mean that care about research actions."""

PIECE = re.compile(r"\+?(\d{1,2}) +([a-z]+)")


@dataclass(frozen=True, slots=True)
class Gains:
    """What something brings: points, skeletal parts to draw, minions, and a boost to one monster."""

    gp: int = 0
    rp: int = 0
    vp: int = 0
    draws: int = 0
    minions: int = 0
    terror: int = 0
    science: int = 0
    health: int = 0

    @property
    def is_nothing(self) -> bool:
        return self == Gains()

    @property
    def boosts(self) -> bool:
        """Say whether one of the owner's monsters grows by it."""
        return bool(self.terror or self.science or self.health)


UNITS: Mapping[str, str] = {
    **{one.name: one.name for one in fields(Gains)},
    "draw": "draws",
    "minion": "minions",
}


@dataclass(frozen=True, slots=True)
class Effect:
    """The clauses of a card by their trigger; ``words`` are what only its owner can read."""

    gains: Mapping[Trigger, Gains] = field(default_factory=dict)
    words: str = ""

    def on(self, trigger: Trigger) -> Gains:
        """Return what happens at a trigger; at a research action also what watches all of them."""
        own = self.gains.get(trigger, Gains())
        if trigger in RESEARCH_ACTIONS:
            return together((own, self.gains.get(Trigger.RESEARCH, Gains())))
        return own


def together(all_gains: Sequence[Gains]) -> Gains:
    """Return the sum of gains."""
    return Gains(*(sum(getattr(one, unit.name) for one in all_gains) for unit in fields(Gains)))


def read_effect(text: str) -> Effect:
    """Read clauses parted by semicolons; if one cannot be read, keep the words of all."""
    found: dict[Trigger, Gains] = {}
    for clause in filter(None, (clause.strip().lower() for clause in text.split(";"))):
        head, colon, tail = clause.partition(":")
        trigger = head.strip() if colon else Trigger.NOW.value
        gains = _gains(tail if colon else clause)
        if trigger not in set(Trigger) or gains is None:
            return Effect(words=text.strip())
        found[Trigger(trigger)] = together((found.get(Trigger(trigger), Gains()), gains))
    return Effect(found)


def _gains(text: str) -> Gains | None:
    counts: dict[str, int] = {}
    for piece in filter(None, (piece.strip() for piece in text.split(","))):
        found = PIECE.fullmatch(piece)
        if found is None or found[2] not in UNITS:
            return None
        unit = UNITS[found[2]]
        counts[unit] = counts.get(unit, 0) + int(found[1])
    return Gains(**counts) if counts else None
