"""What a game makes of its states, asked for once each: views, prompts, the phase. Any thread."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from companion.game import Game, Prompt, Seat, View

KEPT = 16
"""Of so many states: the newest one, and those that each seat made its last entry in."""


def phase_of(view: View) -> tuple[str, int | None]:
    """Return what tells one phase of a game from the next, by the view that everybody has."""
    return (view.phase.key, view.round)


class Look:
    """What a game makes of one state, worked out when somebody asks."""

    def __init__(self, game: Game[Any, Any, Any], state: Any) -> None:
        self._game = game
        self._views: dict[Seat | None, View] = {}
        self.state = state

    def view(self, seat: Seat | None) -> View:
        """Return what a seat (None: host, big screen) may know."""
        if seat not in self._views:
            self._views[seat] = self._game.view(self.state, seat)
        return self._views[seat]

    @cached_property
    def prompts(self) -> tuple[Prompt, ...]:
        """Return what everybody is asked."""
        return tuple(self._game.prompts(self.state))

    @property
    def phase(self) -> tuple[str, int | None]:
        """Return what tells one phase of a game from the next."""
        return phase_of(self.view(None))


class Looks:
    """The newest states of a game with what it makes of them.

    Each tap asks for the phase that the last entry of every seat was made in. Moments of one state share what
    was worked out: what a camera or a device says changes no view of the game, and advice takes its time.
    """

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self._game = game
        self._kept: tuple[Look, ...] = ()

    def at(self, state: Any) -> Look:
        """Return what the game makes of a state, by the very object."""
        known = next((look for look in self._kept if look.state is state), None)
        if known is None:
            known = Look(self._game, state)
            self._kept = (known, *self._kept[: KEPT - 1])
        return known
