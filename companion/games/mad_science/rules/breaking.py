"""Break: creatures against each other, part by part, until one is left (rulebook, Break Phase)."""

from __future__ import annotations

from dataclasses import replace

from companion.game import Seat
from companion.games.mad_science import options
from companion.games.mad_science.components import Kind, Rank
from companion.games.mad_science.events import (
    BoxAsked,
    BoxRead,
    BreakBegun,
    ConflictUp,
    CreatureOut,
    Event,
    GameOver,
    NumberMissed,
    Rolled,
    SpecialFired,
    TakeAsked,
    Targeted,
    TwiceMissed,
)
from companion.games.mad_science.instructions import DoubleStrike, Lose, Lost
from companion.games.mad_science.moves import Roll, Take, Target, TurnUp
from companion.games.mad_science.rules.asking import creature_on_turn
from companion.games.mad_science.rules.charts import came_to, instruction, looked_up
from companion.games.mad_science.rules.harm import broken_off, hurt, losses
from companion.games.mad_science.state import (
    Creature,
    Phase,
    Rest,
    Stage,
    State,
    Turn,
    life_of,
    on_turn,
    untold,
)
from companion.games.mad_science.words import broken, kind_name, seat_name, seat_names

BARE_DAMAGE = 1
"""What ROLL # TWICE does without a weapon."""


def keeps_building(state: State, creature: Creature) -> bool:
    """Say whether an unfinished creature stays out of the fight until it is whole (MS-R16)."""
    return not creature.is_built and options.value(state.options, options.UNFINISHED) == "keeps_building"


def untold_at_break(state: State) -> tuple[Seat, ...]:
    """Return the seats of whose creatures something must be told before the fight can begin."""
    return tuple(
        seat
        for seat, creature in state.creatures.items()
        if not keeps_building(state, creature) and untold(state.box, creature)
    )


def follow_battle(state: State) -> tuple[Event, ...]:
    """Begin the Break phase once the LIFE of everybody is known."""
    if state.killer is None or untold_at_break(state):
        return ()
    return (BreakBegun(state.killer),)


def break_begun(state: State, event: BreakBegun) -> State:
    """Let all that was temporary lapse (MS-R15); LIFE goes on as it is (MS-R17), columns are given."""
    start = state.order.index(event.seat)
    order = (*state.order[start:], *state.order[:start])
    ranks, heap = list(Rank), list(state.heap)
    creatures = {}
    for seat, one in state.creatures.items():
        rank = ranks[order.index(seat) % len(ranks)]
        if keeps_building(state, one):
            creatures[seat] = replace(one, rank=rank)
            continue
        heap += [""] * one.hand
        creatures[seat] = replace(
            one,
            rank=rank,
            life=life_of(state, seat),
            hand=0,
            dropped={},
            is_adaptor_out=False,
            rest=Rest.NONE,
        )
    turn = Turn(event.seat, Stage.REVEAL)
    return replace(
        state, phase=Phase.BREAK, order=order, creatures=creatures, heap=tuple(heap), turn=turn, last=None
    )


def turn_up(state: State, command: TurnUp) -> tuple[Event, ...]:
    creature_on_turn(state, command.seat, Stage.REVEAL)
    if command.card not in state.box.conflicts:
        raise broken("no_such_card", "Break Phase", card=command.card)
    return (ConflictUp(command.seat, command.card),)


def conflict_up(state: State, event: ConflictUp) -> State:
    return replace(state, conflict=event.card, turn=Turn())


def targets(state: State, seat: Seat) -> tuple[Seat, ...]:
    """Return whom a seat may attack: those with LIFE first, and only then those at 0."""
    others = [
        other
        for other in state.order
        if other != seat and state.creatures[other].fights and not state.creatures[other].is_out
    ]
    alive = [other for other in others if state.creatures[other].life]
    return tuple(alive or others)


def target(state: State, command: Target) -> tuple[Event, ...]:
    creature_on_turn(state, command.seat, Stage.TARGET, Stage.ROLL)
    if state.phase is not Phase.BREAK or state.turn.rolled:
        raise broken("target_not_now", "Break Phase")
    other = state.creatures.get(command.target)
    if other is None or command.target == command.seat or other.is_out or not other.fights:
        raise broken("no_such_target", "Break Phase")
    may = targets(state, command.seat)
    if command.target not in may:
        raise broken("life_first", "Break Phase", target=seat_name(command.target), seats=seat_names(may))
    return (Targeted(command.seat, command.target),)


