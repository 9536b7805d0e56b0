"""What can be said at the table: commands.

Draws carry the tokens drawn, turns the turn: chance and the world are input.
Spaces are named without their board; ``overflow`` is beside the full rejects track.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.game import Seat
from companion.games.making_monsters import reports
from companion.games.making_monsters.components import Order, Token
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.parts import Parts

OVERFLOW = "overflow"
PILE = "pile"

Placement = tuple[Token, str]
"""A token and the space it was put on."""

PartMove = tuple[str, str]
"""From the sorting table, or a tile that holds parts like it, to a part space of a monster."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """Say who plays and how many Rot lie on the track; ``options`` and ``depth`` are chosen besides."""

    seats: tuple[Seat, ...]
    track: int
    options: Mapping[str, str] = field(default_factory=dict)
    depth: Depth = Depth.FULL


@dataclass(frozen=True, slots=True)
class ChooseOptions:
    """Choose options of the table; those not named stay as they are."""

    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ShowOdds:
    """Let the phones tell each seat its odds, or keep them silent: the same for all seats."""

    is_on: bool


@dataclass(frozen=True, slots=True)
class PlaceCard:
    """Lay the first monster; no space: the best one. ``placements`` are first tokens laid with it."""

    seat: Seat
    card: str
    space: str = ""
    placements: tuple[Placement, ...] = ()


@dataclass(frozen=True, slots=True)
class Deliver:
    """Tokens drawn and where they were put, in this order; ``moves`` from the sorting table come first.

    ``then``: ``reanimate`` or ``push_on``, to decide with the same tap; empty to decide later.
    """

    seat: Seat
    placements: tuple[Placement, ...]
    moves: tuple[PartMove, ...] = ()
    then: str = ""


@dataclass(frozen=True, slots=True)
class Draw:
    """Tokens drawn, by kind, put on the best spaces; ``space`` is for a single one."""

    seat: Seat
    kinds: Parts
    space: str = ""


@dataclass(frozen=True, slots=True)
class MoveParts:
    seat: Seat
    moves: tuple[PartMove, ...]


@dataclass(frozen=True, slots=True)
class Finish:
    """Stop drawing."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ChooseOrder:
    """Name the colour of the own order token: in secret before the reveal, openly at it."""

    seat: Seat
    order: Order


@dataclass(frozen=True, slots=True)
class Ready:
    """Say that the order token lies face down; its colour is told at the reveal."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AddPart:
    seat: Seat
    kind: Token


@dataclass(frozen=True, slots=True)
class PlayLester:
    """Play a L.E.S.T.E.R. card; ``kinds`` for Scavenge and for lacking mutations, the rest for Expand."""

    seat: Seat
    card: str
    kinds: tuple[Token, ...] = ()
    spot: str = ""
    space: str = ""


@dataclass(frozen=True, slots=True)
class LeaveLester:
    """Play none of the L.E.S.T.E.R. cards that an upgrade would let the seat play (MM-R74)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Chill:
    """Keep the tokens of these spaces in the Refrigeration while all others go to the bag."""

    seat: Seat
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decide:
    seat: Seat
    reanimate: bool


@dataclass(frozen=True, slots=True)
class Act:
    """Tell what the reanimate action of a card brought whose words only its owner can read."""

    seat: Seat
    card: str
    prestige: int = 0
    parts: Parts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TakeTile:
    """Take one upgrade from a cart as an item; no space: the first free one."""

    seat: Seat
    spot: str
    space: str = ""


@dataclass(frozen=True, slots=True)
class TakeItems:
    """Take the rest of the items; ``tiles`` maps spots to lab spaces (empty: free one)."""

    seat: Seat
    parts: Parts = field(default_factory=dict)
    tiles: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NameTiles:
    """Say which upgrades lie where; keys are places such as ``central/cart1_upgrade2``."""

    tiles: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class TurnBoard:
    """The centre was turned by signed quarter turns, clockwise positive; None: somebody set it right."""

    delta: int | None = None


@dataclass(frozen=True, slots=True)
class KeepCard:
    """Keep one of two cards; space ``pile`` puts it beside the lab, none is the best one.

    ``is_clear``: the lab was seen without leftovers of the last reanimation.
    """

    seat: Seat
    card: str
    space: str = ""
    other: str = ""
    is_clear: bool = False


@dataclass(frozen=True, slots=True)
class ChooseFive:
    """Lay up to five monsters of the own pile for the Fair; spaces may be empty text for the usual ones."""

    seat: Seat
    cards: tuple[tuple[str, str], ...]
    is_clear: bool = False


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Take a table over as it stands; what is given replaces what the position line says."""

    position: str
    seats: tuple[Seat, ...] = ()
    phase: str = ""
    round: int = 0
    track: int = -1
    orders: Mapping[Seat, str] = field(default_factory=dict)
    scores: Mapping[Seat, int] = field(default_factory=dict)
    bags: Mapping[Seat, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TellCard:
    """Say what a card in hand prints: an empty ``card`` is one that the box does not list at all.

    What is not given stays as it is known.
    """

    seat: Seat
    card: str
    name: str = ""
    prestige: int | None = None
    parts: tuple[Token, ...] = ()


@dataclass(frozen=True, slots=True)
class TellCatalogue:
    """Say what the box prints; ``rows`` are cells as in CSV, by sheet, id and column."""

    rows: Mapping[str, Mapping[str, Mapping[str, str]]]


Command = (
    SetUp
    | ChooseOptions
    | ShowOdds
    | PlaceCard
    | Deliver
    | Draw
    | MoveParts
    | Finish
    | ChooseOrder
    | Ready
    | AddPart
    | PlayLester
    | LeaveLester
    | Chill
    | Decide
    | Act
    | TakeTile
    | TakeItems
    | NameTiles
    | TurnBoard
    | KeepCard
    | ChooseFive
    | TakeOver
    | reports.Command
    | TellCard
    | TellCatalogue
)
