"""The page of what people corrected: looked at, and taken back."""

from __future__ import annotations

from flask import Blueprint, Response, abort, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from calibration.page_desk import Desk, Shown
from companion.board import PieceKind
from companion.table.boxes import box_folder, has_eyes
from vision.corrections import FOLDER, CorrectionBook

Answer = str | AnyResponse | Shown


def add_corrections_pages(pages: Blueprint, desk: Desk) -> None:
    """Add the page of corrections; boxes that were taught from flat scans have one, too."""

    @pages.get("/<token>/<box>/corrections/")
    def corrections(token: str, box: str) -> Answer:
        """What the eyes learnt from corrections."""
        desk.host_only(token)
        if not has_eyes(box):
            abort(404)
        rows = tuple(reversed(CorrectionBook(box_folder(box)).all))
        word = desk.context.piece
        return desk.shown("teach_corrections.html", token, box=box, rows=rows, word=word, PieceKind=PieceKind)

    @pages.get("/<token>/<box>/corrections/<int:number>.png")
    def correction_picture(token: str, box: str, number: int) -> Answer:
        """The picture that a correction was about."""
        desk.host_only(token)
        path = box_folder(box) / FOLDER / f"{number}.png"
        if not has_eyes(box) or not path.is_file():
            abort(404)
        return Response(path.read_bytes(), content_type="image/png")

    @pages.post("/<token>/<box>/corrections/<int:number>/back")
    def take_back(token: str, box: str, number: int) -> Answer:
        """Take a correction back."""
        desk.host_only(token)
        if not has_eyes(box):
            abort(404)
        is_on_the_table = box == desk.context.host.row.box
        if not is_on_the_table or not desk.do("corrections", {"do": "take_back", "number": number}).get("ok"):
            CorrectionBook(box_folder(box)).take_back(number)
        return redirect(url_for(".corrections", token=token, box=box), 303)
