"""The best stopping rule of single draws and what it is worth, by exact dynamic programming.

A state is how many tokens of each kind were drawn: the multiset of the bag. Kinds that no slot
asks for are one axis, for they only crowd the lab. Where a part may go to several monsters the
placing matters, too. Two sums are made at once. ``low`` is what the seat can surely have: parts that several
monsters ask for, and mutations, wait aside while there is room for all of them and no bust is near;
from then on every part goes to the first monster of a ranking that needs it (the best of a few
rankings). ``high`` places every part in hindsight, which no placing can beat. Where both agree, and
in every grab, the worth is exact.

A drawing with more states than fit into the time is followed for fewer draws; ``low`` then stops there,
``high`` goes on with every part useful until Rot alone ends it. Nothing outlives a call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb, prod

import numpy as np

from companion.games.making_monsters.components import REJECT_SPACES, Token
from companion.games.making_monsters.fates import (
    Flags,
    Floats,
    Grid,
    Ints,
    hindsight,
    most_by_parts,
    ranked,
    rankings,
)
from companion.games.making_monsters.odds import Drawing, next_bust
from companion.games.making_monsters.parts import total

MANY_STATES = 20_000
MOST_STATES = 80_000
"""With more than ``MANY`` states one ranking is tried and monsters are not followed one by one; ``MOST`` is
what then fits into 50 ms on one core of 2.6 GHz (``measure_odds`` among the tests: at worst 36 ms)."""

DENSE = 1_000_000

NEAR = 1e-9


@dataclass(frozen=True, slots=True)
class Between:
    """A figure and how sure it is: it lies from ``low`` to ``high``, exactly there if both agree."""

    low: float
    high: float

    @property
    def is_exact(self) -> bool:
        return self.high - self.low < NEAR


@dataclass(frozen=True, slots=True)
class Odds:
    """What a drawing is worth in prestige of this delivery, if the seat reanimates after it.

    ``next_bust`` is the chance that the next draw (a whole grab, if one is due) ends in a bust,
    ``order_bust`` that this order does, stopping by the best rule. ``stop`` is what stopping now
    scores, None while nobody may. ``draw`` is what drawing at least once more, then stopping
    best, scores on average. ``finish`` is the chance to complete each monster, by card space, if every
    part that it needs goes to it first and the seat draws on until it is complete; a mutation
    counts as its scarcest part at least, as whichever is missing in the end at most.
    """

    next_bust: float
    order_bust: float
    stop: float | None
    draw: Between
    finish: Mapping[str, Between]

    @property
    def worth(self) -> Between:
        """What the seat scores on average if it does the better of stopping and drawing."""
        if self.stop is None:
            return self.draw
        return Between(max(self.stop, self.draw.low), max(self.stop, self.draw.high))

    @property
    def draws_on(self) -> bool:
        """Say whether the best rule draws once more."""
        return self.stop is None or self.draw.low > self.stop + NEAR


@dataclass(frozen=True, slots=True)
class _Axis:
    """Tokens that are alike: ``kinds`` of the bag, of which ``most`` may be drawn before the lab is full."""

    kinds: tuple[Token, ...]
    there: int
    most: int
    stride: int


@dataclass(frozen=True, slots=True)
class _Level:
    """All states after so many draws, a row each: what ending the draws there brings.

    Columns are the rankings, then hindsight; ``done`` has a column for each monster, twice.
    """

    codes: Ints
    drawn: tuple[Ints, ...]
    end: Floats
    busts: Floats
    is_full: Flags
    done: Flags


def weigh(drawing: Drawing, *, by_monster: bool = True, most_states: int = MOST_STATES) -> Odds:
    """Return the odds of a drawing. Exact unless parts may go to several monsters, see the module.

    Without ``by_monster`` one ranking is tried and no monster followed: rougher, in half the time.
    """
    sums = _Sums(drawing, is_rough=not by_monster, most_states=most_states)
    first, drawn_on = sums.sum_up()
    may_stop = drawing.grab == 0 and drawing.least == 0
    stop = float(first.end[0, -1]) if may_stop or not drawing.draws else None
    if drawn_on is None:
        worth = Between(float(first.end[0, -1]), float(first.end[0, -1]))
        done = [Between(float(one), float(one)) for one in first.done[0, len(drawing.wants) :]]
        return Odds(0.0, 0.0, stop, worth, _by_monster(drawing, done))
    values, busts, least, most, grabbed = np.split(drawn_on, sums.cuts)
    best = int(np.argmax(values[:-1])) if drawing.draws > drawing.grab else len(values) - 1
    draw = Between(float(values[best]), max(float(values[best]), float(values[-1])))
    if drawing.draws <= drawing.grab:
        least = most
    return Odds(
        next_bust=float(grabbed[0]) if drawing.grab else next_bust(drawing),
        order_bust=float(busts[best]) if stop is None or draw.low > stop + NEAR else 0.0,
        stop=stop,
        draw=draw,
        finish=_by_monster(drawing, [Between(float(a), float(b)) for a, b in zip(least, most, strict=True)]),
    )


def _by_monster(drawing: Drawing, chances: list[Between]) -> dict[str, Between]:
    return {want.space: chance for want, chance in zip(drawing.wants, chances, strict=False)}


class _Sums:
    """The sums over one drawing, made in one go: forth level by level, then back."""

    def __init__(self, drawing: Drawing, *, is_rough: bool, most_states: int) -> None:
        self._drawing = drawing
        self._most_states = most_states
        self._grid = Grid.of(drawing)
        self._bag = total(drawing.bag)
        self._room = max(0, REJECT_SPACES - drawing.rejects)
        self._axes = self._laid_out(drawing.draws)
        self._horizon, is_wide = self._as_far_as_it_fits()
        is_wide |= is_rough
        if self._horizon < drawing.draws:
            self._axes = self._laid_out(self._horizon)
        self._monsters = () if is_wide else tuple(range(len(drawing.wants)))
        self._mutation_as = self._scarcest()
        kinds = self._grid.kinds
        self._cold = [drawing.cold.get(kind, 0) for kind in kinds]
        self._is_asked = [sum(kind in want.needs for want in drawing.wants) > 1 for kind in kinds]
        self._held_strays = sum(
            many - drawing.cold.get(kind, 0)
            for kind, many in drawing.held.items()
            if kind not in (*kinds, Token.MUTATION)
        )
        self._mutations = drawing.held.get(Token.MUTATION, 0) + drawing.bag.get(Token.MUTATION, 0)
        orders = rankings(drawing)[: 1 if is_wide else None]
        self._rankings = tuple(ranked(drawing, self._grid, order) for order in orders)
        self._hindsight = hindsight(drawing, self._grid, self._mutations)
        layer = prod(self._grid.shape)
        self._alone = [flags[:layer] for flags in self._hindsight.done]

    @property
    def cuts(self) -> list[int]:
        """Where the columns are cut: values, busts, monsters at least, at most, bust of the grab."""
        policies, monsters = len(self._rankings) + 1, len(self._monsters)
        return [policies, 2 * policies, 2 * policies + monsters, 2 * policies + 2 * monsters]

    def _laid_out(self, draws: int) -> tuple[_Axis, ...]:
        """Return the axes: Rot, parts that no slot asks for, each kind that some slot asks for, mutations."""
        grid, drawing = self._grid, self._drawing
        strays = tuple(kind for kind in drawing.bag if kind not in (Token.ROT, Token.MUTATION, *grid.kinds))
        slots = dict(zip(grid.kinds, grid.slots, strict=True))
        beyond, cold = self._room + drawing.grab, drawing.cold
        groups: list[tuple[tuple[Token, ...], int]] = [
            ((Token.ROT,), beyond),
            (strays, beyond + drawing.room),
        ]
        groups += [((kind,), slots[kind] + cold.get(kind, 0) + beyond + drawing.room) for kind in grid.kinds]
        groups.append(((Token.MUTATION,), draws))
        axes, stride = [], 1
        for kinds, limit in groups:
            there = sum(drawing.bag.get(kind, 0) for kind in kinds)
            axes.append(_Axis(kinds, there, min(there, limit, draws), stride))
            stride *= axes[-1].most + 1
        return tuple(axes)

    def _as_far_as_it_fits(self) -> tuple[int, bool]:
        """Return how many draws can be followed in the time, and whether that is many states."""
        levels = np.ones(1, dtype=np.int64)
        for axis in self._axes:
            levels = np.convolve(levels, np.ones(axis.most + 1, dtype=np.int64))
        states = np.cumsum(levels)
        fits = int(np.searchsorted(states, self._most_states, side="right"))
        draws = min(self._drawing.draws, max(fits - 1, self._drawing.grab, self._drawing.least, 1))
        return draws, bool(states[min(draws, len(states) - 1)] > MANY_STATES)

    def _scarcest(self) -> Token | None:
        """Return the kind that most slots lack: what a mutation stands for where it is placed at once."""
        drawing, slots = self._drawing, self._drawing.slots
        have = {kind: drawing.bag.get(kind, 0) + drawing.held.get(kind, 0) for kind in self._grid.kinds}
        return min(self._grid.kinds, key=lambda kind: have[kind] - slots[kind], default=None)

    def sum_up(self) -> tuple[_Level, Floats | None]:
        """Return the state now, and what drawing on from it brings, by the columns of ``cuts``."""
        first = self._level(np.zeros(1, dtype=np.int64))
        begin = min(self._drawing.grab, self._horizon)
        codes, chances = self._grabbed(begin)
        levels = [self._level(codes) if begin else first]
        for _ in range(begin, self._horizon):
            levels.append(self._level(self._drawn_from(levels[-1])))
        going: Floats | None = None
        after = self._ended(levels[-1])
        for number in range(self._horizon - 1, begin - 1, -1):
            level, beyond = levels[number - begin], levels[number - begin + 1]
            going = self._going_on(level, beyond, number, after)
            if number >= self._drawing.free:
                going[:, : self.cuts[0]] -= self._drawing.toll
            after = self._better(level, number, going)
        if begin:
            return first, chances @ after
        return first, None if going is None else going[0]

    def _grabbed(self, count: int) -> tuple[Ints, Floats]:
        """Return the codes of all grabs of so many tokens, in order, and the chance of each."""
        codes, sums, ways = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), np.ones(1)
        for axis in self._axes:
            drawn = np.arange(min(axis.most, count) + 1)
            many = np.array([comb(axis.there, int(one)) for one in drawn], dtype=float)
            sums = (sums[:, None] + drawn).reshape(-1)
            fits = sums <= count
            codes = (codes[:, None] + drawn * axis.stride).reshape(-1)[fits]
            ways = (ways[:, None] * many).reshape(-1)[fits]
            sums = sums[fits]
        whole = np.flatnonzero(sums == count)
        whole = whole[np.argsort(codes[whole])]
        return codes[whole], ways[whole] / comb(self._bag, count)

    def _drawn_from(self, level: _Level) -> Ints:
        """Return the codes of all states that one more draw can lead to, in order."""
        goes_on = ~level.is_full[:, -1]
        codes = [
            level.codes[goes_on & (drawn < axis.most)] + axis.stride
            for axis, drawn in zip(self._axes, level.drawn, strict=True)
            if axis.most
        ]
        reached, size = np.concatenate(codes), self._axes[-1].stride * (self._axes[-1].most + 1)
        if size > DENSE:
            return np.unique(reached)
        marks = np.zeros(size, dtype=bool)
        marks[reached] = True
        return np.flatnonzero(marks)

    def _going_on(self, level: _Level, beyond: _Level, number: int, after: Floats) -> Floats:
        """Return the mean over the next token, for every state of a level; nothing for a full lab."""
        mean = np.zeros((len(level.codes), after.shape[1]))
        if not len(beyond.codes):
            return mean
        for axis, drawn in zip(self._axes, level.drawn, strict=True):
            if not axis.most:
                continue
            to = np.searchsorted(beyond.codes, level.codes + axis.stride)
            to[to == len(beyond.codes)] = 0
            chance = np.where(drawn < axis.most, (axis.there - drawn) / (self._bag - number), 0.0)
            mean += chance[:, None] * after[to]
        return mean

    def _ended(self, level: _Level) -> Floats:
        """Return what the last level is worth: stopping there, and at most all that could still be."""
        end, done = level.end, level.done
        if self._horizon < self._drawing.draws:
            end, done = end.copy(), done.copy()
            goes_on = ~level.is_full[:, -1]
            rots, which = np.unique(level.drawn[0][goes_on], return_inverse=True)
            end[goes_on, -1] = np.array([self._at_most(int(rot)) for rot in rots])[which]
            done[goes_on, len(self._monsters) :] = True
        return np.hstack([end, level.busts, done, level.busts[:, -1:]])

    def _at_most(self, rot: int) -> float:
        """Return what a lab brings beyond the horizon at most: as if nothing but Rot could be rejected."""
        drawing, left = self._drawing, self._bag - self._horizon
        rot_left = self._axes[0].there - rot
        fatal = max(1, REJECT_SPACES - drawing.rejects - rot + drawing.is_rescued)
        parts = total(drawing.held) + self._horizon - rot
        limit = min(drawing.draws - self._horizon, left - rot_left)
        worth = most_by_parts(drawing, parts + limit)
        if rot_left < fatal:
            return worth[parts + limit]
        # How many other tokens come before the fatal Rot: the negative hypergeometric distribution.
        ways = [
            comb(n + fatal - 1, n) * comb(left - n - fatal, rot_left - fatal) * worth[parts + min(n, limit)]
            for n in range(left - rot_left + 1)
        ]
        return float(sum(ways)) / comb(left, rot_left)

    def _better(self, level: _Level, number: int, going: Floats) -> Floats:
        """Return what a level is worth by the better of stopping and drawing, where both are allowed."""
        policies, monsters = len(self._rankings) + 1, len(self._monsters)
        ends = level.is_full.copy()
        if number >= self._drawing.least:
            ends |= level.end >= going[:, :policies] - NEAR
        values = np.where(ends, level.end, going[:, :policies])
        busts = np.where(ends, level.busts, going[:, policies : 2 * policies])
        is_over = np.repeat(level.is_full[:, [0, -1]], monsters, axis=1)
        done = np.where(level.done | is_over, level.done, going[:, 2 * policies : -1])
        return np.hstack([values, busts, done, level.busts[:, -1:]])

    def _level(self, codes: Ints) -> _Level:
        """Return states with all that follows from how many of each kind were drawn."""
        drawn = tuple(codes // axis.stride % (axis.most + 1) for axis in self._axes)
        rot, strays, *parts, mutations = drawn
        drawing, kinds = self._drawing, self._grid.kinds
        have = [drawing.held.get(kind, 0) + many for kind, many in zip(kinds, parts, strict=True)]
        wild = drawing.held.get(Token.MUTATION, 0) + mutations
        strays = strays + self._held_strays
        early = [
            many + wild if kind is self._mutation_as else many for kind, many in zip(kinds, have, strict=True)
        ]
        left = sum(np.maximum(0, need - many) for need, many in zip(self._grid.slots, have, strict=True))
        cold = drawing.cold.get(Token.MUTATION, 0)
        late_crowd = self._surplus(have, strays) + np.maximum(0, wild - left - cold)
        crowd = [self._surplus(early, strays) if kinds else late_crowd, late_crowd]
        rejects = [drawing.rejects + rot + np.maximum(0, many - drawing.room) for many in crowd]
        is_saved = drawing.is_rescued & (drawing.rot_rejected + rot > 0)
        waiting = self._waiting(have, np.maximum(0, strays - drawing.school)) + np.maximum(0, wild - cold)
        is_held = (waiting <= drawing.aside) & ((rejects[1] < REJECT_SPACES - 1) | is_saved)
        busts = [many - is_saved >= REJECT_SPACES for many in rejects]
        is_full = [many >= REJECT_SPACES for many in rejects]
        busts[0] &= ~is_held
        is_full[0] = np.where(is_held, is_full[1], is_full[0])
        late = self._entry(have, codes) + wild * prod(self._grid.shape)
        return self._told(codes, drawn, (busts, is_full, is_held), (self._entry(early, codes), late))

    def _told(
        self,
        codes: Ints,
        drawn: tuple[Ints, ...],
        flags: tuple[list[Flags], list[Flags], Flags],
        at: tuple[Ints, Ints],
    ) -> _Level:
        """Look up what ending the draws brings, by every ranking and in hindsight."""
        (busts, is_full, is_held), (early, late) = flags, at
        kept, bust = self._drawing.besides, self._drawing.besides_bust
        hindsight = self._hindsight
        best = np.where(busts[1], hindsight.bust[late] + bust, hindsight.kept[late] + kept)
        ends = [
            np.where(is_held, best, np.where(busts[0], way.bust[early] + bust, way.kept[early] + kept))
            for way in self._rankings
        ]
        rankings = len(self._rankings)
        done = [self._alone[one][early] for one in self._monsters]
        done += [self._hindsight.done[one][late] for one in self._monsters]
        return _Level(
            codes,
            drawn,
            np.stack([*ends, best], axis=1),
            np.stack([busts[0]] * rankings + [busts[1]], axis=1).astype(float),
            np.stack([is_full[0]] * rankings + [is_full[1]], axis=1),
            np.stack(done, axis=1) if done else np.zeros((len(codes), 0), dtype=bool),
        )

    def _waiting(self, have: list[Ints], strays: Ints) -> Ints:
        """Return how many parts lie aside if those that several monsters ask for wait there."""
        waiting = [
            np.maximum(0, many - cold if is_asked else many - slots - cold)
            for many, is_asked, slots, cold in zip(
                have, self._is_asked, self._grid.slots, self._cold, strict=True
            )
        ]
        return strays + sum(waiting)

    def _surplus(self, have: list[Ints], strays: Ints) -> Ints:
        """Return how many parts find no slot, short of what stays in a Refrigeration."""
        return strays + sum(
            np.maximum(0, many - slots - cold)
            for many, slots, cold in zip(have, self._grid.slots, self._cold, strict=True)
        )

    def _entry(self, have: list[Ints], codes: Ints) -> Ints:
        """Return where the tables tell of so many parts; more than slots make no difference."""
        entry = np.zeros_like(codes)
        for many, slots in zip(have, self._grid.slots, strict=True):
            entry = entry * (slots + 1) + np.minimum(many, slots)
        return entry
