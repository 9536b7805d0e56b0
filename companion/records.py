"""Names and versions of what is stored and sent, for a game that declares both as frozen values.

An event is stored as (kind, version, body); kinds are the game's and never change. A command is an
object whose ``do`` names it; forms send their fields flat (``{"do": "draw", "rot": 1}``).
Pure; stands above ``companion.game``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar, cast

from companion.game import NotACommand, Sentence, Wire
from companion.plain import plain, restore

Command = TypeVar("Command")
Event = TypeVar("Event")

Form = Callable[[dict[str, Any]], dict[str, Any]]
"""Turns the flat fields of a form into a command's own; may change what it is given."""

MOST_SHOWN = 40
MOST_EXPLAINED = 120


class Records(Generic[Command, Event]):
    """The codec of a game (``companion.game.Codec``), from its tables.

    ``events`` maps each stored kind to the event and the version that is written now, ``commands``
    each verb to its command, ``forms`` a verb to what its form needs besides.
    """

    def __init__(
        self,
        game: str,
        events: Mapping[str, tuple[type, int]],
        commands: Mapping[str, type],
        forms: Mapping[str, Form],
    ) -> None:
        self._game = game
        self._events = events
        self._commands = commands
        self._forms = forms
        self._kinds = {event: (kind, version) for kind, (event, version) in events.items()}
        self._verbs = {command: verb for verb, command in commands.items()}

    def event_out(self, event: Event) -> tuple[str, int, Wire]:
        """Return (kind, version, body)."""
        kind, version = self._kinds[type(event)]
        return kind, version, cast(Wire, plain(event))

    def event_in(self, kind: str, version: int, body: Wire) -> Event:
        """Read an event of any released version. Raises ValueError naming the kind if it is unknown."""
        known = self._events.get(kind)
        if known is None:
            raise ValueError(f"{self._game} has no event {kind!r}.")
        if not 1 <= version <= known[1]:
            raise ValueError(f"{kind} has no version {version}; this program knows up to {known[1]}.")
        return cast(Event, restore(known[0], body))

    def command_out(self, command: Command) -> Wire:
        return {"do": self._verbs[type(command)], **cast(Wire, plain(command))}

    def command_in(self, wire: Wire) -> Command:
        """Read a command, also as a form sends it. Raises NotACommand."""
        verb = wire.get("do")
        kind = self._commands.get(verb) if isinstance(verb, str) else None
        if kind is None:
            raise NotACommand(Sentence("wire.unknown", {"verb": str(verb)[:MOST_SHOWN]}))
        flat = {key: value for key, value in wire.items() if key != "do"}
        try:
            form = self._forms.get(str(verb))
            return cast(Command, restore(kind, form(flat) if form else flat))
        except (AttributeError, KeyError, TypeError, ValueError) as wrong:
            why = str(wrong)[:MOST_EXPLAINED]
            raise NotACommand(Sentence("wire.unreadable", {"verb": str(verb), "why": why})) from wrong


def several(value: Any) -> list[Any]:
    """Return the answers of a Pick: a list, or one text, empty for none."""
    if isinstance(value, str):
        return [value] if value else []
    return list(value)


def gathered(flat: dict[str, Any], prefix: str, into: str) -> dict[str, Any]:
    """Move the fields named ``<prefix>_<name>`` into one field, by name."""
    head = f"{prefix}_"
    found = {key.removeprefix(head): flat.pop(key) for key in list(flat) if key.startswith(head)}
    if found:
        flat[into] = {**flat.get(into, {}), **found}
    return flat
