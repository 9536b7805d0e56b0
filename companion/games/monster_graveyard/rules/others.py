"""The other four phases: followed, not judged. What they bring is told by taps.

Their rules are not public; only what cannot be is refused: more spent than there is.
"""

from __future__ import annotations

from dataclasses import replace

from companion.game import Seat
from companion.games.monster_graveyard import events as e
from companion.games.monster_graveyard import moves as m
from companion.games.monster_graveyard.effects import Trigger
from companion.games.monster_graveyard.rulebook import OVERVIEW
from companion.games.monster_graveyard.rules.bringing import by_tokens, by_upgrades
from companion.games.monster_graveyard.rules.turns import lab_of
from companion.games.monster_graveyard.state import Monster, Phase, Stage, State
from companion.games.monster_graveyard.words import amounts, broken

MOST_AT_ONCE = 99
MOST_VALUE = 99


def record(state: State, command: m.Record) -> tuple[e.Event, ...]:
    lab = lab_of(state, command.seat)
    told = {"gp": command.gp, "rp": command.rp, "vp": command.vp, "minions": command.minions}
    has = {"gp": lab.gp, "rp": lab.rp, "vp": lab.vp, "minions": lab.minions}
    if any(abs(amount) > MOST_AT_ONCE for amount in told.values()):
        raise broken("too_much", OVERVIEW, most=MOST_AT_ONCE)
    short = {unit: -amount for unit, amount in told.items() if has[unit] + amount < 0}
    if short:
        owned = amounts({unit: has[unit] for unit in short})
        raise broken("too_little", OVERVIEW, wanted=amounts(short), has=owned, count=len(owned))
    happened: list[e.Event] = [e.Recorded(command.seat, **told)] if any(told.values()) else []
    if command.is_done:
        if lab.stage is not Stage.RECORD:
            raise broken("not_recording", OVERVIEW)
        happened.append(e.Finished(command.seat))
    if not happened:
        raise broken("nothing_told", OVERVIEW)
    return tuple(happened)


def recorded(state: State, event: e.Recorded) -> State:
    lab = state.labs[event.seat]
    return state.with_lab(
        event.seat,
        gp=lab.gp + event.gp,
        rp=lab.rp + event.rp,
        earned=lab.earning(state.phase.value, event.vp),
        minions=lab.minions + event.minions,
    )


def terrorize(state: State, command: m.Terrorize) -> tuple[e.Event, ...]:
    """Follow a monster's terrorizing: its tokens and its owner's upgrades bring what they say.

    Whether a monster may terrorize is not ours to judge; it is turned as by every monster action (MG-R23).
    """
    lab = lab_of(state, command.seat)
    monster = _monster(state, command.seat, command.monster)
    if state.phase is not Phase.VILLAGE:
        raise broken("not_village", OVERVIEW)
    return (
        e.Terrorized(command.seat, monster.number),
        *by_tokens(state, command.seat, monster, Trigger.TERRORIZE),
        *by_upgrades(state, command.seat, lab, Trigger.TERRORIZE),
    )


def terrorized(state: State, event: e.Terrorized) -> State:
    monster = _monster(state, event.seat, event.monster)
    turned = state.labs[event.seat].with_monster(replace(monster, is_exhausted=True))
    return state.with_lab(event.seat, monsters=turned.monsters)


def set_monster(state: State, command: m.SetMonster) -> tuple[e.Event, ...]:
    lab_of(state, command.seat)
    monster = _monster(state, command.seat, command.monster)
    told = replace(
        monster,
        terror=command.terror,
        science=command.science,
        health=command.health,
        is_exhausted=command.is_exhausted,
    )
    if not all(0 <= value <= MOST_VALUE for value in (told.terror, told.science, told.health)):
        raise broken("too_much", OVERVIEW, most=MOST_VALUE)
    if told == monster:
        raise broken("monster_same", OVERVIEW)
    return (
        e.MonsterSet(command.seat, monster.number, told.terror, told.science, told.health, told.is_exhausted),
    )


def monster_set(state: State, event: e.MonsterSet) -> State:
    monster = _monster(state, event.seat, event.monster)
    told = replace(
        monster,
        terror=event.terror,
        science=event.science,
        health=event.health,
        is_exhausted=event.is_exhausted,
    )
    return state.with_lab(event.seat, monsters=state.labs[event.seat].with_monster(told).monsters)


def lose_monster(state: State, command: m.LoseMonster) -> tuple[e.Event, ...]:
    lab_of(state, command.seat)
    monster = _monster(state, command.seat, command.monster)
    return (e.MonsterLost(command.seat, monster.number),)


def monster_lost(state: State, event: e.MonsterLost) -> State:
    left = tuple(one for one in state.labs[event.seat].monsters if one.number != event.monster)
    return state.with_lab(event.seat, monsters=left)


def _monster(state: State, seat: Seat, number: int) -> Monster:
    monster = state.labs[seat].monster(number)
    if monster is None:
        raise broken("no_such_monster", OVERVIEW, number=number)
    return monster
