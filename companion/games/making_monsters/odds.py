"""Chances of a draw from a bag, exactly: how many Rot come, how likely the sixth reject is."""

from __future__ import annotations

from math import comb


def rot_chance(bag: int, rot: int, drawn: int, wanted: int) -> float:
    """Return the chance of exactly ``wanted`` Rot among ``drawn`` of ``bag`` tokens, ``rot`` of them Rot."""
    if wanted > drawn or drawn > bag:
        return 0.0
    return comb(rot, wanted) * comb(bag - rot, drawn - wanted) / comb(bag, drawn)


def bust_chance(rejects: int, bag: int, rot: int, drawn: int) -> float:
    """Return the chance that a grab fills the sixth reject space if every part has a place."""
    drawn = min(drawn, bag)
    needed = max(0, 6 - rejects)
    return sum(rot_chance(bag, rot, drawn, wanted) for wanted in range(needed, drawn + 1))
