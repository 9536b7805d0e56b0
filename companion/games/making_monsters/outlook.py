"""What a seat may expect of its lab beyond the delivery under way, from what its own view tells.

A lab is worth what it would bring if tokens came one by one until the best moment to reanimate, each
beyond those of the order costing its share of the rounds that a game has (the toll). That is the
best stopping rule of ``stopping`` once more, followed as far as a bounded number of states allows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from companion.game import Wire
from companion.games.making_monsters.components import (
    ITEMS,
    MED_SCHOOL,
    PRINTED_CARDS,
    REFRIGERATION,
    ROT_TAKEN,
    SORT_SPACES,
    SORTING_TABLE,
    Order,
    Token,
    under,
)
from companion.games.making_monsters.odds import Drawing, Want
from companion.games.making_monsters.parts import counted, plus, total
from companion.games.making_monsters.rules.order import TERMS, Terms
from companion.games.making_monsters.stopping import weigh

AHEAD = 8
"""How many tokens are looked at beyond an order."""

MOST_STATES = 4_000
"""What one outlook may follow: a few milliseconds."""

USUAL = Terms(4, 4, 5)
"""An order of the middle, for weighing labs before an order is chosen."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What lies beyond this lab, in prestige: the toll of a draw, an item, a Rot taken.

    The toll is about what a game brings for each token drawn. Tolls from 0.7 to 1.6 did not beat 1.0 (60
    games each, differences within chance); item and Rot are judged.
    ``measure_strengths`` of the tests tries others.
    """

    toll: float = 1.0
    item: float = 0.6
    rot: float = 0.8

    @property
    def gains(self) -> tuple[float, ...]:
        """What a reanimation brings besides prestige, by how many monsters it completes."""
        return tuple(self.item * items - self.rot * rot for items, rot in zip(ITEMS, ROT_TAKEN, strict=True))


def seen(facts: Wire, weights: Weights) -> Drawing:
    """Return what a seat draws from by what its own view tells; terms are still to come."""
    parts: Mapping[str, str] = facts["labs"][facts["seat"]]["parts"]
    tiles: Mapping[str, str] = facts["labs"][facts["seat"]]["tiles"]
    lying = {space: tiles.get(under(space), SORTING_TABLE) for space in parts if is_loose(space)}
    held = counted(Token(parts[space]) for space, tile in lying.items() if tile != MED_SCHOOL)
    cold = counted(Token(parts[space]) for space, tile in lying.items() if tile == REFRIGERATION)
    school = sum(tiles[under(space)] == MED_SCHOOL for space in facts["free_holds"])
    return Drawing(
        bag={Token(kind): count for kind, count in facts["bag"].items()},
        wants=tuple(wants(facts)),
        aside=len(facts["free_sorts"]) + len(facts["free_holds"]) - school + total(held) - total(cold),
        grab=0,
        least=0,
        most=0,
        held=held,
        rejects=facts["rejects"],
        rot_rejected=sum(kind == "rot" for kind in parts.values()),
        cold=cold,
        school=school,
        besides=facts["school"],
        besides_bust=facts["school"],
        gains=weights.gains,
        toll=weights.toll,
    )


def wants(facts: Wire) -> Iterator[Want]:
    """Give the monsters that a lab shows, with what each still needs."""
    for card, (prestige, *_) in facts["shown"].items():
        yield Want(card, counted(needs(facts, card)), int(prestige))


def needs(facts: Wire, card: str) -> list[Token]:
    """Return the kinds that a monster still needs."""
    return [Token(need) for space, need in facts["slots"].items() if space.startswith(f"{card}.")]


def is_loose(space: str) -> bool:
    """Say whether a part on a space belongs to no monster and is not rejected."""
    return space.startswith("sort") or ".hold" in space


def cleared(facts: Wire, drawing: Drawing) -> Drawing:
    """Return what the seat draws from after reanimating: all tokens in the bag, finished cards gone."""
    lab = facts["labs"][facts["seat"]]
    left = tuple(
        Want(want.space, counted(Token(kind) for kind in facts["shown"][want.space][1:]), want.prestige)
        for want in drawing.wants
        if want.needs or want.space not in lab["cards"] or want.space in PRINTED_CARDS
    )
    tables = sum(tile == SORTING_TABLE for tile in lab["tiles"].values())
    schools = sum(tile == MED_SCHOOL for tile in lab["tiles"].values())
    return replace(
        drawing,
        bag=plus(drawing.bag, counted(Token(kind) for kind in lab["parts"].values())),
        wants=left,
        aside=len(SORT_SPACES) + 2 * tables,
        held={},
        rejects=0,
        rot_rejected=0,
        cold={},
        school=2 * schools,
        besides=0,
        besides_bust=0,
    )


def promise(drawing: Drawing, limits: Terms, *, is_rescued: bool = False) -> float:
    """Return what a lab should bring by these terms and after them, in prestige."""
    ahead = replace(
        drawing,
        grab=limits.grab,
        least=limits.least,
        most=limits.most + AHEAD,
        free=limits.most,
        is_rescued=is_rescued,
    )
    return weigh(ahead, by_monster=False, most_states=MOST_STATES).worth.low


def by_order(drawing: Drawing, likely: Mapping[Order, float]) -> dict[Order, float]:
    """Return what each order promises; ``likely`` is the chance that a neighbour lifts it."""
    return {
        order: (1 - likely[order]) * promise(drawing, TERMS[order, False])
        + likely[order] * promise(drawing, TERMS[order, True], is_rescued=order is Order.YELLOW)
        for order in Order
    }
