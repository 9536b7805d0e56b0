"""What happened at the table. Stored for ever: fields are added with defaults, never renamed or dropped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.game import Seat
from companion.games.mad_science.components import Kind
from companion.games.mad_science.moves import Source
from companion.games.mad_science.state import Parity, Stage


@dataclass(frozen=True, slots=True)
class TableSet:
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class OptionsChosen:
    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class OddsShown:
    is_on: bool


@dataclass(frozen=True, slots=True)
class FirstRolled:
    seat: Seat
    face: int


@dataclass(frozen=True, slots=True)
class Tied:
    """These rolled the same lowest number and roll again."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Begun:
    """The seat with the lowest roll is Player One."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ExperimentUp:
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class BodyDealt:
    seat: Seat
    body: str


@dataclass(frozen=True, slots=True)
class HandsDealt:
    pass


@dataclass(frozen=True, slots=True)
class TurnBegun:
    seat: Seat
    round: int


@dataclass(frozen=True, slots=True)
class TurnOpened:
    """What the seat does first on its turn, once all is in order again."""

    seat: Seat
    stage: Stage


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """The seat has nobody to attack now."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PartPlayed:
    seat: Seat
    card: str
    kind: Kind
    is_on_adaptor: bool = False


@dataclass(frozen=True, slots=True)
class AdaptorPlayed:
    seat: Seat
    card: str
    on: Kind


@dataclass(frozen=True, slots=True)
class PlaySkipped:
    seat: Seat


@dataclass(frozen=True, slots=True)
class HeapShuffled:
    """All of the Heap but its top card became the new Pile of Parts."""


@dataclass(frozen=True, slots=True)
class Drawn:
    seat: Seat
    source: Source


@dataclass(frozen=True, slots=True)
class Discarded:
    seat: Seat
    card: str = ""


@dataclass(frozen=True, slots=True)
class DiscardWaived:
    """There was no card to discard, or the one drawn into an empty hand is kept (MS-R28)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Completed:
    """The creature is whole: its LIFE is written down, the rest of the hand goes to the Heap."""

    seat: Seat
    life: int
    bonus: int = 0


@dataclass(frozen=True, slots=True)
class CreatureNamed:
    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class Rolled:
    seat: Seat
    face: int


@dataclass(frozen=True, slots=True)
class BoxAsked:
    """A box was rolled whose words nobody has told."""

    seat: Seat
    column: str
    face: int


@dataclass(frozen=True, slots=True)
class BoxRead:
    """The box that a roll came to."""

    seat: Seat
    column: str
    face: int
    word: str


@dataclass(frozen=True, slots=True)
class TwiceMissed:
    seat: Seat


@dataclass(frozen=True, slots=True)
class SpecialFired:
    """The weapon of a seat strikes; ``has_weapon``: it still has one, else it does 1 damage."""

    seat: Seat
    amount: int
    has_weapon: bool = True


@dataclass(frozen=True, slots=True)
class ExperimentHurt:
    seat: Seat
    amount: int


@dataclass(frozen=True, slots=True)
class CreatureHurt:
    """A creature loses LIFE, never below 0; ``by`` is who rolled."""

    seat: Seat
    amount: int
    by: Seat


@dataclass(frozen=True, slots=True)
class PartDropped:
    """A part is turned over for a while; ``parity`` brings it back."""

    seat: Seat
    kind: Kind
    parity: Parity


@dataclass(frozen=True, slots=True)
class PartsBack:
    """Parts are turned up again; ``by_roll``: the owner rolled what was needed."""

    seat: Seat
    kinds: tuple[Kind, ...]
    by_roll: bool = False


@dataclass(frozen=True, slots=True)
class PartsStayed:
    """The roll brought these parts not back; they come by themselves on the next turn."""

    seat: Seat
    kinds: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class AdaptorLost:
    """The adaptor is of no use until the seat's next turn."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AdaptorBack:
    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnLost:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Regenerated:
    seat: Seat


@dataclass(frozen=True, slots=True)
class MoveEnded:
    seat: Seat


@dataclass(frozen=True, slots=True)
class ExperimentBeaten:
    seat: Seat


@dataclass(frozen=True, slots=True)
class BreakBegun:
    """All creatures fight each other from now on, beginning with the seat that beat the Experiment."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ConflictUp:
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Targeted:
    seat: Seat
    target: Seat


@dataclass(frozen=True, slots=True)
class NumberMissed:
    """No part of the target breaks on the number rolled."""

    seat: Seat
    face: int


@dataclass(frozen=True, slots=True)
class TakeAsked:
    """Several parts break on the number rolled: the roller chooses."""

    seat: Seat
    face: int


@dataclass(frozen=True, slots=True)
class PartLost:
    """A part is gone for good, with the adaptor that held it."""

    seat: Seat
    kind: Kind
    by: Seat
    adaptor: bool = False


@dataclass(frozen=True, slots=True)
class CreatureOut:
    seat: Seat


@dataclass(frozen=True, slots=True)
class GameOver:
    winner: Seat


@dataclass(frozen=True, slots=True)
class LifeSet:
    who: str
    life: int


@dataclass(frozen=True, slots=True)
class CatalogueTold:
    rows: Mapping[str, Mapping[str, Mapping[str, str]]]
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class TakenOver:
    position: str


Event = (
    TableSet
    | OptionsChosen
    | OddsShown
    | FirstRolled
    | Tied
    | Begun
    | ExperimentUp
    | BodyDealt
    | HandsDealt
    | TurnBegun
    | TurnOpened
    | TurnPassed
    | PartPlayed
    | AdaptorPlayed
    | PlaySkipped
    | HeapShuffled
    | Drawn
    | Discarded
    | DiscardWaived
    | Completed
    | CreatureNamed
    | Rolled
    | BoxAsked
    | BoxRead
    | TwiceMissed
    | SpecialFired
    | ExperimentHurt
    | CreatureHurt
    | PartDropped
    | PartsBack
    | PartsStayed
    | AdaptorLost
    | AdaptorBack
    | TurnLost
    | Regenerated
    | MoveEnded
    | ExperimentBeaten
    | BreakBegun
    | ConflictUp
    | Targeted
    | NumberMissed
    | TakeAsked
    | PartLost
    | CreatureOut
    | GameOver
    | LifeSet
    | CatalogueTold
    | TakenOver
)
