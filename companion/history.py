"""What happened, each event with the states around it, and how a number changed by it.

``Game.sums`` reads sums off these: a line is an event that changed a number, so a sum adds up by
itself. Pure; imports nothing of the house.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

State = TypeVar("State")
Event = TypeVar("Event")


@dataclass(frozen=True, slots=True)
class Happened(Generic[State, Event]):
    """One event with the states around it."""

    before: State
    event: Event
    after: State

    @property
    def round(self) -> int | None:
        """The round that it happened in, where a state counts ``round``; None before the first."""
        return getattr(self.after, "round", 0) or None

    @property
    def seat(self) -> Any:
        """The seat that an event names as ``seat``, None if it names none."""
        return getattr(self.event, "seat", None)


def happened(state: State, history: Sequence[tuple[State, Event]]) -> tuple[Happened[State, Event], ...]:
    """Return all that still stands; ``history`` is each event with the state before it."""
    later = [*(before for before, _ in history[1:]), state]
    return tuple(
        Happened(before, event, after) for (before, event), after in zip(history, later, strict=False)
    )


def changes(
    past: Sequence[Happened[State, Event]], number: Callable[[State], int]
) -> Iterator[tuple[Happened[State, Event], int]]:
    """Yield what changed a number, and by how much."""
    for step in past:
        change = number(step.after) - number(step.before)
        if change:
            yield step, change
