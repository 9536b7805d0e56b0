"""Scarce things: what must be left because a seat with priority may still want it (MM-R36).

All choose at the same time, so a seat waits only for what a seat before it could still use up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from companion.game import Seat
from companion.games.making_monsters.components import BOGO_COUPON_PRINTER, USEFUL, Order, Token
from companion.games.making_monsters.parts import Parts, minus, plus
from companion.games.making_monsters.rules.carts import by_priority, carts_of, within_reach
from companion.games.making_monsters.rules.upgrades import (
    coupon_kinds,
    due,
    expandable,
    replicated,
    spare_at_once,
)
from companion.games.making_monsters.state import REANIMATING, Lab, Phase, Stage, State

SCAVENGED = 3
FLEXIBLE = 2


@dataclass(frozen=True, slots=True)
class Claims:
    """What seats may still take: the most of each kind of token, and tiles by spot."""

    parts: Parts = field(default_factory=dict)
    spots: frozenset[str] = frozenset()

    def with_more(self, other: Claims) -> Claims:
        return Claims(plus(self.parts, other.parts), self.spots | other.spots)


def claims_before(state: State, seat: Seat) -> Claims:
    """Return what the seats with priority over a seat may still take."""
    claims = Claims()
    for other in _before(state, seat):
        claims = claims.with_more(_of(state, other, state.labs[other]))
    return claims


def free_parts(state: State, seat: Seat) -> dict[Token, int]:
    """Return what a seat may take from the supply without waiting for anybody."""
    return minus(state.supply, claims_before(state, seat).parts)


def free_spots(state: State, seat: Seat) -> dict[str, str]:
    """Return the tiles on all carts that no seat before this one may still take."""
    claimed = claims_before(state, seat).spots
    return {spot: tile for spot, tile in state.carts.items() if spot not in claimed}


def first_before(state: State, seat: Seat) -> Seat:
    """Return the seat that is waited for; the seat itself if it waits for nobody."""
    for other in _before(state, seat):
        claims = _of(state, other, state.labs[other])
        if claims.parts or claims.spots:
            return other
    return seat


def _before(state: State, seat: Seat) -> Iterator[Seat]:
    for other in by_priority(state):
        if other == seat:
            return
        yield other


def _of(state: State, seat: Seat, lab: Lab) -> Claims:
    if state.phase is Phase.DELIVERIES:
        return _of_order(state, lab)
    return _of_reanimation(state, seat, lab) if lab.stage in REANIMATING else Claims()


def _of_order(state: State, lab: Lab) -> Claims:
    """Return what an order may still bring: Red's part, the card of Blue's Super."""
    if lab.stage is Stage.SPARE:
        return _of_lester(state, lab)
    if lab.stage in (Stage.DRAW, Stage.ADD) and lab.order is Order.RED:
        if lab.is_super and state.supply.get(Token.MUTATION):
            return Claims({Token.MUTATION: 1})
        return Claims(dict.fromkeys(USEFUL, 1))
    if lab.stage in (Stage.DRAW, Stage.LESTER) and lab.order is Order.BLUE and lab.is_super:
        return _of_lester(state, lab)
    return Claims()


def _of_lester(state: State, lab: Lab) -> Claims:
    """Return the most that any card still in the hand may take."""
    ready = [card for card in state.box.lesters if card not in lab.played]
    claims = Claims()
    if "scavenge" in ready:
        claims = claims.with_more(Claims(dict.fromkeys(USEFUL, SCAVENGED)))
    if "flexibility" in ready:
        lacking = FLEXIBLE - min(FLEXIBLE, state.supply.get(Token.MUTATION, 0))
        claims = claims.with_more(Claims({Token.MUTATION: FLEXIBLE} | dict.fromkeys(USEFUL, lacking)))
    if "expand" in ready:
        tiles = expandable(state, lab)
        claims = claims.with_more(Claims(_gains(state, lab, tiles.values()), frozenset(tiles)))
    return Claims({kind: count for kind, count in claims.parts.items() if count}, claims.spots)


def _of_reanimation(state: State, seat: Seat, lab: Lab) -> Claims:
    """Return what items, replicators, coupons and cards of a reanimation under way may still take."""
    claims = Claims(due(state, lab))
    coupons = lab.working.count(BOGO_COUPON_PRINTER)
    if coupons:
        claims = claims.with_more(Claims(dict.fromkeys(coupon_kinds(state), coupons)))
    if lab.stage is Stage.ITEMS and lab.items:
        tiles = within_reach(state, seat)
        kinds = {kind for cart in carts_of(state, seat) for kind in state.box.carts[cart]} - {Token.ROT}
        claims = claims.with_more(Claims(dict.fromkeys(kinds, lab.items)))
        claims = claims.with_more(Claims(_gains(state, lab, tiles.values()), frozenset(tiles)))
        if any(spare_at_once(state, tile) for tile in tiles.values()):
            claims = claims.with_more(_of_lester(state, lab))
    if lab.spare:
        claims = claims.with_more(_of_lester(state, lab))
    return claims


def _gains(state: State, lab: Lab, tiles: Collection[str]) -> Parts:
    """Return what the replicators among some tiles would give at once, each of them taken."""
    heap: Parts = {}
    for tile in tiles:
        heap = plus(heap, replicated(state, tile, (*lab.tiles.values(), *tiles)))
    return heap
