"""Setting up and tidying away, as far as the excerpt and our mats need it; the box's guide comes first."""

from __future__ import annotations

from companion.game import Panel, Sentence
from companion.games.monster_graveyard.components import DECKS
from companion.games.monster_graveyard.state import Phase, State
from companion.games.monster_graveyard.words import say

LAID_OUT = ("A", "B", "C", "D", "E")

Row = tuple[Sentence, Sentence | str | int]


def table_steps(state: State) -> tuple[Panel, ...]:
    """Return what is laid out for everybody, step by step, before the first phase is chosen."""
    if state.phase is not Phase.OPEN and (state.turn > 1 or state.chosen):
        return ()
    rows: tuple[Row, ...] = tuple(
        (say("setup.step", letter=letter), say(f"setup.{letter}")) for letter in LAID_OUT
    )
    return (
        (Panel("set_up", say("panel.set_up"), rows, is_read=True),) if state.phase is not Phase.OVER else ()
    )


def own_steps(state: State) -> tuple[Sentence, ...]:
    """Return what a seat looks after itself before the first phase is chosen."""
    return () if state.turn > 1 or state.chosen else (say("setup.own"),)


def table_tidying(state: State) -> tuple[Panel, ...]:
    """Return what is tidied away for everybody when the game is over."""
    if state.phase is not Phase.OVER:
        return ()
    rows: tuple[Row, ...] = tuple(
        (say(f"tidy.{what}"), say(f"tidy.{what}.where")) for what in ("parts", "dice")
    )
    decks = tuple(say("deck", deck=deck) for deck in DECKS)
    research = (say("tidy.research"), say("tidy.research.where", decks=decks))
    return (Panel("tidy", say("panel.tidy"), (*rows, research), is_read=True),)
