"""Battle: rolls on the Experiment's chart, parts that come back, special moves (rulebook, Battle Phase)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.games.mad_science.components import Kind
from companion.games.mad_science.events import (
    BoxAsked,
    BoxRead,
    Event,
    ExperimentBeaten,
    ExperimentHurt,
    MoveEnded,
    PartsBack,
    PartsStayed,
    Rolled,
    SpecialFired,
    TwiceMissed,
)
from companion.games.mad_science.instructions import (
    MOVE_WORDS,
    AdaptorLoss,
    DoubleHit,
    Drop,
    Lose,
    effect,
)
from companion.games.mad_science.moves import DoMove, EndMove, Hit, Roll
from companion.games.mad_science.rules.asking import creature_on_turn
from companion.games.mad_science.rules.charts import came_to, instruction, looked_up
from companion.games.mad_science.rules.harm import hurt, in_turn_order, losses, suffered
from companion.games.mad_science.state import Parity, Stage, State, on_turn
from companion.games.mad_science.words import EXPERIMENT, broken

HIT_WORDS = tuple(word for word in MOVE_WORDS if "_lose_" not in word)
"""What a special move may do to a creature besides taking LIFE."""


def roll(state: State, command: Roll) -> tuple[Event, ...]:
    """Take a roll for whatever it is needed for now."""
    rolled = Rolled(command.seat, command.face)
    match state.turn.stage:
        case Stage.RECOVER:
            return (rolled, *_recovering(state, command))
        case Stage.TWICE:
            return (rolled, *_second(state, command))
        case Stage.MOVE:
            return (rolled,)
        case _:
            box = looked_up(state, command.seat, command.face)
            return (rolled, box) if isinstance(box, BoxAsked) else (rolled, *read(state, box))


def read(state: State, box: BoxRead) -> tuple[Event, ...]:
    """Return a box and what it does."""
    seat = box.seat
    told = on_turn(state, face=box.face)
    match instruction(state, box):
        case Lose() as lose:
            return (box, *losses(state, seat, lose))
        case Drop() | AdaptorLoss() as what:
            return (box, *suffered(told, seat, what))
        case DoubleHit():
            return (box, *hurt(state, seat, 1, seat), ExperimentHurt(seat, 1))
        case _:
            return (box,)


def _second(state: State, command: Roll) -> tuple[Event, ...]:
    """The same number again fires the weapon at the Experiment, in whatever column it stood (MS-R11)."""
    if command.face != state.turn.face:
        return (TwiceMissed(command.seat),)
    special = state.box.parts[state.creatures[command.seat].parts[Kind.WEAPON]].special or 0
    return (SpecialFired(command.seat, special), ExperimentHurt(command.seat, special))


def second_over(state: State, event: TwiceMissed | SpecialFired) -> State:
    word = "missed" if isinstance(event, TwiceMissed) else "fired"
    return on_turn(came_to(state, word), stage=Stage.NOTHING)


def _recovering(state: State, command: Roll) -> Iterator[Event]:
    """Bring back what dropped on an even or odd number; else it costs 1 LIFE and the turn."""
    dropped = state.creatures[command.seat].dropped
    needed = {kind: one for kind, one in dropped.items() if not one.is_tried}
    back = tuple(kind for kind, one in needed.items() if one.parity is Parity.of(command.face))
    stays = tuple(kind for kind in needed if kind not in back)
    if back:
        yield PartsBack(command.seat, back, by_roll=True)
    if stays:
        yield PartsStayed(command.seat, stays)
        yield from hurt(state, command.seat, 1, command.seat)


def hit(state: State, command: Hit) -> tuple[Event, ...]:
    """Let a special move do one thing to some, in turn order from the roller (MS-R25)."""
    creature_on_turn(state, command.seat, Stage.MOVE)
    ring = in_turn_order(state, command.seat)
    strange = [who for who in command.whom if who != EXPERIMENT and who not in ring]
    if strange or not command.whom or len(set(command.whom)) != len(command.whom):
        raise broken("hit_whom", "Special Move")
    events: list[Event] = []
    amount = _amount(command.does)
    for seat in ring:
        if seat in command.whom and amount:
            events += hurt(state, seat, amount, command.seat)
        elif seat in command.whom:
            what = effect(command.does)
            events += suffered(state, seat, what) if isinstance(what, Drop | AdaptorLoss) else ()
    if EXPERIMENT in command.whom and amount:
        events.append(ExperimentHurt(command.seat, amount))
    if not events:
        raise broken("hit_nothing", "Special Move")
    return tuple(events)


def _amount(does: str) -> int:
    """Return how much LIFE an effect takes, 0 if it is another one. Raises RuleBroken."""
    word, _, amount = does.rpartition("_")
    if word == "lose" and amount in ("1", "2", "3", "4", "5", "6"):
        return int(amount)
    if does not in HIT_WORDS:
        raise broken("no_such_effect", "Special Move", does=does)
    return 0


def do_move(state: State, command: DoMove) -> tuple[Event, ...]:
    """Do what the box of the Experiment says that its special move does."""
    creature_on_turn(state, command.seat, Stage.MOVE)
    does = state.box.experiments[state.experiment].does
    if not does:
        raise broken("move_in_words", "Special Move")
    events: list[Event] = []
    for word in does:
        what = effect(word)
        if isinstance(what, Lose):
            events += losses(state, command.seat, what)
        else:
            events += suffered(state, command.seat, what)
    return (*events, MoveEnded(command.seat))


def end_move(state: State, command: EndMove) -> tuple[Event, ...]:
    creature_on_turn(state, command.seat, Stage.MOVE)
    return (MoveEnded(command.seat),)


def move_ended(state: State, event: MoveEnded) -> State:
    return on_turn(state, stage=Stage.NOTHING)


def follow(state: State) -> tuple[Event, ...]:
    """End the Battle as soon as the Experiment is dead, whatever else is under way (MS-R14, R22)."""
    if state.experiment_life == 0 and state.killer is None and state.turn.seat is not None:
        return (ExperimentBeaten(state.turn.seat),)
    return ()


def experiment_beaten(state: State, event: ExperimentBeaten) -> State:
    return on_turn(replace(state, killer=event.seat), stage=Stage.COUNT)
