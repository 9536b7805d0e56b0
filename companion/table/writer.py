"""The one writer of a table: an inbox, one thread, in the order decide, append, evolve, show.

Everybody else hands in work and gets a future. Imports the contracts and its neighbours in
``companion.table``; knows no game and no device.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

from companion.board import PieceKind, Place
from companion.game import Game, Seat, Wire
from companion.journal import Cause, Journal, TableRow
from companion.ports import BoardTurn, DeviceStanding, DieRoll, Reading
from companion.table.views import (
    LogLine,
    OpenProposal,
    Receipt,
    ScoreChange,
    StrikePreview,
    Submission,
    TableView,
)

__all__ = [
    "LogLine",
    "OpenProposal",
    "Receipt",
    "ScoreChange",
    "StrikePreview",
    "Submission",
    "Table",
    "TableView",
]


class Table:
    """A table that is being played: replays its journal, then takes in what happens.

    ``now_utc`` gives ISO 8601, ``now_ms`` the monotonic clock that the devices' times are in.
    Every future of a refused thing holds a Receipt that says why; exceptions in a future are
    faults of the service. Listeners are called on the table's thread after every change: they
    must return at once and never wait for a future of the table.
    """

    def __init__(
        self,
        game: Game[Any, Any, Any],
        journal: Journal,
        row: TableRow,
        *,
        now_utc: Callable[[], str],
        now_ms: Callable[[], int],
    ) -> None:
        raise NotImplementedError

    def submit(self, submission: Submission) -> Future[Receipt]:
        """Decide and write down a command."""
        raise NotImplementedError

    def accept(self, proposal_id: str, *, request: str, cause: Cause) -> Future[Receipt]:
        """Take all of an open proposal."""
        raise NotImplementedError

    def correct(self, proposal_id: str, place: Place, reads: PieceKind, *, cause: Cause) -> Future[Receipt]:
        """Say what lies on one space of an open proposal; the proposal is made anew with it."""
        raise NotImplementedError

    def dismiss(self, proposal_id: str, *, cause: Cause) -> Future[Receipt]:
        """Put a proposal away until the reading of its spaces changes."""
        raise NotImplementedError

    def sighted(self, reading: Reading) -> Future[None]:
        """Take in what a camera saw."""
        raise NotImplementedError

    def rolled(self, roll: DieRoll) -> Future[None]:
        """Take in a roll: a move if it is awaited, else noted."""
        raise NotImplementedError

    def turned(self, turn: BoardTurn) -> Future[None]:
        """Take in a turn of the board: a move if it is awaited, else a reminder."""
        raise NotImplementedError

    def stood(self, standing: DeviceStanding) -> Future[None]:
        """Take in how a device is."""
        raise NotImplementedError

    def preview_strike(self, seqs: Sequence[int]) -> Future[StrikePreview]:
        """Say what striking these entries would change, and which later ones would go with them."""
        raise NotImplementedError

    def strike(self, seqs: Sequence[int], *, request: str, cause: Cause) -> Future[Receipt]:
        """Strike entries: a seat its own last one in the running phase, the host any.

        Refused while a later entry would break a rule; ``StrikePreview.seqs`` has all that goes together.
        """
        raise NotImplementedError

    def preview_replace(self, seq: int, command: Wire) -> Future[StrikePreview]:
        """Say what putting another command in an entry's place would change."""
        raise NotImplementedError

    def replace(
        self, seq: int, command: Wire, *, request: str, cause: Cause, also: Sequence[int] = ()
    ) -> Future[Receipt]:
        """Put another command in an entry's place, as if it had been given then.

        ``also`` are later entries to strike with it (``StrikePreview.seqs``).
        """
        raise NotImplementedError

    def look(self, seat: Seat | None) -> TableView:
        """Return what a seat (None: host, big screen) may be shown now. Any thread, at any time."""
        raise NotImplementedError

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call ``listener`` after every change; the returned function ends that."""
        raise NotImplementedError

    def position(self) -> str:
        """Return the state as one line of text."""
        raise NotImplementedError

    def close(self) -> None:
        """Finish what is in the inbox, then end the thread. The journal stays open."""
        raise NotImplementedError
