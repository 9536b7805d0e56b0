"""How closely a seat is followed: less from one moment to the next, every token only after a count.

A seat in depth ``results`` or ``score`` goes through the same stages as everybody; what it does
not tell follows by itself (``reporting``). Its tokens are ``held``: surely its own, wherever they
lie. What it may have taken besides stays in the supply by the books, which are then a most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from companion.game import RuleBroken, Seat
from companion.games.making_monsters.components import TOKEN_COUNTS, USEFUL, Token
from companion.games.making_monsters.depth import MOST_UNTOLD, Depth, Feat
from companion.games.making_monsters.parts import Parts, counted, minus, missing, plus, total
from companion.games.making_monsters.printed import UNKNOWN_TILE
from companion.games.making_monsters.reports import DepthSet, Resume, Resumed, SetDepth
from companion.games.making_monsters.rules.carts import within_reach
from companion.games.making_monsters.rules.setup import hidden_cards, with_lab
from companion.games.making_monsters.rules.taking_over import why_lab_impossible
from companion.games.making_monsters.state import Lab, Phase, Stage, State, completed, shown
from companion.games.making_monsters.words import broken, heap, say

RESUMING = {Phase.ORDER: (Stage.ORDER, Stage.LAID), Phase.REFRESH: (Stage.DONE,)}
"""Where a seat may be followed again: nothing is being drawn there."""


def lab_of_seat(state: State, seat: Seat) -> Lab:
    """Return a seat's lab. Raises RuleBroken if nobody plays there."""
    lab = state.labs.get(seat)
    if lab is None:
        raise broken("nobody_there", "Setup B", seat=seat)
    return lab


def set_depth(state: State, command: SetDepth) -> tuple[DepthSet, ...]:
    lab = lab_of_seat(state, command.seat)
    if state.phase is Phase.OVER:
        raise broken("depth_over", "Final Score")
    if command.depth is lab.depth:
        raise broken("depth_same", "Gameplay", depth=say(f"depth.{lab.depth}"))
    if lab.stage is Stage.REPORT:
        raise broken("depth_points_first", "Reanimate")
    if command.depth is Depth.FULL:
        raise broken("depth_full", "Gameplay")
    return (DepthSet(command.seat, command.depth),)


def owned(lab: Lab) -> Parts:
    """Return every token that a seat surely owns, wherever it lies."""
    return plus(plus(lab.bag, lab.held), plus(counted(lab.parts.values()), counted(lab.overflow)))


def depth_set(state: State, event: DepthSet) -> State:
    return with_lab(state, event.seat, at_depth(state, state.labs[event.seat], event.depth))


def at_depth(state: State, lab: Lab, depth: Depth) -> Lab:
    """Return a lab followed less closely: what is known of it stays, what lies where does not."""
    stage, untold = lab.stage, lab.untold
    if state.phase is Phase.DELIVERIES and stage not in (Stage.DRAW, Stage.DECIDED):
        if stage is not Stage.LESTER or depth is Depth.SCORE:
            stage = Stage.DECIDE
        untold = plus(untold, dict.fromkeys(USEFUL, 1)) if lab.stage is Stage.ADD else untold
    return replace(
        lab,
        depth=depth,
        held=owned(lab),
        untold=dict(MOST_UNTOLD) if depth is Depth.SCORE else untold,
        bag={},
        parts={},
        overflow=(),
        leftovers={},
        drawn=0,
        working=(),
        spare=0,
        acted=(),
        stage=stage,
        done=_feats(state, lab) if depth is Depth.RESULTS else (),
        points_told=None,
        rot_told=0,
    )


def _feats(state: State, lab: Lab) -> tuple[Feat, ...]:
    if not lab.is_followed:
        return lab.done
    monsters = [one for space in completed(state.box, lab) if (one := shown(state.box, lab, space))]
    # One whose prestige nobody has told yet is reported with it, as any other.
    return tuple(Feat(one.prestige, one.id) for one in monsters if one.prestige is not None)


def taken_in(lab: Lab, parts: Parts) -> Lab:
    """Return the lab of a seat that is not followed with tokens that it surely gained."""
    return replace(lab, held=plus(lab.held, parts))


def may_have_taken(lab: Lab, parts: Parts) -> Lab:
    """Return the lab of a seat that may have taken as much more of each kind."""
    most = plus(lab.untold, parts)
    return replace(lab, untold={kind: min(count, TOKEN_COUNTS[kind]) for kind, count in most.items()})


def least_supply(state: State) -> Parts:
    """Return what surely lies in the supply; ``state.supply`` is the most that may."""
    least = dict(state.supply)
    for lab in state.labs.values():
        least = minus(least, lab.untold)
    return least


