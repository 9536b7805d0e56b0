"""A recording that is being saved: pictures by the senses, then the table's entries beside them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from companion.journal import JournalUnusable
from companion.table.senses_asked import EyesClosed


@dataclass(frozen=True, slots=True)
class SavedRecording:
    """A recording that was saved, and how many pictures it has."""

    folder: Path
    pictures: int


def beside(folder: Path, asked: Future[int], write_table: Callable[[], None]) -> Future[SavedRecording]:
    """Return what comes of a recording: once its pictures are saved the table is written beside them.

    The future holds EyesClosed if either cannot be done.
    """
    told: Future[SavedRecording] = Future()

    def saved(pictures: Future[int]) -> None:
        if (fault := pictures.exception()) is not None:
            told.set_exception(fault)
            return
        try:
            write_table()
        except (OSError, JournalUnusable) as fault:
            told.set_exception(EyesClosed(f"{folder}: {fault}"))
            return
        told.set_result(SavedRecording(folder, pictures.result()))

    asked.add_done_callback(saved)
    return told
