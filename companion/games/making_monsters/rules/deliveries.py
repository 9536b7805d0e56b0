"""Receive Deliveries: grabs and single draws, placing, the bust, what an order gives besides."""

from __future__ import annotations

from dataclasses import replace

from companion.game import Seat
from companion.games.making_monsters.components import (
    REJECT_SPACES,
    REJECTS,
    TOKEN_COUNTS,
    USEFUL,
    Order,
    Token,
)
from companion.games.making_monsters.events import (
    Busted,
    Decided,
    DecisionsShown,
    Delivered,
    DrawingEnded,
    Event,
    PartsGained,
    PartsMoved,
    RotReturned,
)
from companion.games.making_monsters.moves import (
    OVERFLOW,
    AddPart,
    Decide,
    Deliver,
    Draw,
    Finish,
    MoveParts,
    PartMove,
    Placement,
)
from companion.games.making_monsters.options import GRAB, value
from companion.games.making_monsters.parts import Parts, counted, minus, missing, plus, total
from companion.games.making_monsters.rules.lester import check_free
from companion.games.making_monsters.rules.order import Terms, terms
from companion.games.making_monsters.rules.placing import best_space, moved, put
from companion.games.making_monsters.rules.priority import free_parts
from companion.games.making_monsters.rules.setup import lab_at, with_lab
from companion.games.making_monsters.rules.upgrades import BY_COUPON, coupon_kinds
from companion.games.making_monsters.state import Lab, Phase, Stage, State, asked_about, may_move
from companion.games.making_monsters.words import broken, card_name, heap, say, token_name

DRAWING = (Stage.STOCK, Stage.DRAW)


def is_full(lab: Lab) -> bool:
    """Say whether the sixth reject space is filled (MM-R10)."""
    return lab.rejects >= REJECT_SPACES


def is_cut_off(state: State, lab: Lab) -> bool:
    """Say whether a bust ends even a grab: by the table's option, not by default (MM-R8)."""
    return is_full(lab) and value(state.box, state.options, GRAB) == "one_by_one"


def in_bag(state: State, lab: Lab) -> int:
    """Return how many tokens a bag may still give; a bag that nobody counted never runs out by the books."""
    is_counted = lab.is_followed and not state.bags_guessed
    return total(lab.bag) if is_counted else total(TOKEN_COUNTS)


def grab_left(state: State, lab: Lab) -> int:
    """Return how many tokens of the grab are still to be placed.

    None when the bag is empty (MM-R18), or at a bust where the table tests token by token (MM-R8).
    """
    if is_cut_off(state, lab):
        return 0
    return max(0, min(terms(state, lab).grab - lab.drawn, in_bag(state, lab)))


def draws_left(state: State, lab: Lab) -> int:
    """Return how many tokens a seat may still draw, grab and singles together."""
    return max(0, min(terms(state, lab).most - lab.drawn, in_bag(state, lab)))


def may_stop(state: State, lab: Lab) -> bool:
    """Say whether a seat that draws may stop now."""
    drawn_enough = lab.drawn >= terms(state, lab).least or not in_bag(state, lab) or is_cut_off(state, lab)
    return lab.stage is Stage.DRAW and grab_left(state, lab) == 0 and drawn_enough


def must_stop(state: State, lab: Lab) -> bool:
    """Say whether there is nothing more to draw: the grab is placed and the rest used up or cut off."""
    if grab_left(state, lab):
        return False
    return draws_left(state, lab) == 0 or is_full(lab)


def check_all_told(state: State, lab: Lab) -> None:
    """Refuse to place tokens while nobody knows what a card that lies there needs. Raises RuleBroken."""
    for card in asked_about(state.box, lab)[:1]:
        raise broken("card_not_told", "Monster Cards", monster=card_name(state.box, card))


def deliver(state: State, command: Deliver) -> tuple[Event, ...]:
    lab = lab_at(state, command.seat, *DRAWING)
    check_all_told(state, lab)
    if not command.placements:
        raise broken("nothing_drawn", "Receive Deliveries")
    limits = terms(state, lab)
    found = missing(lab.bag, counted(kind for kind, _ in command.placements))
    if found and not (state.bags_guessed and not missing(state.supply, found)):
        raise broken("not_in_bag", "Receive Deliveries", parts=heap(found))
    _place_all(state, lab, command.moves, command.placements, limits)
    return (Delivered(command.seat, command.placements, command.moves, found),)


def _place_all(
    state: State, lab: Lab, moves: tuple[PartMove, ...], placements: tuple[Placement, ...], limits: Terms
) -> None:
    """Try every token in its order. Raises RuleBroken at the first that may not lie so."""
    for move in moves:
        lab = moved(state.box, lab, move)
    for placement in placements:
        if lab.drawn >= limits.most:
            raise broken("too_many", "Order Tokens", count=limits.most)
        if (lab.drawn >= limits.grab and is_full(lab)) or is_cut_off(state, lab):
            raise broken("drawn_after_bust", "MM-R11", token=token_name(placement[0]))
        lab = replace(put(state.box, lab, placement), drawn=lab.drawn + 1)


