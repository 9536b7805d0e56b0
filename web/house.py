"""What the web asks of the house it stands in: the table that is played, and a way to a new one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Protocol

from companion.game import Game, Wire
from companion.journal import Cause, TableId, TableRow
from companion.ports import Reading
from companion.settings import Settings
from companion.table.evidence import Evidence
from companion.table.past import Past
from companion.table.saved_recording import SavedRecording
from companion.table.starts import Start
from companion.table.writer import Receipt, Table


class TableHost(Protocol):
    """The part of ``companion.table.host.Host`` that pages need."""

    settings: Settings
    table: Table
    game: Game[Any, Any, Any]
    evidence: Evidence
    start: Start
    begin_again: Callable[[], None]
    """End this service for a fresh one, which reads the settings anew."""

    @property
    def row(self) -> TableRow:
        """The table as the journal names it: its id, game and box."""

    @property
    def has_eyes(self) -> bool:
        """Whether photos of the table can be read: its box was taught from pictures."""

    def games(self) -> Mapping[str, Any]:
        """Return the games that are installed, by name."""

    def boxes(self) -> Sequence[str]:
        """Return the names of the taught boxes."""

    def new_table(self, *, game: str | None = None, box: str | None = None) -> Table:
        """Open a new table and play at it from now on."""

    def read_photo(self, coded: bytes, source: str) -> Future[Reading]:
        """Read a photo as a phone sent it and let the table see it."""

    def do_job(self, job: str, told: Wire, coded: bytes = b"") -> Future[Wire]:
        """Let the senses do work with pictures (entry point ``companion.jobs``)."""

    def reopen_eyes(self) -> None:
        """Open the eyes anew, for the box on the table was taught anew."""

    def save_recording(self) -> Future[SavedRecording]:
        """Save what was sensed and played of late into a folder of its own."""

    def correct_box(self, box: str, change: Callable[[Wire], Wire], *, request: str, cause: Cause) -> Receipt:
        """Change what a box prints, for a table that is played with it, too."""

    def past(self, table: TableId) -> Past | None:
        """Return an evening that is over, to leaf through; None if nobody knows it any more."""

    def forget(self, table: TableId) -> None:
        """Delete for good what was seen at a table: pictures of proposals, and recordings."""

    def on_table(self, listener: Callable[[Table], None]) -> Callable[[], None]:
        """Call ``listener`` with each new table; the returned function ends that."""
