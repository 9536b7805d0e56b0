"""The tables that a box of the game prints: bodies, parts, adaptors, and two kinds of charts."""

from __future__ import annotations

from companion.games.mad_science.components import FACES, Column, Connector, Kind, Rank, cell
from companion.games.mad_science.instructions import BATTLE_WORDS, BREAK_WORDS, MOVE_WORDS
from companion.sheets import Column as Cells
from companion.sheets import Kind as Holds
from companion.sheets import Sheet

MOST_LIFE = 60
MOST_PART_LIFE = 9
MOST_SPECIAL = 20
MOST_COPIES = 20
MOST_EFFECTS = 6

CONNECTORS = tuple(connector.value for connector in Connector)
OF_BODIES = tuple(word for word in CONNECTORS if word != Connector.UNIVERSAL)

NAME = Cells("name", Holds.TEXT, 1, 60, is_unique=True)
COPIES = Cells("copies", Holds.NUMBER, 1, MOST_COPIES)
"""How many of a card there are; one, if nobody says."""

BODIES = Sheet(
    "bodies",
    "body",
    "bodies",
    (
        NAME,
        Cells("connector", Holds.CHOICE, allowed=OF_BODIES, is_needed=True, said_as="connector"),
        Cells("life", Holds.NUMBER, 1, MOST_LIFE, is_needed=True),
    ),
    may_grow=True,
)
PARTS = Sheet(
    "parts",
    "part",
    "parts",
    (
        NAME,
        Cells(
            "kind",
            Holds.CHOICE,
            allowed=tuple(kind.value for kind in Kind),
            may_be_open=False,
            is_needed=True,
            said_as="kind",
        ),
        Cells("connector", Holds.CHOICE, allowed=CONNECTORS, is_needed=True, said_as="connector"),
        Cells("life", Holds.NUMBER, 0, MOST_PART_LIFE, is_needed=True),
        Cells("number", Holds.NUMBER, 1, 6, is_needed=True),
        Cells("special", Holds.NUMBER, 0, MOST_SPECIAL),
        COPIES,
    ),
    may_grow=True,
)
"""``number`` is what the part breaks on; ``special`` is the damage of a weapon."""

ADAPTORS = Sheet("adaptors", "adaptor", "adaptors", (NAME, COPIES), may_grow=True)


def _chart(columns: type[Column] | type[Rank], words: tuple[str, ...]) -> tuple[Cells, ...]:
    """Return a column for each of the 6 x 3 boxes of a chart."""
    return tuple(
        Cells(
            cell(column, face),
            Holds.CHOICE,
            allowed=words,
            is_needed=True,
            said_as="box",
            grid=(column.value, str(face)),
        )
        for column in columns
        for face in FACES
    )


EXPERIMENTS = Sheet(
    "experiments",
    "experiment",
    "experiments",
    (
        NAME,
        Cells("life", Holds.NUMBER, 1, MOST_LIFE, is_needed=True),
        Cells("move", Holds.TEXT, 1, 300),
        Cells("move_does", Holds.CHOICES, 0, MOST_EFFECTS, MOVE_WORDS, said_as="box"),
        *_chart(Column, BATTLE_WORDS),
    ),
    may_grow=True,
)
"""``move`` is the special move in words, ``move_does`` what it does as far as our words can say it."""

CONFLICTS = Sheet("conflicts", "conflict", "conflicts", (NAME, *_chart(Rank, BREAK_WORDS)), may_grow=True)

SHEETS = (BODIES, PARTS, ADAPTORS, EXPERIMENTS, CONFLICTS)
