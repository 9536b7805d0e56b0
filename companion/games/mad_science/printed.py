"""What the cards of a box print, as far as it is known; None is not known, never a guess."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.catalogue import Row, rows_of
from companion.game import Wire
from companion.games.mad_science import sheets
from companion.games.mad_science.components import FACES, Column, Connector, Kind, Rank, cell

Chart = Mapping[str, str]
"""Words by cell (``middle_4``); a box that nobody has told is not in it."""


@dataclass(frozen=True, slots=True)
class Body:
    id: str
    name: str
    connector: Connector | None
    life: int | None


@dataclass(frozen=True, slots=True)
class Part:
    """A part; ``number`` is what it breaks on, ``special`` the damage of a weapon."""

    id: str
    name: str
    kind: Kind
    connector: Connector | None
    life: int | None
    number: int | None
    special: int | None
    copies: int


@dataclass(frozen=True, slots=True)
class Adaptor:
    id: str
    name: str
    copies: int


@dataclass(frozen=True, slots=True)
class Experiment:
    """``move`` is the special move in the card's own words as the table told them, ``does`` in ours."""

    id: str
    name: str
    life: int | None
    chart: Chart
    move: str
    does: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    id: str
    name: str
    chart: Chart


@dataclass(frozen=True, slots=True)
class Printed:
    """A box. ``names`` are what its cards are called, ``catalogue`` is what it was read from."""

    bodies: Mapping[str, Body]
    parts: Mapping[str, Part]
    adaptors: Mapping[str, Adaptor]
    experiments: Mapping[str, Experiment]
    conflicts: Mapping[str, Conflict]
    names: Mapping[str, str]
    catalogue: Wire

    @property
    def pile(self) -> int:
        """How many cards the Pile of Parts has: parts and adaptors."""
        parts = sum(part.copies for part in self.parts.values())
        return parts + sum(adaptor.copies for adaptor in self.adaptors.values())

    def name(self, card: str) -> str:
        """Return what any card is called, its id if it has no name."""
        return self.names.get(card, card)

    def copies(self, card: str) -> int:
        """Return how many there are of a card of the Pile of Parts, 0 if it is none of them."""
        found = self.parts.get(card) or self.adaptors.get(card)
        return 0 if found is None else found.copies


def read_catalogue(catalogue: Wire) -> Printed:
    """Read what a box prints. Raises ValueError that says which part of the catalogue is wrong."""
    names = {
        card: _name(card, row) for sheet in sheets.SHEETS for card, row in rows_of(sheet, catalogue).items()
    }
    return Printed(
        bodies={
            card: Body(card, _name(card, row), _connector(row), _number(row, "life"))
            for card, row in rows_of(sheets.BODIES, catalogue).items()
        },
        parts={card: _part(card, row) for card, row in rows_of(sheets.PARTS, catalogue).items()},
        adaptors={
            card: Adaptor(card, _name(card, row), _number(row, "copies") or 1)
            for card, row in rows_of(sheets.ADAPTORS, catalogue).items()
        },
        experiments={
            card: Experiment(
                card,
                _name(card, row),
                _number(row, "life"),
                _chart(Column, row),
                str(row["move"] or ""),
                tuple(row["move_does"] or ()),  # type: ignore[arg-type]
            )
            for card, row in rows_of(sheets.EXPERIMENTS, catalogue).items()
        },
        conflicts={
            card: Conflict(card, _name(card, row), _chart(Rank, row))
            for card, row in rows_of(sheets.CONFLICTS, catalogue).items()
        },
        names=names,
        catalogue=catalogue,
    )


def _name(card: str, row: Row) -> str:
    return str(row["name"] or card.replace("_", " "))


def _number(row: Row, column: str) -> int | None:
    found: Any = row[column]
    return found  # type: ignore[no-any-return]


def _connector(row: Row) -> Connector | None:
    found = row["connector"]
    return None if found is None else Connector(str(found))


def _part(card: str, row: Row) -> Part:
    try:
        kind = Kind(str(row["kind"]))
    except ValueError as wrong:
        raise ValueError(f"The catalogue's part {card} is no head, arm, weapon or legs: {wrong}.") from wrong
    return Part(
        card,
        _name(card, row),
        kind,
        _connector(row),
        _number(row, "life"),
        _number(row, "number"),
        _number(row, "special"),
        _number(row, "copies") or 1,
    )


def _chart(columns: type[Column] | type[Rank], row: Row) -> Chart:
    words = {cell(column, face): row[cell(column, face)] for column in columns for face in FACES}
    return {box: str(word) for box, word in words.items() if word is not None}
