"""The course of a game: which module answers which command and event, and what follows by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from companion.games.monster_graveyard import events as e
from companion.games.monster_graveyard import moves as m
from companion.games.monster_graveyard.chores import chores_of
from companion.games.monster_graveyard.rules import (
    acquire,
    bringing,
    laboratory,
    others,
    setup,
    taking_over,
    telling,
    turns,
)
from companion.games.monster_graveyard.state import Chore, State

CHORES_KEPT = 40
MOST_STEPS = 60  # a command sets off a dozen events at the very most

Rule: TypeAlias = Callable[[State, Any], tuple[e.Event, ...]]
Change: TypeAlias = Callable[[State, Any], State]

RULES: Mapping[type, Rule] = {
    m.SetUp: setup.set_up,
    m.ChooseOptions: setup.choose_options,
    m.ChoosePhase: turns.choose_phase,
    m.Reanimate: laboratory.reanimate,
    m.Experiment: laboratory.experiment,
    m.Acquire: acquire.acquire,
    m.Play: acquire.play,
    m.Decline: acquire.decline,
    m.Drop: acquire.drop,
    m.Finish: laboratory.finish,
    m.Record: others.record,
    m.Terrorize: others.terrorize,
    m.SetMonster: others.set_monster,
    m.LoseMonster: others.lose_monster,
    m.EndRound: turns.end_round,
    m.TakeOver: taking_over.take_over,
    m.TellCard: telling.tell_card,
    m.TellSpecial: telling.tell_special,
    m.TellCatalogue: telling.tell_catalogue,
}

CHANGES: Mapping[type, Change] = {
    e.TableSet: setup.table_set,
    e.OptionsChosen: setup.options_chosen,
    e.PhaseChosen: turns.phase_chosen,
    e.BonusPaid: turns.bonus_paid,
    e.Reanimated: laboratory.reanimated,
    e.Experimented: laboratory.experimented,
    e.Gained: bringing.gained,
    e.DeckShuffled: acquire.deck_shuffled,
    e.Acquired: acquire.acquired,
    e.UpgradePlayed: acquire.upgrade_played,
    e.DiscoveryPlayed: acquire.discovery_played,
    e.Boosted: bringing.boosted,
    e.Declined: acquire.declined,
    e.UpgradeDropped: acquire.upgrade_dropped,
    e.Finished: turns.finished,
    e.Recorded: others.recorded,
    e.Terrorized: others.terrorized,
    e.MonsterSet: others.monster_set,
    e.MonsterLost: others.monster_lost,
    e.PhaseEnded: turns.phase_ended,
    e.TurnBegun: turns.turn_begun,
    e.RoundEnded: turns.round_ended,
    e.GameOver: turns.game_over,
    e.TakenOver: taking_over.taken_over,
    e.CatalogueTold: telling.catalogue_told,
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
        events = laboratory.follow(state) or turns.follow(state)
    raise AssertionError("what follows by itself never came to rest")


def evolve(state: State, event: e.Event) -> State:
    """Return the state after an event, with the chores that it leaves to the hands at the table."""
    chores = chores_of(state, event)
    after = CHANGES[type(event)](state, event)
    if not chores:
        return after
    given = after.chores_given
    numbered = tuple(
        Chore(given + n + 1, seat, deed, after.turn, after.phase) for n, (seat, deed) in enumerate(chores)
    )
    kept = (*after.chores, *numbered)[-CHORES_KEPT:]
    return replace(after, chores=kept, chores_given=given + len(chores))
