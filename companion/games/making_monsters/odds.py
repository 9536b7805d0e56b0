"""Chances of a draw from a bag, exactly, and what a seat draws from: the bag, the lab, the terms.

Pure arithmetic. What a lab still wants is told by monster; how a draw is weighed stands in ``stopping``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import comb

from companion.games.making_monsters.components import BONUS, REJECT_SPACES, USEFUL, Token
from companion.games.making_monsters.parts import Parts, plus, total


def rot_chance(bag: int, rot: int, drawn: int, wanted: int) -> float:
    """Return the chance of exactly ``wanted`` Rot among ``drawn`` of ``bag`` tokens, ``rot`` of them Rot."""
    if wanted > drawn or drawn > bag:
        return 0.0
    return comb(rot, wanted) * comb(bag - rot, drawn - wanted) / comb(bag, drawn)


def bust_chance(rejects: int, bag: int, rot: int, drawn: int) -> float:
    """Return the chance that a grab fills the sixth reject space if every part has a place."""
    drawn = min(drawn, bag)
    needed = max(0, REJECT_SPACES - rejects)
    return sum(rot_chance(bag, rot, drawn, wanted) for wanted in range(needed, drawn + 1))


@dataclass(frozen=True, slots=True)
class Want:
    """A monster of a lab: what it still needs by kind (none: it is complete) and its printed prestige."""

    space: str
    needs: Parts
    prestige: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """All that decides what a draw is worth to one seat.

    ``held`` are parts that may still move to a monster, ``aside`` how many parts can wait on spaces
    that take any part, those of ``held`` among them. ``cold`` of the ``held`` lie in a Refrigeration, a
    space of their own that nothing else takes; ``school`` is room on tiles that give nothing back.
    ``besides`` is prestige that comes with a reanimation in any case, ``besides_bust`` with a bust.
    ``rot_rejected`` of the ``rejects`` are Rot.
    ``grab`` tokens come at once, then singles up to ``most`` in all; nobody may stop before ``least``.
    ``is_rescued``: one Rot of the rejects goes back before the bust is tested (Yellow's Super).

    What looks beyond one delivery: ``gains`` is what a reanimation brings besides prestige, by how many
    monsters it completes, and ``toll`` what every draw after the first ``free`` costs, both in prestige.
    """

    bag: Parts
    wants: tuple[Want, ...]
    aside: int
    grab: int
    least: int
    most: int
    held: Parts = field(default_factory=dict)
    rejects: int = 0
    rot_rejected: int = 0
    is_rescued: bool = False
    cold: Parts = field(default_factory=dict)
    school: int = 0
    besides: int = 0
    besides_bust: int = 0
    gains: tuple[float, ...] = (0.0,) * len(BONUS)
    toll: float = 0.0
    free: int = 0

    @property
    def room(self) -> int:
        """How many parts can lie on spaces that take any part."""
        return self.aside + self.school

    @property
    def draws(self) -> int:
        """How many tokens can still come: what the order allows and the bag has (MM-R18)."""
        return min(self.most, total(self.bag))

    @property
    def slots(self) -> Mapping[Token, int]:
        """How many open slots ask for each kind."""
        open_slots: dict[Token, int] = {}
        for want in self.wants:
            open_slots = plus(open_slots, want.needs)
        return open_slots


def unplaced(drawing: Drawing, more: Parts) -> int:
    """Return how many parts find no place however well they are placed, if ``more`` is drawn at once.

    A part goes to a slot of its kind, a mutation to any slot, and what is left aside. Rot is not counted.
    """
    have, slots, cold = plus(drawing.held, more), drawing.slots, drawing.cold
    surplus = sum(max(0, have.get(kind, 0) - slots.get(kind, 0) - cold.get(kind, 0)) for kind in USEFUL)
    still_open = sum(max(0, slots.get(kind, 0) - have.get(kind, 0)) for kind in USEFUL)
    surplus += max(0, have.get(Token.MUTATION, 0) - still_open - cold.get(Token.MUTATION, 0))
    return max(0, surplus - drawing.room)


def next_bust(drawing: Drawing) -> float:
    """Return the chance that the next single token ends in a bust (MM-R10, R13, R14)."""
    bag = total(drawing.bag)
    if not bag or drawing.rejects < REJECT_SPACES - 1:
        return 0.0
    fatal = 0
    for kind, count in drawing.bag.items():
        is_rejected = kind is Token.ROT or unplaced(drawing, {kind: 1}) > 0
        has_rot = drawing.rot_rejected > 0 or kind is Token.ROT
        if is_rejected and not (drawing.is_rescued and has_rot):
            fatal += count
    return fatal / bag
