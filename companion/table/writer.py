"""The one writer of a table: an inbox, one thread, in the order decide, append, evolve, show.

Everybody else hands in work and gets a future. Imports the contracts and its neighbours in
``companion.table``; knows no game and no device.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

from companion.board import PieceKind, Place
from companion.game import Game, NotACommand, RuleBroken, Seat, Sum, View, Wire
from companion.journal import Cause, Journal, JournalUnusable, TableRow
from companion.ports import BoardTurn, DeviceStanding, DieRoll, Reading
from companion.table.answers import Refused
from companion.table.eye_lessons import Corrected
from companion.table.looks import Looks
from companion.table.preview import preview, refused_preview
from companion.table.scribe import Scribe
from companion.table.snapshot import Snapshot
from companion.table.strike import Trial, try_replace, try_strike
from companion.table.views import (
    LogLine,
    Moment,
    OpenProposal,
    Receipt,
    ScoreChange,
    StrikePreview,
    Submission,
    TableView,
)
from companion.table.witness import Witness

__all__ = [
    "LogLine",
    "Moment",
    "OpenProposal",
    "Receipt",
    "ScoreChange",
    "StrikePreview",
    "Submission",
    "Table",
    "TableClosed",
    "TableView",
]

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")
Listener = Callable[[], None]
TakenListener = Callable[[int, OpenProposal], None]


SIDES = 6


def fair_face() -> int:
    """Roll a fair die that nobody holds."""
    return secrets.randbelow(SIDES) + 1


class TableClosed(Exception):
    """Something was handed in after the table was closed."""

    def __init__(self, row: TableRow) -> None:
        super().__init__(f"Table {row.id} is closed. Start the service again.")


class Table:
    """A table that is being played: replays its journal, then takes in what happens.

    ``now_utc`` gives ISO 8601, ``now_ms`` the monotonic clock that the devices' times are in, ``throw``
    the face of a die that a phone rolls.
    A table that the journal does not have yet is opened in it; JournalUnusable is raised if
    the journal cannot be read or has entries that the game does not know. Every future of a refused
    thing holds a Receipt that says why; an exception in a future is a fault of the service.
    A future is answered after the change is shown. Listeners are called on the table's thread
    after every change: they must return at once and never wait for a future of the table.
    """

    def __init__(
        self,
        game: Game[Any, Any, Any],
        journal: Journal,
        row: TableRow,
        *,
        now_utc: Callable[[], str],
        now_ms: Callable[[], int],
        throw: Callable[[], int] = fair_face,
    ) -> None:
        if row.id not in {known.id for known in journal.tables()}:
            journal.open_table(row)
        self._game = game
        self._row = row
        self._inbox: SimpleQueue[Callable[[], Callable[[], None]] | None] = SimpleQueue()
        self._door = Lock()
        self._is_closed = False
        self._listeners: tuple[Listener, ...] = ()
        self._scribe = Scribe(game, journal, row, now_utc=now_utc)
        # Ids of proposals from before a restart must not meet those from after it.
        self._witness = Witness(self._scribe, run=format(now_ms(), "x"), now_ms=now_ms, throw=throw)
        try:
            self._scribe.read_on()
        except ValueError as unknown:
            raise JournalUnusable(
                f"Table {row.id} cannot be read: {unknown} Update the companion, or open a new table."
            ) from unknown
        self._witness.catch_up()
        self._shown = self._witness.changes
        self._looks = Looks(game)
        self._snapshot = self._now()
        self._thread = Thread(target=self._work, name=f"table {row.id}", daemon=True)
        self._thread.start()

    def submit(self, submission: Submission) -> Future[Receipt]:
        """Decide and write down a command."""
        return self._ask(lambda: self._scribe.submit(submission))

    def accept(self, proposal_id: str, *, request: str, cause: Cause) -> Future[Receipt]:
        """Take all of an open proposal."""
        return self._answer(cause, request, partial(self._witness.accept, proposal_id))

    def correct(self, proposal_id: str, place: Place, reads: PieceKind, *, cause: Cause) -> Future[Receipt]:
        """Say what lies on one space of an open proposal; the proposal is made anew with it."""
        return self._answer(cause, "", partial(self._witness.correct, proposal_id, place, reads))

    def say(self, place: Place, reads: PieceKind, *, cause: Cause) -> Future[Receipt]:
        """Say what lies on a space that puzzles its seat (the host: on any space)."""
        return self._answer(cause, "", partial(self._witness.say, place, reads))

    def dismiss(self, proposal_id: str, *, cause: Cause) -> Future[Receipt]:
        """Put a proposal away until the reading of its spaces changes."""
        return self._answer(cause, "", partial(self._witness.dismiss, proposal_id))

    def tell_catalogue(self, catalogue: Wire, *, request: str, cause: Cause) -> Future[Receipt]:
        """Let the table know what its box prints, from now on; nothing is written if it knows."""
        return self._answer(cause, request, partial(self._scribe.tell_catalogue, catalogue))

    def sighted(self, reading: Reading) -> Future[None]:
        """Take in what a camera saw."""
        return self._ask(lambda: self._witness.see(reading))

    def rolled(self, roll: DieRoll) -> Future[None]:
        """Take in a roll: a move if it is awaited, else noted."""
        return self._ask(lambda: self._witness.rolled(roll))

    def throw(self, *, request: str, cause: Cause) -> Future[Receipt]:
        """Roll a fair die for the seat that asks, where its game allows it; the log marks it."""
        return self._answer(cause, request, self._witness.throw)

    def turned(self, turn: BoardTurn) -> Future[None]:
        """Take in a turn of the board: a move if it is awaited, else a reminder."""
        return self._ask(lambda: self._witness.turned(turn))

    def stood(self, standing: DeviceStanding) -> Future[None]:
        """Take in how a device is."""
        return self._ask(lambda: self._witness.stood(standing))

    def forget_devices(self) -> Future[None]:
        """Forget how all devices are: others take their place, and say so themselves."""
        return self._ask(self._witness.forget_devices)

    def board_stands(self, *, cause: Cause) -> Future[Receipt]:
        """Take the turning board as it stands for right; nothing is written."""
        return self._answer(cause, "", self._witness.board_stands)

    def preview_strike(self, seqs: Sequence[int]) -> Future[StrikePreview]:
        """Say what striking these entries would change, and which later ones would go with them."""
        return self._ask(lambda: self._preview(lambda: try_strike(self._game, self._scribe.ledger, seqs)))

    def strike(self, seqs: Sequence[int], *, request: str, cause: Cause) -> Future[Receipt]:
        """Strike entries: a seat its own last one in the running phase, the host any.

        Refused while a later entry would break a rule; ``StrikePreview.seqs`` has all that goes together.
        """
        return self._answer(cause, request, partial(self._scribe.strike, seqs))

    def preview_replace(self, seq: int, command: Wire) -> Future[StrikePreview]:
        """Say what putting another command in an entry's place would change."""

        def trial() -> Trial:
            instead = self._game.codec.command_in(command)
            return try_replace(self._game, self._scribe.ledger, seq, instead)

        return self._ask(lambda: self._preview(trial))

    def replace(
        self, seq: int, command: Wire, *, request: str, cause: Cause, also: Sequence[int] = ()
    ) -> Future[Receipt]:
        """Put another command in an entry's place, as if it had been given then.

        ``also`` are later entries to strike with it (``StrikePreview.seqs``).
        """
        return self._answer(cause, request, partial(self._scribe.replace, seq, command, also))

    def look(self, seat: Seat | None) -> TableView:
        """Return what a seat (None: host, big screen) may be shown now. Any thread, at any time.

        Raises ValueError for a seat that the box does not have.
        """
        return self._snapshot.look(seat)

    def sums(self, seat: Seat | None) -> tuple[Sum, ...]:
        """Return why the numbers that a seat may see are what they are. Any thread; replays the journal."""
        return self._snapshot.sums(seat)

    def on_change(self, listener: Listener) -> Callable[[], None]:
        """Call ``listener`` after every change; the returned function ends that."""
        with self._door:
            self._listeners = (*self._listeners, listener)

        def end() -> None:
            with self._door:
                self._listeners = tuple(kept for kept in self._listeners if kept is not listener)

        return end

    def on_taken(self, listener: TakenListener) -> None:
        """Call ``listener`` on the table's thread with each proposal that was taken, and its entry."""
        self._witness.on_taken = listener

    def on_corrected(self, listener: Callable[[Corrected], None]) -> None:
        """Call ``listener`` on the table's thread with what a person said against the eyes."""
        self._witness.on_corrected = listener

    def before(self, entry: int, seat: Seat | None) -> View | None:
        """Return what a seat was shown when an entry was made; None if it does not stand. Any thread."""
        return self._snapshot.before(entry, seat)

    def moment(self, number: int) -> Moment:
        """Return what everybody could see after so many standing entries, of 0 to all. Any thread."""
        return self._snapshot.moment(number)

    def moment_of(self, entry: int) -> int:
        """Return which moment came by an entry, the newest if it does not stand. Any thread."""
        return self._snapshot.moment_of(entry)

    def catalogue(self) -> Wire:
        """Return what the box prints as the table knows it now."""
        return self._game.catalogue(self._snapshot.state)

    def position(self) -> str:
        """Return the state as one line of text."""
        return self._game.position(self._snapshot.state)

    def close(self) -> None:
        """Finish what is in the inbox, then end the thread. The journal stays open."""
        with self._door:
            if not self._is_closed:
                self._is_closed = True
                self._inbox.put(None)
        self._thread.join()

    def _answer(self, cause: Cause, request: str, act: Callable[[Cause], int]) -> Future[Receipt]:
        return self._ask(lambda: self._scribe.answer(cause, request, act))

    def _ask(self, act: Callable[[], Answer]) -> Future[Answer]:
        future: Future[Answer] = Future()
        with self._door:
            if self._is_closed:
                future.set_exception(TableClosed(self._row))
            else:
                self._inbox.put(partial(_done, act, future))
        return future

    def _work(self) -> None:
        while True:
            try:
                due_ms = self._witness.due_ms()
                job = self._inbox.get(timeout=None if due_ms is None else due_ms / 1000)
            except Empty:
                job = partial(_done, self._witness.look_again, Future())
            if job is None:
                return
            tell = job()
            self._show()
            tell()

    def _show(self) -> None:
        """Make a new snapshot if anything changed, and let the listeners know. Never raises."""
        try:
            self._witness.catch_up()
        except Exception:
            log.exception("table %s: the game cannot explain what was seen", self._row.id)
        if self._witness.changes == self._shown:
            return
        self._shown = self._witness.changes
        try:
            self._snapshot = self._now()
        except Exception:
            log.exception("table %s: what happened is written down and cannot be shown", self._row.id)
        for listener in self._listeners:
            try:
                listener()
            except Exception:
                log.exception("table %s: a listener failed; what happened is written down", self._row.id)

    def _now(self) -> Snapshot:
        scribe, witness = self._scribe, self._witness
        return Snapshot(
            game=self._game,
            row=self._row,
            looks=self._looks,
            seq=scribe.ledger.seq,
            shown=self._shown,
            state=scribe.state,
            reading=None if scribe.ledger.steps else witness.reading(),
            proposals=witness.open,
            puzzles=witness.proposals.puzzles,
            devices=tuple(witness.devices.values()),
            log={reader: scribe.told.lines(reader) for reader in (None, *self._game.seats)},
            last_steps={seat: scribe.ledger.last_step_of(seat) for seat in self._game.seats},
            last_roll=witness.last_roll,
            reminders=witness.reminders,
            board_needs=witness.board_needs,
            board_told=witness.board_told,
            is_board_astray=witness.is_board_astray,
            steps=tuple(scribe.ledger.steps),
        )

    def _preview(self, trial: Callable[[], Trial]) -> StrikePreview:
        scribe = self._scribe
        try:
            return preview(self._game, scribe.state, scribe.told, trial())
        except (RuleBroken, NotACommand, Refused) as refused:
            return refused_preview(refused.why)


def _done(act: Callable[[], Answer], future: Future[Answer]) -> Callable[[], None]:
    """Do a piece of work; return what tells its future how it went."""
    if not future.set_running_or_notify_cancel():
        return lambda: None
    try:
        return partial(future.set_result, act())
    except Exception as fault:
        log.exception("table: a fault of the service")
        return partial(future.set_exception, fault)
