"""The course of a game: which module answers which command and event, and what follows by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from companion.games.mad_science import events as e
from companion.games.mad_science import moves as m
from companion.games.mad_science.rules import (
    battle,
    breaking,
    build,
    charts,
    harm,
    setup,
    taking_over,
    telling,
    turns,
)
from companion.games.mad_science.rules.asking import creature_on_turn
from companion.games.mad_science.state import ROLLING, Phase, Stage, State

MOST_STEPS = 200  # a command sets off a few dozen events at the very most

Rule: TypeAlias = Callable[[State, Any], tuple[e.Event, ...]]
Change: TypeAlias = Callable[[State, Any], State]


def roll(state: State, command: m.Roll) -> tuple[e.Event, ...]:
    """Take a roll for whatever the table waits for."""
    creature_on_turn(state, command.seat, *ROLLING)
    setup.check_face(command.face)
    if state.phase is Phase.FIRST:
        return setup.roll_first(state, command)
    return breaking.roll(state, command) if state.phase is Phase.BREAK else battle.roll(state, command)


def turn_up(state: State, command: m.TurnUp) -> tuple[e.Event, ...]:
    is_conflict = state.turn.stage is Stage.REVEAL
    return breaking.turn_up(state, command) if is_conflict else setup.turn_up(state, command)


RULES: Mapping[type, Rule] = {
    m.SetUp: setup.set_up,
    m.ChooseOptions: setup.choose_options,
    m.ShowOdds: setup.show_odds,
    m.Roll: roll,
    m.TurnUp: turn_up,
    m.DealBody: setup.deal_body,
    m.DealHands: setup.deal_hands,
    m.Play: build.play,
    m.Skip: build.skip,
    m.Draw: build.draw,
    m.Discard: build.discard,
    m.Finish: build.finish,
    m.NameCreature: build.name_creature,
    m.Target: breaking.target,
    m.Take: breaking.take,
    m.Hit: battle.hit,
    m.DoMove: battle.do_move,
    m.EndMove: battle.end_move,
    m.TellBox: telling.tell_box,
    m.TellCard: telling.tell_card,
    m.TellCatalogue: telling.tell_catalogue,
    m.SetLife: harm.set_life,
    m.TakeOver: taking_over.take_over,
}

CHANGES: Mapping[type, Change] = {
    e.TableSet: setup.table_set,
    e.OptionsChosen: setup.options_chosen,
    e.OddsShown: setup.odds_shown,
    e.FirstRolled: setup.first_rolled,
    e.Tied: setup.tied,
    e.Begun: setup.begun,
    e.ExperimentUp: setup.experiment_up,
    e.BodyDealt: setup.body_dealt,
    e.HandsDealt: setup.hands_dealt,
    e.TurnBegun: turns.turn_begun,
    e.TurnOpened: turns.turn_opened,
    e.TurnPassed: turns.turn_passed,
    e.PartPlayed: build.part_played,
    e.AdaptorPlayed: build.adaptor_played,
    e.PlaySkipped: build.play_skipped,
    e.HeapShuffled: build.heap_shuffled,
    e.Drawn: build.drawn,
    e.Discarded: build.discarded,
    e.DiscardWaived: build.discard_waived,
    e.Completed: build.completed,
    e.CreatureNamed: build.creature_named,
    e.Rolled: charts.rolled,
    e.BoxAsked: charts.box_asked,
    e.BoxRead: charts.box_read,
    e.TwiceMissed: battle.second_over,
    e.SpecialFired: battle.second_over,
    e.ExperimentHurt: harm.experiment_hurt,
    e.CreatureHurt: harm.creature_hurt,
    e.PartDropped: harm.part_dropped,
    e.PartsBack: harm.parts_back,
    e.PartsStayed: harm.parts_stayed,
    e.AdaptorLost: harm.adaptor_lost,
    e.AdaptorBack: harm.adaptor_back,
    e.TurnLost: harm.turn_lost,
    e.Regenerated: harm.regenerated,
    e.MoveEnded: battle.move_ended,
    e.ExperimentBeaten: battle.experiment_beaten,
    e.BreakBegun: breaking.break_begun,
    e.ConflictUp: breaking.conflict_up,
    e.Targeted: breaking.targeted,
    e.NumberMissed: breaking.number_missed,
    e.TakeAsked: breaking.take_asked,
    e.PartLost: harm.part_lost,
    e.CreatureOut: harm.creature_out,
    e.GameOver: breaking.game_over,
    e.LifeSet: harm.life_set,
    e.CatalogueTold: telling.catalogue_told,
    e.TakenOver: taking_over.taken_over,
}


def decide(state: State, command: m.Command) -> tuple[e.Event, ...]:
    """Return what a command brings about, with all that follows by itself. Raises RuleBroken."""
    happened: list[e.Event] = []
    events = RULES[type(command)](state, command)
    for _ in range(MOST_STEPS):
        if not events:
            return tuple(happened)
        for event in events:
            state = evolve(state, event)
        happened.extend(events)
        events = _what_follows(state)
    raise AssertionError("what follows by itself never came to rest")


def _what_follows(state: State) -> tuple[e.Event, ...]:
    match state.phase:
        case Phase.FIRST:
            return setup.follow(state)
        case Phase.PLAY:
            return (
                battle.follow(state)
                or breaking.follow_battle(state)
                or build.follow(state)
                or turns.follow(state)
            )
        case Phase.BREAK:
            return breaking.follow(state) or build.follow(state) or turns.follow(state)
        case _:
            return ()


def evolve(state: State, event: e.Event) -> State:
    """Return the state after an event."""
    return CHANGES[type(event)](state, event)
