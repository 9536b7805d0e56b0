"""What hands are told to do, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hardware.simulated.world import Impossible, World


@dataclass(frozen=True, slots=True)
class Reach:
    """An arm over the table: whose, and over which place (``beside/lab_red`` is one, too)."""

    seat: str
    at: str


@dataclass(frozen=True, slots=True)
class Done:
    """A deed that was done: the world after it, what to answer, where arms are seen.

    ``turned`` are quarter turns of the disc, ``rolled`` the face of the die (0: not rolled).
    """

    world: World
    answer: Mapping[str, Any] = field(default_factory=dict)
    reaches: tuple[Reach, ...] = ()
    turned: int = 0
    rolled: int = 0


@dataclass(frozen=True, slots=True)
class Wish:
    """What the hands were told, read field by field. Every reader raises Impossible."""

    said: Mapping[str, Any]

    def text(self, name: str, default: str | None = None) -> str:
        value = self.said.get(name, default)
        if not isinstance(value, str):
            raise Impossible(f"Say {name!r} as text.")
        return value

    def number(self, name: str, default: int | None = None, *, least: int = 0) -> int:
        value = self.said.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise Impossible(f"Say {name!r} as a whole number of at least {least}.")
        return value

    def texts(self, name: str, default: Sequence[str] | None = None) -> tuple[str, ...]:
        value = self.said.get(name, default)
        if not isinstance(value, list | tuple) or not all(isinstance(v, str) for v in value):
            raise Impossible(f"Say {name!r} as a list of texts.")
        return tuple(value)

    def yes(self, name: str, *, default: bool = False) -> bool:
        value = self.said.get(name, default)
        if not isinstance(value, bool):
            raise Impossible(f"Say {name!r} as true or false.")
        return value
