"""The Laboratory: reanimate a monster or experiment on one, never both, and nothing after acquiring.

Rulebook, Laboratory Actions; Reanimate; Experiment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.game import RuleBroken, Seat
from companion.games.monster_graveyard import attributes
from companion.games.monster_graveyard import events as e
from companion.games.monster_graveyard import moves as m
from companion.games.monster_graveyard.components import DECKS, Attribute
from companion.games.monster_graveyard.effects import Trigger
from companion.games.monster_graveyard.rulebook import ACQUIRE, ACTIONS, EXPERIMENT, OVERVIEW, REANIMATE
from companion.games.monster_graveyard.rules.bringing import by_parts, by_tokens, by_upgrades
from companion.games.monster_graveyard.rules.turns import lab_of
from companion.games.monster_graveyard.state import Lab, Monster, Phase, Stage, State
from companion.games.monster_graveyard.words import (
    broken,
    monster_name,
    part_name,
    say,
    seat_names,
)

MOST_PARTS = 12
"""More than any monster can need; a form may send any number."""


def acting_lab(state: State, seat: Seat, *, wants: str) -> Lab:
    """Return what belongs to a seat that may still reanimate or experiment. Raises RuleBroken."""
    lab = laboratory_lab(state, seat)
    if lab.stage in (Stage.LOOK, Stage.DROP):
        raise broken(f"{wants}_after_acquiring", "MG-R7")
    if lab.stage is Stage.BUY:
        raise broken("one_action", ACTIONS)
    if lab.stage is Stage.DONE:
        raise broken("laboratory_done", ACQUIRE)
    return lab


def laboratory_lab(state: State, seat: Seat) -> Lab:
    """Return what belongs to a seat whose turn it is in the Laboratory, or was. Raises RuleBroken."""
    lab = lab_of(state, seat)
    if state.phase is not Phase.LABORATORY:
        raise broken("not_laboratory", OVERVIEW, phase=say(f"phase.{state.phase}"))
    if lab.stage is Stage.WAIT:
        raise broken("not_your_turn", "MG-R1", seats=seat_names(state.waited_for()))
    return lab


# --- reanimate -----------------------------------------------------------------------------


def reanimate(state: State, command: m.Reanimate) -> tuple[e.Event, ...]:
    lab = acting_lab(state, command.seat, wants="reanimate")
    parts = checked_parts(state, command.parts, is_filled=command.is_filled)
    sums = attributes.summed(attributes.lines(state.box, parts, lab.upgrades))
    abilities = tuple(p for p in parts if p in state.box.specials and state.box.specials[p].is_star)
    made = e.Reanimated(
        command.seat,
        lab.free_number,
        parts,
        sums[Attribute.TERROR],
        sums[Attribute.SCIENCE],
        sums[Attribute.HEALTH],
        abilities,
    )
    bonuses = by_parts(state, command.seat, parts)
    return (made, *bonuses, *by_upgrades(state, command.seat, lab, Trigger.REANIMATE))


def checked_parts(state: State, parts: Sequence[str], *, is_filled: bool = False) -> tuple[str, ...]:
    """Return a set of parts that makes one monster, the missing ones skeletal if so said.

    Raises RuleBroken: too many, too few, unknown, or a special part more often than the box has it.
    """
    box = state.box
    strange = [part for part in parts if not box.knows_part(part)]
    if strange or len(parts) > MOST_PARTS:
        raise broken("no_such_part", REANIMATE, part=strange[0] if strange else str(len(parts)))
    for part in parts:
        if part in box.specials and parts.count(part) > box.specials[part].count:
            raise broken(
                "special_twice", REANIMATE, part=part_name(box, part), count=box.specials[part].count
            )
    whole = attributes.filled(box, parts) if is_filled else tuple(parts)
    wrong = why_not(state, whole)
    if wrong is not None:
        raise wrong
    return whole


def why_not(state: State, parts: Sequence[str]) -> RuleBroken | None:
    """Return why parts do not make one monster, None if they do (MG-R3)."""
    covered = attributes.cover(state.box, parts)
    if covered.surplus:
        names = tuple(say(f"a.{shape}") for shape in dict.fromkeys(covered.surplus))
        return broken("surplus", "MG-R3", shapes=names, count=len(covered.surplus))
    if covered.wild_left:
        return broken("wild_left", "MG-R3", count=covered.wild_left)
    if covered.missing:
        missing = [shape.value for shape in covered.missing]
        names = tuple(say(f"missing.{shape}", count=missing.count(shape)) for shape in dict.fromkeys(missing))
        return broken("missing", REANIMATE, shapes=names)
    return None


def reanimated(state: State, event: e.Reanimated) -> State:
    lab = state.labs[event.seat]
    made = Monster(event.monster, event.terror, event.science, event.health, event.abilities)
    return state.with_lab(event.seat, monsters=lab.with_monster(made).monsters, stage=Stage.BUY)


# --- experiment ----------------------------------------------------------------------------


def experiment(state: State, command: m.Experiment) -> tuple[e.Event, ...]:
    lab = acting_lab(state, command.seat, wants="experiment")
    if command.is_minion:
        raise broken("minion", "MG-R5")
    monster = lab.monster(command.monster)
    if monster is None:
        raise broken("no_such_monster", EXPERIMENT, number=command.monster)
    if monster.is_exhausted:
        ready = tuple(monster_name(one.number) for one in lab.ready)
        instead = say("instead.exhausted", monsters=ready) if ready else say("instead.exhausted_all")
        raise broken("exhausted", EXPERIMENT, instead=instead, monster=monster_name(monster.number))
    return (
        e.Experimented(command.seat, monster.number, monster.science),
        *by_tokens(state, command.seat, monster, Trigger.EXPERIMENT),
        *by_upgrades(state, command.seat, lab, Trigger.EXPERIMENT),
    )


def experimented(state: State, event: e.Experimented) -> State:
    lab = state.labs[event.seat]
    monster = lab.monster(event.monster)
    assert monster is not None
    turned = lab.with_monster(replace(monster, is_exhausted=True))
    return state.with_lab(event.seat, monsters=turned.monsters, rp=lab.rp + event.rp, stage=Stage.BUY)


# --- ending the own part -------------------------------------------------------------------


def finish(state: State, command: m.Finish) -> tuple[e.Event, ...]:
    """End the own part of a phase: doing nothing is legal (MG-R18), a card paid for must be settled."""
    lab = lab_of(state, command.seat)
    if lab.stage in (Stage.ACT, Stage.BUY, Stage.RECORD):
        return (e.Finished(command.seat),)
    if lab.stage in (Stage.LOOK, Stage.DROP):
        raise broken(f"finish_{lab.stage}", ACQUIRE)
    raise broken("nothing_to_finish", OVERVIEW, seats=seat_names(state.waited_for()))


def affordable(state: State, lab: Lab) -> tuple[str, ...]:
    """Return the research decks that a seat can pay for and that have cards (MG-R8, MG-R9)."""
    return tuple(deck for deck in DECKS if lab.rp >= int(deck) and not state.decks[deck].is_empty)


def follow(state: State) -> tuple[e.Event, ...]:
    """End the part of a seat that has its card, or has acted and can afford none: nothing is left to tap."""
    if state.phase is not Phase.LABORATORY:
        return ()
    idle = (seat for seat, lab in state.labs.items() if _is_idle(state, lab))
    return tuple(e.Finished(seat) for seat in idle)[:1]


def _is_idle(state: State, lab: Lab) -> bool:
    return lab.stage is Stage.SETTLED or (lab.stage is Stage.BUY and not affordable(state, lab))
