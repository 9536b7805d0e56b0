"""The tables that a box of the game prints, and what may stand in them: forms, special parts, research."""

from __future__ import annotations

from companion.games.monster_graveyard.components import ANY, DECKS, Form, Shape
from companion.sheets import Column, Kind, Sheet

UPGRADE, DISCOVERY = "upgrade", "discovery"
MOST_ADDED = 9
MOST_OF_A_KIND = 60

NAME = Column("name", Kind.TEXT, 1, 60, is_unique=True)
ADDED = tuple(
    Column(name, Kind.NUMBER, 0, MOST_ADDED, is_needed=True) for name in ("terror", "science", "health")
)
EFFECT = Column("effect", Kind.TEXT, 1, 200)
COUNT = Column("count", Kind.NUMBER, 0, MOST_OF_A_KIND)

FORMS = Sheet(
    "forms",
    "form",
    "forms",
    (
        NAME,
        *ADDED,
        *(Column(name, Kind.NUMBER, 0, MOST_OF_A_KIND) for name in ("heads", "torsos", "arms", "legs")),
    ),
    tuple(Form),
)
"""What a part that is not special adds, and how many there are of each shape."""

SPECIALS = Sheet(
    "specials",
    "special",
    "specials",
    (
        NAME,
        Column("covers", Kind.CHOICES, 1, 6, (*Shape, ANY), is_needed=True, said_as="shape"),
        *ADDED,
        EFFECT,
        COUNT,
    ),
    may_grow=True,
)
"""Special parts: the shapes that each counts as, what it adds, what it does besides."""

RESEARCH = Sheet(
    "research",
    "research",
    "research",
    (
        NAME,
        Column("deck", Kind.CHOICE, allowed=DECKS, is_needed=True, said_as="deck"),
        Column("type", Kind.CHOICE, allowed=(UPGRADE, DISCOVERY), is_needed=True, said_as="type"),
        *ADDED,
        EFFECT,
        COUNT,
    ),
    may_grow=True,
)
"""Research cards: what an upgrade adds to new monsters, what a card does besides."""

SHEETS = (FORMS, SPECIALS, RESEARCH)
