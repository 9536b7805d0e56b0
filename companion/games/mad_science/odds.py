"""Chances of the next rolls, exactly: what a turn of rolling may come to on the chart that is up.

A turn is a walk over columns of a chart until a box ends it; what such walks come to is summed up.
Pure arithmetic, on what is printed and told; a box that nobody told makes a chart too unsure to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.game import Seat
from companion.games.mad_science.components import FACES, Column, Kind, Rank, cell
from companion.games.mad_science.instructions import (
    AdaptorLoss,
    Arrow,
    DoubleHit,
    DoubleStrike,
    Drop,
    Instruction,
    Lose,
    Lost,
    RollAgain,
    RollTwice,
    SpecialMove,
    Whom,
    effect,
    meaning,
)
from companion.games.mad_science.rules.breaking import BARE_DAMAGE, matching
from companion.games.mad_science.rules.charts import chart, column_of
from companion.games.mad_science.state import Parity, Phase, Stage, State

LEFT_OPEN = 1e-12
"""How much of the chance may still be rolling when a walk is cut off."""

MOST_ROLLS = 500
"""A chart that says nothing but ROLL AGAIN never ends."""

FACE = 1 / len(FACES)


@dataclass(frozen=True, slots=True)
class Fate:
    """How a turn may end: LIFE taken from the other side, LIFE lost by the roller, what else befell it.

    ``taken`` hits the Experiment, in the Break phase the target; ``breaks``: the target loses a part.
    """

    taken: int = 0
    lost: int = 0
    drops: bool = False
    breaks: bool = False
    is_move: bool = False


Fates = Mapping[Fate, float]


@dataclass(slots=True)
class _Walk:
    """Chances gathered on the way: ``ended`` by fate, ``open`` by the column still to be rolled in."""

    state: State
    seat: Seat
    open: dict[Column | Rank, float]
    ended: dict[Fate, float] = field(default_factory=dict)

    def end(self, fate: Fate, chance: float) -> None:
        self.ended[fate] = self.ended.get(fate, 0.0) + chance

    def go_on(self, column: Column | Rank, chance: float) -> None:
        self.open[column] = self.open.get(column, 0.0) + chance

    def take(self, what: Instruction, at: Column | Rank, chance: float) -> None:
        """Go on as a box says that was come to with a chance."""
        match what:
            case Arrow(column):
                self.go_on(column, chance)
            case RollAgain():
                self.go_on(at, chance)
            case RollTwice():
                self.end(Fate(taken=special_of(self.state, self.seat)), chance * FACE)
                self.end(Fate(), chance * (1 - FACE))
            case _:
                self.end(fate_of(self.state, self.seat, what), chance)


def fates(state: State, seat: Seat) -> Fates | None:
    """Return the chance of each end of a seat's turn from the roll that is due now.

    None while nobody rolls on a chart, or while a box that could be rolled is untold.
    """
    match state.turn.stage:
        case Stage.ROLL if state.phase is Phase.BREAK and not _target_life(state):
            return _numbers(state)
        case Stage.ROLL:
            return walked(state, seat, column_of(state, seat))
        case Stage.TWICE:
            hit = Fate(taken=special_of(state, seat))
            return {hit: FACE, Fate(): 1 - FACE}
        case Stage.RECOVER:
            return _recovering(state, seat)
        case _:
            return None


def walked(state: State, seat: Seat, column: Column | Rank) -> Fates | None:
    """Return the chance of each end of a walk that begins in a column; None if a box is untold."""
    words, walk = chart(state), _Walk(state, seat, {column: 1.0})
    for _ in range(MOST_ROLLS):
        due, walk.open = walk.open, {}
        for at, chance in due.items():
            for face in FACES:
                word = words.get(cell(at, face))
                if word is None:
                    return None
                walk.take(meaning(word, at), at, chance * FACE)
        if sum(walk.open.values()) < LEFT_OPEN:
            break
    return walk.ended


def fate_of(state: State, seat: Seat, what: Instruction) -> Fate:
    """Return what a box that ends a turn does."""
    match what:
        case Lose(whom, amount):
            return _losing(whom, amount)
        case DoubleHit():
            return Fate(taken=1, lost=1)
        case DoubleStrike():
            return Fate(taken=1, lost=1) if state.creatures[seat].life else Fate(taken=2)
        case SpecialMove():
            return _moving(state)
        case _:
            return _parting(state, seat, what)


def _parting(state: State, seat: Seat, what: Instruction) -> Fate:
    """Return what a box does to parts and adaptors, nothing if it does nothing to them."""
    target = state.turn.target
    match what:
        case Drop(kind):
            return Fate(drops=kind in state.creatures[seat].standing)
        case AdaptorLoss():
            return Fate(drops=state.creatures[seat].held_by_adaptor is not None)
        case Lost(kind):
            return Fate(breaks=target is not None and kind in state.creatures[target].standing)
        case _:
            return Fate()


def _losing(whom: Whom, amount: int) -> Fate:
    hits_other = whom in (Whom.EXPERIMENT, Whom.TARGET)
    hits_self = whom in (Whom.PLAYER, Whom.EVERYBODY)
    return Fate(taken=amount if hits_other else 0, lost=amount if hits_self else 0)


def _moving(state: State) -> Fate:
    """Add up what a special move does as far as our words say it."""
    taken = lost = 0
    drops = False
    for word in state.box.experiments[state.experiment].does:
        what = effect(word)
        if isinstance(what, Lose):
            one = _losing(what.whom, what.amount)
            taken, lost = taken + one.taken, lost + one.lost
        else:
            drops = True
    return Fate(taken, lost, drops, is_move=True)


def special_of(state: State, seat: Seat) -> int:
    """Return what ROLL # TWICE does for a seat."""
    creature = state.creatures[seat]
    if Kind.WEAPON not in creature.standing:
        return BARE_DAMAGE
    return state.box.parts[creature.parts[Kind.WEAPON]].special or 0


def _target_life(state: State) -> int:
    return 0 if state.turn.target is None else state.creatures[state.turn.target].life or 0


def _numbers(state: State) -> Fates:
    """Return the chance to break a part off a target at 0 LIFE."""
    target = state.turn.target
    assert target is not None
    hits = sum(1 for face in FACES if matching(state, target, face)) * FACE
    return {Fate(breaks=True): hits, Fate(): 1 - hits}


def _recovering(state: State, seat: Seat) -> Fates | None:
    """Return the chances of a roll for a dropped part, and of the turn that goes on after it."""
    needed = {one.parity for one in state.creatures[seat].dropped.values() if not one.is_tried}
    back = sum(1 for face in FACES if needed == {Parity.of(face)}) * FACE
    after = walked(state, seat, Column.MIDDLE)
    if after is None:
        return None
    found = {fate: chance * back for fate, chance in after.items()}
    stays = Fate(lost=1)
    return found | {stays: found.get(stays, 0.0) + 1 - back}


def share(found: Fates, *, taken: int = 0, lost: int = 0) -> float:
    """Return the chance to take, and to lose, at least so much."""
    return sum(chance for fate, chance in found.items() if fate.taken >= taken and fate.lost >= lost)


def expected_taken(found: Fates) -> float:
    """Return how much LIFE a turn takes from the other side on average."""
    return sum(fate.taken * chance for fate, chance in found.items())
