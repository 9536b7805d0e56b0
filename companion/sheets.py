"""How a game declares what a box prints: tables of rows, columns with what is allowed in them.

Declarations only. CSV, forms and checks all come from them (``companion.catalogue``,
``companion.spreadsheet``). Imports nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What stands in a column."""

    TEXT = "text"
    NUMBER = "number"
    CHOICE = "choice"  # one word
    CHOICES = "choices"  # several words in their order, repeats allowed


@dataclass(frozen=True, slots=True)
class Column:
    """One column: ``name`` heads it in CSV and is the key of a stored row.

    ``least`` and ``most`` bound a number, the letters of a text or how many words are chosen.
    ``allowed`` are the words of a choice; with ``of`` they are the ids of another sheet.
    ``may_be_open``: not known yet is allowed; ``is_needed``: a game asks for it, so that a row
    without it is not complete. ``sized_by`` names a stored field of the row that
    says how many words there are, if it is there. ``said_as`` is the kind of sentence that
    pages call the words by (``token`` for ``token.limb``). ``grid`` is where the column stands in a table
    of its own on the card, such as a chart: (heading, row).
    """

    name: str
    kind: Kind
    least: int = 0
    most: int = 60
    allowed: tuple[str, ...] = ()
    of: str = ""
    may_be_open: bool = True
    is_needed: bool = False
    is_unique: bool = False
    sized_by: str = ""
    said_as: str = ""
    grid: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """One table of a catalogue: ``key`` heads the ids, ``stored`` is where the catalogue has it.

    ``ids`` are all ids there are; empty: the box says. A ``is_bare`` sheet has one column and
    stores its value without a row around it. ``listed`` names a list in the catalogue that has
    the ids, too. ``may_grow``: a person may add rows that the box did not have.
    """

    name: str
    key: str
    stored: str
    columns: tuple[Column, ...]
    ids: tuple[str, ...] = ()
    is_bare: bool = False
    listed: str = ""
    may_grow: bool = False

    @property
    def headings(self) -> tuple[str, ...]:
        return (self.key, *(column.name for column in self.columns))

    def column(self, name: str) -> Column:
        """Return a column by name. Raises KeyError."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)
