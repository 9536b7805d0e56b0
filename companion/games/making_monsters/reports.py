"""What is said of seats that are not followed token by token: their commands and events.

``moves`` and ``events`` hold those of everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.game import Seat
from companion.games.making_monsters.components import Token
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.parts import Parts

# --- commands ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SetDepth:
    """Follow a seat less closely from now on; back to every token leads ``Resume`` only."""

    seat: Seat
    depth: Depth


@dataclass(frozen=True, slots=True)
class Complete:
    """A monster has all its parts: a card that is known, or any by its printed prestige."""

    seat: Seat
    card: str = ""
    prestige: int = 0


@dataclass(frozen=True, slots=True)
class NotComplete:
    """Take back a monster that was said to be complete, counting from 0."""

    seat: Seat
    place: int


@dataclass(frozen=True, slots=True)
class GoBust:
    """Say that the sixth reject space is full."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TellPoints:
    """Reanimate for so many points and so much Rot, by the seat's own count (depth score)."""

    seat: Seat
    points: int
    rot: int = 0


@dataclass(frozen=True, slots=True)
class SetTotal:
    """Enter a new total, with the reason."""

    seat: Seat
    total: int
    reason: str


@dataclass(frozen=True, slots=True)
class CountRot:
    """Say how much Rot is in the bag, with every token back in it: the tie-break."""

    seat: Seat
    rot: int


@dataclass(frozen=True, slots=True)
class Resume:
    """Follow every token again: the lab as it was read or told, the bag as it was counted."""

    seat: Seat
    bag: Parts
    cards: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, Token] = field(default_factory=dict)
    tiles: Mapping[str, str] = field(default_factory=dict)


Command = SetDepth | Complete | NotComplete | GoBust | TellPoints | SetTotal | CountRot | Resume


# --- events --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DepthSet:
    seat: Seat
    depth: Depth


@dataclass(frozen=True, slots=True)
class MonsterCompleted:
    """``card`` is empty if nobody knows which one."""

    seat: Seat
    prestige: int
    card: str = ""


@dataclass(frozen=True, slots=True)
class MonsterWithdrawn:
    seat: Seat
    place: int
    prestige: int
    card: str = ""


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """Cards were drawn and one was kept; nobody named any of them."""

    seat: Seat
    drawn: int


@dataclass(frozen=True, slots=True)
class PointsTold:
    """Points and Rot of a reanimation, told when nothing is a secret any more (else ``Decided`` has them)."""

    seat: Seat
    points: int
    rot: int


@dataclass(frozen=True, slots=True)
class PointsAsked:
    """A seat must reanimate, too, and has not told its points."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PointsTaken:
    """A reanimation as it was told: prestige, and the Rot by where it came from."""

    seat: Seat
    points: int
    from_track: int
    from_supply: int


@dataclass(frozen=True, slots=True)
class TotalSet:
    """``amount`` is what it changes; below 0 only here, where somebody corrects a score."""

    seat: Seat
    amount: int
    total: int
    reason: str


@dataclass(frozen=True, slots=True)
class RotAsked:
    """These seats are tied, and nobody knows how much Rot is in their bags."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class RotCounted:
    seat: Seat
    rot: int


@dataclass(frozen=True, slots=True)
class Resumed:
    """Every token of the seat is followed again."""

    seat: Seat
    bag: Parts
    cards: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, Token] = field(default_factory=dict)
    tiles: Mapping[str, str] = field(default_factory=dict)


Event = (
    DepthSet
    | MonsterCompleted
    | MonsterWithdrawn
    | CardsDrawn
    | PointsTold
    | PointsAsked
    | PointsTaken
    | TotalSet
    | RotAsked
    | RotCounted
    | Resumed
)
