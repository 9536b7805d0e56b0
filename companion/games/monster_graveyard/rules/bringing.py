"""What cards bring, and when: at once, at a research action, when a monster terrorizes.

Upgrades before a seat watch all that it does; the tokens on a monster watch what that monster does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from companion.game import Seat
from companion.games.monster_graveyard import events as e
from companion.games.monster_graveyard.effects import Effect, Gains, Trigger
from companion.games.monster_graveyard.state import Lab, Monster, State


def brought(seat: Seat, why: str, trigger: Trigger, effect: Effect) -> Iterator[e.Gained]:
    """Return what a card brings at a trigger: counts, or its words when it is used or played."""
    gains = effect.on(trigger)
    words = effect.words if trigger is Trigger.NOW else ""
    counted = replace(gains, terror=0, science=0, health=0)
    if words or not counted.is_nothing:
        yield e.Gained(
            seat,
            why,
            trigger.value,
            gp=gains.gp,
            rp=gains.rp,
            vp=gains.vp,
            draws=gains.draws,
            minions=gains.minions,
            words=words,
        )


def by_upgrades(state: State, seat: Seat, lab: Lab, trigger: Trigger) -> Iterator[e.Gained]:
    """Return what the upgrades of a seat bring at a trigger."""
    for card in lab.upgrades:
        yield from brought(seat, card, trigger, state.box.research[card].effect)


def by_tokens(state: State, seat: Seat, monster: Monster, trigger: Trigger) -> Iterator[e.Gained]:
    """Return what the tokens on a monster bring for what it does; two of a kind bring it twice (MG-R17)."""
    yield from _by_specials(state, seat, monster.abilities, trigger)


def by_parts(state: State, seat: Seat, parts: Iterable[str]) -> Iterator[e.Gained]:
    """Return what special parts bring at once when they are used; a star's words are for later."""
    for part in parts:
        special = state.box.specials.get(part)
        if special is not None and not special.effect.words:
            yield from brought(seat, part, Trigger.NOW, special.effect)


def _by_specials(state: State, seat: Seat, specials: Iterable[str], trigger: Trigger) -> Iterator[e.Gained]:
    for part in specials:
        special = state.box.specials.get(part)
        if special is not None:
            yield from brought(seat, part, trigger, special.effect)


def gained(state: State, event: e.Gained) -> State:
    lab = state.labs[event.seat]
    return state.with_lab(
        event.seat,
        gp=lab.gp + event.gp,
        rp=lab.rp + event.rp,
        earned=lab.earning("cards", event.vp),
        minions=lab.minions + event.minions,
    )


def boost_of(gains: Gains) -> dict[str, int]:
    """Return what a discovery adds to one monster."""
    return {"terror": gains.terror, "science": gains.science, "health": gains.health}


def boosted(state: State, event: e.Boosted) -> State:
    lab = state.labs[event.seat]
    monster = lab.monster(event.monster)
    assert monster is not None
    stronger = replace(
        monster,
        terror=monster.terror + event.terror,
        science=monster.science + event.science,
        health=monster.health + event.health,
    )
    return state.with_lab(event.seat, monsters=lab.with_monster(stronger).monsters)
