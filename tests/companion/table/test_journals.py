"""Both journals keep the same promises; the one on the disk says plainly what is wrong with it."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from threading import Thread

import pytest

from companion.journal import Journal, JournalMoved, JournalUnusable
from companion.table.memory_journal import MemoryJournal
from companion.table.sqlite_journal import open_sqlite_journal
from companion.testkit import JournalContract, KeptJournalContract, new_record, row


class TestSqliteJournal(KeptJournalContract):
    def open_journal(self, folder: Path) -> Journal:
        return open_sqlite_journal(folder / "journal.db")


class TestMemoryJournal(JournalContract):
    def open_journal(self, folder: Path) -> Journal:
        return MemoryJournal()


def test_what_is_written_is_on_the_disk_before_anybody_hears_of_it(tmp_path: Path) -> None:
    journal = open_sqlite_journal(tmp_path / "journal.db")
    connection = journal._database.conn
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    strict = connection.execute("select name from pragma_table_list where strict").fetchall()
    assert {"tables", "records"} <= {name for [name] in strict}
    journal.close()


def test_a_second_writer_is_told_that_the_journal_moved(tmp_path: Path) -> None:
    one, two = (open_sqlite_journal(tmp_path / "journal.db") for _ in range(2))
    one.open_table(row())
    one.append(row().id, 0, [new_record(1)])
    with pytest.raises(JournalMoved, match="at entry 1, not at 0"):
        two.append(row().id, 0, [new_record(2)])
    one.close()
    two.close()


def test_two_writers_at_once_are_told_apart_and_lose_nothing(tmp_path: Path) -> None:
    journals = [open_sqlite_journal(tmp_path / "journal.db") for _ in range(2)]
    journals[0].open_table(row())
    failed: list[BaseException] = []

    def write(journal: Journal, name: str) -> None:
        written = 0
        try:
            while written < 100:
                try:
                    after_seq = len(journal.read(row().id))
                    journal.append(row().id, after_seq, [new_record(written, request=f"{name}{written}")])
                    written += 1
                except JournalMoved:
                    continue
        except BaseException as error:
            failed.append(error)

    writers = [Thread(target=write, args=pair) for pair in zip(journals, "ab", strict=True)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert failed == []
    requests = [record.cause.request for record in journals[0].read(row().id)]
    for name in "ab":
        assert [request for request in requests if request[0] == name] == [f"{name}{n}" for n in range(100)]
    for journal in journals:
        journal.close()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalUnusable, match="no folder"):
        open_sqlite_journal(tmp_path / "nowhere" / "journal.db")


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    with pytest.raises(JournalUnusable, match="cannot be used"):
        open_sqlite_journal(tmp_path)


def test_a_file_that_is_no_database_is_called_damaged(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(b"Dear diary, today we made monsters. " * 100)
    with pytest.raises(JournalUnusable, match="damaged"):
        open_sqlite_journal(path)


def test_a_journal_with_a_torn_page_is_called_damaged(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = open_sqlite_journal(path)
    journal.open_table(row())
    journal.append(row().id, 0, [new_record(number) for number in range(500)])
    journal.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xff" * 20480 + whole[28672:])
    with pytest.raises(JournalUnusable, match="damaged"):
        open_sqlite_journal(path)


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with sqlite3.connect(path) as other:
        other.execute("create table recipes (name text)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(JournalUnusable, match="another program"):
        open_sqlite_journal(path)
    assert path.read_bytes() == before


def test_a_journal_from_the_future_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    open_sqlite_journal(path).close()
    with sqlite3.connect(path) as future:
        future.execute(
            "insert into _sqlite_migrations (migration_set, name, applied_at)"
            " values ('companion', 'dice', '')"
        )
    future.close()
    with pytest.raises(JournalUnusable, match=r"newer version \(dice\)"):
        open_sqlite_journal(path)
