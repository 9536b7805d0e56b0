"""A recording on disk: what the senses took in during some minutes of a game, to be played again.

A folder with ``recording.json`` (what it is), ``senses.jsonl`` (what came in, in order, one JSON
object a line), ``frames/`` (pictures) and ``journal.jsonl`` (entries of the table). The form is
versioned by ``FORMAT``; docs/reference/recordings.md says it in words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from companion.board import BoardId, PieceKind, SpaceId
from companion.game import Wire
from companion.journal import Record, TableId, TableRow
from companion.ports import BoardReading, LoosePiece, Obstacle, Reading, SpaceReading
from companion.table.stored import cause_in, cause_out, json_out

FORMAT = 1
ABOUT, SENSES, JOURNAL, FRAMES = "recording.json", "senses.jsonl", "journal.jsonl", "frames"


class NoRecording(ValueError):
    """A folder that is no recording. The message says what is missing."""


@dataclass(frozen=True, slots=True)
class About:
    """What was recorded: the table, what its box prints, and how it stood after the recorded entries."""

    made_utc: str
    table: str
    game: str
    box: str
    catalogue: Wire
    opened_utc: str
    position: str
    format: int = FORMAT

    @property
    def row(self) -> TableRow:
        return TableRow(TableId(self.table), self.game, self.box, self.catalogue, self.opened_utc)


def write_table(folder: Path, about: About, records: Sequence[Record]) -> None:
    """Write the table's part of a recording. Raises OSError."""
    lines = [json_out({**asdict(record), "cause": cause_out(record.cause)}) for record in records]
    (folder / JOURNAL).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (folder / ABOUT).write_text(json.dumps(asdict(about), indent=1), encoding="utf-8")


def read_about(folder: Path) -> About:
    """Return what a recording is of. Raises NoRecording."""
    try:
        told = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        if told.get("format") != FORMAT:
            raise NoRecording(f"The recording in {folder} was made by another version of the companion.")
        return About(**told)
    except OSError as fault:
        raise NoRecording(f"{folder} holds no recording ({ABOUT}: {fault.strerror}).") from fault
    except (TypeError, AttributeError, json.JSONDecodeError) as fault:
        raise NoRecording(f"{folder / ABOUT} is damaged ({fault}).") from fault


def read_records(folder: Path) -> tuple[Record, ...]:
    """Return the recorded entries of the table. Raises NoRecording."""
    records = []
    for told in _lines(folder / JOURNAL):
        try:
            table, cause = TableId(told.pop("table")), cause_in(told.pop("cause"))
            records.append(Record(table=table, cause=cause, **told))
        except (KeyError, TypeError, ValueError) as fault:
            raise NoRecording(
                f"{folder / JOURNAL}, entry {len(records) + 1}, is damaged ({fault})."
            ) from fault
    return tuple(records)


def read_senses(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Yield what came in, in order. Raises NoRecording."""
    return _lines(folder / SENSES)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                told = json.loads(line)
                if not isinstance(told, dict):
                    raise NoRecording(f"{path}, line {number}, is no JSON object.")
                yield told
    except OSError as fault:
        raise NoRecording(f"{path} cannot be read: {fault.strerror}.") from fault
    except json.JSONDecodeError as fault:
        raise NoRecording(f"{path} is damaged ({fault}).") from fault


def reading_out(reading: Reading) -> dict[str, Any]:
    """Return a reading as JSON can carry it, without its crops and the time that it took."""
    return {
        "camera": reading.camera,
        "frame": reading.frame,
        "at_ms": reading.at_ms,
        "obstacle": reading.obstacle,
        "boards": {name: _board_out(board) for name, board in reading.boards.items()},
        "loose": [asdict(piece) for piece in reading.loose],
    }


def reading_in(told: Mapping[str, Any]) -> Reading:
    """Read a reading back. Raises KeyError, TypeError or ValueError for what is no reading."""
    return Reading(
        camera=told["camera"],
        frame=told["frame"],
        at_ms=told["at_ms"],
        boards={BoardId(name): _board_in(BoardId(name), board) for name, board in told["boards"].items()},
        loose=tuple(_loose_in(piece) for piece in told["loose"]),
        obstacle=_obstacle(told["obstacle"]),
    )


def _board_out(board: BoardReading) -> dict[str, Any]:
    return {
        "found_by": board.found_by,
        "corners_px": board.corners_px,
        "rotation_deg": board.rotation_deg,
        "spaces": {name: _space_out(seen) for name, seen in board.spaces.items()},
        "markers": dict(board.markers),
    }


def _space_out(seen: SpaceReading) -> dict[str, Any]:
    return {key: value for key, value in asdict(seen).items() if value not in (None, ())}


def _board_in(name: BoardId, told: Mapping[str, Any]) -> BoardReading:
    return BoardReading(
        name,
        told["found_by"],
        tuple((float(x), float(y)) for x, y in told["corners_px"]),
        told["rotation_deg"],
        {SpaceId(space): _space_in(seen) for space, seen in told["spaces"].items()},
        told["markers"],
    )


def _space_in(told: Mapping[str, Any]) -> SpaceReading:
    return SpaceReading(
        PieceKind(told["reads"]),
        told["confidence"],
        told["sure"],
        tuple(PieceKind(other) for other in told.get("others", ())),
        tuple(PieceKind(other) for other in told.get("on_top", ())),
        _obstacle(told.get("obstacle")),
    )


def _loose_in(told: Mapping[str, Any]) -> LoosePiece:
    near = told["near"]
    return LoosePiece(
        PieceKind(told["reads"]),
        (float(told["centre_px"][0]), float(told["centre_px"][1])),
        told["orientation_deg"],
        told["confidence"],
        told["sure"],
        None if near is None else BoardId(near),
        tuple((float(x), float(y)) for x, y in told.get("corners_px", ())),
        tuple(PieceKind(other) for other in told.get("others", ())),
        _obstacle(told.get("obstacle")),
        bool(told.get("is_face_down", False)),
    )


def _obstacle(told: str | None) -> Obstacle | None:
    return None if told is None else Obstacle(told)
