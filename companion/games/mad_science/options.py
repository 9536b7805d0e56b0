"""The options of a table: readings of the rules that a table may choose, and whether a phone may roll.

One place for names, values and defaults. What is chosen is kept as words; what nobody chose is not kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Chosen = Mapping[str, str]
"""Option: value, of those that differ from their default."""


@dataclass(frozen=True, slots=True)
class TableOption:
    """An option, the ruling that it is about (empty: none), and its values, the default first.

    Rendered as ``ms.option.<name>`` and ``ms.option.<name>.<value>``.
    """

    name: str
    ruling: str
    values: tuple[str, ...]


UNFINISHED = "unfinished"
LAST = "last"
VIRTUAL_DIE = "virtual_die"

OPTIONS: tuple[TableOption, ...] = (
    TableOption(UNFINISHED, "MS-R16", ("fights", "keeps_building")),
    TableOption(LAST, "MS-R21", ("parts", "life_or_parts")),
    TableOption(VIRTUAL_DIE, "", ("no", "yes")),
)

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
