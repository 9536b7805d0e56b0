"""Sections are drawn anew only if something changed that they were drawn from.

While a section is drawn it is noted which values it asked for: the names that it resolved, and which
parts of the view and of what is seen. Drawing has no other source, so with all of them unchanged it would
draw the same. A tap changes a number or two; drawing all pages for it would be most of the time until the
last phone has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

from jinja2 import Environment, Template
from jinja2.runtime import Context

NOTED = ("view", "seen")
"""Values that are large: noted part by part."""

MOST_LINES = 64

SPOKEN = ("w", "p", "jars")
"""These, and whatever can be called, are the same as long as what surrounds the table is."""


class NotedContext(Context):
    """A context that remembers which of its names were asked for."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.asked: set[str] = set()

    def resolve_or_missing(self, key: str) -> Any:
        self.asked.add(key)
        return super().resolve_or_missing(key)


class Noted:
    """Stands for a value and remembers which of its attributes were asked for."""

    __slots__ = ("_asked", "_of")

    def __init__(self, of: object) -> None:
        self._of = of
        self._asked: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._of, name)
        self._asked[name] = value
        return value

    def taken(self) -> dict[str, Any]:
        """Return what was asked for since the last time, and begin anew."""
        asked, self._asked = self._asked, {}
        return asked


@dataclass(frozen=True, slots=True)
class Drawn:
    """A section as it was drawn: ``names`` and ``parts`` are the values that it came from."""

    html: str
    names: Mapping[str, Any]
    parts: Mapping[str, Mapping[str, Any]]

    def still_holds(self, values: Mapping[str, Any]) -> bool:
        """Tell whether it would be drawn the same from these values."""
        return all(values.get(name) == value for name, value in self.names.items()) and all(
            getattr(values[of], name) == value
            for of, asked in self.parts.items()
            for name, value in asked.items()
        )


class Redraw:
    """The newest drawing of each section of one audience. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._around: object = None
        self._drawn: dict[str, Drawn] = {}
        self._lines: dict[int, tuple[object, str]] = {}

    def sections(
        self,
        template: Template,
        values: Mapping[str, Any],
        around: object,
        macros: Callable[[Mapping[str, Any]], Any],
    ) -> dict[str, str]:
        """Return each section by its name, drawn anew only where it must be.

        ``around`` is all that macros and functions draw from besides: with another one everything is drawn
        anew. ``values`` are plain; ``macros`` makes the macros that go with them.
        """
        with self._lock:
            if around != self._around:
                self._around, self._drawn, self._lines = around, {}, {}
            stale = [
                name
                for name in template.blocks
                if name not in self._drawn or not self._drawn[name].still_holds(values)
            ]
            if stale:
                noted = {name: Noted(values[name]) for name in NOTED}
                given = {**values, **noted, "once": self._once}
                context = _context(template, {**given, "p": macros(given)})
                for name in stale:
                    self._drawn[name] = _draw(template.blocks[name], context, values, noted)
            return {name: self._drawn[name].html for name in template.blocks}

    def _once(self, macro: Callable[[object], str], line: object) -> str:
        """Return a line of the log as a macro draws it: once, since lines are replaced and never changed."""
        known = self._lines.get(id(line))
        if known is None or known[0] is not line:
            if len(self._lines) >= MOST_LINES:
                self._lines.clear()
            known = self._lines[id(line)] = (line, macro(line))
        return known[1]


def _draw(
    block: Callable[[Context], Iterator[str]],
    context: NotedContext,
    values: Mapping[str, Any],
    noted: Mapping[str, Noted],
) -> Drawn:
    context.asked = set()
    for one in noted.values():
        one.taken()
    html = "".join(block(context)).strip()
    names = {
        name: values[name]
        for name in context.asked
        if name in values and name not in (*NOTED, *SPOKEN) and not callable(values[name])
    }
    return Drawn(html, names, {name: one.taken() for name, one in noted.items()})


def _context(template: Template, values: Mapping[str, Any]) -> NotedContext:
    environment: Environment = template.environment
    return NotedContext(environment, {**template.globals, **values}, template.name, template.blocks)
