"""The job that teaches (entry point ``companion.jobs``): photos become views, views become a box.

Runs in the senses process while the service runs, beside the cameras that it may look through. It
answers with values: ``ok``, the sentence ``why`` (key and values) when not, and what was learnt.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np

from calibration.board_photos import BOARD_PX_PER_MM, FlatBoard, by_corners, by_tags
from calibration.laid_pieces import PX_PER_MM, FlatSheet, NotTeachable, ViewFault, flatten_sheet, laid_pieces
from calibration.laying_sheets import LayingSheet, card_sheet, ring_sheet
from calibration.lessons import Lessons, LessonsUnusable, Piece, open_lessons
from calibration.lookalikes import Findings, look_for_lookalikes
from calibration.sheets import PAPERS_MM
from calibration.shipped_layout import missing_for_learning, taught_part
from calibration.teach import NotTaught, tag_numbers, teach_box
from companion.game import Wire
from companion.ports import DeviceLost, Pixels, Workbench
from companion.settings import home
from companion.table.boxes import catalogue_of, taught_boxes
from vision.photos import NotAPicture, open_photo

FINDINGS, PHOTOS = "findings.json", "photos"
MOST_PHOTO_PX = 4096
JPEG = (cv2.IMWRITE_JPEG_QUALITY, 90)


class Refused(Exception):
    """A sentence that the page says instead."""

    def __init__(self, key: str, values: Mapping[str, Any] | None = None) -> None:
        super().__init__(key)
        self.answer = {"ok": False, "why": {"key": key, "values": dict(values or {})}}


def teach(bench: Workbench, told: Wire, coded: bytes) -> Wire:
    """Do one step of teaching, as ``told["do"]`` says."""
    try:
        lessons, step = open_lessons(str(told["box"])), str(told["do"])
        if step in WITH_PHOTO:
            return WITH_PHOTO[step](lessons, told, photo_of(bench, told, coded))
        return WITHOUT[step](lessons, told)
    except Refused as refused:
        return refused.answer
    except NotTeachable as fault:
        return Refused(f"teach.fault.{fault.fault}", fault.values).answer
    except (LessonsUnusable, NotTaught) as fault:
        return Refused("teach.plainly", {"text": str(fault)}).answer


def photo_of(bench: Workbench, told: Wire, coded: bytes) -> Pixels:
    """Return the photo that was sent, or the picture of the camera that was named. Raises Refused."""
    if coded:
        try:
            return _at_most(open_photo(coded, enough_px=MOST_PHOTO_PX))
        except NotAPicture as fault:
            raise Refused("teach.no_picture", {"obstacle": fault.obstacle.value}) from fault
    try:
        return bench.frame(str(told.get("camera", ""))).pixels
    except DeviceLost as lost:
        raise Refused("teach.plainly", {"text": str(lost)}) from lost


def _at_most(pixels: Pixels) -> Pixels:
    share = MOST_PHOTO_PX / max(pixels.shape[:2])
    if share >= 1:
        return pixels
    size = (round(pixels.shape[1] * share), round(pixels.shape[0] * share))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def _piece(lessons: Lessons, told: Wire) -> Piece:
    piece = lessons.piece(str(told["piece"]))
    if piece is None:
        raise Refused("teach.no_such_piece", {"piece": str(told["piece"])})
    return piece


def _on_any_paper(pixels: Pixels, sheets: Sequence[LayingSheet]) -> FlatSheet:
    """Flatten the sheet that lies there: which paper it was printed on shows in how well it fits."""
    faults: list[NotTeachable] = []
    for sheet in sheets:
        try:
            return flatten_sheet(pixels, sheet)
        except NotTeachable as fault:
            faults.append(fault)
            if fault.fault is not ViewFault.BENT:
                break
    raise faults[0]


def _take_view(lessons: Lessons, told: Wire, pixels: Pixels) -> Wire:
    """Take a view of one piece in the ring."""
    piece, layout = _piece(lessons, told), lessons.layout
    seen = _on_any_paper(pixels, [ring_sheet()])
    outline = _outline_of(piece, layout)
    (laid,) = laid_pieces(seen, outline, piece.size_mm if outline is not None else (62.0, 62.0))
    if outline is None:
        lessons.give_outline(piece, laid.outline_mm)
        piece = _piece(lessons, told)
        (laid,) = laid_pieces(seen, laid.outline_mm, piece.size_mm)
    count = lessons.add_view(piece, laid.pixels, PX_PER_MM)
    return _learnt(lessons, piece) | {"views": count, "wanted": piece.views_wanted}


def _outline_of(piece: Piece, layout: Mapping[str, Any]) -> Any:
    """Return the outline of a piece about its middle in mm; None when nobody knows it yet."""
    match piece.kind:
        case "token":
            found = layout["token_outlines"].get(piece.name)
        case "order" | "order_back":
            found = layout.get("order_outline")
        case _:
            w, h = piece.size_mm[0] / 2, piece.size_mm[1] / 2
            found = [[-w, -h], [w, -h], [w, h], [-w, h]]
    return np.asarray(found, float) if found is not None and found else None


def _take_cards(lessons: Lessons, told: Wire, pixels: Pixels) -> Wire:
    """Take a view of up to nine cards on a sheet, in the order in which they are named."""
    pieces = [piece for one in told["pieces"] if (piece := lessons.piece(str(one))) is not None]
    if not pieces:
        raise Refused("teach.no_such_piece", {"piece": ""})
    size = pieces[0].size_mm
    seen = _on_any_paper(pixels, [card_sheet(size, paper) for paper in PAPERS_MM])
    w, h = size[0] / 2, size[1] / 2
    laid = laid_pieces(seen, np.array([[-w, -h], [w, -h], [w, h], [-w, h]]), size)
    if len(laid) > len(pieces):
        raise Refused("teach.more_cards", {"seen": len(laid), "named": len(pieces)})
    taken = []
    for piece, one in zip(pieces, laid, strict=False):
        lessons.add_view(piece, one.pixels, PX_PER_MM)
        taken.append(piece.id)
    missing = [piece.id for piece in pieces[len(laid) :]]
    return {"ok": True, "taken": taken, "missing": missing} | _found(lessons, taken)


def _take_board(lessons: Lessons, told: Wire, pixels: Pixels) -> Wire:
    """Take the empty board's photo; without enough markers its corners are asked for."""
    piece, layout = _piece(lessons, told), lessons.layout
    row = layout["boards"][piece.names["board"]]
    numbers = tag_numbers(layout, piece.names["board"], piece.names.get("player"))
    tags = dict(zip(numbers, [(float(x), float(y)) for x, y in row.get("tag_centers", ())], strict=False))
    found = by_tags(pixels, piece.size_mm, tags) if tags else None
    if found is not None:
        return _keep_board(lessons, piece, found)
    folder = lessons.folder / PHOTOS
    folder.mkdir(exist_ok=True)
    (folder / f"{piece.name}.jpg").write_bytes(cv2.imencode(".jpg", pixels, JPEG)[1].tobytes())
    return {"ok": True, "needs": "corners"}


