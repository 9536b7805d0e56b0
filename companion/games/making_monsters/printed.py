"""What a box prints, read from its catalogue: monsters, carts, trigger colours, tiles.

The catalogue comes from a taught box or is the stand-in of ``components``; nothing that a
box prints is a constant of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.game import Wire
from companion.games.making_monsters.components import (
    CARD_SPACES,
    LESTERS,
    PRINTED_CARDS,
    TILES,
    Order,
    Token,
)

DEFAULT_TRIGGERS = {Order.RED: Order.YELLOW, Order.YELLOW: Order.BLUE, Order.BLUE: Order.RED}
"""MM-R1, deduced from the rulebook's example; the box's own data goes first."""

UNKNOWN_TILE = "tile"
"""An upgrade tile that lies there and that nobody has named yet."""


@dataclass(frozen=True, slots=True)
class Monster:
    """A monster card or a printed monster: its parts in the order of its slots.

    What the box does not say is not guessed: ``prestige`` None, no ``parts``, ``name`` the id.
    ``part_spaces`` is how many slots its taught picture shows, 0 if nobody knows. ``action`` is
    its reanimate action in words (MM-R50).
    """

    id: str
    name: str
    prestige: int | None
    parts: tuple[Token, ...]
    part_spaces: int = 0
    action: str = ""

    @property
    def is_known(self) -> bool:
        """Say whether all is known that the rules ask of it."""
        return self.prestige is not None and bool(self.parts)

    @property
    def worth(self) -> int:
        """Prestige to rank monsters by; one that nobody knows counts least."""
        return self.prestige or 0


@dataclass(frozen=True, slots=True)
class Printed:
    """A read catalogue.

    ``printed`` maps card spaces to the monsters printed under them, ``carts`` holds the part
    types of carts 1 to 4; ``track_spots`` is 0 where the box does not say. ``track_lengths`` is
    how many Rot lie on the track by the number of players, and ``tile_counts`` how many there are
    of a kind of upgrade, as far as the box says it.
    """

    monsters: Mapping[str, Monster]
    printed: Mapping[str, str]
    deck: frozenset[str]
    carts: tuple[tuple[Token, ...], ...]
    triggers: Mapping[Order, Order]
    tiles: tuple[str, ...]
    tile_count: int
    tile_counts: Mapping[str, int]
    lesters: tuple[str, ...]
    track_spots: int
    track_lengths: Mapping[int, int]
    catalogue: Wire

    def monster(self, card: str) -> Monster:
        return self.monsters[card]


def read_catalogue(catalogue: Wire) -> Printed:
    """Read what a box prints. Raises ValueError that says which part of the catalogue is wrong."""
    monsters = _monsters(catalogue)
    printed = _printed(catalogue)
    lacking = [name for name in printed.values() if name not in monsters]
    if lacking:
        raise ValueError(
            f"The catalogue has no {' and no '.join(lacking)} among its cards: name other printed monsters"
        )
    tiles = tuple(str(tile) for tile in catalogue.get("upgrades", ()))
    counts = catalogue.get("upgrade_counts") or {}
    return Printed(
        monsters=monsters,
        printed=printed,
        deck=frozenset(monsters) - frozenset(printed.values()),
        carts=_carts(catalogue),
        triggers=_triggers(catalogue),
        tiles=tiles,
        # One kind that nobody has counted, and the sum is not known either: then the rulebook's.
        tile_count=sum(map(int, counts.values())) if counts and set(tiles) <= set(counts) else TILES,
        tile_counts={str(tile): int(count) for tile, count in counts.items()},
        lesters=tuple(str(card) for card in catalogue.get("lesters") or LESTERS),
        track_spots=int(catalogue.get("rot_track_spots") or 0),
        track_lengths={int(n): int(length) for n, length in (catalogue.get("rot_track") or {}).items()},
        catalogue=catalogue,
    )


def _printed(catalogue: Wire) -> dict[str, str]:
    given: Mapping[str, str] = catalogue.get("printed_monsters") or PRINTED_CARDS
    strange = [space for space in given if space not in CARD_SPACES]
    if strange:
        raise ValueError(f"The catalogue prints a monster on {strange[0]}; card spaces are card1 to card5.")
    return {space: str(card) for space, card in sorted(given.items())}


def _monsters(catalogue: Wire) -> dict[str, Monster]:
    monsters = {}
    for card, row in (catalogue.get("cards") or {}).items():
        try:
            monsters[card] = _monster(card, row)
        except (AttributeError, TypeError, ValueError) as wrong:
            raise ValueError(f"The catalogue's card {card} cannot be read: {wrong}.") from wrong
    return monsters


def _monster(card: str, row: Mapping[str, Any]) -> Monster:
    prestige = row.get("prestige")
    return Monster(
        card,
        str(row.get("name") or card),
        None if prestige is None else int(prestige),
        tuple(Token(kind) for kind in row.get("parts") or ()),
        int(row.get("part_spaces") or 0),
        str(row.get("action") or ""),
    )


def _carts(catalogue: Wire) -> tuple[tuple[Token, ...], ...]:
    carts: Mapping[str, Sequence[Any]] = catalogue.get("carts") or {}
    try:
        return tuple(tuple(Token(kind) for kind in carts[f"cart{number}"]) for number in range(1, 5))
    except (KeyError, TypeError, ValueError) as wrong:
        raise ValueError(
            f"The catalogue needs the part types of cart1 to cart4; it lacks or misspells {wrong}."
        ) from wrong


def _triggers(catalogue: Wire) -> dict[Order, Order]:
    given: Mapping[str, str] = catalogue.get("order_secondary") or {}
    try:
        return DEFAULT_TRIGGERS | {Order(own): Order(other) for own, other in given.items()}
    except ValueError as wrong:
        raise ValueError(
            f"The catalogue's order_secondary knows red, yellow and blue only: {wrong}."
        ) from wrong
