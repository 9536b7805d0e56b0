"""Laboratory upgrades: where they lie, what they give at once and at every later reanimation.

Where a tile only holds tokens, ``placing`` and ``state`` know it; carts and the Teleporter are in ``carts``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.game import Seat
from companion.games.making_monsters.components import (
    BOGO_COUPON_PRINTER,
    HELD,
    LESTER_UPGRADE,
    MED_SCHOOL,
    MED_SCHOOL_PRESTIGE,
    PRINTED_TILE_SPACES,
    REFRIGERATION,
    REPLICATES,
    UNIVERSAL_REPLICATOR,
    USEFUL,
    WAREHOUSE,
    Token,
)
from companion.games.making_monsters.events import LesterOwed, PartsGained, TileTaken
from companion.games.making_monsters.options import BOGO, EXPAND, LESTER_TILE, UNIVERSAL_MEAT, value
from companion.games.making_monsters.options import WAREHOUSE as WAREHOUSE_SPACES
from companion.games.making_monsters.parts import Parts, counted, minus, plus
from companion.games.making_monsters.state import Lab, Phase, Stage, State, holds

AT_ONCE = "upgrade"
AT_REANIMATION = "replicators"
BY_COUPON = "coupon"
"""Why parts were gained."""


def tile_spaces(state: State, lab: Lab) -> tuple[str, ...]:
    """Return the spaces for upgrades: those of the board, then what Warehouses add (MM-R47, R68).

    A Warehouse takes no space itself; one that lies on a space of the board gives that space, too.
    """
    each = int(value(state.box, state.options, WAREHOUSE_SPACES))
    stores = [space for space, tile in lab.tiles.items() if tile == WAREHOUSE]
    more = each * len(stores) + sum(not space.startswith("beside") for space in stores)
    return tuple(f"upgrade{number + 1}" for number in range(PRINTED_TILE_SPACES + more))


def replaceable_tiles(state: State, lab: Lab) -> tuple[str, ...]:
    """Return the spaces whose tile may make room for another: all but a Warehouse's."""
    return tuple(space for space in tile_spaces(state, lab) if lab.tiles.get(space, WAREHOUSE) != WAREHOUSE)


def free_tile_spaces(state: State, lab: Lab) -> tuple[str, ...]:
    return tuple(space for space in tile_spaces(state, lab) if space not in lab.tiles)


def beside_space(lab: Lab) -> str:
    """Return where the next Warehouse lies: beside the board, where it takes no space."""
    number = 1 + sum(space.startswith("beside") for space in lab.tiles)
    return f"beside{number}"


def has_room(state: State, lab: Lab, tile: str) -> bool:
    """Say whether a tile fits without replacing another."""
    return tile == WAREHOUSE or bool(free_tile_spaces(state, lab))


def expandable(state: State, lab: Lab) -> dict[str, str]:
    """Return the tiles that Expand may bring, by spot: it asks for a free space (MM-R29)."""
    may_replace = value(state.box, state.options, EXPAND) == "may_replace"
    return {spot: tile for spot, tile in state.carts.items() if may_replace or has_room(state, lab, tile)}


def space_for(state: State, lab: Lab, tile: str, space: str) -> str | None:
    """Return where a tile goes: a Warehouse beside the board, others where wanted or on a free space.

    With all spaces taken, the space must name the tile that is replaced (MM-R46). None: it may not lie there.
    """
    if tile == WAREHOUSE:
        return beside_space(lab)
    free = free_tile_spaces(state, lab)
    where = space or (free[0] if free else "")
    return where if where in (free or replaceable_tiles(state, lab)) else None


def replicated(state: State, tile: str, beside: Iterable[str]) -> Parts:
    """Return what a replicator gives with these tiles lying beside it; nothing for other tiles.

    A Universal adds one token a gain, or by the table's option one for every token (MM-R40, R42).
    """
    if tile not in REPLICATES:
        return {}
    kind, count = REPLICATES[tile]
    universals = sum(other == UNIVERSAL_REPLICATOR for other in beside)
    each = count if value(state.box, state.options, UNIVERSAL_MEAT) == "four" else 1
    return {kind: count + universals * each}


def as_far_as_there_is(state: State, wanted: Parts) -> dict[Token, int]:
    """Return what a replicator really gives: what the supply has, no substitute (MM-R20)."""
    given = {kind: min(count, state.supply.get(kind, 0)) for kind, count in wanted.items()}
    return {kind: count for kind, count in given.items() if count}


def due(state: State, lab: Lab) -> Parts:
    """Return what the replicators still give for the reanimation under way."""
    heap: Parts = {}
    for tile in lab.working:
        heap = plus(heap, replicated(state, tile, lab.working))
    return heap


def gained_at_once(state: State, seat: Seat, tile: str) -> tuple[PartsGained, ...]:
    """Return what a tile that lies in a lab now gives immediately (MM-R41)."""
    given = as_far_as_there_is(state, replicated(state, tile, state.labs[seat].tiles.values()))
    return (PartsGained(seat, given, AT_ONCE),) if given else ()


