"""Safe mode: when a start cannot be a whole one, the table is opened without what stands in the way.

Without devices, without strangers' parts, with the last settings that worked; a damaged journal is moved
aside. What is wrong is kept as sentences, for the pages to say. Only what no table can do without still
keeps it from opening: the home folder, its lock, a journal that somebody else holds.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from companion import chosen
from companion.game import Sentence
from companion.journal import JournalDamaged, JournalUnusable
from companion.plugins import ONLY_BUILT_IN, PartUnusable
from companion.settable import as_tree
from companion.settings import CannotStart, Settings, home, load, parse
from companion.table.backup import EVIDENCE, SEATS
from companion.table.home_lock import take_home
from companion.table.host import Host, host_in
from companion.table.restore import Intent, put_back, put_in_place, settle, wanted
from companion.table.sqlite_journal import journal_path
from companion.table.starts import BROKEN_UNTIL_SAFE, Marks, Start, Starts
from companion.whole_files import write_whole

log = logging.getLogger(__name__)

HEAD = "# The settings with which the companion was well the last time. It keeps this by itself.\n"
WELL_AFTER_S = 2.0
LAST_GOOD = "companion.last-good.toml"
"""In the home folder: the settings with which a service was well the last time."""


class SettingsKept(Exception):
    """Broken settings that this service may not write over."""

    def __init__(self, broken: Path, good: Path, why: str) -> None:
        super().__init__(f"{broken} cannot be written: {why}. Mend it there, or copy {good} over it.")


def open_at_any_rate(
    path: Path | None, *, begin_again: Callable[[], None], also: Sequence[Sentence] = ()
) -> Host:
    """Open the table of the home folder: whole if that can be done, else in safe mode.

    ``path`` is the settings file, None: the usual one; ``also`` is what went wrong already and hinders
    nothing. Raises CannotStart (HomeTaken or its like) or
    JournalUnusable if not even that can be done.
    """
    folder = home()
    lock = take_home(folder)
    with ExitStack() as undo:
        undo.callback(lock.close)
        # Where not even a safe one helps a page says why, and tries again: such starts are no broken ones.
        undo.callback(Starts(folder).keep, Starts(folder).marks())
        host = _with_restored(path, folder, Start(tuple(also)), lock, begin_again)
        if host is None:
            settings, start = _choose(path, folder, _without_damage(folder, Start(tuple(also))))
            host = _opened(settings, start, lock, begin_again)
        undo.pop_all()
    return host


def keep_well(host: Host) -> None:
    """Write down that this start was a good one, and with which settings. A safe one proves nothing."""
    if host.start.is_safe:
        return
    folder = home()
    Starts(folder).keep(Marks())
    kept, text = folder / LAST_GOOD, chosen.written(as_tree(host.settings), head=HEAD)
    try:
        if not (kept.exists() and kept.read_text(encoding="utf-8") == text):
            write_whole(kept, text.encode())
    except OSError as error:
        log.warning("settings: no copy of them is kept: %s", error.strerror or error)


def _with_restored(
    path: Path | None, folder: Path, start: Start, lock: IO[str], begin_again: Callable[[], None]
) -> Host | None:
    """Open the table with a backup that is to be restored, if there is one; what fails is put back."""
    intent = wanted(folder)
    if intent is None:
        return None
    if intent.is_begun:
        _undo(folder, intent, "The computer or the service ended in the middle of it. Try again.")
        return None
    leave(folder)  # what broke before may be what the backup mends
    try:
        put_in_place(folder, intent)
        settings, start = _choose(path, folder, start)
        return host_in(_bare(settings) if start.is_safe else settings, lock, start, begin_again)
    except Exception as error:  # whatever it is, what was there before is put back and opened
        log.exception("restore: it cannot be used")
        _undo(folder, wanted(folder) or intent, str(error))
        return None


def _undo(folder: Path, intent: Intent, why: str) -> None:
    """Put everything back as it was. Raises CannotStart: two half states open no table."""
    try:
        put_back(folder, intent, why)
    except OSError as fault:
        raise CannotStart(
            f"A restore was not finished and cannot be undone: {fault}. Let {folder} be written, or look "
            f"into {folder / intent.aside}, where what was there before is kept."
        ) from fault


def settle_restored(folder: Path) -> None:
    """Let a backup that was put in place be: table and pages are open with it."""
    intent = wanted(folder)
    if intent is not None and intent.is_begun:
        settle(folder, intent)


class Proving:
    """Waits until a host that was opened has shown that it is well. For the web, once pages can be had.

    An end in order before that is no broken start.
    """

    def __init__(self, host: Host, *, after_s: float = WELL_AFTER_S) -> None:
        self._host = host
        self._proven = threading.Event()
        self._timer = threading.Timer(after_s, self._prove)
        self._timer.daemon = True
        self._timer.start()

    def close(self) -> None:
        """Wait no longer."""
        self._timer.cancel()
        if not (self._proven.is_set() or self._host.start.is_safe):
            starts = Starts(home())
            marks = starts.marks()
            starts.keep(replace(marks, broken=max(0, marks.broken - 1)))

    def _prove(self) -> None:
        if self._host.has_answered():
            self._proven.set()
            keep_well(self._host)


def leave(folder: Path) -> None:
    """Let the next start be a whole one, whatever came before."""
    Starts(folder).keep(Marks())


def take_last_good(folder: Path, broken: Path) -> Path:
    """Put the last settings that worked in the place of broken ones, and return where those lie now.

    Raises SettingsKept, and then all is as it was.
    """
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S")
    aside = broken.with_name(f"{broken.stem}.broken-{at}{broken.suffix}")
    try:
        good = (folder / LAST_GOOD).read_bytes()
        if broken.exists():
            write_whole(aside, broken.read_bytes())
        write_whole(broken, good)
    except OSError as error:
        raise SettingsKept(broken, folder / LAST_GOOD, error.strerror or str(error)) from error
    log.info("settings: those that worked are used again; the broken ones are %s", aside)
    return aside


def last_good(folder: Path) -> Settings | None:
    """Return the settings that worked the last time, None if none are kept."""
    try:
        text = (folder / LAST_GOOD).read_text(encoding="utf-8")
        return parse(text, folder / LAST_GOOD, source=None)
    except (CannotStart, OSError, UnicodeDecodeError):
        return None


def _choose(path: Path | None, folder: Path, start: Start) -> tuple[Settings, Start]:
    """Decide with which settings to start, and count this start as broken until it is well."""
    starts = Starts(folder)
    marks = starts.marks()
    try:
        settings = load(path)
    except CannotStart as error:
        log.error("settings: %s", error)
        kept = last_good(folder)
        settings = kept or parse("", path or folder, source=None)
        told = Sentence("safe.settings" if kept else "safe.settings.none", {"text": str(error)})
        broken = getattr(error, "path", None) if kept else None
        start = replace(start.also(told), broken_settings=broken)
    if marks.broken >= BROKEN_UNTIL_SAFE:
        start = start.also(Sentence("safe.broken", {"count": marks.broken}))
    if marks.is_safe_asked:
        start = start.also(Sentence("safe.asked"))
    if not start.is_safe:
        starts.keep(replace(marks, broken=marks.broken + 1))
    return settings, start


def _opened(settings: Settings, start: Start, lock: IO[str], begin_again: Callable[[], None]) -> Host:
    if not start.is_safe:
        try:
            return host_in(settings, lock, start, begin_again)
        except Exception as error:  # whatever a start stumbles over, the page must come up and say it
            start = start.also(_told(error))
    bare = _bare(settings)
    as_it_comes = parse("", Path(), source=None).table
    os.environ[ONLY_BUILT_IN] = "1"
    for table in (bare.table, replace(as_it_comes, box="")):
        tried = replace(bare, table=table)
        try:
            return _with_journal(tried, start, lock, begin_again)
        except (CannotStart, PartUnusable) as error:
            start = start.also(_told(error))
    return _with_journal(replace(bare, table=as_it_comes), start, lock, begin_again)


def _bare(settings: Settings) -> Settings:
    return replace(settings, cameras=(), dice=(), board_sensors=(), panels=())


def _with_journal(settings: Settings, start: Start, lock: IO[str], begin_again: Callable[[], None]) -> Host:
    """Open a table; a damaged journal is moved aside first. Never touches one that is only held."""
    try:
        return host_in(settings, lock, start, begin_again)
    except JournalDamaged:
        aside = move_aside(journal_path(settings))
        moved = Sentence("safe.journal", {"aside": str(aside)})
        return host_in(settings, lock, start.also(moved), begin_again)


def _told(error: Exception) -> Sentence:
    if isinstance(error, CannotStart | PartUnusable | JournalUnusable):
        log.error("start: %s", error)
        return Sentence("safe.fault", {"text": str(error)})
    log.error("start: it broke", exc_info=error)
    return Sentence("safe.fault.unknown", {"text": f"{type(error).__name__}: {error}"})


def _without_damage(folder: Path, start: Start) -> Start:
    """Move seats and pictures aside that are damaged: no table needs them to open."""
    for name in (SEATS, EVIDENCE):
        if is_damaged(folder / name):
            aside = move_aside(folder / name)
            told = Sentence(f"safe.{name.removesuffix('.sqlite')}", {"aside": str(aside)})
            start = replace(start, troubles=(*start.troubles, told))
    return start


def is_damaged(path: Path) -> bool:
    """Tell whether a database is there and no database any more. One that is only held is not damaged."""
    if not path.is_file():
        return False
    try:
        with closing(sqlite3.connect(path)) as database:
            return bool(database.execute("pragma quick_check(1)").fetchone() != ("ok",))
    except sqlite3.OperationalError:
        return False
    except sqlite3.DatabaseError:
        return True


def move_aside(path: Path) -> Path:
    """Give a damaged database another name beside it; nothing of it is deleted."""
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S")
    aside = path.with_name(f"{path.stem}-damaged-{at}{path.suffix}")
    for tail in ("-wal", "-shm", "-journal", ""):  # the file itself last: until then a start does it again
        old = path.with_name(path.name + tail)
        if old.exists():
            old.rename(aside.with_name(aside.name + tail))
    log.error("%s was damaged and is now %s", path, aside)
    return aside
