"""What a seat is told about its draws: its odds, orders compared, in plain words.

Only for the own seat, only where its bag is known token by token, and only at a table that wants it.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import Panel, Seat, Sentence
from companion.games.making_monsters.asking import shown_cards
from companion.games.making_monsters.components import (
    MED_SCHOOL,
    REFRIGERATION,
    REJECTS,
    SORTING_TABLE,
    Order,
    Token,
)
from companion.games.making_monsters.odds import Drawing, Want
from companion.games.making_monsters.options import FAIR_SCHOOL, GRAB, value
from companion.games.making_monsters.parts import counted
from companion.games.making_monsters.rules.order import RED_SUPER_PRESTIGE, TERMS, Terms, terms
from companion.games.making_monsters.rules.upgrades import school_prestige
from companion.games.making_monsters.state import (
    Lab,
    Phase,
    Stage,
    State,
    free_holds,
    free_sorts,
    holds,
    movable,
    shown,
)
from companion.games.making_monsters.stopping import Between, Odds, weigh
from companion.games.making_monsters.words import card_name, order_name, say


def drawing_of(state: State, lab: Lab, limits: Terms, *, is_rescued: bool, drawn: int = 0) -> Drawing:
    """Return what a seat draws from by these terms, so many of the tokens drawn already."""
    cold_spaces = holds(lab, REFRIGERATION)
    held = [space for space in movable(lab) if space in lab.parts]
    sorting = [space for space in held if space not in cold_spaces]
    school = sum(1 for space in holds(lab, MED_SCHOOL) if space in free_holds(lab))
    tables = sum(1 for space in holds(lab, SORTING_TABLE) if space in free_holds(lab))
    grab, least = max(0, limits.grab - drawn), max(0, limits.least - drawn)
    if value(state.box, state.options, GRAB) == "one_by_one":
        grab = 0  # token by token: a bust ends the draw in the middle of a grab
    pays_bust = state.phase is not Phase.FAIR or value(state.box, state.options, FAIR_SCHOOL) == "two"
    return Drawing(
        bag=lab.bag,
        wants=tuple(_wants(state, lab)),
        aside=len(free_sorts(lab)) + tables + len(sorting),
        grab=grab,
        least=least,
        most=max(0, limits.most - drawn),
        held=counted(lab.parts[space] for space in held),
        rejects=lab.rejects,
        rot_rejected=sum(lab.parts.get(space) is Token.ROT for space in REJECTS)
        + lab.overflow.count(Token.ROT),
        is_rescued=is_rescued,
        cold=counted(lab.parts[space] for space in held if space in cold_spaces),
        school=school,
        besides=school_prestige(lab),
        besides_bust=school_prestige(lab) if pays_bust else 0,
    )


def _wants(state: State, lab: Lab) -> Iterator[Want]:
    for space in shown_cards(state.box, lab):
        monster = shown(state.box, lab, space)
        if monster is not None:
            needs = [
                kind for index, kind in enumerate(monster.parts) if f"{space}.part{index}" not in lab.parts
            ]
            yield Want(space, counted(needs), monster.worth)


def can_weigh(state: State, seat: Seat) -> bool:
    """Say whether everything is known that odds hang on: the bag, and what every monster there prints."""
    lab = state.labs[seat]
    cards = shown_cards(state.box, lab).values()
    return state.knows_bag(seat) and all(state.box.monsters[card].is_known for card in cards)


def is_told(state: State, seat: Seat) -> bool:
    """Say whether a seat is told its odds: the table wants it, and every token of the seat is known."""
    return state.odds and can_weigh(state, seat)


def odds_now(state: State, seat: Seat) -> Odds | None:
    """Return the odds of a seat that draws now; None if it does not, or its bag is not known."""
    lab = state.labs[seat]
    if lab.stage is not Stage.DRAW or not can_weigh(state, seat):
        return None
    is_rescued = state.phase is not Phase.FAIR and lab.is_super and lab.order is Order.YELLOW
    return weigh(drawing_of(state, lab, terms(state, lab), is_rescued=is_rescued, drawn=lab.drawn))


def orders_compared(state: State, seat: Seat) -> dict[tuple[Order, bool], Odds]:
    """Return the odds of every order, base and Super, for a seat that may choose; empty if it may not.

    What the neighbours lay is secret, so both are told. The prestige of Red's Super is not in it.
    """
    lab = state.labs[seat]
    is_choosing = state.phase is Phase.ORDER and lab.stage in (Stage.ORDER, Stage.LAID)
    if not is_choosing or not can_weigh(state, seat):
        return {}
    return {
        (order, is_super): weigh(
            drawing_of(state, lab, limits, is_rescued=is_super and order is Order.YELLOW), by_monster=False
        )
        for (order, is_super), limits in TERMS.items()
    }


def panels(state: State, seat: Seat) -> tuple[Panel, ...]:
    """Return what a seat is told of its odds now, nothing if there is nothing to tell."""
    if not is_told(state, seat):
        return ()
    compared = orders_compared(state, seat)
    if compared:
        rows = tuple(_of_order(order, compared[order, False], compared[order, True]) for order in Order)
        return (Panel("odds", say("odds.orders"), rows, is_advice=True),)
    odds = odds_now(state, seat)
    if odds is None:
        return ()
    return (Panel("odds", say("odds.title"), tuple(_of_draw(state, seat, odds)), is_advice=True),)


def _of_order(order: Order, usual: Odds, lifted: Odds) -> tuple[Sentence, Sentence]:
    gift = RED_SUPER_PRESTIGE if order is Order.RED else 0
    more = Between(lifted.worth.low + gift, lifted.worth.high + gift)
    worth = say(
        "odds.order",
        base=_points(usual.worth),
        base_bust=in_words(usual.order_bust),
        super=_points(more),
        super_bust=in_words(lifted.order_bust),
    )
    return order_name(order), worth


def _of_draw(state: State, seat: Seat, odds: Odds) -> Iterator[tuple[Sentence, Sentence]]:
    yield say("odds.next"), in_words(odds.next_bust)
    if odds.stop is None or odds.draws_on:
        yield say("odds.all"), in_words(odds.order_bust)
    if odds.stop is not None:
        yield say("odds.stop"), say("odds.points", points=f"{odds.stop:.0f}")
    yield say("odds.draw"), _points(odds.draw)
    cards = shown_cards(state.box, state.labs[seat])
    for space, chance in odds.finish.items():
        if chance.low < 1:
            yield say("odds.finish", monster=card_name(state.box, cards[space])), _chance(chance)


def _points(worth: Between) -> Sentence:
    low, high = f"{worth.low:.1f}", f"{worth.high:.1f}"
    if low == high:
        return say("odds.average", points=low)
    return say("odds.between", low=low, high=high)


def _chance(chance: Between) -> Sentence:
    low, high = in_words(chance.low), in_words(chance.high)
    return low if low == high else say("odds.from_to", low=low, high=high)


SURE = 0.995
HARDLY = 0.02
GOOD_ENOUGH = 0.02


def in_words(chance: float) -> Sentence:
    """Return a chance as people say it: never, hardly ever, 1 in 3, 2 in 5, for sure."""
    for limit, key in ((0.0, "never"), (HARDLY, "hardly")):
        if chance <= limit:
            return say(f"odds.{key}")
    if chance > SURE:
        return say("odds.sure" if chance >= 1 else "odds.nearly_sure")
    for out_of in range(2, 10):
        times = round(chance * out_of)
        if 0 < times < out_of and abs(times / out_of - chance) <= GOOD_ENOUGH * min(1.0, 2 * chance):
            return say("odds.in", times=times, of=out_of)
    if chance < 1 / 9:
        return say("odds.in", times=1, of=round(1 / chance))
    if chance > 8 / 9:
        out_of = round(1 / (1 - chance))
        return say("odds.in", times=out_of - 1, of=out_of)
    return say("odds.in", times=round(chance * 20), of=20)
