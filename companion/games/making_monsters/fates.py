"""What any number of drawn parts makes of a lab: monsters done, prestige, with each way to place them.

Tables over counts, one entry for every number of parts of each kind that slots ask for. Pure sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.games.making_monsters.components import BONUS, USEFUL, Token
from companion.games.making_monsters.odds import Drawing, Want

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Grid:
    """The kinds that slots ask for, and how many slots of each; tables run over 0 to that many."""

    kinds: tuple[Token, ...]
    slots: tuple[int, ...]

    @classmethod
    def of(cls, drawing: Drawing) -> Grid:
        slots = drawing.slots
        kinds = tuple(kind for kind in USEFUL if slots.get(kind))
        return cls(kinds, tuple(slots[kind] for kind in kinds))

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(count + 1 for count in self.slots)

    def counts(self) -> list[Ints]:
        """Return the count of each kind over the whole grid, ready to broadcast."""
        return [np.arange(size).reshape(_along(axis, self.shape)) for axis, size in enumerate(self.shape)]


def _along(axis: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(size if at == axis else 1 for at, size in enumerate(shape))


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Flat tables: prestige if the seat stops (with bonus), if it is bust (without), monsters done."""

    kept: Floats
    bust: Floats
    done: tuple[Flags, ...]


def hindsight(drawing: Drawing, grid: Grid, mutations: int) -> Outcomes:
    """Place every part only when all are known: exact for a grab, and no placing can do better.

    The tables have ``mutations`` + 1 layers, one for each number of mutations among the parts.
    """
    sets = list(chain.from_iterable(combinations(range(len(drawing.wants)), n) for n in range(6)))
    chosen = np.array([[one in each for each in sets] for one in range(len(drawing.wants))], dtype=np.int64)
    chosen = chosen.reshape(len(drawing.wants), len(sets))
    bit = 1 << np.arange(len(sets), dtype=np.int64)
    within = np.full(grid.shape, bit.sum(), dtype=np.int64)
    for kind, counts in zip(grid.kinds, grid.counts(), strict=True):
        needs = np.array([want.needs.get(kind, 0) for want in drawing.wants]) @ chosen
        within = within & ((needs[None, :] <= counts.reshape(-1, 1)) @ bit).reshape(counts.shape)
    layers = [within]
    for _ in range(mutations):
        layers.append(_with_one_more(layers[-1], grid))
    every = np.stack(layers).reshape(-1)
    number = chosen.sum(axis=0)
    prestige = np.array([want.prestige for want in drawing.wants], dtype=np.int64) @ chosen
    prestige = prestige + np.array(drawing.gains)[number]
    kept = _best(every, prestige + np.array(BONUS)[number])
    alone = [sets.index((one,)) for one in range(len(drawing.wants))]
    return Outcomes(kept, _best(every, prestige), tuple((every >> one & 1).astype(bool) for one in alone))


def most_by_parts(drawing: Drawing, most: int) -> list[float]:
    """Return what 0 to ``most`` parts are worth at best, whatever their kinds."""
    worth = [0.0] * (most + 1)
    for number in range(len(drawing.wants) + 1):
        for chosen in combinations(drawing.wants, number):
            needed = sum(sum(want.needs.values()) for want in chosen)
            if needed <= most:
                prestige = sum(want.prestige for want in chosen) + BONUS[number] + drawing.gains[number]
                worth[needed] = max(worth[needed], prestige)
    besides = max(drawing.besides, drawing.besides_bust)
    return [best + besides for best in accumulate(worth, max)]


def _with_one_more(within: Ints, grid: Grid) -> Ints:
    """Let one mutation stand for any kind: what one part more of some kind would allow."""
    more = within.copy()
    for axis in range(len(grid.kinds)):
        shifted = np.roll(within, -1, axis)
        last = [slice(None)] * within.ndim
        last[axis] = slice(-1, None)
        shifted[tuple(last)] = within[tuple(last)]
        more |= shifted
    return more


def _best(sets: Ints, worth: Floats) -> Floats:
    """Return the most that any of the sets is worth, ``sets`` having a bit for each."""
    best = np.zeros(sets.shape)
    for one in np.argsort(worth, kind="stable"):
        best[(sets >> one & 1) == 1] = worth[one]
    return best


def ranked(drawing: Drawing, grid: Grid, order: Sequence[Want]) -> Outcomes:
    """Place every part at once, on the first monster of ``order`` that still needs its kind.

    ``done`` runs in the order of the drawing's monsters. Mutations are no layer here: who places
    them decides for which kind each stands.
    """
    counts = dict(zip(grid.kinds, grid.counts(), strict=True))
    before = dict.fromkeys(grid.kinds, 0)
    done: dict[str, Flags] = {}
    for want in order:
        flags = np.ones(grid.shape, dtype=bool)
        for kind, need in want.needs.items():
            before[kind] += need
            flags &= counts[kind] >= before[kind]
        done[want.space] = flags
    bust = np.zeros(grid.shape)
    number = np.zeros(grid.shape, dtype=np.int64)
    for want in order:
        bust += np.where(done[want.space], want.prestige, 0)
        number += done[want.space]
    bust += np.array(drawing.gains)[number]
    kept = bust + np.array(BONUS)[number]
    flat = tuple(done[want.space].reshape(-1) for want in drawing.wants)
    return Outcomes(kept.reshape(-1), bust.reshape(-1), flat)


def rankings(drawing: Drawing) -> tuple[tuple[Want, ...], ...]:
    """Return orders of the monsters worth trying: nearest to completion, dearest, dearest for a part."""

    def missing(want: Want) -> int:
        return sum(want.needs.values())

    near = sorted(drawing.wants, key=lambda want: (missing(want), -want.prestige, want.space))
    dear = sorted(drawing.wants, key=lambda want: (-want.prestige, missing(want), want.space))
    good = sorted(drawing.wants, key=lambda want: (-(want.prestige + 2) / (missing(want) or 1), want.space))
    by_name = {tuple(want.space for want in order): tuple(order) for order in (near, dear, good)}
    return tuple(by_name.values())