def draw(state: State, command: Draw) -> tuple[Event, ...]:
    """Place drawn kinds by default: what a person types instead of what a camera sees."""
    lab = lab_at(state, command.seat, *DRAWING)
    check_all_told(state, lab)
    count, due = total(command.kinds), grab_left(state, lab)
    if not count or min(command.kinds.values()) < 1:
        raise broken("nothing_drawn", "Receive Deliveries")
    if count > draws_left(state, lab):
        raise broken("too_many", "Order Tokens", count=draws_left(state, lab))
    if due and count != due and not command.space:
        raise broken("grab", "Order Tokens", count=due)
    if command.space and count == 1:
        placements: tuple[Placement, ...] = ((next(iter(command.kinds)), command.space),)
    else:
        placements = default_placements(state, lab, command.kinds)
    return deliver(state, Deliver(command.seat, placements))


def default_placements(state: State, lab: Lab, kinds: Parts) -> tuple[Placement, ...]:
    """Return the usual spaces for drawn tokens: useful parts first, then mutations, Rot last."""
    placements = []
    for kind in (*USEFUL, Token.MUTATION, Token.ROT):
        for _ in range(kinds.get(kind, 0)):
            if is_cut_off(state, lab):
                break
            placement = (kind, best_space(state.box, lab, kind))
            lab = put(state.box, lab, placement)
            placements.append(placement)
    # The sixth reject ends single draws, so whatever was rejected comes last.
    return tuple(sorted(placements, key=lambda p: p[1] in REJECTS or p[1] == OVERFLOW))


def delivered(state: State, event: Delivered) -> State:
    lab = state.labs[event.seat]
    parts, overflow = _after_moves(lab, event.moves), list(lab.overflow)
    for kind, space in event.placements:
        if space == OVERFLOW:
            overflow.append(kind)
        else:
            parts[space] = kind
    drawn = counted(kind for kind, _ in event.placements)
    lab = replace(
        lab,
        bag=minus(plus(lab.bag, event.found), drawn),
        parts=parts,
        overflow=tuple(overflow),
        drawn=lab.drawn + len(event.placements),
        leftovers={},
    )
    return replace(with_lab(state, event.seat, lab), supply=minus(state.supply, event.found))


def _after_moves(lab: Lab, moves: tuple[PartMove, ...]) -> dict[str, Token]:
    parts = dict(lab.parts)
    for start, end in moves:
        parts[end] = parts.pop(start)
    return parts


def move_parts(state: State, command: MoveParts) -> tuple[Event, ...]:
    """Sorting table to monsters, at any time until the own reanimation or a bust (MM-R22, R71)."""
    lab = state.labs.get(command.seat)
    if lab is None or not command.moves:
        raise broken("nobody_there", "Setup B", seat=command.seat)
    if lab.is_bust:
        raise broken("no_moves_after_bust", "MM-R22")
    if not may_move(state, lab):
        raise broken("too_late_to_move", "MM-R71")
    for move in command.moves:
        lab = moved(state.box, lab, move)
    return (PartsMoved(command.seat, command.moves),)


def parts_moved(state: State, event: PartsMoved) -> State:
    lab = state.labs[event.seat]
    return with_lab(state, event.seat, replace(lab, parts=_after_moves(lab, event.moves)))


def finish(state: State, command: Finish) -> tuple[Event, ...]:
    lab = lab_at(state, command.seat, Stage.DRAW)
    if not may_stop(state, lab):
        limits = terms(state, lab)
        raise broken("draw_first", "MM-R12", count=max(limits.least, limits.grab) - lab.drawn)
    return ending(state, command.seat)


def ending(state: State, seat: Seat) -> tuple[Event, ...]:
    """End a seat's drawing: Yellow's Super returns one Rot before the bust is tested (MM-R13, R15)."""
    lab = state.labs[seat]
    events: list[Event] = [DrawingEnded(seat)]
    rejects = lab.rejects
    if lab.order is Order.YELLOW and lab.is_super:
        space = rot_space(lab)
        if space:
            events.append(RotReturned(seat, space))
            rejects -= 1
    if rejects >= REJECT_SPACES:
        events.append(Busted(seat))
    return tuple(events)


def rot_space(lab: Lab) -> str:
    """Return where the Rot lies that Yellow's Super returns: the overflow first, then the last space."""
    if Token.ROT in lab.overflow:
        return OVERFLOW
    return next((space for space in reversed(REJECTS) if lab.parts.get(space) is Token.ROT), "")


