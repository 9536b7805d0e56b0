"""What happened at the table: events, as they are written down. ``records`` gives them their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.game import Seat
from companion.games.making_monsters import reports
from companion.games.making_monsters.components import Order
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.moves import PartMove, Placement
from companion.games.making_monsters.parts import Parts


@dataclass(frozen=True, slots=True)
class TableSet:
    seats: tuple[Seat, ...]
    track: int
    depth: Depth = Depth.FULL


@dataclass(frozen=True, slots=True)
class OptionsChosen:
    """The options of the table that differ from their default, from now on."""

    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class OddsShown:
    """From now on seats are told their odds, or no longer."""

    is_on: bool


@dataclass(frozen=True, slots=True)
class CardPlaced:
    seat: Seat
    card: str
    space: str


@dataclass(frozen=True, slots=True)
class Delivered:
    """Tokens went from the bag to the lab; ``found`` were not in the bag by the books (guessed bags)."""

    seat: Seat
    placements: tuple[Placement, ...]
    moves: tuple[PartMove, ...] = ()
    found: Parts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PartsMoved:
    seat: Seat
    moves: tuple[PartMove, ...]


@dataclass(frozen=True, slots=True)
class Stocked:
    """A seat has set up."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RoundBegun:
    round: int


@dataclass(frozen=True, slots=True)
class OrderLaid:
    """A token lies face down; ``order`` is None while only its owner knows the colour."""

    seat: Seat
    order: Order | None


@dataclass(frozen=True, slots=True)
class OrderTold:
    """The colour of a token that lies face up was told, by its owner or by what a camera saw."""

    seat: Seat
    order: Order


@dataclass(frozen=True, slots=True)
class TokensTurned:
    """All tokens are face up; some colours must still be told."""


@dataclass(frozen=True, slots=True)
class Revealed:
    orders: Mapping[Seat, Order]
    supers: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """Prestige outside reanimations; ``why`` is a key of the sum."""

    seat: Seat
    amount: int
    why: str


@dataclass(frozen=True, slots=True)
class DrawingEnded:
    seat: Seat


@dataclass(frozen=True, slots=True)
class RotReturned:
    seat: Seat
    space: str


@dataclass(frozen=True, slots=True)
class Busted:
    seat: Seat


@dataclass(frozen=True, slots=True)
class PartsGained:
    """Tokens went from the supply to the bag; ``why`` is the order, the card or the upgrade."""

    seat: Seat
    parts: Parts
    why: str


@dataclass(frozen=True, slots=True)
class LesterPlayed:
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class LesterOwed:
    """A LESTER Upgrade was named only after its reanimation: its card waits for the next one (MM-R48)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class LesterLeft:
    """A card that an upgrade would have let the seat play was not wanted."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RotRemoved:
    """A Rot left a bag and the game (Compost)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TileTaken:
    """A tile went from a cart to a lab; ``replaced`` is the tile that left for the box, if any."""

    seat: Seat
    spot: str
    space: str
    tile: str
    replaced: str = ""
    is_item: bool = True


@dataclass(frozen=True, slots=True)
class Decided:
    """A seat decided in secret; one that tells its points by itself told them with it.

    One event whatever was decided: the number of entries must not give a secret away.
    """

    seat: Seat
    reanimate: bool
    points: int | None = None
    rot: int = 0


@dataclass(frozen=True, slots=True)
class DecisionsShown:
    pass


@dataclass(frozen=True, slots=True)
class EndForced:
    """The last Rot left the track: these seats must reanimate, too."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Reanimated:
    """A reanimation by the table: ``monsters`` are card spaces, then prestige, Rot and items.

    For a seat that only reports its results, ``monsters`` are its cards, empty text for unnamed ones.
    """

    seat: Seat
    monsters: tuple[str, ...]
    points: int
    bonus: int
    from_track: int
    from_supply: int
    items: int
    med_school: int = 0


@dataclass(frozen=True, slots=True)
class ActionTaken:
    """The reanimate action of a card brought prestige, and parts from the supply into the bag (MM-R50)."""

    seat: Seat
    card: str
    prestige: int
    parts: Parts


@dataclass(frozen=True, slots=True)
class ItemsTaken:
    """A seat has all the items that it wants; now its upgrades pay."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Cleared:
    """All is taken: cards to the pile, tokens to the bag, the order token back.

    ``kept`` are the spaces whose tokens go to the Refrigeration instead.
    """

    seat: Seat
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RefreshBegun:
    refilled: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TilesNamed:
    tiles: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class BoardTurned:
    pass


@dataclass(frozen=True, slots=True)
class BoardAstray:
    """The centre stands wrong by so many clockwise quarter turns; 0: it stands right again."""

    quarters: int


@dataclass(frozen=True, slots=True)
class CardKept:
    seat: Seat
    card: str
    space: str
    other: str = ""
    is_clear: bool = False


@dataclass(frozen=True, slots=True)
class PrepBegun:
    pass


@dataclass(frozen=True, slots=True)
class FiveChosen:
    seat: Seat
    cards: tuple[tuple[str, str], ...]
    is_clear: bool = False


@dataclass(frozen=True, slots=True)
class FairBegun:
    pass


@dataclass(frozen=True, slots=True)
class FairScored:
    seat: Seat
    monsters: tuple[str, ...]
    points: int
    bonus: int
    med_school: int = 0


@dataclass(frozen=True, slots=True)
class GameOver:
    pass


@dataclass(frozen=True, slots=True)
class TakenOver:
    position: str


@dataclass(frozen=True, slots=True)
class CatalogueTold:
    """What the box prints is known better from now on.

    ``rows`` are whole rows, cells as in CSV, by sheet, id and column; ``seat`` told it, None: the host.
    """

    rows: Mapping[str, Mapping[str, Mapping[str, str]]]
    seat: Seat | None = None


Event = (
    TableSet
    | OptionsChosen
    | OddsShown
    | CardPlaced
    | Delivered
    | PartsMoved
    | Stocked
    | RoundBegun
    | OrderLaid
    | OrderTold
    | TokensTurned
    | Revealed
    | Scored
    | DrawingEnded
    | RotReturned
    | Busted
    | PartsGained
    | LesterPlayed
    | LesterOwed
    | LesterLeft
    | RotRemoved
    | TileTaken
    | Decided
    | DecisionsShown
    | EndForced
    | Reanimated
    | ActionTaken
    | ItemsTaken
    | Cleared
    | RefreshBegun
    | TilesNamed
    | BoardTurned
    | BoardAstray
    | CardKept
    | PrepBegun
    | FiveChosen
    | FairBegun
    | FairScored
    | GameOver
    | TakenOver
    | reports.Event
    | CatalogueTold
)
