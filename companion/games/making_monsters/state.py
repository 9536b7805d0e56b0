"""What is on the table: the state of a game, its phases, and what one seat's lab holds.

Nothing here decides; the modules of ``rules`` do. Values only, changed by ``replace``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.game import Seat, Wire
from companion.games.making_monsters.components import (
    CARD_SPACES,
    HELD,
    MED_SCHOOL,
    REFRIGERATION,
    REJECTS,
    SORT_SPACES,
    SORTING_TABLE,
    Order,
    Token,
    hold_of,
)
from companion.games.making_monsters.depth import Depth, Feat
from companion.games.making_monsters.parts import Parts
from companion.games.making_monsters.printed import Monster, Printed


class Phase(StrEnum):
    """Where a game is; rendered as ``mm.phase.<value>``."""

    OPEN = "open"  # nobody has said yet who plays
    SETUP = "setup"
    ORDER = "order"
    REVEAL = "reveal"  # tokens lie face up, some colours are not told yet
    DELIVERIES = "deliveries"
    REANIMATE = "reanimate"
    REFRESH = "refresh"
    PREP = "prep"
    FAIR = "fair"
    OVER = "over"


class Stage(StrEnum):
    """What a seat has to do now; rendered as ``mm.stage.<value>``."""

    CARD = "card"  # setting up: lay the first monster
    STOCK = "stock"  # setting up: draw five tokens
    ORDER = "order"
    LAID = "laid"  # its order token lies face down
    TELL = "tell"  # its order token lies face up and its colour is not told
    DRAW = "draw"
    ADD = "add"  # choose a part for the bag (Red)
    LESTER = "lester"
    DECIDE = "decide"
    DECIDED = "decided"
    PENDING = "pending"  # will be reanimated in this wave
    ITEMS = "items"
    SPARE = "spare"  # a L.E.S.T.E.R. card that an upgrade lets the seat play
    COUPON = "coupon"  # choose a part for the bag (BOGO Coupon Printer)
    CHILL = "chill"  # choose what stays in the Refrigeration
    SWEEP = "sweep"  # all is chosen: the lab is about to be cleared
    KEEP = "keep"
    CHOOSE = "choose"  # five monsters for the Fair
    REPORT = "report"  # must reanimate, too, and tells its points (depth score)
    COUNT = "count"  # tied at the end: counts the Rot in its bag
    DONE = "done"


WAITED_FOR = frozenset(
    {
        Stage.CARD,
        Stage.STOCK,
        Stage.ORDER,
        Stage.TELL,
        Stage.DRAW,
        Stage.ADD,
        Stage.LESTER,
        Stage.DECIDE,
        Stage.ITEMS,
        Stage.SPARE,
        Stage.COUPON,
        Stage.CHILL,
        Stage.KEEP,
        Stage.CHOOSE,
        Stage.REPORT,
        Stage.COUNT,
    }
)
"""Stages in which the table waits for the seat."""

REANIMATING = frozenset({Stage.ITEMS, Stage.SPARE, Stage.COUPON, Stage.CHILL})
"""Stages of a reanimation that wait for its owner's choice."""


