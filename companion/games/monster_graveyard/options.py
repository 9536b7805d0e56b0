"""The options of a table: readings of the rules that a table may choose.

One place for names, values and defaults; rendered as ``mg.option.<name>`` and ``mg.option.<name>.<value>``.
"""

from __future__ import annotations

from companion.table_options import Options, TableOption

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

TABLE = Options(OPTIONS)
ALL = TABLE.by_name
value, settled, unknown = TABLE.value, TABLE.settled, TABLE.unknown
