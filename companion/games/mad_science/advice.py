"""Odds as seats are told them, if the table agreed to: what the next rolls may come to."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import Panel, Seat, Sentence
from companion.games.mad_science.odds import Fates, expected_taken, fates, share
from companion.games.mad_science.state import Phase, State
from companion.games.mad_science.words import say


def panels(state: State) -> tuple[Panel, ...]:
    """Return the odds of whoever rolls now; nothing while odds are not agreed on or nobody rolls."""
    seat = state.turn.seat
    if not state.odds or seat is None:
        return ()
    found = fates(state, seat)
    if found is None:
        return ()
    rows = tuple((what, _percent(chance)) for what, chance in _rows(state, seat, found))
    mean = round(10 * expected_taken(found))
    average = (say("odds.average"), say("odds.tenths", whole=mean // 10, tenths=mean % 10))
    title = say("panel.odds", seat=say(f"seat.{seat}"))
    return (Panel("odds", title, (*rows, average), is_advice=True),)


def _rows(state: State, seat: Seat, found: Fates) -> Iterator[tuple[Sentence, float]]:
    is_break = state.phase is Phase.BREAK
    target = state.turn.target
    other = (state.creatures[target].life or 0 if target else 0) if is_break else state.experiment_life or 0
    if other:
        yield say("odds.hits_target" if is_break else "odds.hits_experiment"), share(found, taken=1)
        yield say("odds.downs_target" if is_break else "odds.beats"), share(found, taken=other)
    breaks = sum(chance for fate, chance in found.items() if fate.breaks)
    if breaks:
        yield say("odds.breaks"), breaks
    own = state.creatures[seat].life or 0
    if own:
        yield say("odds.loses"), share(found, lost=1)
        yield say("odds.falls"), share(found, lost=own)
    drops = sum(chance for fate, chance in found.items() if fate.drops)
    if drops:
        yield say("odds.drops"), drops


def _percent(chance: float) -> Sentence:
    """Return a chance in whole per cent; only what is impossible or certain is said to be so."""
    if 0 < chance < 0.005:
        return say("odds.hardly")
    if 0.995 < chance < 1 - 1e-9:
        return say("odds.nearly")
    return say("odds.percent", count=round(100 * chance))
