"""Hints under a prompt: what tables forget at this step, said before it can go wrong."""

from __future__ import annotations

from companion.game import Seat, Sentence
from companion.games.making_monsters.components import REJECT_SPACES, Order
from companion.games.making_monsters.rules.acting import actions_left
from companion.games.making_monsters.rules.carts import teleports
from companion.games.making_monsters.rules.lester import must_wait, unused
from companion.games.making_monsters.rules.order import trigger
from companion.games.making_monsters.rules.priority import first_before
from companion.games.making_monsters.state import Lab, Phase, State, completed, tokens_on
from companion.games.making_monsters.words import card_name, order_name, say, seat_name, seat_names


def beside(state: State, seat: Seat) -> tuple[Seat, ...]:
    """Return the neighbours of a seat, never who sits opposite: left hand first (MM-R2 to R4)."""
    ring = list(state.labs)
    at = ring.index(seat)
    return tuple(dict.fromkeys((ring[(at + 1) % len(ring)], ring[at - 1])))


def terms_of(state: State, seat: Seat, lab: Lab) -> tuple[Sentence, ...]:
    """Return what the order of a seat gives, and which neighbour made it Super or did not."""
    if lab.order is None or state.phase is not Phase.DELIVERIES:
        return ()
    lifted_by = trigger(state, lab.order)
    near = beside(state, seat)
    lifting = tuple(one for one in near if state.labs[one].order is lifted_by)
    names = seat_names(lifting if lab.is_super else near)
    key = "more.super_by" if lab.is_super else "more.no_super"
    because = say(key, seats=names, order=order_name(lifted_by), count=len(names))
    gives = say(f"terms.{lab.order}_{'super' if lab.is_super else 'base'}")
    return (because, gives) if not lab.is_super or lifting else (gives,)


def rejects_of(lab: Lab) -> tuple[Sentence, ...]:
    """Return how many rejects lie there; before the sixth, what the sixth does."""
    counted = say("more.rejects", count=lab.rejects)
    if lab.rejects != REJECT_SPACES - 1:
        return (counted,)
    is_rescued = lab.order is Order.YELLOW and lab.is_super
    return (counted, say("more.sixth_rescued" if is_rescued else "more.sixth"))


def items_due(state: State, lab: Lab) -> tuple[Sentence, ...]:
    """Return what a bust or a reanimation without a monster still gives."""
    if not completed(state.box, lab):
        return (say("more.none_still_one"),)
    return (say("more.bust_still"),) if lab.is_bust else ()


def actions_in_words(state: State, lab: Lab) -> tuple[Sentence, ...]:
    """Return the reanimate actions that only their owner can read and follow (MM-R50)."""
    return tuple(
        say("more.action", monster=card_name(state.box, card), words=state.box.monsters[card].action)
        for card in actions_left(state, lab)
    )


def from_where(state: State, lab: Lab, cart: int) -> Sentence:
    """Return which cart the items come from: the own one, or with a Teleporter any."""
    return say("more.items_anywhere" if teleports(state, lab) else "more.items", cart=cart)


def cards_that_stay(lab: Lab) -> tuple[Sentence, ...]:
    """Return a warning if a card may not be replaced because tokens lie on it (MM-R58)."""
    return (say("more.cards_stay"),) if any(tokens_on(lab, space) for space in lab.cards) else ()


def cards_that_wait(state: State, seat: Seat, lab: Lab) -> tuple[Sentence, ...]:
    """Return the L.E.S.T.E.R. cards that wait for a seat which chooses first, and that seat (MM-R36)."""
    first = seat_names((first_before(state, seat),))
    waiting = (card for card in unused(state, lab) if must_wait(state, seat, card))
    return tuple(say("more.card_waits", card=say(f"lester.{card}"), seats=first) for card in waiting)


def waits_because(state: State, others: tuple[Seat, ...]) -> tuple[Sentence, ...]:
    """Return what those who are waited for are doing, each in a line."""
    stages = {seat: say(f"stage.{state.labs[seat].stage}") for seat in others}
    return tuple(say("more.waits", seat=seat_name(seat), stage=stage) for seat, stage in stages.items())
