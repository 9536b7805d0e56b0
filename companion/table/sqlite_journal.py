"""The journal on the disk: one SQLite file for all tables.

What ``append`` returned is on the disk: write-ahead log, ``synchronous=FULL``. The primary
key (table_id, seq) is the lock against a second writer. One connection, used by one thread
at a time.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock

from sqlite_utils import Database, Migrations

from companion.journal import (
    JournalDamaged,
    JournalHeld,
    JournalMoved,
    JournalUnusable,
    NewRecord,
    Record,
    TableId,
    TableRow,
)
from companion.settings import Settings, home
from companion.table.stored import cause_in, cause_out, json_out

__all__ = ["JournalUnusable", "SqliteJournal", "open_sqlite_journal"]

APPLICATION_ID = 0x436F6D70  # "Comp"; `file` and we know our own by it
BUSY_TIMEOUT_S = 5.0
PAGE_BYTES = 1024


def journal_path(settings: Settings) -> Path:
    """Return where the journal lies."""
    return Path(settings.journal.path).expanduser() if settings.journal.path else home() / "journal.sqlite"


def open_sqlite_journal(path: str | Path) -> SqliteJournal:
    """Open a journal, or begin one where there is none.

    Raises JournalUnusable for a folder that is not there, a file that is damaged, may not be
    written, belongs to another program or comes from a newer version.
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise JournalUnusable(f"There is no folder {path.parent} for the journal. Make it, or name another.")
    with _plain_words(path):
        connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
        try:
            database = Database(connection)
            _check_ours(database, path)
            # Of a new file only. An entry is some hundred bytes; with pages of 4 kB it writes twice as much.
            database.execute(f"PRAGMA page_size={PAGE_BYTES}")
            database.enable_wal()
            database.execute("PRAGMA synchronous=FULL")
            database.execute("PRAGMA foreign_keys=ON")
            _migrations().apply(database)
            # A setting of the file, so the first look of another version finds out whose it is.
            database.execute(f"PRAGMA application_id={APPLICATION_ID}")
        except BaseException:
            connection.close()
            raise
    return SqliteJournal(database, path)


