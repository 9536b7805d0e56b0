"""Odds by trying everything: every draw, every placing, every move, every stop. Slow, plain, and right.

It knows the rulebook's words and none of the product's sums: what ``stopping`` says is held against it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations_with_replacement
from math import comb

from companion.games.making_monsters.components import BONUS, Token
from companion.games.making_monsters.odds import Drawing

Heap = tuple[str, ...]


@dataclass(frozen=True)
class Bench:
    """A lab in the middle of a draw; heaps are sorted."""

    bag: Heap
    needs: tuple[Heap, ...]
    aside: Heap
    rejects: int
    rot: int
    drawn: int = 0


def less(heap: Heap, kind: str) -> Heap:
    left = list(heap)
    left.remove(kind)
    return tuple(left)


def more(heap: Heap, kind: str) -> Heap:
    return tuple(sorted((*heap, kind)))


class EveryWay:
    """All ways to play one drawing. ``goal`` is a monster to be finished, None for the most prestige."""

    def __init__(self, drawing: Drawing, goal: int | None = None) -> None:
        self.drawing, self.goal = drawing, goal
        heap = lambda parts: tuple(sorted(k.value for k, n in parts.items() for _ in range(n)))  # noqa: E731
        self.first = Bench(
            heap(drawing.bag),
            tuple(heap(want.needs) for want in drawing.wants),
            heap(drawing.held),
            drawing.rejects,
            drawing.rot_rejected,
        )
        self.best = cache(self._best)
        self.ended = cache(self._ended)
        self.placed = cache(self._placed)

    def moved(self, bench: Bench) -> set[Bench]:
        """Return the lab with every set of moves from the sorting table."""
        found, new = {bench}, [bench]
        while new:
            for one in self._moves(new.pop()):
                if one not in found:
                    found.add(one)
                    new.append(one)
        return found

    def _moves(self, bench: Bench) -> Iterator[Bench]:
        for kind in set(bench.aside):
            for needs in self._on_monsters(bench, kind):
                yield replace(bench, aside=less(bench.aside, kind), needs=needs)

    def _on_monsters(self, bench: Bench, kind: str) -> Iterator[tuple[Heap, ...]]:
        for at, needs in enumerate(bench.needs):
            for need in {need for need in needs if kind in (need, "mutation")}:
                yield (*bench.needs[:at], less(needs, need), *bench.needs[at + 1 :])

    def _placed(self, bench: Bench, kinds: Heap) -> frozenset[Bench]:
        """Return every way to place tokens, in any order, with moves in between."""
        if not kinds:
            return frozenset({bench})
        found: set[Bench] = set()
        for kind in set(kinds):
            for ready in self.moved(bench):
                for after in self._put(ready, kind):
                    found |= self.placed(after, less(kinds, kind))
        return frozenset(found)

    def _put(self, bench: Bench, kind: str) -> Iterator[Bench]:
        if kind == "rot":
            yield replace(bench, rejects=bench.rejects + 1, rot=bench.rot + 1)
            return
        ways = [replace(bench, needs=needs) for needs in self._on_monsters(bench, kind)]
        if len(bench.aside) < self.drawing.aside:
            ways.append(replace(bench, aside=more(bench.aside, kind)))
        yield from ways or [replace(bench, rejects=bench.rejects + 1)]

    def draws(self, bench: Bench, count: int) -> Iterator[tuple[float, Heap, Bench]]:
        """Return every heap of so many tokens with its chance and what stays."""
        kinds = sorted(set(bench.bag))
        for heap in combinations_with_replacement(kinds, count):
            if all(heap.count(kind) <= bench.bag.count(kind) for kind in kinds):
                ways = 1
                for kind in kinds:
                    ways *= comb(bench.bag.count(kind), heap.count(kind))
                left = bench.bag
                for kind in heap:
                    left = less(left, kind)
                yield ways / comb(len(bench.bag), count), heap, replace(bench, bag=left, drawn=count)

    def _ended(self, bench: Bench) -> tuple[float, bool]:
        """Return what ending the draws is worth, and whether it is a bust."""
        is_saved = self.drawing.is_rescued and bench.rot > 0
        is_bust = bench.rejects - is_saved >= 6
        labs = [bench] if is_bust else self.moved(bench)
        return max(self._worth(lab, is_bust) for lab in labs), is_bust

    def _worth(self, bench: Bench, is_bust: bool) -> float:
        done = [not needs for needs in bench.needs]
        if self.goal is not None:
            return float(done[self.goal])
        wants = zip(self.drawing.wants, done, strict=True)
        return sum(want.prestige for want, is_done in wants if is_done) + (not is_bust) * BONUS[sum(done)]

    def drawn_on(self) -> float:
        """Return what drawing at least once (a due grab whole) is worth, played as well as can be."""
        if not self.first.bag or not self.drawing.most:
            return self.ended(self.first)[0]
        count = min(self.drawing.grab, self.drawing.draws)
        return self._by_single(self.first, 0) if not count else self._by_grab(count)

    def _by_grab(self, count: int) -> float:
        return sum(
            chance * max(self.best(after, count) for after in self.placed(left, heap))
            for chance, heap, left in self.draws(self.first, count)
        )

    def _best(self, bench: Bench, drawn: int) -> float:
        worth = self.ended(bench)[0]
        if bench.rejects >= 6 or drawn >= self.drawing.draws:
            return worth
        on = self._by_single(bench, drawn)
        return max(worth, on) if drawn >= self.drawing.least else on

    def _by_single(self, bench: Bench, drawn: int) -> float:
        def on(ready: Bench) -> float:
            return sum(
                chance
                * max(self.best(replace(after, drawn=0), drawn + 1) for after in self._put(left, heap[0]))
                for chance, heap, left in self.draws(ready, 1)
            )

        return max(on(ready) for ready in self.moved(bench))


def bust_of_grab(drawing: Drawing, count: int) -> float:
    """Return the chance that a grab ends in a bust, placed as well as can be."""
    ways = EveryWay(drawing)
    return sum(
        chance
        for chance, heap, left in ways.draws(ways.first, count)
        if all(ways.ended(after)[1] for after in ways.placed(left, heap))
    )


def heap_of(text: str) -> dict[Token, int]:
    """Read ``rot rot limb``."""
    return {Token(kind): text.split().count(kind) for kind in sorted(set(text.split()))}
