"""What lies in a box: its boards, cards, tiles and how many of each piece.

Read from a game's own catalogue (``Game.stand_in``) and its boards; knows no rules and
does no I/O but looking up the game's entry point.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.board import BoardId, BoardLayout, PieceKind, Place, Space, SpaceId
from companion.plugins import load

TOKEN_MM = 22.0
CARD_MM = (63.0, 88.0)
TILE_MM = 30.0
ORDER_MM = 30.0
LESTER_MM = (44.0, 63.0)
MARKER_MM = 9.0

TOKENS = tuple(PieceKind(k) for k in ("rot", "limb", "stitch", "spike", "goop", "zapper", "mutation"))
ORDERS = ("red", "yellow", "blue")
CARD_BACK = PieceKind("card_back")
TILE_BACK = PieceKind("upgrade_back")

STARTING_BAG = {"rot": 7, "limb": 5, "stitch": 4, "spike": 3, "goop": 2, "zapper": 1}
"""How each bag is packed when it comes out of the box (rulebook, Setup C)."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A part space printed on a card: its centre in millimetres from the card's top left."""

    index: int
    needs: PieceKind
    centre_mm: tuple[float, float]
    radius_mm: float


@dataclass(frozen=True, slots=True)
class Card:
    """A monster card, or a monster printed on a lab."""

    id: str
    name: str
    prestige: int
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Contents:
    """One box.

    ``cards`` holds the deck only; ``printed`` the monsters printed on every lab, by card
    space. ``carts`` says which parts each cart prints. ``catalogue`` is the game's own
    text of all this, as it was told.
    """

    boards: Mapping[BoardId, BoardLayout]
    cards: Mapping[str, Card]
    printed: Mapping[SpaceId, Card]
    upgrades: tuple[str, ...]
    lesters: tuple[str, ...]
    carts: tuple[tuple[PieceKind, ...], ...]
    players: tuple[str, ...]
    secondary: Mapping[str, str]
    counts: Mapping[PieceKind, int]
    starting_bag: Mapping[PieceKind, int]
    catalogue: Mapping[str, Any]

    def lab(self, seat: str) -> BoardLayout:
        """Return the lab of a seat."""
        return self.boards[lab_of(seat)]

    def space(self, place: Place) -> Space | None:
        """Return a printed space; None for part spaces of cards and for places that are not there."""
        board = self.boards.get(place.board)
        return None if board is None else board.spaces.get(place.space)

    def slot(self, card_space: SpaceId, card: str | None, part: int) -> Slot | None:
        """Return a part space of the card on a space, or of the monster printed there."""
        lying = self.printed.get(card_space) if card is None else self.cards.get(card)
        slots = () if lying is None else lying.slots
        return next((slot for slot in slots if slot.index == part), None)


def lab_of(seat: str) -> BoardId:
    """Name the lab of a seat."""
    return BoardId(f"lab_{seat}")


def card_and_part(space: str) -> tuple[SpaceId, int] | None:
    """Split ``card4.part1`` into its card space and the number of the part; None for other spaces."""
    card, dot, part = space.partition(".part")
    return (SpaceId(card), int(part)) if dot and part.isdigit() else None


def _card(card_id: str, row: Mapping[str, Any]) -> Card:
    slots = tuple(
        Slot(int(s["index"]), PieceKind(s["needs"]), (float(s["x"]), float(s["y"])), float(s["r"]))
        for s in row["part_slots"]
    )
    return Card(card_id, str(row["name"]), int(row["prestige"]), slots)


def _carts(rows: Any) -> tuple[tuple[PieceKind, ...], ...]:
    """Read the parts of each cart from a list, or from an object by cart name."""
    ordered = [rows[key] for key in sorted(rows)] if isinstance(rows, Mapping) else list(rows)
    parts = [row["parts"] if isinstance(row, Mapping) else row for row in ordered]
    return tuple(tuple(PieceKind(kind) for kind in cart) for cart in parts)


def read_contents(
    boards: Iterable[BoardLayout],
    catalogue: Mapping[str, Any],
    counts: Mapping[PieceKind, int],
) -> Contents:
    """Read a box from a game's boards, its catalogue and its counts of pieces."""
    cards = {card_id: _card(card_id, row) for card_id, row in catalogue["cards"].items()}
    printed = {SpaceId(f"card{n}"): cards.pop(f"printed_{n}") for n in (1, 2) if f"printed_{n}" in cards}
    starting = {PieceKind(k): int(n) for k, n in catalogue.get("starting_bag", STARTING_BAG).items()}
    return Contents(
        boards={board.id: board for board in boards},
        cards=cards,
        printed=printed,
        upgrades=tuple(catalogue["upgrades"]),
        lesters=tuple(catalogue.get("lesters", ())),
        carts=_carts(catalogue.get("carts", ())),
        players=tuple(catalogue["players"]),
        secondary=dict(catalogue.get("order_secondary", {})),
        counts=dict(counts),
        starting_bag=starting,
        catalogue=catalogue,
    )


def contents_of(game: str = "making_monsters") -> Contents:
    """Return the stand-in box of an installed game. Raises PartUnusable."""
    plays = load("companion.games", game)
    return read_contents(plays.box.boards, plays.stand_in, plays.box.counts)