@dataclass(frozen=True, slots=True)
class Lab:
    """All that belongs to a seat.

    ``parts`` maps spaces (``card3.part1``, ``sort2``, ``reject1``, ``upgrade2.hold1``) to the token on
    them; ``tiles`` maps ``upgrade1`` and so on, and ``beside1`` for a Warehouse, to upgrades;
    ``overflow`` are rejects of a grab that found no space (MM-R9). ``earned`` is the score by
    reason. ``leftovers`` is what lay there before the last clean-up and was not yet seen gone.
    ``fair`` is what the Fair brought, the third tie-break. ``working`` are the tiles that pay for the
    reanimation under way and have not paid yet, ``acted`` the cards whose action was resolved;
    ``spare`` counts the L.E.S.T.E.R. cards that upgrades still let the seat play.

    A lab that is not followed (``depth``) has no bag, parts or overflow here: ``held`` is what
    it surely owns, wherever that lies, ``untold`` how much more of each kind it may have taken
    from the supply. ``done`` are the monsters it says it completed, ``unnamed`` its cards that
    nobody named; ``cards`` and ``tiles`` are the last ones known. ``points_told`` and ``rot_told``
    wait for the reanimation (depth score); ``rot_counted`` is the Rot of its bag at the end.
    """

    bag: Parts = field(default_factory=dict)
    cards: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, Token] = field(default_factory=dict)
    overflow: tuple[Token, ...] = ()
    tiles: Mapping[str, str] = field(default_factory=dict)
    pile: tuple[str, ...] = ()
    played: tuple[str, ...] = ()
    earned: Mapping[str, int] = field(default_factory=dict)
    stage: Stage = Stage.DONE
    order: Order | None = None
    is_super: bool = False
    drawn: int = 0
    is_bust: bool = False
    reanimates: bool = False
    has_reanimated: bool = False
    items: int = 0
    leftovers: Mapping[str, Token] = field(default_factory=dict)
    fair: int = 0
    working: tuple[str, ...] = ()
    spare: int = 0
    acted: tuple[str, ...] = ()
    depth: Depth = Depth.FULL
    held: Parts = field(default_factory=dict)
    untold: Parts = field(default_factory=dict)
    done: tuple[Feat, ...] = ()
    unnamed: int = 0
    points_told: int | None = None
    rot_told: int = 0
    rot_counted: int | None = None

    @property
    def is_followed(self) -> bool:
        """Say whether every token of the seat is followed; only then do bag and parts mean anything."""
        return self.depth is Depth.FULL

    @property
    def score(self) -> int:
        return sum(self.earned.values())

    def earning(self, *lines: tuple[str, int]) -> Mapping[str, int]:
        """Return the score by reason with more prestige, each (reason, amount); lines of 0 are left out."""
        earned = dict(self.earned)
        for why, amount in lines:
            if amount:
                earned[why] = earned.get(why, 0) + amount
        return earned

    @property
    def rejects(self) -> int:
        """How many rejects there are, the overflow among them."""
        return sum(1 for space in REJECTS if space in self.parts) + len(self.overflow)


@dataclass(frozen=True, slots=True)
class Chore:
    """Something that hands have to do at the table because of what was decided; see ``chores``.

    ``round`` and ``phase`` are those in which it was given.
    """

    number: int
    seat: Seat | None
    deed: Wire
    round: int = 0
    phase: Phase = Phase.OPEN


@dataclass(frozen=True, slots=True)
class State:
    """A whole table. ``labs`` runs clockwise over the seats that play.

    ``supply`` is what lies in the graves, ``track`` the Rot still on the track. ``quarter``
    counts clockwise turns of the centre (0 to 3), ``astray`` by how many quarter turns it
    stands wrong. ``carts`` maps spots to tiles, empty spots are missing. ``deck`` and
    ``stack`` are counts; a card of ``discards`` that nobody named is empty text.
    ``bags_guessed``: the table was taken over without counting bags. ``options`` are those that differ
    from their default (see ``options``).
    """

    box: Printed
    phase: Phase = Phase.OPEN
    round: int = 0
    labs: Mapping[Seat, Lab] = field(default_factory=dict)
    supply: Parts = field(default_factory=dict)
    track: int = 0
    track_length: int = 0
    removed: Parts = field(default_factory=dict)
    quarter: int = 0
    astray: int = 0
    is_turned: bool = False
    carts: Mapping[str, str] = field(default_factory=dict)
    stack: int = 0
    tiles_out: int = 0
    deck: int = 0
    discards: tuple[str, ...] = ()
    bags_guessed: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    chores: tuple[Chore, ...] = ()
    chores_given: int = 0
    odds: bool = False

    def knows_bag(self, seat: Seat) -> bool:
        """Say whether a seat's bag is known token by token: odds and counts are silent otherwise."""
        return self.labs[seat].is_followed and not self.bags_guessed

    def waited_for(self) -> tuple[Seat, ...]:
        """Return the seats that must do something now."""
        return tuple(
            seat
            for seat, lab in self.labs.items()
            if lab.stage in WAITED_FOR or (lab.stage is Stage.PENDING and asked_about(self.box, lab))
        )


