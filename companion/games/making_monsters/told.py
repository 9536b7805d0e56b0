"""The log line of every event, for one seat's eyes."""

from __future__ import annotations

from companion.game import Seat, Sentence
from companion.games.making_monsters import events as e
from companion.games.making_monsters import reports as r
from companion.games.making_monsters.asking import shown_cards
from companion.games.making_monsters.moves import PILE, Placement
from companion.games.making_monsters.parts import counted
from companion.games.making_monsters.rules.telling import names_told
from companion.games.making_monsters.state import State
from companion.games.making_monsters.told_reports import told_report
from companion.games.making_monsters.words import (
    Value,
    card_name,
    heap,
    option_values,
    order_name,
    say,
    seat_name,
    seat_names,
    space_name,
    tile_name,
)

ABOUT_SEAT = {
    e.RotReturned: "told.rot_returned",
    e.Busted: "told.bust",
    e.RotRemoved: "told.rot_removed",
    e.DrawingEnded: "told.stopped",
    e.Stocked: "told.stocked",
    e.OrderTold: "told.order_told",
    e.ItemsTaken: "told.items_taken",
    e.LesterOwed: "told.lester_owed",
    e.LesterLeft: "told.lester_left",
}
"""Events that say nothing but whom they concern."""

ABOUT_TABLE = {
    e.TokensTurned: "told.turned_over",
    e.DecisionsShown: "told.decisions",
    e.BoardTurned: "told.board_turned",
    e.PrepBegun: "told.prep",
    e.FairBegun: "told.fair",
    e.GameOver: "told.over",
    e.TakenOver: "told.taken_over",
}
"""Events that say nothing but that they happened."""


def told(state: State, event: e.Event, seat: Seat | None) -> Sentence | None:
    """Return what a seat may read of an event; ``state`` is the one after it or a later one."""
    plain = ABOUT_TABLE.get(type(event))
    if plain is not None:
        return say(plain)
    about = ABOUT_SEAT.get(type(event))
    if about is not None:
        return say(about, seat=seat_name(event.seat))  # type: ignore[union-attr,arg-type]
    if isinstance(event, e.OrderLaid | e.Decided):
        return _of_secret(event, seat)
    if isinstance(event, e.CardPlaced | e.CardKept | e.Delivered | e.PartsMoved | e.FiveChosen | e.TileTaken):
        return _of_pieces(state, event)
    if isinstance(event, r.Event | e.CatalogueTold):
        return (
            _of_box(state, event) if isinstance(event, e.CatalogueTold) else told_report(state, event, seat)
        )
    return _of_seat(state, event) or _of_table(event)


def _of_box(state: State, event: e.Event) -> Sentence | None:
    if not isinstance(event, e.CatalogueTold):
        return None
    rows = names_told(state, event)
    if event.seat is None:
        return say("told.catalogue", rows=rows, count=len(rows))
    return say("told.card_told", seat=seat_name(event.seat), rows=rows)


def _of_secret(event: e.OrderLaid | e.Decided, seat: Seat | None) -> Sentence:
    """Tell the own seat what it chose and everybody else that it has chosen."""
    is_own = event.seat == seat
    if isinstance(event, e.Decided):
        if is_own and event.reanimate and event.points is not None:
            return say("told.own_points", points=event.points, rot=event.rot)
        if is_own:
            return say("told.own_yes" if event.reanimate else "told.own_no")
        return say("told.decided", seat=seat_name(event.seat))
    if is_own and event.order is not None:
        return say("told.own_order", order=order_name(event.order))
    return say("told.laid", seat=seat_name(event.seat))


def _orders(event: e.Revealed) -> tuple[Sentence, ...]:
    return tuple(
        say(
            "told.order_super" if seat in event.supers else "told.order_base",
            seat=seat_name(seat),
            order=order_name(order),
        )
        for seat, order in event.orders.items()
    )


def _of_table(event: e.Event) -> Sentence | None:
    match event:
        case e.TableSet():
            return say("told.set_up", seats=seat_names(event.seats), track=event.track)
        case e.OptionsChosen():
            return say("told.options", options=option_values(event.options))
        case e.RoundBegun():
            return say("told.round", round=event.round)
        case e.Revealed() if event.orders:
            return say("told.revealed", orders=_orders(event))
        case e.EndForced():
            return say("told.forced", seats=seat_names(event.seats))
        case _:
            return _of_centre(event)


