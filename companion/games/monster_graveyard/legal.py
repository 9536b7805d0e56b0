"""What may be done now: commands that ``decide`` would accept, a fair sample where there are too many."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import RuleBroken, Seat
from companion.games.monster_graveyard import moves as m
from companion.games.monster_graveyard import options
from companion.games.monster_graveyard.components import NEEDED, ROUNDS, SEATS, Form, part_kind
from companion.games.monster_graveyard.printed import Printed
from companion.games.monster_graveyard.rules import acquire, laboratory, setup, turns
from companion.games.monster_graveyard.state import Lab, Phase, Stage, State, hidden_cards


def legal(state: State, seat: Seat | None = None) -> Iterator[m.Command]:
    """Offer commands of one seat, or of every seat and of the whole table."""
    if seat is None:
        yield from _of_table(state)
    for name, lab in state.labs.items():
        if seat in (None, name) and state.is_running:
            yield from _of_stage(state, name, lab)
            yield from _at_any_time(state, name, lab)


def _of_table(state: State) -> Iterator[m.Command]:
    if state.phase is Phase.OPEN:
        for count in range(setup.FEWEST, setup.MOST + 1):
            yield m.SetUp(SEATS[:count])
        yield m.SetUp((SEATS[1], SEATS[3]), first=SEATS[3], gp=5, rp=3)
        yield m.SetUp(SEATS[:3], options={options.ORDER: "together", options.END: "at_once"})
    elif state.is_running and state.rounds_done < ROUNDS:
        yield from (m.EndRound(what) for what in turns.EMPTIED)
    if setup.may_choose_options(state):
        for name, option in options.ALL.items():
            now = options.value(state.options, name)
            yield from (m.ChooseOptions({name: value}) for value in option.values if value != now)


def _of_stage(state: State, seat: Seat, lab: Lab) -> Iterator[m.Command]:
    match lab.stage:
        case Stage.CHOOSE:
            yield from (m.ChoosePhase(seat, phase.value) for phase in state.open_phases())
        case Stage.ACT | Stage.BUY:
            yield m.Finish(seat)
            yield from (m.Acquire(seat, deck) for deck in laboratory.affordable(state, lab))
            if lab.stage is Stage.ACT:
                yield from _actions(state, seat, lab)
        case Stage.LOOK:
            yield m.Decline(seat)
            yield from _plays(state, seat, lab)
        case Stage.DROP:
            may_go = dict.fromkeys(acquire.doubled(state.box, lab.upgrades))
            yield from (m.Drop(seat, card) for card in may_go)
        case Stage.RECORD:
            yield m.Record(seat, gp=2, vp=1, is_done=True)
            yield m.Record(seat, is_done=True)
            yield m.Finish(seat)


def _actions(state: State, seat: Seat, lab: Lab) -> Iterator[m.Command]:
    yield from (m.Experiment(seat, one.number) for one in lab.ready)
    for form in Form:
        yield m.Reanimate(seat, whole_set(form))
    for special in state.box.specials:
        command = m.Reanimate(seat, (special,), is_filled=True)
        if is_taken(state, command):
            yield command
    some = tuple(list(state.box.specials)[:2])
    if some and is_taken(state, m.Reanimate(seat, some, is_filled=True)):
        yield m.Reanimate(seat, some, is_filled=True)


def whole_set(form: Form) -> tuple[str, ...]:
    """Return six parts of one form."""
    return tuple(part_kind(form, shape) for shape, count in NEEDED.items() for _ in range(count))


def _plays(state: State, seat: Seat, lab: Lab) -> Iterator[m.Play]:
    for card in hidden_cards(state, lab.deck):
        if needs_monster(state.box, lab, card):
            yield from (m.Play(seat, card, one.number) for one in lab.monsters)
        else:
            yield m.Play(seat, card)


def needs_monster(box: Printed, lab: Lab, card: str) -> bool:
    """Say whether a discovery makes one of several monsters stronger, so that its owner says which."""
    return not box.research[card].is_upgrade and len(lab.monsters) > 1 and _boosts(box, card)


def _boosts(box: Printed, card: str) -> bool:
    return any(gains.boosts for gains in box.research[card].effect.gains.values())


def _at_any_time(state: State, seat: Seat, lab: Lab) -> Iterator[m.Command]:
    yield m.Record(seat, gp=1)
    if lab.gp:
        yield m.Record(seat, gp=-1, rp=1, vp=2, minions=1)
    if state.rounds_done < ROUNDS:
        yield m.EndRound(turns.EMPTIED[0], seat)
    for one in lab.monsters[:2]:
        yield m.SetMonster(seat, one.number, one.terror + 1, one.science, one.health, not one.is_exhausted)
        yield m.LoseMonster(seat, one.number)
        if state.phase is Phase.VILLAGE:
            yield m.Terrorize(seat, one.number)


def is_taken(state: State, command: m.Reanimate) -> bool:
    """Say whether parts make a monster."""
    try:
        laboratory.checked_parts(state, command.parts, is_filled=command.is_filled)
    except RuleBroken:
        return False
    return True
