"""The options of a table: readings of the rules that a table may choose, and whether a phone may roll.

One place for names, values and defaults; rendered as ``ms.option.<name>`` and ``ms.option.<name>.<value>``.
"""

from __future__ import annotations

from companion.table_options import Options, TableOption

UNFINISHED = "unfinished"
LAST = "last"
VIRTUAL_DIE = "virtual_die"

OPTIONS: tuple[TableOption, ...] = (
    TableOption(UNFINISHED, "MS-R16", ("fights", "keeps_building")),
    TableOption(LAST, "MS-R21", ("parts", "life_or_parts")),
    TableOption(VIRTUAL_DIE, "", ("no", "yes")),
)

TABLE = Options(OPTIONS)
ALL = TABLE.by_name
value, settled, unknown = TABLE.value, TABLE.settled, TABLE.unknown