def newest_entry_utc(path: Path) -> str:
    """Return when the newest entry of a journal was made; empty if none can be read. Writes nothing."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as journal:
        (newest,) = journal.execute("select max(at_utc) from records").fetchone()
        return str(newest or "")
    return ""


class SqliteJournal:
    """See ``companion.journal.Journal``. Made by ``open_sqlite_journal``."""

    def __init__(self, database: Database, path: Path) -> None:
        self._database = database
        self._path = path
        self._lock = Lock()

    def open_table(self, row: TableRow) -> None:
        columns = (row.id, row.game, row.box, json_out(row.catalogue), row.opened_utc)
        with self._transaction() as database:
            taken = database.execute("select 1 from tables where id = ?", [row.id]).fetchone()
            if taken:
                raise ValueError(f"There is a table {row.id} already.")
            database.execute(
                "insert into tables (id, game, box, catalogue, opened_utc) values (?, ?, ?, ?, ?)", columns
            )

    def tables(self) -> Sequence[TableRow]:
        with self._lock, _plain_words(self._path):
            rows = self._database.execute(
                "select id, game, box, catalogue, opened_utc from tables order by rowid"
            ).fetchall()
        return tuple(
            TableRow(TableId(id_), game, box, json.loads(catalogue), opened_utc)
            for id_, game, box, catalogue, opened_utc in rows
        )

    def append(self, table: TableId, after_seq: int, records: Sequence[NewRecord]) -> Sequence[Record]:
        rows = [
            (table, seq, new.at_utc, new.kind, new.version, json_out(new.body), cause_out(new.cause))
            for seq, new in enumerate(records, after_seq + 1)
        ]
        with self._transaction() as database:
            at_seq = _last_seq(database, table)
            if at_seq != after_seq:
                raise JournalMoved(table, after_seq, at_seq)
            database.conn.executemany(
                "insert into records (table_id, seq, at_utc, kind, version, body, cause)"
                " values (?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
        return tuple(_record(row) for row in rows)

    def read(self, table: TableId, after_seq: int = 0) -> Sequence[Record]:
        with self._lock, _plain_words(self._path):
            rows = self._database.execute(
                "select table_id, seq, at_utc, kind, version, body, cause from records"
                " where table_id = ? and seq > ? order by seq",
                [table, after_seq],
            ).fetchall()
        return tuple(_record(row) for row in rows)

    def close(self) -> None:
        with self._lock:
            self._database.close()

    @contextmanager
    def _transaction(self) -> Iterator[Database]:
        """Hold the write lock from the first look, so that nobody appends in between."""
        with self._lock, _plain_words(self._path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.conn.execute("COMMIT")
            except BaseException:
                self._database.conn.rollback()
                raise


def _last_seq(database: Database, table: TableId) -> int:
    row = database.execute(
        "select (select max(seq) from records where table_id = tables.id) from tables where id = ?", [table]
    ).fetchone()
    if row is None:
        raise KeyError(table)
    return row[0] or 0


def _record(row: Sequence[object]) -> Record:
    table, seq, at_utc, kind, version, body, cause = row
    return Record(
        TableId(str(table)),
        int(str(seq)),
        str(at_utc),
        str(kind),
        int(str(version)),
        json.loads(str(body)),
        cause_in(str(cause)),
    )


def _migrations() -> Migrations:
    """Return every change of the file's shape, oldest first; released ones are never edited."""
    migrations = Migrations("companion")

    @migrations()
    def tables_and_records(database: Database) -> None:
        database.table("tables").create(
            {"id": str, "game": str, "box": str, "catalogue": str, "opened_utc": str},
            pk="id",
            not_null={"id", "game", "box", "catalogue", "opened_utc"},
            strict=True,
        )
        database.table("records").create(
            {
                "table_id": str,
                "seq": int,
                "at_utc": str,
                "kind": str,
                "version": int,
                "body": str,
                "cause": str,
            },
            pk=("table_id", "seq"),
            foreign_keys=[("table_id", "tables", "id")],
            not_null={"table_id", "seq", "at_utc", "kind", "version", "body", "cause"},
            strict=True,
        )

    return migrations


def _check_ours(database: Database, path: Path) -> None:
    [[application_id]] = database.execute("PRAGMA application_id").fetchall()
    is_new = not database.table_names()
    if not is_new and application_id != APPLICATION_ID and not _migrations().applied(database):
        raise JournalUnusable(f"{path} belongs to another program. Name another file for the journal.")
    [[health]] = database.execute("PRAGMA quick_check(1)").fetchall()
    if health != "ok":
        raise _damaged(path, health)
    with closing(sqlite3.connect(":memory:")) as empty:
        known = {migration.name for migration in _migrations().pending(Database(empty))}
    applied = {migration.name for migration in _migrations().applied(database)}
    if newer := applied - known:
        raise JournalUnusable(
            f"{path} was written by a newer version ({', '.join(sorted(newer))}). Update the companion."
        )


def _damaged(path: Path, detail: str) -> JournalDamaged:
    return JournalDamaged(
        f"The journal {path} is damaged ({detail}). Restore a backup, or move the file away to begin anew."
    )


@contextmanager
def _plain_words(path: Path) -> Iterator[None]:
    """Turn what SQLite says into one sentence with what to do."""
    try:
        yield
    except sqlite3.ProgrammingError as error:
        raise JournalUnusable(f"The journal {path} is closed.") from error
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise JournalHeld(
                f"The journal {path} is held by another program. End that one; nothing else is wrong with it."
            ) from error
        raise JournalUnusable(
            f"The journal {path} cannot be used: {error}. Check that the file and its folder may be"
            " written, that the disk has room, and that no other program holds it."
        ) from error
    except sqlite3.DatabaseError as error:
        raise _damaged(path, str(error)) from error