def targeted(state: State, event: Targeted) -> State:
    return on_turn(state, target=event.target, stage=Stage.ROLL)


def roll(state: State, command: Roll) -> tuple[Event, ...]:
    rolled, attacked = Rolled(command.seat, command.face), state.turn.target
    assert attacked is not None
    if state.turn.stage is Stage.TWICE:
        return (rolled, *_second(state, command, attacked))
    if state.creatures[attacked].life:
        box = looked_up(state, command.seat, command.face)
        return (rolled, box) if isinstance(box, BoxAsked) else (rolled, *read(state, box))
    found = matching(state, attacked, command.face)
    if not found:
        return (rolled, NumberMissed(command.seat, command.face))
    if len(found) > 1:
        return (rolled, TakeAsked(command.seat, command.face))
    return (rolled, *broken_off(state, attacked, found[0], command.seat))


def read(state: State, box: BoxRead) -> tuple[Event, ...]:
    """Return a box of the Final Conflict and what it does to the target."""
    seat, attacked = box.seat, state.turn.target
    assert attacked is not None
    match instruction(state, box):
        case Lose() as lose:
            return (box, *losses(state, seat, lose))
        case Lost(kind):
            return (box, *broken_off(state, attacked, kind, seat))
        case DoubleStrike():
            if state.creatures[seat].life:
                return (box, *hurt(state, seat, 1, seat), *hurt(state, attacked, 1, seat))
            return (box, *hurt(state, attacked, 2, seat))
        case _:
            return (box,)


def _second(state: State, command: Roll, attacked: Seat) -> tuple[Event, ...]:
    if command.face != state.turn.face:
        return (TwiceMissed(command.seat),)
    own = state.creatures[command.seat]
    has_weapon = Kind.WEAPON in own.standing
    amount = (state.box.parts[own.parts[Kind.WEAPON]].special or 0) if has_weapon else BARE_DAMAGE
    return (
        SpecialFired(command.seat, amount, has_weapon),
        *hurt(state, attacked, amount, command.seat),
    )


def matching(state: State, seat: Seat, face: int) -> tuple[Kind, ...]:
    """Return the parts of a creature that break on a number."""
    creature = state.creatures[seat]
    return tuple(kind for kind in creature.standing if state.box.parts[creature.parts[kind]].number == face)


def number_missed(state: State, event: NumberMissed) -> State:
    return on_turn(came_to(state, "nothing_breaks"), stage=Stage.NOTHING)


def take_asked(state: State, event: TakeAsked) -> State:
    return on_turn(came_to(state, "several_break"), stage=Stage.TAKE)


def take(state: State, command: Take) -> tuple[Event, ...]:
    creature_on_turn(state, command.seat, Stage.TAKE)
    attacked = state.turn.target
    assert attacked is not None
    if command.kind not in matching(state, attacked, state.turn.face):
        raise broken("take", "We're Not Done Yet", kind=kind_name(command.kind), face=state.turn.face)
    return tuple(broken_off(state, attacked, command.kind, command.seat))


def follow(state: State) -> tuple[Event, ...]:
    """Take out who has neither LIFE nor parts, and end the game when one is left."""
    for seat, creature in state.creatures.items():
        if creature.fights and not creature.is_out and not creature.life and not creature.standing:
            return (CreatureOut(seat),)
    left = contenders(state)
    return (GameOver(left[0]),) if len(left) == 1 else ()


def contenders(state: State) -> tuple[Seat, ...]:
    """Return who may still win: who has parts, or by the table's choice LIFE or parts (MS-R21)."""
    counts_life = options.value(state.options, options.LAST) == "life_or_parts"
    return tuple(
        seat
        for seat in state.order
        if not state.creatures[seat].is_out
        and (state.creatures[seat].standing or counts_life or keeps_building(state, state.creatures[seat]))
    )


def game_over(state: State, event: GameOver) -> State:
    return replace(state, phase=Phase.OVER, turn=Turn())
