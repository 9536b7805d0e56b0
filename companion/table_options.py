"""Options of a table: readings of the rules that a table may choose, as a game lists them.

What is chosen is kept as words; what nobody chose is not kept. Imports ``companion.position`` only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.position import pairs_in

Chosen = Mapping[str, str]
"""Option: value, of those that differ from their default."""


@dataclass(frozen=True, slots=True)
class TableOption:
    """An option, the ruling that it is about (empty: none), and its values, the default first.

    A game renders it as ``<its prefix>.option.<name>`` and ``<its prefix>.option.<name>.<value>``.
    """

    name: str
    ruling: str
    values: tuple[str, ...]


class Options:
    """The options of a game, in their order. Holds nothing that changes."""

    def __init__(self, options: Iterable[TableOption]) -> None:
        self.by_name: Mapping[str, TableOption] = {option.name: option for option in options}

    def value(self, chosen: Chosen, name: str) -> str:
        """Return what a table plays by."""
        return chosen.get(name) or self.by_name[name].values[0]

    def settled(self, chosen: Chosen) -> dict[str, str]:
        """Return the options that differ from their default, in the order of the list."""
        return {
            name: chosen[name]
            for name, option in self.by_name.items()
            if name in chosen and chosen[name] != option.values[0]
        }

    def unknown(self, chosen: Chosen) -> str:
        """Return the first option or value that there is not, as ``name=value``; empty if there is none."""
        for name, given in chosen.items():
            if name not in self.by_name or given not in self.by_name[name].values:
                return f"{name}={given}"
        return ""

    def read(self, text: str) -> dict[str, str]:
        """Read what a position line says was chosen. Raises ValueError for what there is not."""
        chosen = pairs_in(text)
        strange = self.unknown(chosen)
        if strange:
            raise ValueError(f"there is no option {strange}; options are {', '.join(self.by_name)}")
        return chosen