def shown(box: Printed, lab: Lab, space: str) -> Monster | None:
    """Return the monster that a card space shows: the card on it, else the printed one, else None."""
    card = lab.cards.get(space) or box.printed.get(space)
    return None if card is None else box.monsters[card]


def slots(box: Printed, lab: Lab) -> dict[str, Token]:
    """Return every part space that can be seen in a lab and what it needs."""
    found = {}
    for space in ("card1", "card2", "card3", "card4", "card5"):
        monster = shown(box, lab, space)
        if monster is not None:
            for index, need in enumerate(monster.parts):
                found[f"{space}.part{index}"] = need
    return found


def open_slots(box: Printed, lab: Lab) -> dict[str, Token]:
    """Return the part spaces that are still empty and what they need."""
    return {space: need for space, need in slots(box, lab).items() if space not in lab.parts}


def completed(box: Printed, lab: Lab) -> tuple[str, ...]:
    """Return the card spaces whose monster has all its parts."""
    done = []
    for space in ("card1", "card2", "card3", "card4", "card5"):
        monster = shown(box, lab, space)
        # A monster whose parts nobody knows is never complete.
        spaces = [f"{space}.part{index}" for index in range(len(monster.parts))] if monster else []
        if spaces and all(space in lab.parts for space in spaces):
            done.append(space)
    return tuple(done)


def asked_about(box: Printed, lab: Lab) -> tuple[str, ...]:
    """Return the cards without which a lab cannot go on: parts for placing tokens, prestige for scoring."""
    if not lab.is_followed:
        return ()
    if lab.stage in (Stage.STOCK, Stage.DRAW):
        shown_now = [shown(box, lab, space) for space in CARD_SPACES]
        return tuple(dict.fromkeys(one.id for one in shown_now if one is not None and not one.parts))
    if lab.stage is Stage.PENDING:
        finished = [shown(box, lab, space) for space in completed(box, lab)]
        return tuple(dict.fromkeys(one.id for one in finished if one is not None and one.prestige is None))
    return ()


def unknown_cards(box: Printed, lab: Lab) -> tuple[str, ...]:
    """Return the cards of a lab, on it or in its pile, that the box does not fully know."""
    cards = dict.fromkeys([*lab.cards.values(), *box.printed.values(), *lab.pile])
    return tuple(card for card in cards if card in box.monsters and not box.monsters[card].is_known)


def tokens_on(lab: Lab, card_space: str) -> tuple[str, ...]:
    """Return the part spaces of one card that hold a token."""
    return tuple(space for space in lab.parts if space.startswith(f"{card_space}."))


def free_sorts(lab: Lab) -> tuple[str, ...]:
    return tuple(space for space in SORT_SPACES if space not in lab.parts)


def free_rejects(lab: Lab) -> tuple[str, ...]:
    return tuple(space for space in REJECTS if space not in lab.parts)


def holds(lab: Lab, *tiles: str) -> tuple[str, ...]:
    """Return the spaces for tokens on the tiles of these names, taken or not."""
    return tuple(
        hold_of(space, number + 1)
        for space, tile in sorted(lab.tiles.items())
        if tile in tiles
        for number in range(HELD[tile])
    )


def free_holds(lab: Lab) -> tuple[str, ...]:
    """Return the free spaces on tiles that take drawn tokens: never those of a Refrigeration (MM-R69)."""
    return tuple(space for space in holds(lab, SORTING_TABLE, MED_SCHOOL) if space not in lab.parts)


def movable(lab: Lab) -> tuple[str, ...]:
    """Return the spaces whose token may move to a monster: sorting tables and the Refrigeration (MM-R44)."""
    spaces = (*SORT_SPACES, *holds(lab, SORTING_TABLE, REFRIGERATION))
    return tuple(space for space in spaces if space in lab.parts)


def may_move(state: State, lab: Lab) -> bool:
    """Say whether parts may move to monsters: always but after a bust and in the own reanimation (MM-R71)."""
    is_resolving = lab.stage is Stage.PENDING or (
        state.phase is Phase.REANIMATE and lab.stage in (*REANIMATING, Stage.SWEEP)
    )
    return not lab.is_bust and state.phase is not Phase.OVER and not is_resolving
