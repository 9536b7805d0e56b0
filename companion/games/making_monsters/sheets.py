"""The tables that a box of the game prints, and what may stand in them: cards, carts, tiles, tracks."""

from __future__ import annotations

from companion.games.making_monsters.components import (
    CARD_SPACES,
    STARTING_BAG,
    TILES,
    TOKEN_COUNTS,
    USEFUL,
    Order,
    Token,
)
from companion.sheets import Column, Kind, Sheet

USEFUL_WORDS = tuple(kind.value for kind in USEFUL)
COLOURS = tuple(order.value for order in Order)
MOST_PRESTIGE = 30
MOST_PARTS = 6
LONGEST_TRACK = TOKEN_COUNTS[Token.ROT] - 2 * STARTING_BAG[Token.ROT]
"""All the Rot that two players leave."""

NAME = Column("name", Kind.TEXT, 1, 60, is_unique=True)
PRESTIGE = Column("prestige", Kind.NUMBER, 0, MOST_PRESTIGE, is_needed=True)
PARTS = Column(
    "parts",
    Kind.CHOICES,
    1,
    MOST_PARTS,
    USEFUL_WORDS,
    is_needed=True,
    sized_by="part_spaces",
    said_as="token",
)
ACTION = Column("action", Kind.TEXT, 1, 200)

CARDS = Sheet("cards", "card", "cards", (NAME, PRESTIGE, PARTS, ACTION), may_grow=True)
"""Monster cards and printed monsters: parts in the order of the slots, the reanimate action in words."""

PRINTED = Sheet(
    "printed",
    "space",
    "printed_monsters",
    (Column("monster", Kind.CHOICE, of="cards"),),
    CARD_SPACES,
    is_bare=True,
)
CARTS = Sheet(
    "carts",
    "cart",
    "carts",
    (Column("parts", Kind.CHOICES, 1, 5, USEFUL_WORDS, may_be_open=False, is_needed=True, said_as="token"),),
    ("cart1", "cart2", "cart3", "cart4"),
    is_bare=True,
)
TRIGGERS = Sheet(
    "triggers",
    "order",
    "order_secondary",
    (Column("lifted_by", Kind.CHOICE, allowed=COLOURS, said_as="order"),),
    COLOURS,
    is_bare=True,
)
TILE_COUNTS = Sheet(
    "tiles",
    "tile",
    "upgrade_counts",
    (Column("count", Kind.NUMBER, 0, TILES),),
    is_bare=True,
    listed="upgrades",
    may_grow=True,
)
TRACK = Sheet(
    "track",
    "players",
    "rot_track",
    (Column("length", Kind.NUMBER, 1, LONGEST_TRACK),),
    ("2", "3", "4"),
    is_bare=True,
)
SHEETS = (CARDS, PRINTED, CARTS, TRIGGERS, TILE_COUNTS, TRACK)
