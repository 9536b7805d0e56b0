"""What happened: events, as the journal keeps them. Fields may be added with a default, never renamed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.game import Seat
from companion.games.monster_graveyard.moves import Cells


@dataclass(frozen=True, slots=True)
class TableSet:
    seats: tuple[Seat, ...]
    first: Seat
    gp: int = 0
    rp: int = 0
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OptionsChosen:
    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PhaseChosen:
    seat: Seat
    phase: str


@dataclass(frozen=True, slots=True)
class BonusPaid:
    """The active player's research point for choosing the Laboratory, before anyone acts (MG-R2)."""

    seat: Seat
    rp: int


@dataclass(frozen=True, slots=True)
class Reanimated:
    """A monster was made. ``parts`` are all that was discarded, ``abilities`` its reminder tokens."""

    seat: Seat
    monster: int
    parts: tuple[str, ...]
    terror: int
    science: int
    health: int
    abilities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Experimented:
    seat: Seat
    monster: int
    rp: int


@dataclass(frozen=True, slots=True)
class Gained:
    """A card brought something: ``why`` is the card, ``trigger`` what set it off.

    ``draws`` are skeletal parts from the Boneyard; ``words`` are what only its owner can read.
    """

    seat: Seat
    why: str
    trigger: str
    gp: int = 0
    rp: int = 0
    vp: int = 0
    draws: int = 0
    minions: int = 0
    words: str = ""


@dataclass(frozen=True, slots=True)
class DeckShuffled:
    """So few cards were left that a deck's discards were shuffled and laid under them (MG-R9)."""

    deck: str


@dataclass(frozen=True, slots=True)
class Acquired:
    """A seat paid for a deck and looks at ``count`` cards of it."""

    seat: Seat
    deck: str
    count: int


@dataclass(frozen=True, slots=True)
class UpgradePlayed:
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class DiscoveryPlayed:
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Boosted:
    """A discovery made a monster stronger."""

    seat: Seat
    monster: int
    why: str
    terror: int = 0
    science: int = 0
    health: int = 0


@dataclass(frozen=True, slots=True)
class Declined:
    """All cards that were looked at went below the deck."""

    seat: Seat
    deck: str
    count: int


@dataclass(frozen=True, slots=True)
class UpgradeDropped:
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Finished:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Recorded:
    """What another phase brought or cost, as its owner says."""

    seat: Seat
    gp: int = 0
    rp: int = 0
    vp: int = 0
    minions: int = 0


@dataclass(frozen=True, slots=True)
class Terrorized:
    seat: Seat
    monster: int


@dataclass(frozen=True, slots=True)
class MonsterSet:
    seat: Seat
    monster: int
    terror: int
    science: int
    health: int
    is_exhausted: bool = False


@dataclass(frozen=True, slots=True)
class MonsterLost:
    seat: Seat
    monster: int


@dataclass(frozen=True, slots=True)
class PhaseEnded:
    phase: str


@dataclass(frozen=True, slots=True)
class TurnBegun:
    """A new turn: ``first`` chooses first; ``is_readied``: every monster is turned ready (MG-R21)."""

    turn: int
    first: Seat
    is_readied: bool = True


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The village or the graveyard was emptied; ``clears``: the monsters leave, too (MG-R20)."""

    emptied: str
    number: int
    clears: bool = False
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class GameOver:
    pass


@dataclass(frozen=True, slots=True)
class TakenOver:
    position: str


@dataclass(frozen=True, slots=True)
class CatalogueTold:
    """What the box prints is known better from now on: whole rows; ``seat`` told it, None: the host."""

    rows: Cells
    seat: Seat | None = None


Event = (
    TableSet
    | OptionsChosen
    | PhaseChosen
    | BonusPaid
    | Reanimated
    | Experimented
    | Gained
    | DeckShuffled
    | Acquired
    | UpgradePlayed
    | DiscoveryPlayed
    | Boosted
    | Declined
    | UpgradeDropped
    | Finished
    | Recorded
    | Terrorized
    | MonsterSet
    | MonsterLost
    | PhaseEnded
    | TurnBegun
    | RoundEnded
    | GameOver
    | TakenOver
    | CatalogueTold
)
