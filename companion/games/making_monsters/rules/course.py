"""The course of a game: which module answers which command and event, and what follows by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from companion.game import Seat
from companion.games.making_monsters import events as e
from companion.games.making_monsters import moves as m
from companion.games.making_monsters import reports as r
from companion.games.making_monsters.chores import chores_of
from companion.games.making_monsters.rules import (
    acting,
    deliveries,
    depth,
    fair,
    final,
    lester,
    order,
    reanimate,
    refresh,
    reporting,
    setup,
    taking_over,
    telling,
    untold,
    upgrades,
)
from companion.games.making_monsters.state import Chore, Phase, State

CHORES_KEPT = 40
MOST_STEPS = 200  # a command sets off a few dozen events at the very most

Rule: TypeAlias = Callable[[State, Any], tuple[e.Event, ...]]
Change: TypeAlias = Callable[[State, Any], State]

RULES: Mapping[type, Rule] = {
    **reporting.RULES,
    m.SetUp: setup.set_up,
    m.ChooseOptions: setup.choose_options,
    m.ShowOdds: setup.show_odds,
    m.PlaceCard: setup.place_card,
    m.ChooseOrder: order.choose_order,
    m.Ready: order.ready,
    m.Deliver: deliveries.deliver,
    m.Draw: deliveries.draw,
    m.MoveParts: deliveries.move_parts,
    m.AddPart: deliveries.add_part,
    m.PlayLester: lester.play,
    m.LeaveLester: lester.leave,
    m.Chill: reanimate.chill,
    m.Decide: deliveries.decide,
    m.Act: acting.act,
    m.TakeTile: reanimate.take_tile,
    m.TakeItems: reanimate.take_items,
    m.NameTiles: refresh.name_tiles,
    m.TurnBoard: refresh.turn_board,
    m.KeepCard: refresh.keep_card,
    m.ChooseFive: fair.choose_five,
    m.TakeOver: taking_over.take_over,
    r.SetDepth: depth.set_depth,
    r.Resume: depth.resume,
    m.TellCard: telling.tell_card,
    m.TellCatalogue: telling.tell_catalogue,
}

CHANGES: Mapping[type, Change] = {
    e.TableSet: setup.table_set,
    e.OptionsChosen: setup.options_chosen,
    e.OddsShown: setup.odds_shown,
    e.CardPlaced: setup.card_placed,
    e.Stocked: setup.stocked,
    e.RoundBegun: setup.round_begun,
    e.OrderLaid: order.order_laid,
    e.OrderTold: order.order_laid,
    e.TokensTurned: order.tokens_turned,
    e.Revealed: order.revealed,
    e.Scored: order.scored,
    e.Delivered: deliveries.delivered,
    e.PartsMoved: deliveries.parts_moved,
    e.RotReturned: deliveries.rot_returned,
    e.Busted: deliveries.busted,
    e.PartsGained: upgrades.parts_gained,
    e.LesterPlayed: lester.lester_played,
    e.LesterOwed: upgrades.lester_owed,
    e.LesterLeft: lester.lester_left,
    e.RotRemoved: lester.rot_removed,
    e.TileTaken: upgrades.tile_taken,
    e.Decided: deliveries.decided,
    e.DecisionsShown: reanimate.decisions_shown,
    e.EndForced: reanimate.end_forced,
    e.Reanimated: reanimate.reanimated,
    e.ActionTaken: acting.action_taken,
    e.ItemsTaken: reanimate.items_taken,
    e.Cleared: reanimate.cleared,
    e.RefreshBegun: refresh.refresh_begun,
    e.TilesNamed: refresh.tiles_named,
    e.BoardTurned: refresh.board_turned,
    e.BoardAstray: refresh.board_astray,
    e.CardKept: refresh.card_kept,
    e.PrepBegun: fair.prep_begun,
    e.FiveChosen: fair.five_chosen,
    e.FairBegun: fair.fair_begun,
    e.FairScored: fair.fair_scored,
    e.GameOver: final.game_over,
    e.TakenOver: taking_over.taken_over,
    **reporting.CHANGES,
    e.CatalogueTold: telling.catalogue_told,
}

FOLLOWS: Mapping[Phase, Callable[[State], tuple[e.Event, ...]]] = {
    Phase.SETUP: setup.follow,
    Phase.ORDER: order.follow,
    Phase.REVEAL: order.follow,
    Phase.DELIVERIES: deliveries.follow,
    Phase.REANIMATE: reanimate.follow,
    Phase.REFRESH: refresh.follow,
    Phase.PREP: fair.follow_prep,
    Phase.FAIR: fair.follow_fair,
}


def decide(state: State, command: m.Command) -> tuple[e.Event, ...]:
    """Return what a command brings about, with all that follows by itself. Raises RuleBroken."""
    happened = _and_what_follows(state, _answer(state, command))
    then = _at_once(command)
    if then is not None:
        for event in happened:
            state = evolve(state, event)
        happened = (*happened, *decide(state, then))
    return happened


def _at_once(command: m.Command) -> m.Command | None:
    """Return what a command says besides, to be decided right after it."""
    match command:
        case m.Deliver(seat=seat, then=then) if then:
            return m.Decide(seat, then == "reanimate")
        case m.PlaceCard(seat=seat, placements=placements) if placements:
            return m.Deliver(seat, placements)
        case _:
            return None


def _answer(state: State, command: m.Command) -> tuple[e.Event, ...]:
    lab = state.labs.get(getattr(command, "seat", None) or Seat(""))
    if lab is not None and not reporting.fits(command, lab):
        raise depth.not_followed(lab)
    if lab is not None and not lab.is_followed and type(command) in reporting.RULES:
        return reporting.RULES[type(command)](state, command)
    if isinstance(command, m.Finish):
        stop = fair.finish if state.phase is Phase.FAIR else deliveries.finish
        return stop(state, command)
    return RULES[type(command)](state, command)


def _and_what_follows(state: State, events: tuple[e.Event, ...]) -> tuple[e.Event, ...]:
    happened: list[e.Event] = []
    for _ in range(MOST_STEPS):
        if not events:
            return tuple(happened)
        for event in events:
            state = evolve(state, event)
        happened.extend(events)
        follow = FOLLOWS.get(state.phase)
        events = untold.follow(state) or (follow(state) if follow else ())
    raise AssertionError("what follows by itself never came to rest")


def _changed(state: State, event: e.Event) -> State:
    lab = state.labs.get(getattr(event, "seat", None) or Seat(""))
    if lab is not None and not lab.is_followed and type(event) in reporting.CHANGED_HERE:
        return reporting.CHANGED_HERE[type(event)](state, event)
    if isinstance(event, e.DrawingEnded):
        end = fair.drawing_ended if state.phase is Phase.FAIR else deliveries.drawing_ended
        return end(state, event)
    return CHANGES[type(event)](state, event)


def evolve(state: State, event: e.Event) -> State:
    """Return the state after an event, with the chores that it leaves to the hands at the table."""
    chores = chores_of(state, event)
    after = _changed(state, event)
    if not chores:
        return after
    given = after.chores_given
    numbered = tuple(
        Chore(given + n + 1, seat, deed, after.round, after.phase) for n, (seat, deed) in enumerate(chores)
    )
    kept = (*after.chores, *numbered)[-CHORES_KEPT:]
    return replace(after, chores=kept, chores_given=given + len(chores))