def _take_corners(lessons: Lessons, told: Wire) -> Wire:
    """Flatten the photo taken last by its board's corners, given as shares of its width and height."""
    piece = _piece(lessons, told)
    path = lessons.folder / PHOTOS / f"{piece.name}.jpg"
    photo = cv2.imread(str(path))
    if photo is None:
        raise Refused("teach.no_photo")
    height, width = photo.shape[:2]
    corners = [(float(x) * width, float(y) * height) for x, y in told["corners"]]
    is_round = lessons.layout["boards"][piece.names["board"]].get("shape") == "disc"
    found = by_corners(np.asarray(photo, np.uint8), piece.size_mm, corners, is_round=is_round)
    answer = _keep_board(lessons, piece, found)
    path.unlink(missing_ok=True)
    return answer


def _keep_board(lessons: Lessons, piece: Piece, found: FlatBoard) -> Wire:
    lessons.set_picture(piece, found.pixels, BOARD_PX_PER_MM)
    return {"ok": True, "taken": [piece.id], "is_white_known": found.is_white_known}


def _learnt(lessons: Lessons, piece: Piece) -> dict[str, Any]:
    return {"ok": True, "taken": [piece.id]} | _found(lessons, [piece.id])


def _found(lessons: Lessons, about: Sequence[str] | None = None) -> dict[str, Any]:
    """Look for look-alikes of all that was taught, or of some pieces; keep what was found beside it."""
    told = told_of(look_for_lookalikes(lessons, about))
    if about is not None:
        before, new = findings_of(lessons), set(about)
        told["alike"] += [one for one in before.get("alike", ()) if not new & set(one[:2])]
        told["odd"] += [one for one in before.get("odd", ()) if one[0] not in new]
    (lessons.folder / FINDINGS).write_text(json.dumps(told), encoding="utf-8")
    return told


def told_of(findings: Findings) -> dict[str, Any]:
    """Return findings as values."""
    return {
        "alike": [[one.one, one.other, one.share] for one in findings.alike],
        "odd": [[one.piece, one.view, one.looks_like] for one in findings.odd],
    }


def findings_of(lessons: Lessons) -> Mapping[str, Any]:
    """Return what was found last; nothing if nothing was."""
    try:
        told = json.loads((lessons.folder / FINDINGS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {"alike": [], "odd": []}
    return told if isinstance(told, dict) else {"alike": [], "odd": []}


def _check(lessons: Lessons, told: Wire) -> Wire:
    return {"ok": True} | _found(lessons, told.get("about"))


def _learn(lessons: Lessons, _: Wire) -> Wire:
    """Make the box of all that was shown; what a person said of its cards before is kept."""
    said: list[str] = []
    known = catalogue_of(lessons.box) if lessons.box in taught_boxes() else None

    def complete(fresh: Wire) -> Wire:
        return fresh if known is None else {**fresh, **{key: known[key] for key in known if key in fresh}}

    missing = missing_for_learning(lessons.layout, lessons.taught())
    if missing:
        raise Refused(f"teach.learn.no_{missing[0]}")
    teach_box(
        lessons.folder,
        lessons.box,
        home() / "boxes",
        tell=said.append,
        complete=complete,
        part=lambda layout: taught_part(layout, lessons.taught()),
    )
    return {"ok": True, "said": said}


WITH_PHOTO = {"view": _take_view, "cards": _take_cards, "board": _take_board}
WITHOUT = {"corners": _take_corners, "check": _check, "learn": _learn}
"""Every step by its name, those that need a photo first."""
