"""Readings as plain values: what ``companion read --json`` prints."""

from __future__ import annotations

from typing import Any

from companion.board import EMPTY
from companion.game import Sentence
from companion.ports import HIDDEN, BoardReading, DieReading, LoosePiece, Obstacle, Reading, SpaceReading
from companion.sentences import Speaker


def as_json(photo: str, reading: Reading) -> dict[str, Any]:
    """Return a reading as values that ``json.dumps`` takes."""
    return {
        "photo": photo,
        "answer": reading.answer,
        "obstacle": None if reading.obstacle is None else str(reading.obstacle),
        "took_ms": round(reading.took_ms, 1),
        **({"doubts": [str(doubt) for doubt in reading.doubts]} if reading.doubts else {}),
        "boards": {str(name): _board(board) for name, board in reading.boards.items()},
        "loose": [_loose(piece) for piece in reading.loose],
        **({"dice": [die_as_json(die) for die in reading.dice]} if reading.dice else {}),
    }


def _board(board: BoardReading) -> dict[str, Any]:
    told: dict[str, Any] = {
        "found_by": board.found_by,
        "corners_px": [[round(x, 2), round(y, 2)] for x, y in board.corners_px],
        "rotation_deg": round(board.rotation_deg, 2),
        "spaces": {str(name): _space(space) for name, space in board.spaces.items()},
    }
    if board.markers:
        told["markers"] = dict(board.markers)
    return told


def _space(space: SpaceReading) -> dict[str, Any]:
    told: dict[str, Any] = {
        "reads": str(space.reads),
        "confidence": round(space.confidence, 4),
        "sure": space.sure,
    }
    if space.others:
        told["others"] = [str(k) for k in space.others]
    if space.on_top:
        told["tokens"] = [str(k) for k in space.on_top]
    if space.obstacle is not None:
        told["obstacle"] = str(space.obstacle)
    return told


def die_as_json(die: DieReading) -> dict[str, Any]:
    """Return a die as values; what is open says why, in a sentence, too."""
    told: dict[str, Any] = {
        "value": die.value,
        "sure": die.sure,
        "confidence": round(die.confidence, 4),
        "centre_px": [round(each, 1) for each in die.centre_px],
        "corners_px": [[round(x, 1), round(y, 1)] for x, y in die.corners_px],
    }
    if die.place is not None:
        told["place"] = str(die.place)
    if die.obstacle is not None:
        told |= {"obstacle": str(die.obstacle), "why": why_unreadable(die.obstacle)}
    if die.kind is not None:
        told["kind"] = die.kind
    if die.kind_obstacle is not None:
        told |= {"kind_obstacle": str(die.kind_obstacle), "why_no_kind": why_unreadable(die.kind_obstacle)}
    return told


def _loose(piece: LoosePiece) -> dict[str, Any]:
    return {
        "reads": str(piece.reads),
        "centre_px": [round(piece.centre_px[0], 1), round(piece.centre_px[1], 1)],
        "orientation_deg": round(piece.orientation_deg, 1),
        "confidence": round(piece.confidence, 4),
        "sure": piece.sure,
        **({} if piece.near is None else {"near": str(piece.near)}),
        **({"corners_px": _corners(piece)} if piece.corners_px else {}),
        **({"face_down": True} if piece.is_face_down else {}),
        **({"others": [str(kind) for kind in piece.others]} if piece.others else {}),
        **({} if piece.obstacle is None else {"obstacle": str(piece.obstacle)}),
    }


def _corners(piece: LoosePiece) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in piece.corners_px]


def why_unreadable(obstacle: Obstacle) -> str:
    """Return in a sentence why a picture could not be read."""
    return Speaker(("companion",)).say(Sentence(f"obstacle.{obstacle}"))


def as_lines(photo: str, reading: Reading) -> list[str]:
    """Return a reading as lines for people: what lies where, what is not sure, what to do next."""
    if reading.obstacle is not None:
        why = why_unreadable(reading.obstacle)
        return [f"{photo}: unreadable. {why}"]
    if not any(board.spaces for board in reading.boards.values()):
        return _loose_lines(photo, reading)
    return _board_lines(photo, reading)


def _loose_lines(photo: str, reading: Reading) -> list[str]:
    """Return loose cards as lines for people."""
    rows = []
    for piece in reading.loose:
        x, y = piece.centre_px
        lies = f"{piece.near or 'at'} {x:.0f}, {y:.0f}"
        turned = " (face down)" if piece.is_face_down else ""
        doubt = "" if piece.sure else f"   unsure{_or(piece)}"
        rows.append(lies.ljust(28) + f"{piece.reads}{turned}".ljust(24) + f"{piece.confidence:.2f}{doubt}")
    unsure = sum(not piece.sure for piece in reading.loose)
    told = f"{photo}: {len(reading.loose)} loose cards; {unsure} unsure."
    if unsure:
        told += " Ask the table about the unsure ones, or take the photo again in better light."
    return [*rows, told]


def _board_lines(photo: str, reading: Reading) -> list[str]:
    rows, taken, unsure, hidden, count = [], 0, 0, 0, 0
    for board in reading.boards.values():
        for name, space in board.spaces.items():
            count += 1
            hidden += space.reads == HIDDEN
            open_question = not space.sure and space.reads != HIDDEN
            unsure += open_question
            taken += space.is_taken and space.sure
            if space.reads in (EMPTY, HIDDEN) and not open_question:
                continue
            on_top = f" + {', '.join(space.on_top)}" if space.on_top else ""
            doubt = f"   unsure{_or(space)}" if open_question else ""
            rows.append(
                f"{board.board}/{name}".ljust(28)
                + f"{space.reads}{on_top}".ljust(24)
                + f"{space.confidence:.2f}{doubt}"
            )
        rows += [f"{board.board}/{player}".ljust(28) + f"at {at}" for player, at in board.markers.items()]
    rows += [
        f"beside {p.near or 'the boards'}".ljust(28) + f"{p.reads}".ljust(24) + f"{p.confidence:.2f}"
        for p in reading.loose
    ]
    rows += [
        f"{die.place or 'beside the spaces'}".ljust(28)
        + f"{die.kind or 'die'} {die.value or '?'}".ljust(24)
        + f"{die.confidence:.2f}"
        + ("" if die.obstacle is None else f"   unsure ({why_unreadable(die.obstacle)})")
        for die in reading.dice
    ]
    speaker = Speaker(("companion",))
    rows += [speaker.say(Sentence(f"obstacle.{doubt}")) for doubt in reading.doubts]
    told = f"{photo}: {taken} of {count} spaces taken; {unsure} unsure, {hidden} hidden."
    if unsure:
        told += " Ask the table about the unsure ones, or take the photo again in better light."
    return [*rows, told]


def _or(space: SpaceReading | LoosePiece) -> str:
    perhaps = f": perhaps {' or '.join(str(k) for k in space.others)}" if space.others else ""
    if space.obstacle is None:
        return perhaps
    return f"{perhaps} ({Speaker(('companion',)).say(Sentence(f'obstacle.{space.obstacle}'))})"
