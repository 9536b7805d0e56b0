"""L.E.S.T.E.R. cards: what Blue's Super plays after its draws (rulebook, L.E.S.T.E.R. Cards)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.making_monsters.components import UPGRADE_SPACES, USEFUL, Token
from companion.games.making_monsters.events import (
    Event,
    LesterPlayed,
    PartsGained,
    RotRemoved,
    Scored,
    TileTaken,
)
from companion.games.making_monsters.moves import PlayLester
from companion.games.making_monsters.parts import counted, minus, missing, plus, total
from companion.games.making_monsters.rules.setup import lab_at, with_lab
from companion.games.making_monsters.state import Lab, Stage, State
from companion.games.making_monsters.words import broken, heap, say

PUBLICITY_PRESTIGE = 3
SCAVENGED = 3
FLEXIBLE = 2


def unused(state: State, lab: Lab) -> tuple[str, ...]:
    """Return the cards that a seat may still play."""
    return tuple(card for card in state.box.lesters if card not in lab.played)


def useful_left(state: State) -> int:
    return sum(state.supply.get(kind, 0) for kind in USEFUL)


def chosen_kinds(state: State, card: str) -> int:
    """Return how many parts the player of a card names: three for Scavenge, one per lacking mutation."""
    if card == "scavenge":
        return min(SCAVENGED, useful_left(state))
    if card == "flexibility":
        lacking = FLEXIBLE - min(FLEXIBLE, state.supply.get(Token.MUTATION, 0))
        return min(lacking, useful_left(state))
    return 0


def free_tile_spaces(lab: Lab) -> tuple[str, ...]:
    return tuple(space for space in UPGRADE_SPACES if space not in lab.tiles)


def has_effect(state: State, lab: Lab, card: str) -> bool:
    """Say whether a card would do anything; it may be played all the same (MM-R74)."""
    if card == "compost":
        return Token.ROT in lab.bag
    if card == "expand":
        return bool(free_tile_spaces(lab) and state.carts)
    if card in ("scavenge", "flexibility"):
        return bool(chosen_kinds(state, card) or state.supply.get(Token.MUTATION))
    return True


def play(state: State, command: PlayLester) -> tuple[Event, ...]:
    lab = lab_at(state, command.seat, Stage.LESTER)
    if command.card not in unused(state, lab):
        raise broken("card_used", "L.E.S.T.E.R. Cards", card=say(f"lester.{command.card}"))
    return (*_effect(state, lab, command), LesterPlayed(command.seat, command.card))


def _effect(state: State, lab: Lab, command: PlayLester) -> tuple[Event, ...]:
    seat, card = command.seat, command.card
    if card == "publicity":
        return (Scored(seat, PUBLICITY_PRESTIGE, "publicity"),)
    if card == "compost":
        return (RotRemoved(seat),) if Token.ROT in lab.bag else ()
    if card in ("scavenge", "flexibility"):
        return _gain(state, command)
    if card == "expand" and has_effect(state, lab, card):
        return _expand(state, lab, command)
    return ()


def _gain(state: State, command: PlayLester) -> tuple[Event, ...]:
    """Give parts from the supply: named by the player, or mutations as far as they last (MM-R19)."""
    card, wanted = command.card, counted(command.kinds)
    due = chosen_kinds(state, card)
    if total(wanted) != due or any(kind not in USEFUL for kind in wanted):
        raise broken("name_parts", "L.E.S.T.E.R. Cards", count=due)
    lacking = missing(state.supply, wanted)
    if lacking:
        raise broken("supply_out", "MM-R20", parts=heap(lacking))
    if card == "flexibility":
        mutations = min(FLEXIBLE, state.supply.get(Token.MUTATION, 0))
        wanted = plus(wanted, {Token.MUTATION: mutations})
    return (PartsGained(command.seat, wanted, card),) if wanted else ()


def _expand(state: State, lab: Lab, command: PlayLester) -> tuple[Event, ...]:
    """Take a tile of any cart onto a free space; it never replaces one (MM-R29)."""
    tile = state.carts.get(command.spot)
    if tile is None:
        raise broken("no_tile_there", "L.E.S.T.E.R. Cards")
    free = free_tile_spaces(lab)
    space = command.space or free[0]
    if space not in free:
        raise broken("tile_space_taken", "MM-R29")
    return (TileTaken(command.seat, command.spot, space, tile, is_item=False),)


def lester_played(state: State, event: LesterPlayed) -> State:
    """Mark the card; after the fifth all are ready again (MM-R27)."""
    lab = state.labs[event.seat]
    played = (*lab.played, event.card)
    if len(played) == len(state.box.lesters):
        played = ()
    return with_lab(state, event.seat, replace(lab, played=played, stage=Stage.DECIDE))


def rot_removed(state: State, event: RotRemoved) -> State:
    lab = state.labs[event.seat]
    lab = replace(lab, bag=minus(lab.bag, {Token.ROT: 1}))
    return replace(with_lab(state, event.seat, lab), removed=plus(state.removed, {Token.ROT: 1}))


def tile_taken(state: State, event: TileTaken) -> State:
    lab = state.labs[event.seat]
    lab = replace(
        lab,
        tiles={**lab.tiles, event.space: event.tile},
        items=lab.items - 1 if event.is_item else lab.items,
    )
    carts = {spot: tile for spot, tile in state.carts.items() if spot != event.spot}
    out = state.tiles_out + (1 if event.replaced else 0)
    return replace(with_lab(state, event.seat, lab), carts=carts, tiles_out=out)
