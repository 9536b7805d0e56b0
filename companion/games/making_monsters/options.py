"""The options of a table: readings of the rules that a table may choose, and what a box leaves open.

One place for names, values and defaults. What is chosen is kept as words; what nobody chose is not kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.making_monsters.components import Order
from companion.games.making_monsters.printed import Printed

Chosen = Mapping[str, str]
"""Option: value, of those that differ from their default."""


@dataclass(frozen=True, slots=True)
class TableOption:
    """An option, the ruling that it is about, and its values, the default first.

    Rendered as ``mm.option.<name>`` and ``mm.option.<name>.<value>``.
    """

    name: str
    ruling: str
    values: tuple[str, ...]


GRAB = "grab"
UNIVERSAL_MEAT = "universal_meat"
BOGO = "bogo"
TELEPORTER = "teleporter"
EXPAND = "expand"
FAIR_SCHOOL = "fair_school"
WAREHOUSE = "warehouse"
LESTER_TILE = "lester_tile"

OPTIONS: tuple[TableOption, ...] = (
    TableOption(GRAB, "MM-R8", ("whole", "one_by_one")),
    TableOption(UNIVERSAL_MEAT, "MM-R40", ("three", "four")),
    TableOption(BOGO, "MM-R17", ("no_mutation", "mutation")),
    TableOption(TELEPORTER, "MM-R37", ("always", "not_bust")),
    TableOption(EXPAND, "MM-R29", ("needs_space", "may_replace")),
    TableOption(FAIR_SCHOOL, "MM-R63", ("nothing", "two")),
    TableOption(WAREHOUSE, "MM-R47", ("1", "2", "3")),
    TableOption(LESTER_TILE, "MM-R48", ("once", "every_time")),
)
"""Readings that differ from table to table, and what only a box with these tiles can say."""

TRIGGERS = tuple(TableOption(f"trigger_{order}", "MM-R1", tuple(Order)) for order in Order)
"""Whose colour lifts an order; the default is what the box prints."""

ALL = {option.name: option for option in (*OPTIONS, *TRIGGERS)}


def default(box: Printed, name: str) -> str:
    """Return an option's usual value: the first one, or the trigger that the box prints."""
    if name.startswith("trigger_"):
        return box.triggers[Order(name.removeprefix("trigger_"))].value
    return ALL[name].values[0]


def value(box: Printed, chosen: Chosen, name: str) -> str:
    """Return what a table plays by."""
    return chosen.get(name) or default(box, name)


def settled(box: Printed, chosen: Chosen) -> dict[str, str]:
    """Return the options that differ from their default, in the order of the list."""
    return {name: chosen[name] for name in ALL if name in chosen and chosen[name] != default(box, name)}


def unknown(chosen: Chosen) -> str:
    """Return the first option or value that there is not, as ``name=value``; empty if there is none."""
    for name, given in chosen.items():
        if name not in ALL or given not in ALL[name].values:
            return f"{name}={given}"
    return ""
