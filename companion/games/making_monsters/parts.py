"""Counted tokens: bags, graves, what is taken and given. Kinds with none of them are left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.games.making_monsters.components import Token

Parts = Mapping[Token, int]
"""How many of each kind; no kind with 0, so that equal heaps are equal."""


def counted(tokens: Iterable[Token]) -> dict[Token, int]:
    """Count tokens by kind."""
    heap: dict[Token, int] = {}
    for token in tokens:
        heap[token] = heap.get(token, 0) + 1
    return heap


def plus(heap: Parts, more: Parts) -> dict[Token, int]:
    """Return both heaps together."""
    kinds = [*heap, *(kind for kind in more if kind not in heap)]
    return {kind: n for kind in kinds if (n := heap.get(kind, 0) + more.get(kind, 0))}


def minus(heap: Parts, less: Parts) -> dict[Token, int]:
    """Return what is left of a heap; never less than none of a kind."""
    return {kind: n for kind, had in heap.items() if (n := had - less.get(kind, 0)) > 0}


def total(heap: Parts) -> int:
    """Return how many tokens there are."""
    return sum(heap.values())


def missing(heap: Parts, wanted: Parts) -> dict[Token, int]:
    """Return what is wanted and not in the heap."""
    return minus(wanted, heap)


def in_order(heap: Parts) -> dict[Token, int]:
    """Return the same heap in the order of the graves."""
    return {kind: heap[kind] for kind in Token if heap.get(kind)}
