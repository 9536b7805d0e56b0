"""Specimen jars of the big screen: how high the fluid stands. Millimetres of nothing, only a glance."""

from __future__ import annotations

FULL_SHARE = 0.86
LEAST_BEST = 20
TOP_Y = 62
DEPTH = 354
"""The jar's inside in units of its drawing: its top edge and its height."""

FLOAT_BELOW = 40
LOWEST_Y = 236


def level(score: int, best: int) -> float:
    """Return how full a jar is, from 0 to 1: the best never spills, the start is nearly empty."""
    return FULL_SHARE * max(score, 0) / max(best, LEAST_BEST)


def fluid_y(score: int, best: int) -> int:
    """Return the height of the fluid's top in the drawing."""
    return round(TOP_Y + DEPTH * (1 - level(score, best)))


def creature_y(score: int, best: int) -> int:
    """Return where the creature's drawing begins: it floats in the fluid and stands on the ground."""
    return min(fluid_y(score, best) - FLOAT_BELOW, LOWEST_Y)
