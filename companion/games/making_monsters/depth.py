"""How much of a seat is followed, and what is noted of a seat that is not followed token by token."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Depth(StrEnum):
    """How much a seat tells; rendered as ``mm.depth.<value>``."""

    FULL = "full"  # every token, by camera or by taps
    RESULTS = "results"  # monsters completed, bust or not; the rest follows
    SCORE = "score"  # points and rot, as they are told


@dataclass(frozen=True, slots=True)
class Feat:
    """A monster that a seat says it completed: its prestige, and which one if that is known."""

    prestige: int
    card: str = ""
