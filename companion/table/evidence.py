"""Pictures of what a camera proposed and people took: kept with their entries, bounded, to be forgotten.

They lie in a file of their own, not in the journal: nothing of a game depends on them, and forgetting an
evening deletes them without touching what was played.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from sqlite_utils import Database

from companion.board import PieceKind, Place
from companion.journal import TableId
from companion.table.views import OpenProposal

log = logging.getLogger(__name__)

MOST_BYTES = 48 * 1024 * 1024
"""Of all pictures together; the oldest go first. A crop is two to four kB, an evening has some hundred."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A space of a proposal that was taken: what the eyes read there, and what a person said instead.

    ``said`` is None where nobody corrected it.
    """

    place: Place
    reads: PieceKind
    said: PieceKind | None
    jpeg: bytes


class Evidence:
    """Keeps exhibits by table and entry. Safe from any thread. ``path`` None: kept in memory."""

    def __init__(self, path: Path | None, *, most_bytes: int = MOST_BYTES) -> None:
        self._lock = Lock()
        self._most_bytes = most_bytes
        file = ":memory:" if path is None else str(path)
        self._db = Database(sqlite3.connect(file, check_same_thread=False))
        # Writes a quarter of what a log and large pages do; each picture is written once, none is changed.
        self._db.execute("pragma page_size = 1024")
        self._db.execute("pragma journal_mode = persist")
        # Pictures may be lost with the power; what was played may not, and lies elsewhere.
        self._db.execute("pragma synchronous = off")
        self._db.execute("pragma secure_delete = on")
        columns = {
            "id": int, "table_id": str, "entry": int, "place": str, "reads": str, "said": str, "jpeg": bytes
        }  # fmt: skip
        with self._lock, self._db.conn:
            exhibits = self._db.table("exhibits")
            exhibits.create(columns, pk="id", if_not_exists=True)
            exhibits.create_index(["table_id", "entry"], if_not_exists=True)
        [[self._bytes]] = self._db.execute("select coalesce(sum(length(jpeg)), 0) from exhibits").fetchall()

    def keep(self, table: TableId, entry: int, taken: OpenProposal) -> None:
        """Keep the pictures of a proposal with the entry that it became."""
        pictured = [space for space in taken.proposal.spaces if space.place in taken.crops]
        rows = [
            {
                "table_id": table,
                "entry": entry,
                "place": str(space.place),
                "reads": space.seen.reads,
                "said": taken.by_hand.get(space.place),
                "jpeg": taken.crops[space.place],
            }
            for space in pictured
        ]
        try:
            with self._lock, self._db.conn:
                self._db.table("exhibits").insert_all(rows)
                self._bytes += sum(len(taken.crops[space.place]) for space in pictured)
                self._make_room()
        except sqlite3.Error as error:  # the entry is written down; its pictures are not worth a refusal
            log.warning("pictures of entry %d of %s are not kept: %s", entry, table, error)

    def of(self, table: TableId, entry: int) -> Sequence[Exhibit]:
        """Return what was kept with an entry, in the order in which it was proposed."""
        with self._lock:
            rows = list(
                self._db.query(
                    "select place, reads, said, jpeg from exhibits"
                    " where table_id = ? and entry = ? order by id",
                    [table, entry],
                )
            )
        return tuple(
            Exhibit(
                Place.parse(row["place"]),
                PieceKind(row["reads"]),
                None if row["said"] is None else PieceKind(row["said"]),
                row["jpeg"],
            )
            for row in rows
        )

    def forget(self, table: TableId) -> None:
        """Delete all pictures of a table for good."""
        with self._lock:
            with self._db.conn:
                self._db.table("exhibits").delete_where("table_id = ?", [table])
            for mode in ("delete", "persist"):  # what was undone in between holds pictures, too
                self._db.execute(f"pragma journal_mode = {mode}")
            [[self._bytes]] = self._db.execute(
                "select coalesce(sum(length(jpeg)), 0) from exhibits"
            ).fetchall()

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def _make_room(self) -> None:
        """Delete the oldest entries' pictures until the rest has room."""
        while self._bytes > self._most_bytes:
            [[first, size]] = self._db.execute(
                "select id, length(jpeg) from exhibits order by id limit 1"
            ).fetchall()
            self._db.table("exhibits").delete(first)
            self._bytes -= size
