"""The reanimate action that a monster card prints: what it brings as data, or words for its owner to follow.

``2 prestige, 1 limb`` is data and resolved by itself; anything else is shown as it stands (MM-R50).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from companion.games.making_monsters.components import Token
from companion.games.making_monsters.parts import Parts, plus

PRESTIGE = "prestige"
PIECE = re.compile(r"\+?(\d{1,2}) +([a-z]+)")


@dataclass(frozen=True, slots=True)
class Action:
    """What a card brings when it is reanimated; ``words`` are what only its owner can read."""

    prestige: int = 0
    parts: Parts = field(default_factory=dict)
    words: str = ""


def read_action(text: str) -> Action:
    """Read counts of prestige and of parts, parted by commas; of anything else keep the words."""
    prestige, parts = 0, dict[Token, int]()
    for piece in filter(None, (piece.strip().lower() for piece in text.split(","))):
        found = PIECE.fullmatch(piece)
        if found is None:
            return Action(words=text)
        count, what = int(found[1]), found[2]
        if what == PRESTIGE:
            prestige += count
        elif what in set(Token) - {Token.ROT}:
            parts = plus(parts, {Token(what): count})
        else:
            return Action(words=text)
    return Action(prestige, parts)
