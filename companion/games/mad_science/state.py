"""What is on the table: the creatures, whose turn it is and at what, the Experiment, the two piles.

Nothing here decides; the modules of ``rules`` do. Values only, changed by ``replace``.
Hands are counted, never known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

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
    ARRIVE = "arrive"  # its turn has come; what was temporary is put in order first
    PLAY = "play"  # play a card or none
    DRAW = "draw"
    DISCARD = "discard"
    COUNT = "count"  # the LIFE is added up as soon as all of it is known
    ROLL = "roll"
    TWICE = "twice"  # roll for the same number again
    TELL = "tell"  # say what the box prints that was rolled
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
    def fights(self) -> bool:
        """Whether its LIFE is written down: in Battle since it is complete, or in the Break phase."""
        return self.life is not None

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

    ``column`` is where the next roll is read, ``face`` the last roll of the turn (0: none yet) that a
    second one must match, ``rolled`` counts them. ``target`` is whom the roller attacks; ``rolls`` are
    those of a special move.
    """

    seat: Seat | None = None
    stage: Stage = Stage.NOTHING
    has_played: bool = False
    column: Column = Column.MIDDLE
    face: int = 0
    rolled: int = 0
    target: Seat | None = None
    rolls: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A whole table. ``creatures`` runs clockwise over the seats that play.

    ``order`` is the order of turns, from the first player; in the Break phase from its Player One.
    ``first_rolls`` are the rolls for who begins, ``contenders`` who still has to roll. ``heap`` are the
    discards, the top last, empty text for a card that nobody named; ``pile`` counts the Pile of Parts.
    ``outs`` are those who went out, in this order. ``last`` is the box that the newest roll came to, as
    (column, face, word); column and word are empty for a roll that no chart is asked about.
    ``options`` are those that differ from their default.
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
    outs: tuple[Seat, ...] = ()
    pile: int = 0
    heap: tuple[str, ...] = ()
    last: tuple[str, int, str] | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    odds: bool = False

    def waited_for(self) -> tuple[Seat, ...]:
        """Return the seats that must do something now."""
        if self.phase is Phase.CARDS and self.turn.stage is Stage.BODY:
            return tuple(seat for seat, creature in self.creatures.items() if not creature.body)
        if self.turn.stage is Stage.COUNT and self.killer is not None:
            return tuple(seat for seat, one in self.creatures.items() if untold(self.box, one))
        if self.phase in (Phase.OPEN, Phase.OVER) or self.turn.seat is None:
            return ()
        return (self.turn.seat,)


def printed_life(box: Printed, creature: Creature) -> int:
    """Return the LIFE printed on what lies there, as far as it is known."""
    body = box.bodies.get(creature.body)
    parts = (box.parts[card] for card in creature.parts.values() if card in box.parts)
    return (body.life or 0 if body else 0) + sum(part.life or 0 for part in parts)


def life_of(state: State, seat: Seat) -> int:
    """Return a creature's LIFE: written down, else what is printed there so far."""
    creature = state.creatures[seat]
    return printed_life(state.box, creature) if creature.life is None else creature.life


def untold(box: Printed, creature: Creature) -> tuple[tuple[str, str], ...]:
    """Return the cards of a creature, as (sheet, card), whose numbers a fight needs and nobody has told."""
    found: list[tuple[str, str]] = []
    body = box.bodies.get(creature.body)
    if body is not None and body.life is None:
        found.append(("bodies", body.id))
    for card in creature.parts.values():
        part = box.parts.get(card)
        if part is None:
            continue
        lacks_special = part.kind is Kind.WEAPON and part.special is None
        if part.life is None or part.number is None or lacks_special:
            found.append(("parts", card))
    return tuple(found)


def with_creature(state: State, seat: Seat, creature: Creature) -> State:
    """Return the state with one seat's creature changed."""
    return replace(state, creatures={**state.creatures, seat: creature})


def changed(state: State, seat: Seat, **fields: Any) -> State:
    """Return the state with fields of one seat's creature changed."""
    return with_creature(state, seat, replace(state.creatures[seat], **fields))


def on_turn(state: State, **fields: Any) -> State:
    """Return the state with fields of the turn changed."""
    return replace(state, turn=replace(state.turn, **fields))
