"""The options of a table: readings of the rules that a table may choose, and what a box leaves open.

One place for names, values and defaults; rendered as ``mm.option.<name>`` and ``mm.option.<name>.<value>``.
"""

from __future__ import annotations

from companion.games.making_monsters.components import Order
from companion.games.making_monsters.printed import Printed
from companion.table_options import Chosen, Options, TableOption

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

TABLE = Options((*OPTIONS, *TRIGGERS))
ALL, unknown = TABLE.by_name, TABLE.unknown


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