def _of_centre(event: e.Event) -> Sentence | None:
    match event:
        case e.RefreshBegun():
            if not event.refilled:
                return say("told.refresh.none")
            return say("told.refresh", count=len(event.refilled))
        case e.TilesNamed():
            return say("told.tiles", tiles=tuple(tile_name(tile) for tile in event.tiles.values()))
        case e.OddsShown():
            return say("told.odds_on" if event.is_on else "told.odds_off")
        case e.BoardAstray():
            return say("told.astray" if event.quarters else "told.board_right")
        case _:
            return None


def _of_pieces(
    state: State,
    event: e.CardPlaced | e.CardKept | e.Delivered | e.PartsMoved | e.FiveChosen | e.TileTaken,
) -> Sentence:
    who, box = seat_name(event.seat), state.box
    lab = state.labs.get(event.seat)
    cards = shown_cards(box, lab) if lab else {}
    match event:
        case e.CardPlaced() | e.CardKept():
            key = "told.to_pile" if event.space == PILE else "told.card"
            return say(
                key, seat=who, monster=card_name(box, event.card), space=space_name(box, None, event.space)
            )
        case e.Delivered():
            kinds = counted(kind for kind, _ in event.placements)
            rejects = sum(1 for placement in event.placements if _is_reject(placement))
            key = "told.delivered_rejects" if rejects else "told.delivered"
            if rejects == len(event.placements):
                key = "told.rejected"
            return say(key, seat=who, parts=heap(kinds), count=rejects)
        case e.PartsMoved():
            places = tuple(space_name(box, cards, end) for _, end in event.moves)
            return say("told.moved", seat=who, spaces=places)
        case e.FiveChosen():
            chosen = tuple(card_name(box, card) for card, _ in event.cards)
            return say("told.five", seat=who, cards=chosen, count=len(chosen))
        case e.TileTaken():
            return say("told.tile", seat=who, tile=tile_name(event.tile))


def _is_reject(placement: Placement) -> bool:
    return placement[1].startswith(("reject", "overflow"))


def _of_seat(state: State, event: e.Event) -> Sentence | None:
    match event:
        case e.Scored():
            return say(
                "told.scored", seat=seat_name(event.seat), count=event.amount, why=say(f"why.{event.why}")
            )
        case e.PartsGained():
            key = "told.gained" if event.parts else "told.gained_nothing"
            return say(key, seat=seat_name(event.seat), parts=heap(event.parts))
        case e.ActionTaken():
            key = "told.action" if event.parts else "told.action_prestige"
            monster = card_name(state.box, event.card)
            who, parts = seat_name(event.seat), heap(event.parts)
            return say(key, seat=who, monster=monster, count=event.prestige, parts=parts)
        case e.LesterPlayed():
            return say("told.lester", seat=seat_name(event.seat), card=say(f"lester.{event.card}"))
        case e.Reanimated() | e.FairScored() | e.Cleared():
            return _of_reanimation(event)
        case _:
            return None


def _of_reanimation(event: e.Reanimated | e.FairScored | e.Cleared) -> Sentence:
    match event:
        case e.Cleared():
            key = "told.cleared_but" if event.kept else "told.cleared"
            return say(key, seat=seat_name(event.seat), count=len(event.kept))
        case e.Reanimated():
            rot = event.from_track + event.from_supply
            key = "told.reanimated_school" if event.med_school else "told.reanimated"
            return say(key, rot=rot, **_sum_of(event))
        case e.FairScored():
            key = "told.fair_scored_school" if event.med_school else "told.fair_scored"
            return say(key, **_sum_of(event))


def _sum_of(event: e.Reanimated | e.FairScored) -> dict[str, Value]:
    return {
        "seat": seat_name(event.seat),
        "count": len(event.monsters),
        "points": event.points,
        "bonus": event.bonus,
        "school": event.med_school,
        "total": event.points + event.bonus + event.med_school,
    }