def school_prestige(lab: Lab) -> int:
    """Return what Med Schools pay: each one with both its parts (MM-R43)."""
    schools = [space for space, tile in lab.tiles.items() if tile == MED_SCHOOL]
    full = [s for s in schools if sum(at.startswith(f"{s}.") for at in lab.parts) == HELD[MED_SCHOOL]]
    return MED_SCHOOL_PRESTIGE * len(full)


def coupon_kinds(state: State) -> tuple[Token, ...]:
    """Return what a coupon may bring: any useful part there is, by the table's option a mutation (MM-R17)."""
    mutation = value(state.box, state.options, BOGO) == "mutation"
    kinds = (*USEFUL, Token.MUTATION) if mutation else USEFUL
    return tuple(kind for kind in kinds if state.supply.get(kind))


def chillable(lab: Lab) -> tuple[str, ...]:
    """Return the spaces whose token may stay in a Refrigeration: any part but Rot, rejects too (MM-R69).

    What lies beside the full rejects track goes into the bag in any case (MM-R9).
    """
    return tuple(space for space, kind in lab.parts.items() if kind is not Token.ROT)


def chilled(lab: Lab) -> int:
    """Return how many tokens the Refrigerations of a lab hold at most."""
    return len(holds(lab, REFRIGERATION))


def into_the_cold(lab: Lab, kept: tuple[str, ...]) -> dict[str, str]:
    """Return where the tokens of some spaces stay, by space; one that lies cold already stays there."""
    cold = holds(lab, REFRIGERATION)
    free = iter(space for space in cold if space not in kept)
    return {space: space if space in cold else next(free) for space in kept}


def stage_after(state: State, lab: Lab) -> Stage:
    """Return what a seat does next: a card that an upgrade lets it play, then whatever its tiles ask."""
    if lab.spare:
        return Stage.SPARE
    if state.phase is not Phase.REANIMATE:
        return Stage.DECIDE
    if BOGO_COUPON_PRINTER in lab.working:
        return Stage.COUPON
    # In the last round all goes back into the bag before the Fair: nothing is worth choosing (MM-R65).
    if chilled(lab) and chillable(lab) and state.track:
        return Stage.CHILL
    return Stage.SWEEP


def spare_at_once(state: State, tile: str) -> int:
    """Return how many L.E.S.T.E.R. cards gaining a tile lets its owner play (MM-R48)."""
    once = value(state.box, state.options, LESTER_TILE) == "once"
    return int(tile == LESTER_UPGRADE and once)


def lester_owed(state: State, event: LesterOwed) -> State:
    lab = state.labs[event.seat]
    return replace(state, labs={**state.labs, event.seat: replace(lab, spare=lab.spare + 1)})


def spare_at_reanimation(state: State, lab: Lab) -> int:
    every_time = value(state.box, state.options, LESTER_TILE) == "every_time"
    return sum(tile == LESTER_UPGRADE for tile in lab.working) if every_time else 0


def tile_taken(state: State, event: TileTaken) -> State:
    """Lay a tile into a lab; what lay on the replaced one goes into the bag (MM-R46)."""
    lab = state.labs[event.seat]
    freed = held_on(lab, event.space) if event.replaced else {}
    lab = replace(
        lab,
        bag=plus(lab.bag, counted(freed.values())),
        parts={space: kind for space, kind in lab.parts.items() if space not in freed},
        tiles={**lab.tiles, event.space: event.tile},
        items=lab.items - 1 if event.is_item else lab.items,
        spare=lab.spare + spare_at_once(state, event.tile),
    )
    carts = {spot: tile for spot, tile in state.carts.items() if spot != event.spot}
    out = state.tiles_out + (1 if event.replaced else 0)
    return replace(state, labs={**state.labs, event.seat: lab}, carts=carts, tiles_out=out)


def held_on(lab: Lab, tile_space: str) -> dict[str, Token]:
    """Return the tokens on one tile."""
    return {space: kind for space, kind in lab.parts.items() if space.startswith(f"{tile_space}.")}


def parts_gained(state: State, event: PartsGained) -> State:
    """Put parts from the supply into a bag; whoever had to choose one has chosen."""
    lab = state.labs[event.seat]
    lab = replace(lab, bag=plus(lab.bag, event.parts))
    if lab.stage is Stage.ADD and event.why in ("red", "red_super"):
        lab = replace(lab, stage=Stage.DECIDE)
    if event.why == AT_REANIMATION:
        lab = replace(lab, working=tuple(tile for tile in lab.working if tile not in REPLICATES))
    if event.why == BY_COUPON:
        working = list(lab.working)
        working.remove(BOGO_COUPON_PRINTER)
        lab = replace(lab, working=tuple(working))
        lab = replace(lab, stage=stage_after(state, lab))
    labs = {**state.labs, event.seat: lab}
    return replace(state, labs=labs, supply=minus(state.supply, event.parts))
