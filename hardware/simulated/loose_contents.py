"""What lies in a box of loose cards: those of all tables of its catalogue, and the zones of the seats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.board import BoardLayout, PieceKind
from companion.plugins import load


@dataclass(frozen=True, slots=True)
class LooseContents:
    """One box. ``cards`` gives each kind the table it stands in and its row; ``zones`` by seat."""

    game: str
    cards: Mapping[PieceKind, tuple[str, Mapping[str, Any]]]
    zones: Mapping[str, BoardLayout]
    counts: Mapping[PieceKind, int]
    catalogue: Mapping[str, Any]

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(self.zones)


def loose_contents_of(game: str) -> LooseContents:
    """Return the stand-in box of an installed game of loose cards. Raises PartUnusable."""
    plays = load("companion.games", game)
    zones: dict[str, BoardLayout] = {
        plays.box.owners[board.id]: board for board in plays.box.boards if board.id in plays.box.owners
    }
    cards = dict(_cards(plays.stand_in))
    return LooseContents(game, cards, zones, dict(plays.box.counts), plays.stand_in)


def _cards(catalogue: Mapping[str, Any]) -> Iterator[tuple[PieceKind, tuple[str, Mapping[str, Any]]]]:
    for table, rows in catalogue.items():
        if isinstance(rows, Mapping):
            for card, row in rows.items():
                if isinstance(row, Mapping) and "name" in row:
                    yield PieceKind(card), (table, row)
