"""Which cart lies before whom, who comes first, and what lies on the carts (rulebook, Refresh)."""

from __future__ import annotations

from collections.abc import Mapping

from companion.game import Seat
from companion.games.making_monsters.components import SEATS, TELEPORTER
from companion.games.making_monsters.options import TELEPORTER as TELEPORTER_OPTION
from companion.games.making_monsters.options import value
from companion.games.making_monsters.state import Lab, State


def cart_before(state: State, seat: Seat) -> int:
    """Return which cart (0 to 3) lies before a seat: every turn passes it to the next seat clockwise."""
    return (SEATS.index(seat) - state.quarter) % 4


def by_priority(state: State) -> tuple[Seat, ...]:
    """Return the seats, first who faces cart 1 or sits next clockwise from there (MM-R36)."""
    first = state.quarter % 4
    return tuple(sorted(state.labs, key=lambda seat: (SEATS.index(seat) - first) % 4))


def teleports(state: State, lab: Lab) -> bool:
    """Say whether a seat takes its items from any cart; a table may rule it out after a bust (MM-R37)."""
    if TELEPORTER not in lab.working:
        return False
    return not lab.is_bust or value(state.box, state.options, TELEPORTER_OPTION) == "always"


def carts_of(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the carts (0 to 3) that a seat takes its items from, its own one first."""
    own = cart_before(state, seat)
    if not teleports(state, state.labs[seat]):
        return (own,)
    return (own, *(cart for cart in range(4) if cart != own))


def within_reach(state: State, seat: Seat) -> Mapping[str, str]:
    """Return the tiles that a seat may take as items, by spot."""
    return {
        spot: tile
        for cart in carts_of(state, seat)
        for spot, tile in state.carts.items()
        if spot.startswith(f"cart{cart + 1}_")
    }