def with_doubt(state: State, seat: Seat, *, everywhere: bool = False) -> State:
    """Return the state after untold items: nobody knows what lies on the carts they came from.

    A seat that has taken untold things before may hold a Teleporter by now: then from any cart.
    """
    lab = state.labs[seat]
    is_anywhere = everywhere or bool(lab.untold)
    spots = state.carts if is_anywhere else within_reach(state, seat)
    carts = {**state.carts, **dict.fromkeys(spots, UNKNOWN_TILE)}
    return replace(with_lab(state, seat, may_have_taken(lab, MOST_UNTOLD)), carts=carts)


def resume(state: State, command: Resume) -> tuple[Resumed, ...]:
    """Take a lab and a counted bag over: nothing else leads back to every token. Raises RuleBroken."""
    lab = lab_of_seat(state, command.seat)
    if lab.is_followed:
        raise broken("depth_same", "Gameplay", depth=say("depth.full"))
    if lab.stage not in RESUMING.get(state.phase, ()):
        raise broken("resume_later", "Gameplay")
    if not total(command.bag) or min(command.bag.values()) < 0:
        raise broken("bag_uncounted", "Setup C")
    bag = {kind: count for kind, count in command.bag.items() if count}
    there = _with_pieces(lab, Resumed(command.seat, bag, command.cards, command.parts, command.tiles))
    _check_cards(state, lab, there)
    wrong = why_lab_impossible(state, there)
    if wrong is not None:
        raise broken("lab_impossible", "Components", why=wrong)
    lacking = missing(plus(state.supply, lab.held), owned(there))
    if lacking:
        raise broken("too_many_counted", "Components", parts=heap(lacking))
    return (Resumed(command.seat, bag, command.cards, command.parts, command.tiles),)


def _check_cards(state: State, lab: Lab, there: Lab) -> None:
    cards = list(there.cards.values())
    new = [card for card in cards if card not in (*lab.cards.values(), *lab.pile)]
    if len(set(cards)) < len(cards) or not set(new) <= hidden_cards(state):
        raise broken("cards_elsewhere", "Components")
    if len(new) > lab.unnamed:
        raise broken("cards_too_many", "Refresh", count=lab.unnamed)


def _with_pieces(lab: Lab, event: Resumed) -> Lab:
    """Return the lab as it was counted; a known card that no longer lies there is on the pile."""
    known = (*lab.pile, *lab.cards.values())
    there = event.cards.values()
    return replace(
        lab,
        depth=Depth.FULL,
        bag=dict(event.bag),
        parts=dict(event.parts),
        cards=dict(event.cards),
        tiles=dict(event.tiles),
        pile=tuple(card for card in known if card not in there),
        unnamed=lab.unnamed - sum(1 for card in there if card not in known),
        held={},
        untold={},
        done=(),
        items=0,
        points_told=None,
        rot_told=0,
    )


def resumed(state: State, event: Resumed) -> State:
    """Bring the books in line: what is more came from the supply; a Rot too few left the game (Compost)."""
    before = state.labs[event.seat]
    lab = _with_pieces(before, event)
    had, has = before.held, owned(lab)
    lost = minus(had, has)
    gone: Parts = {kind: count for kind, count in lost.items() if kind is Token.ROT}
    supply = minus(plus(state.supply, minus(lost, gone)), minus(has, had))
    state = _with_tiles(state, before.tiles, lab.tiles)
    return replace(with_lab(state, event.seat, lab), supply=supply, removed=plus(state.removed, gone))


def _with_tiles(state: State, before: Mapping[str, str], after: Mapping[str, str]) -> State:
    """Bring the tiles in line: new ones were refilled from the stacks, missing ones were replaced."""
    gone, new = Counter(before.values()), Counter(after.values())
    gone, new = gone - new, new - gone
    named = min(gone[UNKNOWN_TILE], new.total())  # a tile that nobody had named is one of the new ones
    came, left = new.total() - named, gone.total() - named
    from_stack = min(came, state.stack)
    spots = sorted(state.carts, key=lambda spot: state.carts[spot] != UNKNOWN_TILE)[: came - from_stack]
    carts = {spot: tile for spot, tile in state.carts.items() if spot not in spots}
    return replace(state, stack=state.stack - from_stack, carts=carts, tiles_out=state.tiles_out + left)


def not_followed(lab: Lab) -> RuleBroken:
    """Return the refusal of a command that does not fit how closely its seat is followed."""
    match lab.depth:
        case Depth.FULL:
            return broken("depth_full_says", "Gameplay")
        case Depth.RESULTS:
            return broken("depth_results_says", "Gameplay")
        case Depth.SCORE:
            return broken("depth_score_says", "Gameplay")
