"""Offer to take a table over as it stands, from its position line."""

from __future__ import annotations

from companion.game import Choice, Line, Weight
from companion.games.mad_science.state import Phase, State
from companion.games.mad_science.words import say
from companion.ports import Reading


def take_over(state: State, reading: Reading | None) -> tuple[Choice, ...]:
    """Return a form for a position line, until somebody has set the table up."""
    if state.phase is not Phase.OPEN:
        return ()
    line = Line("position", say("field.position"))
    return (Choice(say("choice.take_over_line"), {"do": "take_over"}, (line,), Weight.QUIET),)
