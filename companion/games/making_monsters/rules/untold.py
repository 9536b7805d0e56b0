"""What follows by itself for seats that are not followed: all that they do by hand without telling.

The tables are those of everybody: bonus, Rot, items, priority, the second wave, the Fair.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import Seat
from companion.games.making_monsters import events as e
from companion.games.making_monsters import reports as r
from companion.games.making_monsters.components import BONUS, ITEMS, ROT_TAKEN, Token
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.rules import final, refresh
from companion.games.making_monsters.rules.acting import acted
from companion.games.making_monsters.rules.carts import by_priority
from companion.games.making_monsters.rules.reporting import points_of
from companion.games.making_monsters.state import Lab, Phase, Stage, State


def follow(state: State) -> tuple[e.Event, ...]:
    """Return what follows for seats that are not followed, before anything of the others does."""
    match state.phase:
        case Phase.ORDER:
            return _without_orders(state)
        case Phase.SETUP | Phase.REFRESH | Phase.PREP:
            return next(_untold(state), ())
        case Phase.REANIMATE:
            return _reanimating(state)
        case Phase.FAIR:
            return _at_the_fair(state)
        case _:
            return ()


def _unfollowed(state: State) -> Iterator[tuple[Seat, Lab]]:
    return ((seat, lab) for seat, lab in state.labs.items() if not lab.is_followed)


def _without_orders(state: State) -> tuple[e.Event, ...]:
    """Skip the orders where nobody's points depend on them."""
    needs_none = all(lab.depth is Depth.SCORE for lab in state.labs.values())
    return (e.Revealed({}, ()),) if needs_none else ()


def _untold(state: State) -> Iterator[tuple[e.Event, ...]]:
    """Yield what a seat does by hand in setup, Refresh and Prep without telling."""
    for seat, lab in _unfollowed(state):
        match lab.stage:
            case Stage.CARD:
                yield (r.CardsDrawn(seat, 1),)
            case Stage.STOCK:
                yield (e.Stocked(seat),)
            case Stage.KEEP if refresh.cards_left(state):
                yield (r.CardsDrawn(seat, min(2, refresh.cards_left(state))),)
            case Stage.CHOOSE:
                yield (e.FiveChosen(seat, ()),)


def _reanimating(state: State) -> tuple[e.Event, ...]:
    """Clear who has its items, then reanimate who is next by priority if that seat is not followed."""
    for seat, lab in _unfollowed(state):
        if lab.stage not in (Stage.DONE, Stage.PENDING, Stage.REPORT):
            return (e.Cleared(seat),)
    for seat in by_priority(state):
        lab = state.labs[seat]
        if lab.stage is Stage.PENDING:
            if lab.is_followed:
                return ()
            named = (feat.card for feat in lab.done if feat.card)
            return (reanimation(state, seat, lab), *acted(state, seat, named))
    return ()


def reanimation(state: State, seat: Seat, lab: Lab) -> e.Event:
    """Return what the table gives for the monsters reported, or the points as they were told."""
    if lab.depth is Depth.SCORE:
        if lab.points_told is None:
            return r.PointsAsked(seat)
        return r.PointsTaken(seat, lab.points_told, *rot_from(state, lab.rot_told))
    count = len(lab.done)
    from_track, from_supply = rot_from(state, ROT_TAKEN[count])
    return e.Reanimated(
        seat,
        tuple(feat.card for feat in lab.done),
        points=points_of(lab),
        bonus=0 if lab.is_bust else BONUS[count],
        from_track=from_track,
        from_supply=from_supply,
        items=ITEMS[count],
    )


def rot_from(state: State, rot: int) -> tuple[int, int]:
    """Return how much Rot comes from the track and how much from the supply (MM-R34)."""
    from_track = min(rot, state.track)
    return from_track, min(rot - from_track, state.supply.get(Token.ROT, 0))


def _at_the_fair(state: State) -> tuple[e.Event, ...]:
    """Score who has stopped; at the end ask tied seats for the Rot that nobody else knows."""
    for seat, lab in _unfollowed(state):
        if lab.stage is Stage.PENDING:
            bonus = 0 if lab.is_bust else BONUS[len(lab.done)]
            if lab.depth is Depth.SCORE:
                return (e.FairScored(seat, (), lab.points_told or 0, 0),)
            return (e.FairScored(seat, tuple(feat.card for feat in lab.done), points_of(lab), bonus),)
    if all(lab.stage is Stage.DONE for lab in state.labs.values()):
        tied = final.rot_wanted(state)
        return (r.RotAsked(tied),) if tied else ()
    return ()
