"""Who may do what after a restore: hosts and screens of this computer stay, those of the backup end."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

STAYING = {"hosts": "id, token", "screens": "screen"}


def carry_hosts(here: Path, restored: Path) -> None:
    """Put the hosts and screens of the seats that are ``here`` into restored ones. Raises sqlite3.Error."""
    with closing(sqlite3.connect(restored)) as seats, seats:
        known = {
            str(name) for (name,) in seats.execute("select name from sqlite_master where type = 'table'")
        }
        kept = _rows(here)
        for table in STAYING.keys() & known:
            seats.execute(f"delete from {table}")
            for row in kept.get(table, ()):
                blanks = ", ".join("?" * len(row))
                seats.execute(f"insert into {table} ({STAYING[table]}) values ({blanks})", row)


def _rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as seats:
            return {
                table: seats.execute(f"select {columns} from {table}").fetchall()
                for table, columns in STAYING.items()
            }
    except sqlite3.Error:
        return {}
