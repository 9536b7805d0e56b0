"""Take a table over as it stands: a position line, and what a person fills in besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.game import Sentence
from companion.games.monster_graveyard import moves as m
from companion.games.monster_graveyard.components import DECKS, SEATS
from companion.games.monster_graveyard.events import Event, TakenOver
from companion.games.monster_graveyard.options import settled, unknown
from companion.games.monster_graveyard.position import from_position, position
from companion.games.monster_graveyard.rulebook import OVERVIEW
from companion.games.monster_graveyard.rules.acquire import doubled
from companion.games.monster_graveyard.rules.setup import FEWEST
from companion.games.monster_graveyard.state import (
    PHASES,
    Deck,
    Lab,
    Phase,
    Stage,
    State,
    hidden_cards,
    in_play,
)
from companion.games.monster_graveyard.words import broken, say


def take_over(state: State, command: m.TakeOver) -> tuple[Event, ...]:
    if state.phase is not Phase.OPEN:
        raise broken("already_set_up", OVERVIEW)
    try:
        there = from_position(command.position, state.box) if command.position.strip() else State(state.box)
    except ValueError as wrong:
        raise broken("position", OVERVIEW, why=str(wrong)) from wrong
    strange = unknown(command.options)
    if strange:
        raise broken("no_such_option", OVERVIEW, option=strange)
    there = _filled_in(there, command)
    wrong_with = why_impossible(there)
    if wrong_with is not None:
        raise broken("impossible", OVERVIEW, why=wrong_with)
    return (TakenOver(position(there)),)


def _filled_in(there: State, command: m.TakeOver) -> State:
    """Return the position with everything that the command says besides: a turn that begins."""
    there = replace(there, options=settled({**there.options, **command.options}))
    if not command.seats:
        return there
    seats = tuple(seat for seat in SEATS if seat in command.seats)
    labs = {}
    for seat in seats:
        lab = replace(there.labs.get(seat, Lab()), stage=Stage.DONE, deck="")
        vp = command.vp.get(seat, lab.vp)
        labs[seat] = replace(
            lab,
            gp=command.gp.get(seat, lab.gp),
            rp=command.rp.get(seat, lab.rp),
            earned={"before": vp} if vp else {},
        )
    first = there.first if there.first in labs else seats[0] if seats else None
    begun = replace(
        there,
        phase=Phase.CHOOSE,
        turn=command.turn or there.turn or 1,
        labs=labs,
        first=first,
        active=first,
        chosen={},
    )
    begun = begun.with_lab(first, stage=Stage.CHOOSE) if first is not None else begun
    return with_the_rest(begun)


def with_the_rest(state: State) -> State:
    """Return the state with the research decks holding whatever lies nowhere else."""
    decks = {
        deck: Deck(sum(hidden_cards(state, deck).values()), state.decks[deck].discards) for deck in DECKS
    }
    return replace(state, decks=decks)


def why_impossible(state: State) -> Sentence | None:
    """Return what contradicts the box or the rules in a position; None if it is possible."""
    if not FEWEST <= len(state.labs) <= len(SEATS):
        return say("why_not.seats", least=FEWEST, most=len(SEATS))
    if state.is_running and (state.first not in state.labs or state.active not in state.labs):
        return say("why_not.first")
    if state.rounds_done < 0 or state.turn < 0 or not set(state.chosen.values()) <= set(state.labs):
        return say("why_not.turn")
    if not set(state.chosen) <= set(PHASES) or len(set(state.chosen.values())) != len(state.chosen):
        return say("why_not.turn")
    return _why_cards_impossible(state) or _why_labs_impossible(state)


def _why_cards_impossible(state: State) -> Sentence | None:
    known = state.box.research
    seen = in_play(state)
    if any(card not in known or count > known[card].count for card, count in seen.items()):
        return say("why_not.cards")
    for deck in DECKS:
        if any(known[card].deck != deck for card in state.decks[deck].discards):
            return say("why_not.discards")
        if state.decks[deck].cards != sum(hidden_cards(state, deck).values()):
            return say("why_not.deck", deck=deck)
    return None


STAGES: Mapping[Phase, frozenset[Stage]] = {
    Phase.CHOOSE: frozenset({Stage.CHOOSE, Stage.DONE}),
    Phase.LABORATORY: frozenset(Stage) - {Stage.CHOOSE, Stage.RECORD},
    Phase.OVER: frozenset({Stage.DONE}),
    **dict.fromkeys(set(PHASES) - {Phase.LABORATORY}, frozenset({Stage.RECORD, Stage.DONE})),
}
"""What seats may be at in a phase."""

IDLE = (Stage.WAIT, Stage.DONE)


def _why_labs_impossible(state: State) -> Sentence | None:
    if not _stages_fit(state):
        return say("why_not.turn")
    return next(filter(None, (_why_lab_impossible(state, lab) for lab in state.labs.values())), None)


def _stages_fit(state: State) -> bool:
    """Say whether everybody is at something that the phase knows, and somebody can go on."""
    stages = {seat: lab.stage for seat, lab in state.labs.items()}
    if not set(stages.values()) <= STAGES.get(state.phase, frozenset()):
        return False
    choosing = [seat for seat, stage in stages.items() if stage is Stage.CHOOSE]
    if state.phase is Phase.CHOOSE:
        is_turn_over = len(state.chosen) == len(state.labs)
        return (
            is_turn_over if not choosing else len(choosing) == 1 and choosing[0] not in state.chosen.values()
        )
    waits = Stage.WAIT in stages.values()
    is_chosen = state.phase is Phase.OVER or state.phase.value in state.chosen
    return is_chosen and not (waits and all(stage in IDLE for stage in stages.values()))


def _why_lab_impossible(state: State, lab: Lab) -> Sentence | None:
    looks = lab.deck in DECKS if lab.stage is Stage.LOOK else not lab.deck or lab.deck in DECKS
    is_purse = min(lab.gp, lab.rp, lab.minions, lab.vp) >= 0 and looks
    checks = {
        "purse": is_purse,
        "cards": all(state.box.research[card].is_upgrade for card in lab.upgrades),
        "doubled": lab.stage is Stage.DROP or not doubled(state.box, lab.upgrades),
        "abilities": all(one in state.box.specials for it in lab.monsters for one in it.abilities),
        "monsters": len({one.number for one in lab.monsters}) == len(lab.monsters),
    }
    return next((say(f"why_not.{name}") for name, is_right in checks.items() if not is_right), None)


def taken_over(state: State, event: TakenOver) -> State:
    return replace(from_position(event.position, state.box), chores_given=state.chores_given)
