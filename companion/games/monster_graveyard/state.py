"""What is on the table: the state of a game, its phases, and what belongs to one seat.

Nothing here decides; the modules of ``rules`` do. Values only, changed by ``replace``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from companion.game import Seat, Wire
from companion.games.monster_graveyard.components import DECKS, Attribute
from companion.games.monster_graveyard.options import ORDER, value
from companion.games.monster_graveyard.printed import Printed


class Phase(StrEnum):
    """Where a game is; rendered as ``mg.phase.<value>``."""

    OPEN = "open"  # nobody has said yet who plays
    CHOOSE = "choose"  # a seat chooses the next phase
    GRAVEYARD = "graveyard"
    MARKET = "market"
    LABORATORY = "laboratory"
    CASTLE = "castle"
    VILLAGE = "village"
    OVER = "over"


PHASES = (Phase.GRAVEYARD, Phase.MARKET, Phase.LABORATORY, Phase.CASTLE, Phase.VILLAGE)
"""What a seat may choose from, each once a turn."""


class Stage(StrEnum):
    """What a seat has to do now; rendered as ``mg.stage.<value>``."""

    CHOOSE = "choose"
    WAIT = "wait"  # its turn in the phase is still to come
    ACT = "act"  # reanimate or experiment, or neither
    BUY = "buy"  # has acted, may still acquire a research card
    LOOK = "look"  # has paid and looks at the cards
    SETTLED = "settled"  # has what it paid for: nothing more to do
    DROP = "drop"  # two upgrades add to the same attribute: one must go
    RECORD = "record"  # says what another phase brought it
    DONE = "done"


WAITED_FOR = frozenset({Stage.CHOOSE, Stage.ACT, Stage.BUY, Stage.LOOK, Stage.DROP, Stage.RECORD})
"""Stages in which the table waits for the seat."""


@dataclass(frozen=True, slots=True)
class Monster:
    """A monster before its owner. ``number`` is its place, from 1; ``abilities`` are its reminder tokens.

    Attributes have no upper end: dice are only markers (MG-R4).
    """

    number: int
    terror: int
    science: int
    health: int
    abilities: tuple[str, ...] = ()
    is_exhausted: bool = False

    def of(self, attribute: Attribute) -> int:
        return int(getattr(self, attribute.value))


@dataclass(frozen=True, slots=True)
class Lab:
    """All that belongs to a seat. ``earned`` are its victory points by where they come from.

    ``deck`` is the research deck that it has paid for and looks at, empty if none.
    """

    stage: Stage = Stage.DONE
    gp: int = 0
    rp: int = 0
    earned: Mapping[str, int] = field(default_factory=dict)
    minions: int = 0
    monsters: tuple[Monster, ...] = ()
    upgrades: tuple[str, ...] = ()
    deck: str = ""

    @property
    def vp(self) -> int:
        return sum(self.earned.values())

    def earning(self, why: str, vp: int) -> Mapping[str, int]:
        """Return the victory points by reason with some more."""
        return {**self.earned, why: self.earned.get(why, 0) + vp} if vp else self.earned

    def monster(self, number: int) -> Monster | None:
        return next((one for one in self.monsters if one.number == number), None)

    @property
    def ready(self) -> tuple[Monster, ...]:
        return tuple(one for one in self.monsters if not one.is_exhausted)

    @property
    def free_number(self) -> int:
        """Return the first place without a monster."""
        taken = {one.number for one in self.monsters}
        return next(number for number in range(1, len(taken) + 2) if number not in taken)

    def with_monster(self, monster: Monster) -> Lab:
        """Return the lab with a monster in its place, a new one or as it is now."""
        others = [one for one in self.monsters if one.number != monster.number]
        return replace(self, monsters=tuple(sorted([*others, monster], key=lambda one: one.number)))


@dataclass(frozen=True, slots=True)
class Deck:
    """A research deck: how many cards are left in it, and its discards, oldest first."""

    cards: int = 0
    discards: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Say whether there is nothing to look at, not even after shuffling (MG-R9)."""
        return not self.cards and not self.discards


@dataclass(frozen=True, slots=True)
class Chore:
    """Something that hands have to do at the table because of what was decided; see ``chores``.

    ``turn`` and ``phase`` are those in which it was given.
    """

    number: int
    seat: Seat | None
    deed: Wire
    turn: int = 0
    phase: Phase = Phase.OPEN


@dataclass(frozen=True, slots=True)
class State:
    """A whole table. ``labs`` runs clockwise over the seats that play.

    ``first`` chooses first in this turn, ``active`` chose the running phase or chooses now. ``chosen``
    are the phases of this turn and who chose them, in order. ``rounds_done`` counts how often the
    village or the graveyard was emptied. ``options`` are those that differ from their default.
    """

    box: Printed
    phase: Phase = Phase.OPEN
    turn: int = 0
    rounds_done: int = 0
    labs: Mapping[Seat, Lab] = field(default_factory=dict)
    first: Seat | None = None
    active: Seat | None = None
    chosen: Mapping[str, Seat] = field(default_factory=dict)
    decks: Mapping[str, Deck] = field(default_factory=lambda: dict.fromkeys(DECKS, Deck()))
    options: Mapping[str, str] = field(default_factory=dict)
    chores: tuple[Chore, ...] = ()
    chores_given: int = 0

    @property
    def is_running(self) -> bool:
        return self.phase not in (Phase.OPEN, Phase.OVER)

    def waited_for(self) -> tuple[Seat, ...]:
        """Return the seats that must do something now."""
        return tuple(seat for seat, lab in self.labs.items() if lab.stage in WAITED_FOR)

    def order_from(self, seat: Seat) -> tuple[Seat, ...]:
        """Return all seats clockwise, beginning with one."""
        seats = tuple(self.labs)
        at = seats.index(seat)
        return seats[at:] + seats[:at]

    def open_phases(self) -> tuple[Phase, ...]:
        """Return the phases that nobody has chosen in this turn."""
        return tuple(phase for phase in PHASES if phase not in self.chosen)

    def with_lab(self, seat: Seat, **changes: Any) -> State:
        """Return the state with one seat's things changed."""
        return replace(self, labs={**self.labs, seat: replace(self.labs[seat], **changes)})

    @property
    def is_in_turn(self) -> bool:
        """Say whether seats act one after the other in the Laboratory (MG-R1)."""
        return value(self.options, ORDER) == "in_turn"


def in_play(state: State) -> dict[str, int]:
    """Return how many of each research card lie before the seats or on discards."""
    seen: dict[str, int] = {}
    lying = [card for lab in state.labs.values() for card in lab.upgrades]
    lying += [card for deck in state.decks.values() for card in deck.discards]
    for card in lying:
        seen[card] = seen.get(card, 0) + 1
    return seen


def hidden_cards(state: State, deck: str) -> dict[str, int]:
    """Return the cards that must be in a deck because they lie nowhere else, and how many of each."""
    seen = in_play(state)
    left = {card: count - seen.get(card, 0) for card, count in state.box.in_deck(deck).items()}
    return {card: count for card, count in left.items() if count > 0}
