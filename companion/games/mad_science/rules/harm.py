"""What befalls creatures and the Experiment: LIFE lost, parts turned over, lost and found again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.game import Seat
from companion.games.mad_science.components import Kind
from companion.games.mad_science.events import (
    AdaptorBack,
    AdaptorLost,
    CreatureHurt,
    CreatureOut,
    Event,
    ExperimentHurt,
    LifeSet,
    PartDropped,
    PartLost,
    PartsBack,
    PartsStayed,
    Regenerated,
    TurnLost,
)
from companion.games.mad_science.instructions import AdaptorLoss, Drop, Lose, Whom
from companion.games.mad_science.moves import SetLife
from companion.games.mad_science.rules.asking import creature_at
from companion.games.mad_science.rules.charts import came_to
from companion.games.mad_science.sheets import MOST_LIFE
from companion.games.mad_science.state import (
    Dropped,
    Parity,
    Phase,
    Rest,
    Stage,
    State,
    changed,
    on_turn,
)
from companion.games.mad_science.words import EXPERIMENT, broken


def in_turn_order(state: State, first: Seat) -> tuple[Seat, ...]:
    """Return all who fight, from one seat on (MS-R25)."""
    start = state.order.index(first)
    ring = (*state.order[start:], *state.order[:start])
    return tuple(seat for seat in ring if state.creatures[seat].fights and not state.creatures[seat].is_out)


def hurt(state: State, seat: Seat, amount: int, by: Seat) -> Iterator[Event]:
    """Let a creature lose LIFE; one at 0 has none to lose (MS-R12)."""
    if state.creatures[seat].life:
        yield CreatureHurt(seat, amount, by)


def losses(state: State, by: Seat, lose: Lose) -> Iterator[Event]:
    """Let those lose LIFE whom a box names."""
    match lose.whom:
        case Whom.EXPERIMENT:
            yield ExperimentHurt(by, lose.amount)
        case Whom.PLAYER:
            yield from hurt(state, by, lose.amount, by)
        case Whom.TARGET:
            if state.turn.target is not None:
                yield from hurt(state, state.turn.target, lose.amount, by)
        case Whom.EVERYBODY | Whom.OTHERS:
            for seat in in_turn_order(state, by):
                if seat != by or lose.whom is Whom.EVERYBODY:
                    yield from hurt(state, seat, lose.amount, by)


def suffered(state: State, seat: Seat, what: Drop | AdaptorLoss) -> Iterator[Event]:
    """Let a creature drop a part, or its adaptor fail; nothing happens to what is not there (MS-R23)."""
    creature = state.creatures[seat]
    match what:
        case Drop(kind):
            if kind in creature.standing and kind not in creature.dropped:
                yield PartDropped(seat, kind, Parity.of(state.turn.face))
        case AdaptorLoss():
            if creature.held_by_adaptor is not None:
                yield AdaptorLost(seat)


def broken_off(state: State, seat: Seat, kind: Kind, by: Seat) -> Iterator[Event]:
    """Let a creature lose a part for good, and the adaptor that held it (MS-R30)."""
    creature = state.creatures[seat]
    if kind in creature.standing:
        yield PartLost(seat, kind, by, adaptor=creature.held_by_adaptor is kind)


def experiment_hurt(state: State, event: ExperimentHurt) -> State:
    return replace(state, experiment_life=max(0, (state.experiment_life or 0) - event.amount))


def creature_hurt(state: State, event: CreatureHurt) -> State:
    life = max(0, (state.creatures[event.seat].life or 0) - event.amount)
    return _with_life(state, event.seat, life)


def _with_life(state: State, seat: Seat, life: int) -> State:
    """Write a creature's LIFE down; at 0 in the Battle phase it loses its next turn (MS-R13)."""
    rest = state.creatures[seat].rest
    if life > 0 or state.phase is Phase.BREAK:
        rest = Rest.NONE
    elif rest is Rest.NONE:
        rest = Rest.LOSES_TURN
    return changed(state, seat, life=life, rest=rest)


def part_dropped(state: State, event: PartDropped) -> State:
    dropped = {**state.creatures[event.seat].dropped, event.kind: Dropped(event.parity)}
    return changed(state, event.seat, dropped=dropped)


def parts_back(state: State, event: PartsBack) -> State:
    dropped = {
        kind: one for kind, one in state.creatures[event.seat].dropped.items() if kind not in event.kinds
    }
    state = changed(state, event.seat, dropped=dropped)
    if not event.by_roll:
        return state
    return on_turn(came_to(state, "back"), stage=state.turn.stage if dropped else Stage.ROLL)


def parts_stayed(state: State, event: PartsStayed) -> State:
    dropped = {kind: replace(one, is_tried=True) for kind, one in state.creatures[event.seat].dropped.items()}
    return on_turn(came_to(changed(state, event.seat, dropped=dropped), "stays"), stage=Stage.NOTHING)


def adaptor_lost(state: State, event: AdaptorLost) -> State:
    return changed(state, event.seat, is_adaptor_out=True)


def adaptor_back(state: State, event: AdaptorBack) -> State:
    return changed(state, event.seat, is_adaptor_out=False)


def turn_lost(state: State, event: TurnLost) -> State:
    """Lose the turn; a part that is still turned over is up again with the next one (MS-R13)."""
    state = changed(state, event.seat, rest=Rest.COMES_BACK, dropped={})
    return on_turn(state, stage=Stage.NOTHING)


def regenerated(state: State, event: Regenerated) -> State:
    return changed(state, event.seat, life=1, rest=Rest.NONE)


def part_lost(state: State, event: PartLost) -> State:
    lost = (*state.creatures[event.seat].lost, event.kind)
    if state.last is not None and not state.last[0]:
        state = came_to(state, f"{event.kind}_breaks")
    return on_turn(changed(state, event.seat, lost=lost), stage=Stage.NOTHING)


def creature_out(state: State, event: CreatureOut) -> State:
    return replace(changed(state, event.seat, is_out=True), outs=(*state.outs, event.seat))


def set_life(state: State, command: SetLife) -> tuple[Event, ...]:
    """Put right what is written down: the ledger is the app's, the table knows better (MS-R27)."""
    if state.phase not in (Phase.PLAY, Phase.BREAK):
        raise broken("life_not_now", "Battle Phase")
    if command.who == EXPERIMENT:
        # An Experiment dies by a roll: then it is known who is Final Conflict Player One.
        is_possible = state.phase is Phase.PLAY and 1 <= command.life <= MOST_LIFE
    else:
        creature = creature_at(state, Seat(command.who))
        is_possible = creature.fights and not creature.is_out and 0 <= command.life <= MOST_LIFE
    if not is_possible:
        raise broken("life", "MS-R27", most=MOST_LIFE)
    return (LifeSet(command.who, command.life),)


def life_set(state: State, event: LifeSet) -> State:
    if event.who == EXPERIMENT:
        return replace(state, experiment_life=event.life)
    return _with_life(state, Seat(event.who), event.life)
