"""A moment of a table, for any thread: views are worked out when somebody looks, once per seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from companion.game import Choice, Game, Puzzled, Seat, Sentence, Sum, View
from companion.journal import TableRow
from companion.ports import DeviceStanding, DieRoll, Reading
from companion.table.cautions import cautioned
from companion.table.ledger import Step
from companion.table.looks import Looks
from companion.table.missing import missed
from companion.table.strike import is_running
from companion.table.views import LogLine, Moment, OpenProposal, TableView


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What stood at one moment. ``last_steps`` are the entries that seats might take back.

    ``looks`` is what the game made of its states so far, shared with other moments.
    """

    game: Game[Any, Any, Any]
    row: TableRow
    looks: Looks
    seq: int
    shown: int
    state: Any
    reading: Reading | None
    proposals: tuple[OpenProposal, ...]
    puzzles: tuple[Puzzled, ...]
    devices: tuple[DeviceStanding, ...]
    log: Mapping[Seat | None, tuple[LogLine, ...]]
    last_steps: Mapping[Seat, Step | None]
    last_roll: DieRoll | None
    reminders: tuple[Sentence, ...]
    board_needs: tuple[Sentence, ...] = ()
    board_told: Sentence | None = None
    is_board_astray: bool = False
    steps: tuple[Step, ...] = ()
    _views: dict[Seat | None, TableView] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def look(self, seat: Seat | None) -> TableView:
        """Return what a seat (None: host, big screen) may be shown."""
        if seat is not None and seat not in self.log:
            raise ValueError(f"There is no seat {seat}; the box has {', '.join(self.game.seats)}.")
        with self._lock:
            if seat not in self._views:
                self._views[seat] = self._view(seat)
            return self._views[seat]

    def sums(self, seat: Seat | None) -> tuple[Sum, ...]:
        """Return the sums behind the numbers that a seat may see, from everything that stands."""
        history = []
        for step in self.steps:
            state = step.before
            for event in step.entry.events:
                history.append((state, event))
                state = self.game.evolve(state, event)
        return tuple(self.game.sums(self.state, history, seat))

    def before(self, entry: int, seat: Seat | None) -> View | None:
        """Return what a seat was shown when an entry was made; None if it does not stand."""
        step = next((step for step in self.steps if entry in step.entry.seqs), None)
        return None if step is None else self.game.view(step.before, seat)

    def moment_of(self, entry: int) -> int:
        """Return which moment came by an entry, the newest if it does not stand."""
        numbers = (number for number, step in enumerate(self.steps, 1) if entry in step.entry.seqs)
        return next(numbers, len(self.steps))

    def moment(self, number: int) -> Moment:
        """Return what everybody could see after so many standing entries."""
        number = min(max(number, 0), len(self.steps))
        after = self.steps[number].before if number < len(self.steps) else self.state
        view = self.game.view(after, None)
        if number == 0:
            return Moment(0, len(self.steps), 0, view, (), is_running=False)
        step = self.steps[number - 1]
        lines = tuple(line for line in self.log[None] if line.seq in step.entry.seqs)
        runs = not self.game.view(self.state, None).is_over and is_running(self.game, step, self.state)
        return Moment(number, len(self.steps), step.entry.first, view, lines, is_running=runs)

    def _view(self, seat: Seat | None) -> TableView:
        look = self.looks.at(self.state)
        return TableView(
            table=self.row.id,
            game=self.row.game,
            seq=self.seq,
            shown=self.shown,
            view=look.view(seat),
            proposals=tuple(open_ for open_ in self.proposals if seat in (None, open_.proposal.seat)),
            puzzles=tuple(puzzle for puzzle in self.puzzles if seat in (None, puzzle.seat)),
            devices=self.devices,
            log=self.log[seat],
            own_last=None if seat is None else self._own_last(seat),
            last_roll=self.last_roll,
            opening=self._opening() if seat is None else (),
            reminders=self.reminders,
            board_told=self.board_told,
            is_board_astray=self.is_board_astray,
            cautions=cautioned(self.devices, self.game.box.owners, seat),
            missing=(*missed(self.devices, look.prompts), *self.board_needs),
        )

    def _own_last(self, seat: Seat) -> LogLine | None:
        step = self.last_steps.get(seat)
        if step is None or self.looks.at(step.before).phase != self.looks.at(self.state).phase:
            return None
        seqs = step.entry.seqs
        return next((line for line in reversed(self.log[seat]) if line.seq in seqs), None)

    def _opening(self) -> tuple[Choice, ...]:
        return tuple(self.game.take_over(self.state, self.reading))
