"""How much of a seat is followed, and what is noted of a seat that is not followed token by token."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion.games.making_monsters.components import TOKEN_COUNTS, Token

MOST_UNTOLD: Mapping[Token, int] = {k: n for k, n in TOKEN_COUNTS.items() if k is not Token.ROT}
"""What an untold reanimation may have brought at most; Rot is always told."""


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
