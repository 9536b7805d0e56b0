"""The pages that teach a box (entry point ``companion.pages``), for the host only.

``/teach/<token>/`` with the token of the host's page: boxes in the making, what is taught of one, and
what is still missing. The pages of single pieces are in ``piece_pages``.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, abort, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from calibration.corrections_pages import add_corrections_pages
from calibration.dice_pages import add_dice_pages
from calibration.laying_sheets import card_sheet, laying_pages, ring_sheet
from calibration.layout_pages import add_layout_pages
from calibration.lessons import KINDS, Lessons, Piece
from calibration.page_desk import Context, Desk, Shown, refused
from calibration.piece_pages import add_piece_pages
from calibration.setup_pages import add_setup_pages, said_of
from calibration.sheets import PAPERS_MM, write_pdf
from calibration.shelf_pages import add_shelf_pages
from calibration.shipped_layout import has_loose_cards, missing_for_learning
from calibration.teach_job import findings_of
from companion.game import Sentence, Wire
from companion.kept_setup import kept
from companion.settings import home
from companion.table.boxes import has_eyes

Answer = str | AnyResponse | Shown


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the pieces of one kind are taught."""

    kind: str
    pieces: Sequence[Piece]
    taught: frozenset[str]

    @property
    def count(self) -> int:
        return sum(piece.id in self.taught for piece in self.pieces)


class Learning:
    """Boxes that are being learnt just now, and what came of the last time."""

    def __init__(self) -> None:
        self._running: dict[str, Future[Wire]] = {}

    def begin(self, box: str, future: Future[Wire]) -> None:
        self._running[box] = future

    def is_running(self, box: str) -> bool:
        return box in self._running and not self._running[box].done()

    def outcome(self, box: str) -> Wire | None:
        """Return what came of the last learning once, None while there is nothing to say."""
        future = self._running.get(box)
        if future is None or not future.done():
            return None
        del self._running[box]
        fault = future.exception()
        return future.result() if fault is None else refused("teach.plainly", text=str(fault) or "?")


def page(context: Context) -> Blueprint:
    """Return the pages of teaching."""
    pages = Blueprint(
        "teach", __name__, url_prefix="/teach", template_folder="templates", static_folder="static"
    )
    desk, learning = Desk(context), Learning()

    check = add_setup_pages(pages, desk)

    def host_links(token: str) -> list[tuple[str, str]]:
        found = [(desk.tell("teach.link"), f"/teach/{token}/")]
        if desk.cameras:
            told = [desk.say(said_of(desk, change)) for change in check.changes]
            found.append((" ".join(told) or desk.tell("setup.link"), f"/teach/{token}/setup"))
        return found

    pages.host_links = host_links  # type: ignore[attr-defined]  # the web asks every page for them
    if desk.cameras and kept(home()) is not None:
        check.begin()
    add_shelf_pages(pages, desk)
    _add_overview(pages, desk, learning)
    _add_sheets(pages, desk)
    add_piece_pages(pages, desk)
    add_corrections_pages(pages, desk)
    add_dice_pages(pages, desk)
    add_layout_pages(pages, desk)
    return pages


def _add_overview(pages: Blueprint, desk: Desk, learning: Learning) -> None:
    @pages.get("/<token>/<box>/")
    def overview(token: str, box: str) -> Answer:
        """What is taught of a box, and what is missing."""
        desk.host_only(token)
        return _overview(desk, learning, token, desk.lessons(box))

    @pages.post("/<token>/<box>/learn")
    def learn(token: str, box: str) -> Answer:
        """Let the eyes learn the box."""
        desk.host_only(token)
        lessons = desk.lessons(box)
        missing = missing_for_learning(lessons.layout, lessons.taught())
        if missing:
            return _overview(desk, learning, token, lessons, Sentence(f"teach.learn.no_{missing[0]}"))
        if not learning.is_running(box):
            asked = desk.begin("teach", {"do": "learn", "box": box})
            learning.begin(box, asked)
            asked.add_done_callback(lambda done: _use(desk, box, done))
        return redirect(url_for(".overview", token=token, box=box), 303)

    @pages.post("/<token>/<box>/check")
    def check(token: str, box: str) -> Answer:
        """Look for pieces that look alike."""
        desk.host_only(token)
        lessons = desk.lessons(box)
        why = desk.why(desk.do("teach", {"do": "check", "box": box}))
        if why is not None:
            return _overview(desk, learning, token, lessons, why)
        return redirect(url_for(".overview", token=token, box=box, _anchor="alike"), 303)


