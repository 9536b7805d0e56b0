"""What a reading of a player's zone proposes; written in ``sighted``."""

from __future__ import annotations

from collections.abc import Sequence

from companion.game import Sighting
from companion.games.mad_science.state import State
from companion.ports import Reading


def sighted(state: State, reading: Reading) -> Sequence[Sighting]:
    """Explain a reading."""
    return ()
