"""Play a recording again through the code of today, and find where it says something else.

The table is rebuilt from its entries; every camera's pictures go through the eyes once more. Between
two recorded pictures the first is shown on: those that were left out looked like it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from companion.board import BoardId, Place, SpaceId
from companion.game import Game
from companion.journal import NewRecord, Record, TableRow
from companion.ports import Frame, Pixels, Reading, Recogniser, SpaceReading, Watch
from companion.table.memory_journal import MemoryJournal
from companion.table.recording import About, NoRecording, read_about, read_records, read_senses, reading_in
from companion.table.scribe import Scribe

HELD_AFTER_NEWS = 14  # pictures: the eyes want four still ones and up to five that agree
HELD_ELSE = 2
STEP_MS = 200
UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is told otherwise today. ``was`` and ``now`` are in the words of the log."""

    where: str
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of playing a recording again."""

    pictures: int
    readings: int
    entries: int
    differences: tuple[Difference, ...]


def about(game: Game[Any, Any, Any], row: TableRow, records: Sequence[Record], made_utc: str) -> About:
    """Return what a recording of these entries is of, with the position that they lead to."""
    position = position_after(game, row, records)
    return About(made_utc, row.id, row.game, row.box, row.catalogue, row.opened_utc, position)


def position_after(game: Game[Any, Any, Any], row: TableRow, records: Sequence[Record]) -> str:
    """Return how a table stands after its first entries, as one line. Raises ValueError."""
    journal = MemoryJournal()
    journal.open_table(row)
    news = [NewRecord(one.at_utc, one.kind, one.version, one.body, one.cause) for one in records]
    journal.append(row.id, 0, news)
    scribe = Scribe(game, journal, row, now_utc=lambda: row.opened_utc)
    scribe.read_on()
    return game.position(scribe.state)


def replay(folder: Path, game: Game[Any, Any, Any], eyes: Recogniser | None) -> Replayed:
    """Play a recording again; without eyes the table alone. Raises NoRecording."""
    told, records = read_about(folder), read_records(folder)
    differences = []
    try:
        now = position_after(game, told.row, records)
    except (ValueError, LookupError) as fault:
        now = f"cannot be played: {fault}"
    if now != told.position:
        differences.append(Difference(f"table {told.table} after {len(records)} entries", told.position, now))
    pictures = readings = 0
    if eyes is not None:
        cameras = _Cameras(eyes)
        for one in _senses(folder):
            pictures += isinstance(one, Frame)
            readings += isinstance(one, Reading)
            differences += cameras.play(one)
    return Replayed(pictures, readings, len(records), tuple(differences))


class _Cameras:
    """The eyes of every camera, and what they said of the last picture."""

    def __init__(self, eyes: Recogniser) -> None:
        self._eyes = eyes
        self._watches: dict[str, Watch] = {}
        self._said: dict[str, list[Reading]] = {}
        self._shown: dict[str, Frame] = {}

    def play(self, one: Frame | Reading) -> Iterator[Difference]:
        """Take in what comes next; yield where a recorded reading is another one today."""
        if isinstance(one, Frame):
            self._hold(one.camera, HELD_ELSE)
            self._said[one.camera] = self._said.get(one.camera, [])[-1:]
            self._show(one)
        elif one.camera in self._shown:
            self._hold(one.camera, HELD_AFTER_NEWS)
            # The eyes grow surer from look to look: one of their readings must be the recorded one.
            readings: list[Reading | None] = [*self._said[one.camera]] or [None]
            yield from min((tuple(_compare(one, now)) for now in readings), key=len)

    def _show(self, frame: Frame) -> None:
        watch = self._watches.setdefault(frame.camera, self._eyes.watch(frame.camera))
        self._shown[frame.camera] = frame
        reading = watch.see(frame)
        if reading is not None:
            self._said[frame.camera].append(reading)

    def _hold(self, camera: str, count: int) -> None:
        """Show the last picture on."""
        for _ in range(count if camera in self._shown else 0):
            last = self._shown[camera]
            self._show(replace(last, at_ms=last.at_ms + STEP_MS))


def _compare(was: Reading, now: Reading | None) -> Iterator[Difference]:
    where = f"{was.camera}, picture {was.frame}"
    if now is None:
        yield Difference(where, _summary(was), "nothing")
        return
    for board in sorted({*was.boards, *now.boards}):
        then, today = (reading.boards.get(BoardId(board)) for reading in (was, now))
        if then is None or today is None:
            seen = "seen" if then else "not seen"
            yield Difference(f"{where}, {board}", seen, "not seen" if then else "seen")
            continue
        for space in sorted({*then.spaces, *today.spaces}):
            before, after = (_words(one.spaces.get(SpaceId(space))) for one in (then, today))
            # What was unsure then has had more looks today: pictures are held on.
            if before not in (after, UNSURE):
                yield Difference(f"{where}, {Place(BoardId(board), SpaceId(space))}", before, after)


def _words(seen: SpaceReading | None) -> str:
    if seen is None:
        return "no such space"
    on_top = f" under {', '.join(seen.on_top)}" if seen.on_top else ""
    return f"{seen.reads}{on_top}" if seen.sure else UNSURE


def _summary(reading: Reading) -> str:
    return f"{len(reading.boards)} boards"


def _senses(folder: Path) -> Iterator[Frame | Reading]:
    """Yield pictures and readings in their order; dice and turns need no eyes. Raises NoRecording."""
    for number, told in enumerate(read_senses(folder), 1):
        try:
            if told["heard"] == "frame":
                pixels = _picture(folder / told["file"])
                yield Frame(pixels, told["number"], told["at_ms"], told["camera"])
            elif told["heard"] == "reading":
                yield _as_recorded(told)
        except (KeyError, TypeError, ValueError) as fault:
            raise NoRecording(f"Line {number} of what was sensed is damaged ({fault}).") from fault


def _as_recorded(told: Mapping[str, Any]) -> Reading:
    return reading_in({key: value for key, value in told.items() if key != "heard"})


def _picture(path: Path) -> Pixels:
    # In here, since the service reads this module, and plays by phones alone without OpenCV's libraries.
    import cv2  # noqa: PLC0415

    try:
        coded = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as fault:
        raise NoRecording(f"The picture {path} cannot be read: {fault.strerror}.") from fault
    pixels = cv2.imdecode(coded, cv2.IMREAD_COLOR) if coded.size else None
    if pixels is None:
        raise NoRecording(f"{path} is no picture.")
    return np.asarray(pixels, np.uint8)
