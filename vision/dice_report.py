"""Dice as plain values and as lines for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.ports import DieReading, DieRoll
from vision.report import die_as_json, why_unreadable


def as_json(photo: str, dice: Sequence[DieReading], *, took_ms: float) -> dict[str, Any]:
    """Return the dice of a photo as values that ``json.dumps`` takes.

    ``sum`` is None unless every die is sure.
    """
    return {
        "photo": photo,
        "count": len(dice),
        "sum": sum_of(dice),
        "took_ms": round(took_ms, 1),
        "dice": [die_as_json(die) for die in dice],
    }


def sum_of(dice: Sequence[DieReading]) -> int | None:
    """Return the pips of all dice, None if one of them is not sure."""
    values = [die.value for die in dice if die.sure and die.value is not None]
    return sum(values) if len(values) == len(dice) else None


def as_lines(photo: str, dice: Sequence[DieReading]) -> list[str]:
    """Return the dice of a photo as lines for people."""
    if not dice:
        return [f"{photo}: no die."]
    rows = []
    for die in dice:
        where = f"{die.centre_px[0]:.0f}, {die.centre_px[1]:.0f}"
        what = "?" if die.value is None else str(die.value)
        doubt = "" if die.obstacle is None else f"   unsure: {why_unreadable(die.obstacle)}"
        kind = die.kind or ""
        if die.kind_obstacle is not None:
            doubt += f"   which die: {why_unreadable(die.kind_obstacle)}"
        rows.append(f"{where.rjust(12)}   {what} {kind.ljust(12)} {die.confidence:.2f}{doubt}".rstrip())
    unsure = sum(not die.sure for die in dice)
    total = sum_of(dice)
    told = f"{photo}: {len(dice)} dice, " + (f"{total} in all." if total is not None else f"{unsure} unsure.")
    return [*rows, told]


def throw_line(roll: DieRoll) -> str:
    """Return a throw as a line."""
    return f"{roll.face}   throw {roll.roll} of {roll.die}"
