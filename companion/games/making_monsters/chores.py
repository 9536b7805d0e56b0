"""What hands have to do at the table after an event, as deeds that a player client can carry out.

A chore belongs to a seat, or to nobody in particular (None). Chores are numbered over the whole
table and done in that order; a seat's view shows its own and nobody's, a watcher's all of them. A
chore of nobody waits for the seats' earlier ones: a cart is refilled after its tiles were taken.
What lies as a chore says already needs no hand.
Deeds:

``fill_bag`` {kind: n}         put these from the graves into the own bag (setting up)
``fill_track`` n               lay n Rot on the Rot track
``refill`` [spots]             lay a tile from the stacks face up on each of these cart spots
``turn_order`` true            turn the own order token face up
``order_back`` true            take the own order token back
``score`` n                    move the own marker to n (a lap is 50)
``tokens_to_bag`` [spaces]     take the tokens of these spaces back into the own bag (``upgrade2.hold1``
                               is the first token on the tile of ``upgrade2``)
``gain`` {kind: n}             from the graves into the own bag
``rot_from_track`` n           from the Rot track into the own bag, highest spot first
``rot_from_supply`` n          from the grave of the Rot into the own bag
``remove_rot`` n               from the own bag out of the game
``play_lester`` card           lay that card face up
``drop_tile`` space            put the tile of this lab space back into the box
``take_tile`` {from, to}       from a cart spot to a lab space; ``beside1`` and ``upgrade4`` onwards are
                               beside the board
``cards_to_pile`` [spaces]     put the cards of these spaces on the own pile
``keep`` [[kind, from, to]]    move these tokens of the lab to the Refrigeration, then ``clear`` the rest
``clear`` [spaces]             take the tokens of these spaces, and whatever lies beside the full
                               rejects track, back into the own bag
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.game import Seat
from companion.games.making_monsters import events as e
from companion.games.making_monsters import reports as r
from companion.games.making_monsters.components import CART_SPOTS, STARTING_BAG
from companion.games.making_monsters.rules.upgrades import held_on, into_the_cold
from companion.games.making_monsters.state import Lab, Phase, State, completed

Deed = tuple[Seat | None, dict[str, Any]]


def chores_of(state: State, event: e.Event) -> tuple[Deed, ...]:
    """Return what an event leaves to the hands, in order; ``state`` is the one before it."""
    return tuple(_deeds(state, event))


def _deeds(state: State, event: e.Event) -> Iterator[Deed]:
    match event:
        case e.TableSet() | e.RefreshBegun() | e.TokensTurned() | e.Revealed() | e.PrepBegun():
            yield from _of_everybody(state, event)
        case e.DecisionsShown():
            yield from (
                (seat, {"order_back": True}) for seat, lab in state.labs.items() if not lab.reanimates
            )
        case e.Reanimated() | e.Cleared() | e.FairScored() | r.PointsTaken():
            yield from _after_reanimation(state, event)
        case e.Scored():
            yield event.seat, {"score": state.labs[event.seat].score + event.amount}
        case e.ActionTaken():
            yield from _acted(state.labs[event.seat], event)
        case e.RotReturned():
            yield event.seat, {"tokens_to_bag": [event.space]}
        case e.PartsGained() if event.parts:
            yield event.seat, {"gain": dict(event.parts)}
        case e.LesterPlayed():
            yield event.seat, {"play_lester": event.card}
        case e.RotRemoved():
            yield event.seat, {"remove_rot": 1}
        case e.TileTaken():
            if event.replaced:
                freed = held_on(state.labs[event.seat], event.space)
                if freed:
                    yield event.seat, {"tokens_to_bag": list(freed)}
                yield event.seat, {"drop_tile": event.space}
            yield event.seat, {"take_tile": {"from": event.spot, "to": event.space}}


def _of_everybody(
    state: State, event: e.TableSet | e.RefreshBegun | e.TokensTurned | e.Revealed | e.PrepBegun
) -> Iterator[Deed]:
    match event:
        case e.TableSet():
            yield None, {"fill_track": event.track}
            yield None, {"refill": list(CART_SPOTS)}
            yield from ((seat, {"fill_bag": dict(STARTING_BAG)}) for seat in event.seats)
        case e.RefreshBegun():
            if event.refilled:
                yield None, {"refill": list(event.refilled)}
        case e.TokensTurned() | e.Revealed():
            # With colours to be told, the tokens were turned before the reveal was complete.
            # Where no seat's points depend on them there are none.
            if state.phase is Phase.ORDER and not (isinstance(event, e.Revealed) and not event.orders):
                yield from ((seat, {"turn_order": True}) for seat in state.labs)
        case e.PrepBegun():
            for seat, lab in state.labs.items():
                yield from _cleared(seat, lab)
                if lab.cards:
                    yield seat, {"cards_to_pile": list(lab.cards)}


def _after_reanimation(
    state: State, event: e.Reanimated | e.Cleared | e.FairScored | r.PointsTaken
) -> Iterator[Deed]:
    seat, lab = event.seat, state.labs[event.seat]
    match event:
        case e.Reanimated() | r.PointsTaken():
            if event.from_track:
                yield seat, {"rot_from_track": event.from_track}
            if event.from_supply:
                yield seat, {"rot_from_supply": event.from_supply}
            if isinstance(event, r.PointsTaken):
                if event.points:
                    yield seat, {"score": lab.score + event.points}
            else:
                yield from _scored(seat, lab, event)
        case e.Cleared():
            yield from _kept(seat, lab, event.kept)
            finished = [space for space in completed(state.box, lab) if space in lab.cards]
            if finished:
                yield seat, {"cards_to_pile": finished}
            yield seat, {"order_back": True}
        case e.FairScored():
            yield from _cleared(seat, lab)
            yield from _scored(seat, lab, event)


def _acted(lab: Lab, event: e.ActionTaken) -> Iterator[Deed]:
    if event.prestige:
        yield event.seat, {"score": lab.score + event.prestige}
    if event.parts:
        yield event.seat, {"gain": dict(event.parts)}


def _scored(seat: Seat, lab: Lab, event: e.Reanimated | e.FairScored) -> Iterator[Deed]:
    brought = event.points + event.bonus + event.med_school
    if brought:
        yield seat, {"score": lab.score + brought}


def _kept(seat: Seat, lab: Lab, kept: tuple[str, ...]) -> Iterator[Deed]:
    """Yield what a clean-up leaves to the hands: room in the cold, what stays there, then all the rest."""
    cold = into_the_cold(lab, kept)
    moved = [[lab.parts[start].value, start, end] for start, end in cold.items() if start != end]
    displaced = [end for _, _, end in moved if end in lab.parts]
    if displaced:
        yield seat, {"tokens_to_bag": displaced}
    if moved:
        yield seat, {"keep": moved}
    swept = [space for space in lab.parts if space not in (*kept, *displaced)]
    if swept or lab.overflow or moved:
        yield seat, {"clear": swept}


def _cleared(seat: Seat, lab: Lab) -> Iterator[Deed]:
    if lab.parts or lab.overflow:
        yield seat, {"clear": list(lab.parts)}
