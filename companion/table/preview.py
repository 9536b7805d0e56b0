"""What a strike would change, told before anything is written. Pure."""

from __future__ import annotations

from typing import Any

from companion.game import Game, Sentence, View
from companion.table.ledger import Entry
from companion.table.strike import Trial
from companion.table.told import Told, public
from companion.table.views import FigureChange, LogLine, ScoreChange, StrikePreview


def preview(game: Game[Any, Any, Any], state: Any, told: Told, trial: Trial) -> StrikePreview:
    """Return every seat's score before and after, and the entries that would go."""
    now, then = game.view(state, None), game.view(trial.state, None)
    before = {seat.seat: seat.score for seat in now.seats}
    after = {seat.seat: seat.score for seat in then.seats}
    seats = [seat for seat in game.seats if seat in before or seat in after]
    return StrikePreview(
        seqs=trial.seqs,
        lines=tuple(_line(told, entry) for entry in trial.asked),
        also=tuple(_line(told, entry) for entry in trial.also),
        scores=tuple(ScoreChange(seat, before.get(seat, 0), after.get(seat, 0)) for seat in seats),
        figures=_figures(now, then),
        phase=None if (now.phase, now.round) == (then.phase, then.round) else then.phase,
    )


def refused_preview(why: Sentence) -> StrikePreview:
    """Return the preview of something that cannot be done."""
    return StrikePreview(seqs=(), lines=(), also=(), scores=(), why=why)


def _figures(now: View, then: View) -> tuple[FigureChange, ...]:
    """Return which gauges everybody would see changed."""
    left = {panel.key: panel.gauge[0] for panel in now.panels if panel.gauge}
    changes = [
        FigureChange(panel.title, left[panel.key], panel.gauge[0])
        for panel in then.panels
        if panel.gauge and left.get(panel.key, panel.gauge[0]) != panel.gauge[0]
    ]
    return tuple(changes)


def _line(told: Told, entry: Entry) -> LogLine:
    """Return the line of an entry that anybody may read; a secret one is named without its content."""
    line = told.line(entry, None)
    if line is not None:
        return line
    say = Sentence("table.log.secret")
    return LogLine(entry.first, entry.at_utc, say, public(entry.cause), entry.struck_by is not None, None)
