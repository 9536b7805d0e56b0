"""What is on the table: the creatures, whose turn it is and at what, the Experiment, the two piles.

Nothing here decides; the modules of ``rules`` do. Values only, changed by ``replace``.
Hands are counted, never known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.game import Seat
from companion.games.mad_science.components import Column, Kind, Rank
from companion.games.mad_science.printed import Printed


class Phase(StrEnum):
    """Where the table is; rendered as ``ms.phase.<value>``. Build and Battle go on side by side."""

    OPEN = "open"  # nobody has said yet who plays
    FIRST = "first"  # rolling for who begins
    CARDS = "cards"  # the Experiment is turned up, bodies and hands are dealt
    PLAY = "play"
    BREAK = "break"
    OVER = "over"


class Stage(StrEnum):
    """What the seat on turn has to do now; rendered as ``ms.stage.<value>``."""

    NOTHING = "nothing"
    FIRST = "first"  # roll for who begins
    TURN_UP = "turn_up"  # turn up the Experiment
    BODY = "body"  # say which body was dealt
    DEAL = "deal"  # deal the hands
    PLAY = "play"  # play a card or none
    DRAW = "draw"
    DISCARD = "discard"
    ROLL = "roll"
    TWICE = "twice"  # roll for the same number again
    RECOVER = "recover"  # roll for a part that dropped
    MOVE = "move"  # carry out the Experiment's special move
    REVEAL = "reveal"  # turn up the Final Conflict
    TARGET = "target"
    TAKE = "take"  # choose which of several parts breaks off


ROLLING = frozenset({Stage.FIRST, Stage.ROLL, Stage.TWICE, Stage.RECOVER, Stage.MOVE})
"""Stages in which the die may be rolled; a special move may need it or not."""


class Parity(StrEnum):
    ODD = "odd"
    EVEN = "even"

    @classmethod
    def of(cls, face: int) -> Parity:
        return cls.EVEN if face % 2 == 0 else cls.ODD


class Rest(StrEnum):
    """How a creature at 0 LIFE comes back in the Battle phase (MS-R13)."""

    NONE = "none"
    LOSES_TURN = "loses_turn"  # its next own turn is lost
    COMES_BACK = "comes_back"  # on its next own turn it regenerates 1 LIFE


@dataclass(frozen=True, slots=True)
class Dropped:
    """A part that is turned over for a while.

    ``parity`` is what its owner must roll to get it back; ``is_tried``: that failed, so it comes
    back by itself on the next own turn.
    """

    parity: Parity
    is_tried: bool = False


@dataclass(frozen=True, slots=True)
class Creature:
    """What lies before a seat, and what is written down about it.

    ``parts`` maps kinds to cards, the removed ones among them; ``adaptor`` is the adaptor card and
    ``adaptor_on`` the kind that it was laid for; it is used if the part would not fit without it (MS-R32).
    ``life`` counts from completion (or from
    the Break phase); before, the LIFE printed on what lies there is what there is. ``lost`` are kinds
    broken off for good, the adaptor with its part. ``hand`` counts cards nobody but the owner knows.
    """

    body: str = ""
    parts: Mapping[Kind, str] = field(default_factory=dict)
    adaptor: str = ""
    adaptor_on: Kind | None = None
    is_adaptor_used: bool = False
    name: str = ""
    hand: int = 0
    is_built: bool = False
    life: int | None = None
    dropped: Mapping[Kind, Dropped] = field(default_factory=dict)
    is_adaptor_out: bool = False
    rest: Rest = Rest.NONE
    lost: tuple[Kind, ...] = ()
    rank: Rank | None = None
    is_out: bool = False

    @property
    def standing(self) -> tuple[Kind, ...]:
        """The kinds of the parts that are on the body and not broken off, in the order of the kinds."""
        return tuple(kind for kind in Kind if kind in self.parts and kind not in self.lost)

    @property
    def is_complete(self) -> bool:
        return all(kind in self.parts for kind in Kind)

    @property
    def held_by_adaptor(self) -> Kind | None:
        """The kind of the part that stands on the adaptor, None if it holds none."""
        return self.adaptor_on if self.is_adaptor_used and self.adaptor_on in self.standing else None


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is and what for.

    ``column`` is where the next roll is read, ``face`` the roll that a second one must match or that a
    special move or a choice came of, ``target`` whom the roller attacks. ``asks`` is the box whose
    words nobody has told (``middle_4``), empty if none is asked.
    """

    seat: Seat | None = None
    stage: Stage = Stage.NOTHING
    column: Column = Column.MIDDLE
    face: int = 0
    target: Seat | None = None
    asks: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """A whole table. ``creatures`` runs clockwise over the seats that play.

    ``order`` is the order of turns, from the first player; in the Break phase from its Player One.
    ``first_rolls`` are the rolls for who begins, ``contenders`` who still has to roll. ``heap`` are the
    discards, the top last, empty text for a card that nobody named; ``pile`` counts the Pile of Parts.
    ``moved`` are the faces rolled within a special move. ``last`` is the box that the newest roll came
    to, as (column, face, word). ``options`` are those that differ from their default.
    """

    box: Printed
    phase: Phase = Phase.OPEN
    round: int = 0
    creatures: Mapping[Seat, Creature] = field(default_factory=dict)
    order: tuple[Seat, ...] = ()
    contenders: tuple[Seat, ...] = ()
    first_rolls: Mapping[Seat, int] = field(default_factory=dict)
    turn: Turn = Turn()
    experiment: str = ""
    experiment_life: int | None = None
    conflict: str = ""
    killer: Seat | None = None
    is_bonus_given: bool = False
    pile: int = 0
    heap: tuple[str, ...] = ()
    last: tuple[str, int, str] | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    odds: bool = False

    def waited_for(self) -> tuple[Seat, ...]:
        """Return the seats that must do something now."""
        if self.phase is Phase.CARDS and self.turn.stage is Stage.BODY:
            return tuple(seat for seat, creature in self.creatures.items() if not creature.body)
        return () if self.turn.seat is None else (self.turn.seat,)