def drawing_ended(state: State, event: DrawingEnded) -> State:
    lab = state.labs[event.seat]
    stage = Stage.DECIDE
    if lab.order is Order.RED:
        stage = Stage.ADD
    elif lab.order is Order.BLUE and lab.is_super:
        stage = Stage.LESTER
    return with_lab(state, event.seat, replace(lab, stage=stage))


def rot_returned(state: State, event: RotReturned) -> State:
    lab = state.labs[event.seat]
    if event.space == OVERFLOW:
        left = list(lab.overflow)
        left.remove(Token.ROT)
        lab = replace(lab, overflow=tuple(left))
    else:
        lab = replace(lab, parts={space: kind for space, kind in lab.parts.items() if space != event.space})
    return with_lab(state, event.seat, replace(lab, bag=plus(lab.bag, {Token.ROT: 1})))


def busted(state: State, event: Busted) -> State:
    return with_lab(state, event.seat, replace(state.labs[event.seat], is_bust=True))


def addable(state: State, lab: Lab) -> tuple[Token, ...]:
    """Return what a seat may add to the bag: any useful part (MM-R16, R19), or what a coupon brings."""
    if lab.stage is Stage.COUPON:
        return coupon_kinds(state)
    if lab.is_super and state.supply.get(Token.MUTATION):
        return ()  # Red's Super adds a mutation; here it waits for a seat that comes first (MM-R36)
    return tuple(kind for kind in USEFUL if state.supply.get(kind))


def add_part(state: State, command: AddPart) -> tuple[Event, ...]:
    lab = lab_at(state, command.seat, Stage.ADD, Stage.COUPON)
    rule = "MM-R17" if lab.stage is Stage.COUPON else "Order Tokens, Red"
    if command.kind not in addable(state, lab):
        choices = tuple(token_name(kind) for kind in addable(state, lab))
        raise broken("not_addable", rule, token=token_name(command.kind), choices=choices)
    check_free(state, command.seat, {command.kind: 1})
    why = BY_COUPON if lab.stage is Stage.COUPON else "red"
    return (PartsGained(command.seat, {command.kind: 1}, why),)


def decide(state: State, command: Decide) -> tuple[Event, ...]:
    """Reanimate or push on, in secret until all have decided (MM-R30); may still change until then."""
    lab = lab_at(state, command.seat, Stage.DRAW, Stage.DECIDE, Stage.DECIDED)
    if lab.is_bust:
        raise broken("bust_decides", "Reanimate", instead=say("instead.bust_decides"))
    decided = Decided(command.seat, command.reanimate)
    if lab.stage is not Stage.DRAW:
        return (decided,)
    if state.phase is Phase.FAIR or (lab.order is Order.BLUE and lab.is_super):
        raise broken("stop_first", "Order Tokens, Blue")
    # Stopping and deciding with one tap; whatever Red's order adds follows by itself.
    events = finish(state, Finish(command.seat))
    if lab.order is Order.RED and Token.MUTATION not in free_parts(state, command.seat):
        raise broken("stop_first", "Order Tokens, Red")
    gained = PartsGained(command.seat, {Token.MUTATION: 1}, "red_super")
    return (*events, gained, decided) if lab.order is Order.RED else (*events, decided)


def decided(state: State, event: Decided) -> State:
    lab = replace(state.labs[event.seat], stage=Stage.DECIDED, reanimates=event.reanimate)
    # A journal of an older version has the points in an event before this one: they stay.
    if event.points is not None or not event.reanimate:
        points = event.points if event.reanimate else None
        lab = replace(lab, points_told=points, rot_told=event.rot)
    return with_lab(state, event.seat, lab)


def _added(state: State, seat: Seat, lab: Lab) -> PartsGained | None:
    """Return what Red adds by itself: Super's mutation in its turn, nothing where nothing is left."""
    if lab.is_super and state.supply.get(Token.MUTATION):
        is_free = Token.MUTATION in free_parts(state, seat)
        return PartsGained(seat, {Token.MUTATION: 1}, "red_super") if is_free else None
    return None if addable(state, lab) else PartsGained(seat, {}, "red")


def follow(state: State) -> tuple[Event, ...]:
    """End drawing where nothing is left to draw, give what comes by itself, show all decisions."""
    for seat, lab in state.labs.items():
        if lab.stage is Stage.DRAW and must_stop(state, lab):
            return ending(state, seat)
        if lab.stage is Stage.ADD:
            added = _added(state, seat, lab)
            if added is not None:
                return (added,)
        if lab.stage is Stage.DECIDE and lab.is_bust:
            return (Decided(seat, True),)
    if all(lab.stage is Stage.DECIDED for lab in state.labs.values()):
        return (DecisionsShown(),)
    return ()
