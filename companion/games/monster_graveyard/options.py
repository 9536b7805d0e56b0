"""The options of a table: readings of the rules that a table may choose.

One place for names, values and defaults. What is chosen is kept as words; what nobody chose is not kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Chosen = Mapping[str, str]
"""Option: value, of those that differ from their default."""


@dataclass(frozen=True, slots=True)
class TableOption:
    """An option, the ruling that it is about, and its values, the default first.

    Rendered as ``mg.option.<name>`` and ``mg.option.<name>.<value>``.
    """

    name: str
    ruling: str
    values: tuple[str, ...]


ORDER = "order"
END = "end"
RESET = "reset"
READY = "ready"
FIRST = "first"

OPTIONS: tuple[TableOption, ...] = (
    TableOption(ORDER, "MG-R1", ("in_turn", "together")),
    TableOption(END, "MG-R19", ("after_turn", "at_once")),
    TableOption(RESET, "MG-R20", ("keep", "no_monsters")),
    TableOption(READY, "MG-R21", ("each_turn", "by_hand")),
    TableOption(FIRST, "MG-R22", ("stays", "moves_on")),
)
"""Readings of what the excerpt leaves open; the last two are ours beyond the list of rulings."""

ALL = {option.name: option for option in OPTIONS}


def value(chosen: Chosen, name: str) -> str:
    """Return what a table plays by."""
    return chosen.get(name) or ALL[name].values[0]


def settled(chosen: Chosen) -> dict[str, str]:
    """Return the options that differ from their default, in the order of the list."""
    return {name: chosen[name] for name in ALL if name in chosen and chosen[name] != ALL[name].values[0]}


def unknown(chosen: Chosen) -> str:
    """Return the first option or value that there is not, as ``name=value``; empty if there is none."""
    for name, given in chosen.items():
        if name not in ALL or given not in ALL[name].values:
            return f"{name}={given}"
    return ""
