"""L.E.S.T.E.R. cards: what Blue's Super plays after its draws (rulebook, L.E.S.T.E.R. Cards)."""

from __future__ import annotations

from dataclasses import replace

from companion.game import Seat
from companion.games.making_monsters.components import USEFUL, Token
from companion.games.making_monsters.events import (
    Event,
    LesterLeft,
    LesterPlayed,
    PartsGained,
    RotRemoved,
    Scored,
    TileTaken,
)
from companion.games.making_monsters.moves import LeaveLester, PlayLester
from companion.games.making_monsters.parts import Parts, counted, minus, missing, plus, total
from companion.games.making_monsters.rules import upgrades
from companion.games.making_monsters.rules.priority import (
    FLEXIBLE,
    SCAVENGED,
    first_before,
    free_parts,
    free_spots,
)
from companion.games.making_monsters.rules.setup import lab_at, with_lab
from companion.games.making_monsters.state import Lab, Stage, State
from companion.games.making_monsters.words import broken, heap, say, seat_name

PUBLICITY_PRESTIGE = 3


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


def has_effect(state: State, lab: Lab, card: str) -> bool:
    """Say whether a card would do anything; it may be played all the same (MM-R74)."""
    if card == "compost":
        return Token.ROT in lab.bag
    if card == "expand":
        return bool(upgrades.expandable(state, lab))
    if card in ("scavenge", "flexibility"):
        return bool(chosen_kinds(state, card) or state.supply.get(Token.MUTATION))
    return True


def must_wait(state: State, seat: Seat, card: str) -> bool:
    """Say whether all that a card would bring may still be wanted by a seat that comes first (MM-R36)."""
    lab, free = state.labs[seat], free_parts(state, seat)
    if card == "expand" and has_effect(state, lab, card):
        return not set(upgrades.expandable(state, lab)) & set(free_spots(state, seat))
    mutations = min(FLEXIBLE, state.supply.get(Token.MUTATION, 0)) if card == "flexibility" else 0
    lacks_useful = chosen_kinds(state, card) > sum(free.get(kind, 0) for kind in USEFUL)
    return lacks_useful or mutations > free.get(Token.MUTATION, 0)


def play(state: State, command: PlayLester) -> tuple[Event, ...]:
    lab = lab_at(state, command.seat, Stage.LESTER, Stage.SPARE)
    if command.card not in unused(state, lab):
        raise broken("card_used", "L.E.S.T.E.R. Cards", card=say(f"lester.{command.card}"))
    return (*_effect(state, lab, command), LesterPlayed(command.seat, command.card))


def leave(state: State, command: LeaveLester) -> tuple[Event, ...]:
    lab_at(state, command.seat, Stage.SPARE)
    return (LesterLeft(command.seat),)


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
    if card == "flexibility":
        mutations = min(FLEXIBLE, state.supply.get(Token.MUTATION, 0))
        wanted = plus(wanted, {Token.MUTATION: mutations})
    check_free(state, command.seat, wanted)
    return (PartsGained(command.seat, wanted, card),) if wanted else ()


def check_free(state: State, seat: Seat, wanted: Parts) -> None:
    """Refuse what the supply has not, or what a seat with priority may still want. Raises RuleBroken."""
    lacking = missing(state.supply, wanted)
    if lacking:
        raise broken("supply_out", "MM-R20", parts=heap(lacking))
    claimed = missing(free_parts(state, seat), wanted)
    if claimed:
        first = seat_name(first_before(state, seat))
        raise broken("others_first", "MM-R36", seat=first, parts=heap(claimed))


def _expand(state: State, lab: Lab, command: PlayLester) -> tuple[Event, ...]:
    """Take a tile of any cart onto a free space; it replaces one only where the table says so (MM-R29)."""
    tile = state.carts.get(command.spot)
    if tile is None:
        raise broken("no_tile_there", "L.E.S.T.E.R. Cards", place=command.spot)
    space = upgrades.space_for(state, lab, tile, command.space)
    if space is None or command.spot not in upgrades.expandable(state, lab):
        raise broken("tile_space_taken", "MM-R29", instead=say("instead.replace_tile"))
    if command.spot not in free_spots(state, command.seat):
        raise broken("tile_claimed", "MM-R36", seat=seat_name(first_before(state, command.seat)))
    taken = TileTaken(command.seat, command.spot, space, tile, lab.tiles.get(space, ""), is_item=False)
    after = upgrades.tile_taken(state, taken)
    return (taken, *upgrades.gained_at_once(after, command.seat, tile))


def played_with(state: State, lab: Lab, card: str) -> tuple[str, ...]:
    """Return the cards that a seat has played once this one is; none after the fifth."""
    played = (*lab.played, card)
    return () if len(played) == len(state.box.lesters) else played


def lester_played(state: State, event: LesterPlayed) -> State:
    """Mark the card (MM-R27)."""
    lab = state.labs[event.seat]
    return _played_on(state, event.seat, replace(lab, played=played_with(state, lab, event.card)))


def lester_left(state: State, event: LesterLeft) -> State:
    return _played_on(state, event.seat, state.labs[event.seat])


def _played_on(state: State, seat: Seat, lab: Lab) -> State:
    """Go on to what the seat does next, another card of an upgrade first."""
    if lab.stage is Stage.SPARE:
        lab = replace(lab, spare=lab.spare - 1)
    return with_lab(state, seat, replace(lab, stage=upgrades.stage_after(state, lab)))


def rot_removed(state: State, event: RotRemoved) -> State:
    lab = state.labs[event.seat]
    lab = replace(lab, bag=minus(lab.bag, {Token.ROT: 1}))
    return replace(with_lab(state, event.seat, lab), removed=plus(state.removed, {Token.ROT: 1}))
