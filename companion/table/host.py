"""The host of the evening: opens the journal, finds game and box, and wires table and senses.

Everything that lives is made here and handed down. Imports its neighbours in
``companion.table``; games and devices come in by entry point.
"""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from companion.game import Wire
from companion.journal import Cause, Journal, JournalUnusable, TableId, TableRow
from companion.plugins import Found, find, load
from companion.ports import BoardTurn, ButtonPress, DeviceStanding, DieRoll, PanelLight, Reading
from companion.settings import CannotStart, Settings, home
from companion.table.boxes import (
    box_folder,
    catalogue_of,
    check_still_fits,
    correct,
    has_eyes,
    taught_boxes,
)
from companion.table.evidence import Evidence
from companion.table.eye_lessons import EyeLessons
from companion.table.home_lock import LOCK_WAIT_S, take_home, tell_address
from companion.table.learning import Learning
from companion.table.openings import GAMES, Openings
from companion.table.panel import Panels
from companion.table.past import Past, read_past
from companion.table.photo_seen import then_seen
from companion.table.recording import write_table
from companion.table.replay import about
from companion.table.running_phase import RunningPhase
from companion.table.saved_recording import SavedRecording, beside
from companion.table.senses import Senses
from companion.table.senses_asked import EyesClosed
from companion.table.senses_messages import Heard, JobDone, PhotoRead, RecordingSaved
from companion.table.sqlite_journal import journal_path, open_sqlite_journal
from companion.table.starts import WHOLE, Start
from companion.table.unawaited import log_faults
from companion.table.writer import Receipt, Table, TableClosed

log = logging.getLogger(__name__)

RECORDINGS = "recordings"
EVIDENCE = "evidence.sqlite"
ANSWER_S = 5.0


