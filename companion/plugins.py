"""Finding parts by entry point: games, cameras, dice, sensors, recognisers, pages, commands.

Lives on the ground floor, imports nothing of the house. The built-in parts come in by the
same door as a stranger's. Finding never loads and never fails; a part that cannot be loaded
is kept with the reason, so that one broken part never stops the others.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import Distribution, EntryPoint, entry_points
from typing import Any

BUILT_IN = "companion"
"""The distribution that brings the built-in parts."""

GROUPS: Mapping[str, str] = {
    "companion.games": "game",
    "companion.cameras": "camera driver",
    "companion.dice": "die driver",
    "companion.board_sensors": "board sensor driver",
    "companion.panels": "panel driver",
    "companion.recognisers": "recogniser",
    "companion.pages": "page",
    "companion.commands": "command",
    "companion.benches": "bench",
    "companion.jobs": "job",
}
"""Every door, and what comes in by it."""

ONLY_BUILT_IN = "COMPANION_ONLY_BUILT_IN"
"""Set in the environment: strangers' parts are left out, also by every process that is started from here."""


class PartUnusable(Exception):
    """A part that cannot be had. The message says what happened and what to do."""


class PartMissing(PartUnusable):
    """Nobody brings a part of that name; ``near`` are names that look like it."""

    def __init__(self, group: str, name: str, known: Sequence[str]) -> None:
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
        if near:
            hint = f"Did you mean {' or '.join(near)}?"
        else:
            hint = f"Known: {', '.join(known) or 'none'}. `companion parts` lists all that is installed."
        super().__init__(f"There is no {GROUPS.get(group, group)} {name!r}. {hint}")
        self.group = group
        self.name = name
        self.near = tuple(near)


class PartBroken(PartUnusable):
    """A part that is installed and cannot be loaded; ``reason`` is what its import said."""

    def __init__(self, found: Found, reason: str) -> None:
        super().__init__(
            f"The {GROUPS.get(found.group, found.group)} {found.name!r} of {found.package} {found.version} "
            f"cannot be loaded: {reason}. Repair or uninstall {found.package}; "
            "`companion parts` lists all parts."
        )
        self.found = found
        self.reason = reason


@dataclass(frozen=True)
class Found:
    """A part that somebody brings: ``target`` is its ``module:name``, ``clash`` why it is left out.

    Not slotted: the outcome of loading is kept on it.
    """

    group: str
    name: str
    package: str
    version: str
    target: str
    clash: str = ""

    @property
    def is_built_in(self) -> bool:
        return self.package == BUILT_IN

    @cached_property
    def _loaded(self) -> tuple[Any, str, BaseException | None]:
        if self.clash:
            return None, self.clash, None
        try:
            return EntryPoint(self.name, self.target, self.group).load(), "", None
        # A stranger's import may raise anything at all; it must not take the others along.
        except (Exception, SystemExit) as error:
            return None, f"{type(error).__name__}: {error}", error

    @property
    def failure(self) -> str:
        """Say why the part cannot be loaded; empty when it can. Loads it."""
        return self._loaded[1]

    def load(self) -> Any:
        """Return the part itself. Raises PartBroken with the reason."""
        part, reason, error = self._loaded
        if reason:
            raise PartBroken(self, reason) from error
        return part


def find(group: str, *, only_built_in: bool | None = None) -> Mapping[str, Found]:
    """Return what is found of a group by name, sorted; nothing is loaded yet.

    ``only_built_in`` None: as the environment says (``ONLY_BUILT_IN``). Of two with one name the
    built-in one wins; the other is listed as ``name@package`` with the clash as its failure.
    """
    leaves_out = bool(os.environ.get(ONLY_BUILT_IN)) if only_built_in is None else only_built_in
    parts = [_found(group, entry) for entry in entry_points(group=group)]
    parts.sort(key=lambda part: (not part.is_built_in, part.package))
    by_name: dict[str, Found] = {}
    for part in parts:
        if leaves_out and not part.is_built_in:
            continue
        first = by_name.setdefault(part.name, part)
        if first is not part and first.package != part.package:
            clash = f"the name is taken by {first.package} {first.version}"
            by_name[f"{part.name}@{part.package}"] = Found(
                group, part.name, part.package, part.version, part.target, clash
            )
    return dict(sorted(by_name.items()))


def load(group: str, name: str) -> Any:
    """Return a part by name. Raises PartMissing with near matches, PartBroken with the reason.

    A hyphen that is typed for an underscore is understood.
    """
    found = find(group)
    if name not in found and "-" in name:
        name = next((known for known in found if known == name.replace("-", "_")), name)
    if name not in found:
        raise PartMissing(group, name, [known for known, part in found.items() if not part.clash])
    return found[name].load()


def _found(group: str, entry: EntryPoint) -> Found:
    dist: Distribution | None = entry.dist
    name = dist.metadata["Name"] if dist else "unknown"
    version = dist.version if dist else "unknown"
    return Found(group, entry.name, name, version, entry.value)
