"""What is in the box: the four decks, how a creature lies, the zone before each seat, the stand-in box.

No card list of the game is public: what a printed card says is told by the table or taught, not known.
Imports ``companion.board`` and ``companion.game`` only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from companion.board import BoardId, BoardLayout, Lie, PieceKind, Space, SpaceId, SpaceKind, Tag
from companion.game import Box, Seat
from companion.games.mad_science.deck import ADAPTORS, BODIES, CONFLICTS, EXPERIMENTS, PARTS


class Kind(StrEnum):
    """The four kinds of part that a body takes, one of each."""

    HEAD = "head"
    ARM = "arm"
    WEAPON = "weapon"
    LEGS = "legs"


class Connector(StrEnum):
    """How parts and bodies fit; universal ones are on parts only."""

    HOSES = "hoses"
    SCREWS = "screws"
    PLUGS = "plugs"
    UNIVERSAL = "universal"


class Column(StrEnum):
    """The columns of an Experiment's chart, from left to right."""

    PURPLE = "purple"  # what the Experiment does
    MIDDLE = "middle"  # the first roll
    RED = "red"  # what befalls the player


class Rank(StrEnum):
    """The columns of a Final Conflict's chart, by who sits where when it is turned up."""

    ONE = "one"
    TWO = "two"
    THREE = "three"


FACES = range(1, 7)

SEATS = tuple(Seat(name) for name in ("cyclops", "ghoul", "slime", "octopod", "wolf", "moth"))
"""Clockwise. The box has no colours of players, so the seats are called by our own drawings."""

HAND = 5
"""Rulebook, Starting the Game: parts dealt to each; no more in a hand at the end of a turn."""

FIRST_BONUS = 3
"""Rulebook, Battle Phase: LIFE for the first to complete a creature."""

BODY = SpaceId("body")
ADAPTOR = "adaptor"

CARD_BACK = PieceKind("card_back")
"""What any card reads that lies face down."""

CARD_MM = (63.0, 88.0)
ZONE_MM = (460.0, 560.0)
GAP_MM = 4.0
TAG_INSET_MM = 16.0

WAYS: Mapping[Kind, tuple[int, int]] = {
    Kind.HEAD: (0, -1),
    Kind.ARM: (1, 0),
    Kind.WEAPON: (-1, 0),
    Kind.LEGS: (0, 1),
}
"""Where a part lies as seen from the body (right, down), for who sits before it (rulebook, Build Phase)."""


def adaptor_of(kind: Kind) -> SpaceId:
    """Return where an adaptor lies that a part of this kind goes on: between body and part."""
    return SpaceId(f"{ADAPTOR}_{kind}")


def zone_of(seat: Seat) -> BoardId:
    """Return the id of the free place before a seat, where its creature lies."""
    return BoardId(f"zone_{seat}")


def seat_of(zone: BoardId) -> Seat | None:
    """Return whose zone a board is, None for what is no zone."""
    name = zone.removeprefix("zone_")
    return Seat(name) if name != zone and name in SEATS else None


def _card(space: str, steps: tuple[int, int]) -> Space:
    """Return a card's place, so many cards right of and below the body in the middle of the zone."""
    (w, h), (right, down) = CARD_MM, steps
    x = ZONE_MM[0] / 2 + right * (w + GAP_MM)
    y = ZONE_MM[1] / 2 + down * (h + GAP_MM)
    corners = ((-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2))
    outline = tuple((x + dx, y + dy) for dx, dy in corners)
    return Space(SpaceId(space), SpaceKind.CARD, (x, y), outline)


def _zone(seat: Seat) -> BoardLayout:
    """Lay out a zone: nothing is printed there; the spaces say where a card of a creature lies about.

    A part on an adaptor lies one card further out than here, the adaptor in its place.
    """
    spaces = [_card(BODY, (0, 0))]
    spaces += [_card(kind, WAYS[kind]) for kind in Kind]
    spaces += [_card(adaptor_of(kind), WAYS[kind]) for kind in Kind]
    w, h, inset = *ZONE_MM, TAG_INSET_MM
    corners = ((inset, inset), (w - inset, inset), (w - inset, h - inset), (inset, h - inset))
    tags = tuple(Tag(10 * SEATS.index(seat) + index, corner) for index, corner in enumerate(corners))
    return BoardLayout(zone_of(seat), ZONE_MM, {space.id: space for space in spaces}, tags)


def stand_in_catalogue() -> dict[str, Any]:
    """Return what the stand-in box prints, in the form of a taught box's ``catalogue.json``."""
    return {
        "name": "stand-in",
        "players": list(SEATS),
        "bodies": dict(_bodies()),
        "parts": dict(_parts()),
        "adaptors": {
            f"adaptor_{number}": {"name": name, "copies": copies}
            for number, (name, copies) in enumerate(ADAPTORS, 1)
        },
        "experiments": {
            f"experiment_{number}": {
                "name": name,
                "life": life,
                "move": move,
                **({"move_does": list(does)} if does else {}),
                **_chart(Column, chart),
            }
            for number, (name, life, move, does, chart) in enumerate(EXPERIMENTS, 1)
        },
        "conflicts": {
            f"conflict_{number}": {"name": name, **_chart(Rank, chart)}
            for number, (name, chart) in enumerate(CONFLICTS, 1)
        },
    }


def _bodies() -> Iterator[tuple[str, dict[str, Any]]]:
    for number, (name, connector, life) in enumerate(BODIES, 1):
        yield f"body_{number}", {"name": name, "connector": connector, "life": life}


def _parts() -> Iterator[tuple[str, dict[str, Any]]]:
    for kind, rows in PARTS.items():
        for number, (name, connector, life, breaks_on, *special) in enumerate(rows, 1):
            row: dict[str, Any] = {"name": name, "kind": kind, "connector": connector, "life": life}
            row |= {"number": breaks_on, "copies": 1}
            yield f"{kind}_{number:02d}", row | ({"special": special[0]} if special else {})


def cell(column: str, face: int) -> str:
    """Return the name of a box of a chart, such as ``middle_4``: the column of a sheet."""
    return f"{column}_{face}"


def _chart(columns: type[Column] | type[Rank], chart: tuple[str, ...]) -> dict[str, str]:
    """Return a chart by cell; ``chart`` has the six words of each column in one text."""
    return {
        cell(column, face): word
        for column, words in zip(columns, chart, strict=True)
        for face, word in zip(FACES, words.split(), strict=True)
    }


def _counts() -> dict[PieceKind, int]:
    catalogue = stand_in_catalogue()
    tables = ("bodies", "parts", "adaptors", "experiments", "conflicts")
    return {
        PieceKind(card): int(row.get("copies", 1))
        for table in tables
        for card, row in catalogue[table].items()
    }


BOX = Box(
    tuple(_zone(seat) for seat in SEATS),
    _counts(),
    owners={zone_of(seat): seat for seat in SEATS},
    lie=Lie.LOOSE,
)
"""A zone before each seat, and the cards of the stand-in box."""
