"""Order Monster Parts: secret tokens, the reveal, Super by neighbour (rulebook, Playing Order Tokens)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.game import Seat
from companion.games.making_monsters.components import Order
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.events import Event, OrderLaid, OrderTold, Revealed, Scored, TokensTurned
from companion.games.making_monsters.moves import ChooseOrder, Ready
from companion.games.making_monsters.options import value
from companion.games.making_monsters.rules.setup import lab_at, with_lab
from companion.games.making_monsters.state import Lab, Phase, Stage, State

RED_SUPER_PRESTIGE = 3


@dataclass(frozen=True, slots=True)
class Terms:
    """How many tokens an order draws: ``grab`` at once, then singles; ``least`` and ``most`` in all."""

    grab: int
    least: int
    most: int


TERMS: Mapping[tuple[Order, bool], Terms] = {
    (Order.RED, False): Terms(2, 2, 2),
    (Order.YELLOW, False): Terms(4, 4, 4),
    (Order.BLUE, False): Terms(6, 6, 6),
    (Order.RED, True): Terms(0, 1, 5),
    (Order.YELLOW, True): Terms(2, 2, 7),
    (Order.BLUE, True): Terms(3, 3, 9),
}
"""Rulebook, Order Tokens; minimums by MM-R12. The flag says Super."""

STOCK_TERMS = Terms(5, 5, 5)
FAIR_TERMS = Terms(0, 0, 1000)


def terms(state: State, lab: Lab) -> Terms:
    """Return what a seat draws now: setting up, by its order, or at the Fair."""
    if state.phase is Phase.FAIR:
        return FAIR_TERMS
    if lab.order is None:
        return STOCK_TERMS
    return TERMS[lab.order, lab.is_super]


def trigger(state: State, order: Order) -> Order:
    """Return the colour that lifts an order, as the table says or the box prints (MM-R1)."""
    return Order(value(state.box, state.options, f"trigger_{order}"))


def supers(state: State, orders: Mapping[Seat, Order]) -> tuple[Seat, ...]:
    """Return the seats whose neighbour laid their trigger colour; ``orders`` runs clockwise.

    MM-R2 to R4: two players are each other's only neighbour, and one match is enough.
    """
    ring = list(orders)
    lifted = []
    for index, seat in enumerate(ring):
        beside = {orders[ring[index - 1]], orders[ring[(index + 1) % len(ring)]]}
        if trigger(state, orders[seat]) in beside:
            lifted.append(seat)
    return tuple(lifted)


def choose_order(state: State, command: ChooseOrder) -> tuple[Event, ...]:
    """A choice may change until everybody has laid a token (MM-R6); at the reveal a colour is told."""
    if state.phase is Phase.REVEAL:
        lab_at(state, command.seat, Stage.TELL)
        return (OrderTold(command.seat, command.order),)
    lab_at(state, command.seat, Stage.ORDER, Stage.LAID)
    return (OrderLaid(command.seat, command.order),)


def ready(state: State, command: Ready) -> tuple[Event, ...]:
    lab_at(state, command.seat, Stage.ORDER)
    return (OrderLaid(command.seat, None),)


def order_laid(state: State, event: OrderLaid | OrderTold) -> State:
    lab = replace(state.labs[event.seat], stage=Stage.LAID, order=event.order)
    return with_lab(state, event.seat, lab)


def tokens_turned(state: State, event: TokensTurned) -> State:
    labs = {
        seat: replace(lab, stage=Stage.TELL) if lab.order is None else lab for seat, lab in state.labs.items()
    }
    return replace(state, phase=Phase.REVEAL, labs=labs)


def revealed(state: State, event: Revealed) -> State:
    labs = {
        seat: replace(
            lab, stage=Stage.DRAW, order=event.orders.get(seat), is_super=seat in event.supers, drawn=0
        )
        for seat, lab in state.labs.items()
    }
    return replace(state, phase=Phase.DELIVERIES, labs=labs)


def scored(state: State, event: Scored) -> State:
    lab = state.labs[event.seat]
    return with_lab(state, event.seat, replace(lab, earned=lab.earning((event.why, event.amount))))


def follow(state: State) -> tuple[Event, ...]:
    """Turn the tokens over when all lie there; go on when all colours are known."""
    labs = state.labs
    if any(lab.stage is not Stage.LAID for lab in labs.values()):
        return ()
    orders = {seat: lab.order for seat, lab in labs.items() if lab.order is not None}
    if len(orders) < len(labs):
        return (TokensTurned(),)
    lifted = supers(state, orders)
    red = (seat for seat in lifted if orders[seat] is Order.RED and labs[seat].depth is not Depth.SCORE)
    return (Revealed(orders, lifted), *(Scored(seat, RED_SUPER_PRESTIGE, "red_super") for seat in red))
