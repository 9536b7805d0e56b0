"""The table from above: what orders lie open, who lifts whom, and which cart the centre turns before whom.

For those who watch from afar. No colour is in here before the reveal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.game import Ring, RingPlace, Seat, Sentence
from companion.games.making_monsters.components import SEATS, Order
from companion.games.making_monsters.rules.carts import cart_before
from companion.games.making_monsters.rules.order import trigger
from companion.games.making_monsters.state import Phase, Stage, State
from companion.games.making_monsters.words import say

FACE_DOWN = "order-back"
CLOSED = (Phase.OPEN, Phase.SETUP, Phase.PREP, Phase.FAIR, Phase.OVER)
"""Phases in which neither orders nor carts matter."""

HIDDEN = (Phase.ORDER, Phase.REVEAL)
"""Phases in which no colour is told: of orders only that they lie there."""


def ring(state: State) -> Ring | None:
    """Return the table from above while orders and carts matter, else None."""
    if state.phase in CLOSED:
        return None
    orders = {
        seat: lab.order
        for seat, lab in state.labs.items()
        if lab.order is not None and state.phase not in HIDDEN
    }
    return Ring(
        title=say("ring.title"),
        places=tuple(_place(state, seat, orders) for seat in SEATS),
        centre=say("ring.centre", count=state.quarter) if state.quarter else say("ring.start"),
        sparks=tuple(_sparks(state, orders)),
        turn=_turn(state),
    )


def _place(state: State, seat: Seat, orders: Mapping[Seat, Order]) -> RingPlace:
    sector = str(cart_before(state, seat) + 1)
    if seat not in state.labs:
        return RingPlace(sector=sector)
    lab, order = state.labs[seat], orders.get(seat)
    if order is not None:
        word = say("ring.super" if lab.is_super else "ring.base")
        return RingPlace(seat, f"order-{order}", word, lab.is_super, sector)
    lies_there = state.phase is Phase.REVEAL or (state.phase is Phase.ORDER and lab.stage is Stage.LAID)
    return RingPlace(seat, FACE_DOWN if lies_there else "", sector=sector)


def _sparks(state: State, orders: Mapping[Seat, Order]) -> Iterator[tuple[int, int]]:
    """Return the neighbours of whom one lifts the other; two players are neighbours once (MM-R2)."""
    seats = list(orders)
    pairs = zip(seats, [*seats[1:], *seats[:1]], strict=True)
    for seat, beside in list(pairs)[: 1 if len(seats) == 2 else len(seats)]:
        mine, theirs = orders[seat], orders[beside]
        if seat != beside and (trigger(state, mine) is theirs or trigger(state, theirs) is mine):
            yield SEATS.index(seat), SEATS.index(beside)


def _turn(state: State) -> Sentence | None:
    is_due = state.phase is Phase.REFRESH and not state.is_turned
    steps = ((1 if is_due else 0) - state.astray) % 4
    return say("ring.turn", count=steps) if steps else None
