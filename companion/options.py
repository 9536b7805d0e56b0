"""A device's own settings: what may be set, checked all at once. Pure, standard library only."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

REQUIRED = object()
"""The default of an option that must be given."""


@dataclass(frozen=True, slots=True)
class Option:
    """One setting of a driver: its default, what it must be in words, and who tells."""

    name: str
    default: object
    wants: str
    accepts: Callable[[object], bool]


def text(name: str, default: object = REQUIRED) -> Option:
    """Return an option that holds a text."""
    return Option(name, default, "a text in quotes", lambda given: isinstance(given, str) and bool(given))


def device_id(letter: str) -> Option:
    """Return the option ``id`` of a TLP/1 device whose ids begin with a letter; None if it is left out."""
    pattern = re.compile(rf"{letter}-[0-9A-Fa-f]{{4,12}}", re.ASCII)
    wants = f"an id as `companion listen` shows it, such as {letter}-7F3A1C"
    return Option("id", None, wants, lambda given: isinstance(given, str) and bool(pattern.fullmatch(given)))


def whole(name: str, default: object, least: int, most: int) -> Option:
    """Return an option that holds a whole number from ``least`` to ``most``."""
    wants = f"a whole number from {least} to {most}"
    return Option(name, default, wants, lambda given: _is_whole(given, least, most))


def number(name: str, default: object, least: float, most: float) -> Option:
    """Return an option that holds a number from ``least`` to ``most``."""
    wants = f"a number from {least:g} to {most:g}"
    return Option(
        name,
        default,
        wants,
        lambda given: (
            isinstance(given, int | float) and not isinstance(given, bool) and least <= given <= most
        ),
    )


def yes_or_no(name: str, default: bool) -> Option:
    """Return an option that is true or false."""
    return Option(name, default, "true or false", lambda given: isinstance(given, bool))


def pins(name: str, default: Sequence[int]) -> Option:
    """Return an option that holds as many different GPIO numbers as its default."""

    def accepts(given: object) -> bool:
        return (
            isinstance(given, list | tuple)
            and len(given) == len(set(given)) == len(default)
            and all(_is_whole(pin, 0, 27) for pin in given)
        )

    return Option(
        name, tuple(default), f"a list of {len(default)} different GPIO numbers from 0 to 27", accepts
    )


def read_options(device: str, given: Mapping[str, Any], options: Sequence[Option]) -> dict[str, Any]:
    """Return the value of each option. Raises ValueError that names all that is wrong at once."""
    names = [option.name for option in options]
    problems = []
    for name in given:
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            meant = f"did you mean {near[0]}?" if near else f"known are {', '.join(names)}."
            problems.append(f"{name} is no setting of it; {meant}")
    values: dict[str, Any] = {}
    for option in options:
        values[option.name] = given.get(option.name, option.default)
        if option.name not in given and option.default is REQUIRED:
            problems.append(f"{option.name} is missing; it must be {option.wants}.")
        elif option.name in given and not option.accepts(given[option.name]):
            problems.append(f"{option.name} is {given[option.name]!r}; it must be {option.wants}.")
    if problems:
        raise ValueError(f"The settings of {device} make no sense: " + " ".join(problems))
    return values


def _is_whole(given: object, least: int, most: int) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and least <= given <= most
