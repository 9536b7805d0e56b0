"""What a new monster is made of: base, parts, special parts and upgrades, line by line.

The lines are the sum: the monster's attributes and the answer to "why" are both read off them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.games.monster_graveyard.components import (
    ANY,
    BASE,
    NEEDED,
    Attribute,
    Form,
    Shape,
    part_kind,
)
from companion.games.monster_graveyard.printed import Printed

BASE_SOURCE = "base"


@dataclass(frozen=True, slots=True)
class Line:
    """How much one source adds to an attribute: ``base``, a part's kind, or an upgrade's id."""

    attribute: Attribute
    amount: int
    source: str


def lines(box: Printed, parts: Sequence[str], upgrades: Sequence[str]) -> tuple[Line, ...]:
    """Return what a monster of some parts gets, in the order of the rulebook's calculation."""
    plain = [part for part in parts if part not in box.specials]
    special = [part for part in parts if part in box.specials]
    found = [Line(attribute, BASE, BASE_SOURCE) for attribute in Attribute]
    for source in (*plain, *special):
        found += [Line(one, amount, source) for one, amount in box.added_by(source).items()]
    for card in upgrades:
        found += [Line(one, amount, card) for one, amount in box.research[card].added.items()]
    return tuple(found)


def summed(found: Iterable[Line]) -> dict[Attribute, int]:
    """Return every attribute's sum."""
    sums = dict.fromkeys(Attribute, 0)
    for line in found:
        sums[line.attribute] += line.amount
    return sums


@dataclass(frozen=True, slots=True)
class Cover:
    """How some parts meet the requirement of six: shapes too many and too few, ``wild`` parts unused."""

    surplus: tuple[Shape, ...] = ()
    missing: tuple[Shape, ...] = ()
    wild_left: int = 0

    @property
    def is_exact(self) -> bool:
        return not (self.surplus or self.missing or self.wild_left)


def cover(box: Printed, parts: Sequence[str]) -> Cover:
    """Hold parts against the requirement. Parts for any shape stand for what is missing."""
    covered = [word for part in parts for word in box.covered_by(part)]
    wild = covered.count(ANY)
    surplus: list[Shape] = []
    missing: list[Shape] = []
    for shape, needed in NEEDED.items():
        over = covered.count(shape) - needed
        surplus += [shape] * max(0, over)
        missing += [shape] * max(0, -over)
    return Cover(tuple(surplus), tuple(missing[wild:]), max(0, wild - len(missing)))


def filled(box: Printed, parts: Sequence[str]) -> tuple[str, ...]:
    """Return the parts with skeletal ones for all that is missing."""
    return (*parts, *(part_kind(Form.SKELETAL, shape) for shape in cover(box, parts).missing))