class Host:
    """A service without its web: one table that is played, its journal, its senses.

    ``table`` is replaced by ``new_table``; who follows it follows ``on_table``. Needs no device
    and no taught box. ``begin_again`` ends this service for a fresh one. Made by ``open_host``.
    """

    def __init__(
        self,
        settings: Settings,
        journal: Journal,
        lock: IO[str],
        start: Start,
        begin_again: Callable[[], None],
    ) -> None:
        self.settings = settings
        self.start = start
        self.begin_again = begin_again
        self._journal = journal
        self._lock_file = lock
        self._swap = threading.RLock()
        self._listeners: list[Callable[[Table], None]] = []
        self._standings: dict[tuple[str, str], DeviceStanding] = {}
        self._senses: Senses | None = None
        self._is_closed = False
        self._past: Past | None = None
        self._learning = Learning()
        self._eye_lessons = EyeLessons(self._correct_eyes, _now_utc)
        self.evidence = Evidence(home() / EVIDENCE)
        self._openings = Openings(journal, is_safe=start.is_safe, follow=self._follow)
        first = self._openings.first(settings.table)
        self._row, self.game, self.table = first.row, first.game, first.table
        self._running = RunningPhase(self.table)
        self._learning.follow(self.game, self._row, self.table)
        self._panels = Panels(self._show, settings.power.off)
        self._open_senses()
        self._panels.follow(self.table, self.game.seats)

    @property
    def row(self) -> TableRow:
        """The table being played as the journal names it: its id, game, box and catalogue."""
        return self._row

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages whose catalogues say what this table says, for a ``Speaker``."""
        return (self.game.package, "companion")

    @property
    def senses_pid(self) -> int | None:
        """The process id of the senses, None without devices or between two of them."""
        return self._senses.pid if self._senses else None

    @property
    def has_eyes(self) -> bool:
        """Whether the box on the table was taught from pictures, so that photos of it can be read."""
        return has_eyes(self._row.box)

    def games(self) -> Mapping[str, Found]:
        """Return the games that are installed, by name."""
        return find(GAMES)

    def boxes(self) -> Sequence[str]:
        """Return the names of the taught boxes."""
        return taught_boxes()

    def new_table(self, *, game: str | None = None, box: str | None = None) -> Table:
        """Open a new table and play at it from now on; what is not named is as in the settings.

        Raises PartMissing, PartBroken, BoxUnusable or JournalUnusable, and then goes on with the
        table as it is.
        """
        with self._swap:
            opened = self._openings.anew(
                self.settings.table.game if game is None else game,
                self.settings.table.box if box is None else box,
            )
            before, is_other_box = self.table, opened.row.box != self._row.box
            self._row, self.game, self.table = opened.row, opened.game, opened.table
            self._running = RunningPhase(self.table)
            self._learning.follow(self.game, self._row, self.table)
            self._panels.follow(self.table, self.game.seats)
            for standing in self._standings.values():
                log_faults(self.table.stood(standing))
        before.close()
        for listener in list(self._listeners):
            listener(opened.table)
        if is_other_box:
            self._close_senses()
            self._open_senses()
        self.look_now()
        return opened.table

    def _follow(self, row: TableRow, table: Table) -> None:
        """Learn from what is corrected at a table, and keep the pictures of what is taken there."""
        table.on_corrected(self._eye_lessons.take)
        table.on_taken(lambda entry, taken: self.evidence.keep(row.id, entry, taken))

    def correct_box(self, box: str, change: Callable[[Wire], Wire], *, request: str, cause: Cause) -> Receipt:
        """Change what a box prints; a table that is played with it knows it from then on.

        The table's rules may refuse a change that contradicts what lies there; then the box stays, too.
        Raises BoxUnusable, CatalogueRefused and what ``change`` raises.
        """
        before = catalogue_of(box)
        after = change(before)
        check_still_fits(self.game, box, before, after)
        if box == self._row.box:
            told = self.table.tell_catalogue(after, request=request, cause=cause).result(ANSWER_S)
            if not told.is_done:
                return told
        correct(box, change)
        return Receipt(True, self.table.look(None).seq)

    def on_table(self, listener: Callable[[Table], None]) -> Callable[[], None]:
        """Call ``listener`` with each new table; the returned function ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def look_now(self) -> None:
        """Let the table hear once more what the cameras last saw."""
        if self._senses:
            self._senses.look_now()

    def read_photo(self, coded: bytes, source: str) -> Future[Reading]:
        """Read a photo as a phone sent it and let the table see it; ``source`` names it there.

        The future holds the reading once the table has taken it in, or EyesClosed. Raises
        EyesClosed without a taught box, and TooManyAsked.
        """
        if self._senses is None:
            raise EyesClosed("No box is taught that pictures could be compared with.")
        return then_seen(self._senses.read_photo(coded, source), self._sighted)

    def use(self, settings: Settings) -> None:
        """Go on with other settings: the senses begin anew with their devices, tables open as they say."""
        self.settings = settings
        self._close_senses()
        with self._swap:
            self._standings.clear()
            log_faults(self.table.forget_devices())
        self._open_senses()

    def reopen_eyes(self) -> None:
        """Open the eyes anew: the box on the table was taught anew."""
        self._close_senses()
        self._open_senses()

    def _correct_eyes(self, job: str, told: Wire) -> Future[Wire] | None:
        """Let eyes that are open learn from a correction; None when there are none."""
        with self._swap:
            return self._senses.do_job(job, told) if self._senses and self.has_eyes else None

    def save_recording(self) -> Future[SavedRecording]:
        """Save what was sensed and played of late into a folder of its own, to be played again.

        What may still be a secret is left out: entries of the running phase, and in pictures taken since
        it began whatever lies beside the boards. The future holds EyesClosed when nothing is
        recorded. Raises TooManyAsked.
        """
        if self._senses is None or not self.settings.senses.recorder_mb:
            raise EyesClosed("Nothing is recorded: no senses, or recorder_mb is 0.")
        folder = home() / RECORDINGS / f"{_now_utc().replace(':', '-')}-{self._row.id}"
        asked = self._senses.save_recording(folder, secret_since_ms=self._running.since_ms)
        return beside(folder, asked, lambda: self._write_table(folder))

    def do_job(self, job: str, told: Wire, coded: bytes = b"") -> Future[Wire]:
        """Let the senses do work with pictures; they are started for it where there are no devices.

        The future holds the job's answer, or EyesClosed. Raises TooManyAsked.
        """
        with self._swap:
            self._senses = self._senses or self._new_senses()
            return self._senses.do_job(job, told, coded)

    def _write_table(self, folder: Path) -> None:
        """Lay the table's entries beside what the senses saved."""
        records = [one for one in self._journal.read(self._row.id) if one.seq <= self._running.seq]
        write_table(folder, about(self.game, self._row, records, _now_utc()), records)

    def _sighted(self, reading: Reading) -> Future[None]:
        with self._swap:
            return self.table.sighted(reading)

    def has_answered(self, *, timeout_s: float = ANSWER_S) -> bool:
        """Ask the table's thread something harmless and tell whether it answered in time."""
        try:
            self.table.preview_strike(()).result(timeout=timeout_s)
        except (TimeoutError, TableClosed):
            return False
        return True

    def tell_address(self, address: str) -> None:
        """Tell who looks into the home folder that pages can be had at an address."""
        tell_address(self._lock_file, address)

    def close(self) -> None:
        """Put everything down in order: senses, table, journal, and last the home folder."""
        if self._is_closed:
            return
        self._is_closed = True
        self._eye_lessons.close()
        self._close_senses()
        self.table.close()
        self._learning.close()
        self.evidence.close()
        self._journal.close()
        self._lock_file.close()

    def past(self, table: TableId) -> Past | None:
        """Return an evening that is over, to leaf through; None if nobody knows it any more."""
        past = self._past
        if past is None or past.row.id != table:  # each page and picture of it asks, and it changes no more
            past = self._past = read_past(self._journal, table, lambda name: load(GAMES, name))
        return past

    def forget(self, table: TableId) -> None:
        """Delete for good what was seen at a table: pictures of proposals, and recordings."""
        self._past = None
        self.evidence.forget(table)
        for folder in (home() / RECORDINGS).glob(f"*-{table}"):
            shutil.rmtree(folder)

    def _open_senses(self) -> None:
        settings = self.settings
        # With a taught box and nothing else, phones can still send photos.
        devices = (*settings.cameras, *settings.dice, *settings.board_sensors, *settings.panels)
        if devices or self.has_eyes:
            self._senses = self._new_senses()
            self._senses.show(self._panels.light)

    def _new_senses(self) -> Senses:
        folder = box_folder(self._row.box) if self.has_eyes else None
        return Senses(self.settings, on_message=self._heard, box_folder=folder)

    def _show(self, light: PanelLight) -> None:
        if self._senses:
            self._senses.show(light)

    def _close_senses(self) -> None:
        if self._senses:
            self._senses.close()
            self._senses = None

    def _heard(self, message: Heard) -> None:
        with self._swap:
            table = self.table
            match message:
                case Reading():
                    log_faults(table.sighted(message))
                case DieRoll():
                    log_faults(table.rolled(message))
                case BoardTurn():
                    log_faults(table.turned(message))
                case ButtonPress():
                    self._panels.pressed(message)
                case DeviceStanding():
                    self._standings[(message.device, message.kind)] = message
                    log_faults(table.stood(message))
                case PhotoRead() | RecordingSaved() | JobDone():  # answered before it comes here
                    pass


def open_host(settings: Settings, *, lock_wait_s: float = LOCK_WAIT_S) -> Host:
    """Take the home folder, open its journal and go on with the newest table, or a new one.

    Raises CannotStart (HomeTaken, BoxUnusable or its like) or PartUnusable, each in one sentence.
    """
    lock = take_home(home(), wait_s=lock_wait_s)
    try:
        return host_in(settings, lock)
    except BaseException as error:
        lock.close()
        if isinstance(error, JournalUnusable):
            raise CannotStart(str(error)) from error
        raise


def host_in(
    settings: Settings,
    lock: IO[str],
    start: Start = WHOLE,
    begin_again: Callable[[], None] = lambda: None,
) -> Host:
    """Open a host in a home folder that is locked for it; it lets go of the lock when it is closed.

    Raises CannotStart (BoxUnusable or its like), PartUnusable or JournalUnusable, and leaves the lock.
    """
    journal = open_sqlite_journal(journal_path(settings))
    try:
        return Host(settings, journal, lock, start, begin_again)
    except BaseException:
        journal.close()
        raise


def _now_utc() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