def _overview(
    desk: Desk, learning: Learning, token: str, lessons: Lessons, said: Sentence | None = None
) -> Shown:
    outcome = learning.outcome(lessons.box)
    if outcome is not None and said is None:
        said = desk.why(outcome) or Sentence("teach.learnt")
    is_refused = said is not None and said.key != "teach.learnt"
    pieces, taught = lessons.pieces(), lessons.taught()
    layout = lessons.layout
    return desk.shown(
        "teach_box.html",
        token,
        409 if is_refused else 200,
        lessons=lessons,
        groups=_groups(pieces, taught),
        count=len(taught),
        total=len(pieces),
        next_piece=next((piece for piece in pieces if piece.id not in taught), None),
        next_cards=_next_cards(pieces, taught),
        missing=missing_for_learning(layout, taught),
        warnings=_warnings(desk, lessons, pieces),
        is_learning=learning.is_running(lessons.box),
        is_learnt=has_eyes(lessons.box),
        is_loose=has_loose_cards(layout),
        is_refused=is_refused,
        said=said,
        papers=tuple(PAPERS_MM),
    )


def _use(desk: Desk, box: str, learnt: Future[Wire]) -> None:
    """Let the eyes of the table use a box that was taught anew, not at the next start only."""
    house = desk.context.host
    if box == house.row.box and learnt.exception() is None and learnt.result().get("ok"):
        # Not here: this is the thread that the senses answer on.
        threading.Thread(target=house.reopen_eyes, name="eyes anew", daemon=True).start()


def _groups(pieces: Sequence[Piece], taught: frozenset[str]) -> list[Progress]:
    groups = [Progress(kind, [p for p in pieces if p.kind == kind], taught) for kind in KINDS]
    return [group for group in groups if group.pieces]


def _next_cards(pieces: Sequence[Piece], taught: frozenset[str]) -> list[Piece]:
    """Return the next cards to lay on a sheet."""
    return [piece for piece in pieces if piece.is_flat_card and piece.id not in taught][:9]


def _warnings(desk: Desk, lessons: Lessons, pieces: Sequence[Piece]) -> list[Sentence]:
    """Return what is to be said of look-alikes and of views that show something else."""
    by_id = {piece.id: piece for piece in pieces}
    found = findings_of(lessons)
    said = [
        Sentence("teach.odd", {"piece": desk.called(by_id[a]), "view": n, "other": desk.called(by_id[b])})
        for a, n, b in found.get("odd", ())
        if a in by_id and b in by_id
    ]
    return said + [
        Sentence("teach.alike", {"one": desk.called(by_id[a]), "other": desk.called(by_id[b])})
        for a, b, _ in found.get("alike", ())
        if a in by_id and b in by_id
    ]


def _add_sheets(pages: Blueprint, desk: Desk) -> None:
    @pages.get("/<token>/<box>/sheet/<kind>-<paper>.pdf")
    def sheet(token: str, box: str, kind: str, paper: str) -> Answer:
        """A sheet to lay pieces on, to print."""
        desk.host_only(token)
        if paper not in PAPERS_MM or kind not in ("ring", "cards"):
            abort(404)
        sizes: Any = desk.lessons(box).layout["piece_sizes"]
        try:
            card_mm = (float(sizes["card"][0]), float(sizes["card"][1]))
            drawn = ring_sheet(paper) if kind == "ring" else card_sheet(card_mm, paper)
        except ValueError:
            abort(404)
        file = io.BytesIO()
        write_pdf(list(laying_pages(drawn)), file)
        headers = {"Content-Disposition": f'inline; filename="{kind}-{paper}.pdf"'}
        return Response(file.getvalue(), content_type="application/pdf", headers=headers)
