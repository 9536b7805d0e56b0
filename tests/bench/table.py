"""The table that the bench prints: a line for each figure, with its bar and whether it is met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One figure. ``is_met`` is None where no bar was set."""

    what: str
    found: str
    bar: str = ""
    is_met: bool | None = None

    @property
    def verdict(self) -> str:
        return "" if self.is_met is None else "met" if self.is_met else "**missed**"


@dataclass(frozen=True, slots=True)
class Section:
    """What belongs together, and the command or call it was measured by."""

    title: str
    command: str
    lines: tuple[Line, ...]


def at_least(what: str, value: float, bar: float, unit: str = "", *, digits: int = 2) -> Line:
    """Return a line that is met from a bar upwards."""
    return Line(what, _told(value, unit, digits), f"at least {bar:g}{unit}", value >= bar)


def at_most(what: str, value: float, bar: float, unit: str = "", *, digits: int = 2) -> Line:
    """Return a line that is met up to a bar."""
    return Line(what, _told(value, unit, digits), f"at most {bar:g}{unit}", value <= bar)


def _told(value: float, unit: str, digits: int) -> str:
    return f"{value:.{digits}f}".rstrip("0").rstrip(".") + unit if digits else f"{value:.0f}{unit}"


def as_markdown(section: Section) -> str:
    """Return a section as it stands in ``docs/figures.md``."""
    rows = [f"| {line.what} | {line.found} | {line.bar} | {line.verdict} |" for line in section.lines]
    head = ["| | found | bar | |", "| --- | --- | --- | --- |"]
    return "\n".join([f"## {section.title}", "", f"`{section.command}`", "", *head, *rows, ""])


def in_short(sections: Sequence[Section]) -> str:
    """Return how many bars are met, and the missed ones by name."""
    judged = [line for section in sections for line in section.lines if line.is_met is not None]
    missed = [line.what for line in judged if not line.is_met]
    told = f"{len(judged) - len(missed)} of {len(judged)} bars are met."
    return told if not missed else f"{told} Missed: {'; '.join(missed)}."
