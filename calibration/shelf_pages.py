"""The page of all boxes: begin one, take one in from an archive, give one out as an archive."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from contextlib import closing
from typing import Any

from flask import Blueprint, abort, redirect, request, send_file, url_for
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response as AnyResponse

from calibration.box_archive import MOST_ARCHIVE_BYTES, export_box, import_box
from calibration.lessons import LessonsUnusable, all_lessons, begin
from calibration.page_desk import MULTIPART_BYTES, Desk, Shown
from calibration.shipped_layout import Sizes, bare_layout, shipped_layout
from companion.game import Sentence
from companion.settings import home
from companion.table.archive import MB
from companion.table.archive_faults import ArchiveRefused
from companion.table.boxes import box_folder, has_eyes, taught_boxes

Answer = str | AnyResponse | Shown
NOTHING = "nothing"
LEAST_MM, MOST_MM = 5, 200


def add_shelf_pages(pages: Blueprint, desk: Desk) -> None:
    """Add the page of all boxes: begun, taken in from an archive, given out as one."""

    @pages.get("/<token>/")
    def boxes(token: str) -> Answer:
        """All boxes, and how to begin one."""
        desk.host_only(token)
        return _shelf(desk, token)

    @pages.post("/<token>/import")
    def import_file(token: str) -> Answer:
        """Take in a box from an archive."""
        desk.host_only(token)
        request.max_content_length = MOST_ARCHIVE_BYTES + MULTIPART_BYTES
        try:
            file = request.files.get("file")
            if file is None or not file.filename:
                return _shelf(desk, token, Sentence("archive.no_archive"), 409)
            with closing(file):
                name = request.form.get("name", "").strip()
                called = import_box(file.stream, home() / "boxes", name=name)
        except RequestEntityTooLarge:
            return _shelf(desk, token, Sentence("archive.too_large", {"most": MOST_ARCHIVE_BYTES // MB}), 413)
        except ArchiveRefused as no:
            return _shelf(desk, token, no.sentence, 409)
        except OSError as fault:
            return _shelf(desk, token, Sentence("teach.plainly", {"text": fault.strerror or str(fault)}), 409)
        return redirect(url_for(".boxes", token=token, imported=called), 303)

    @pages.post("/<token>/")
    def begin_box(token: str) -> Answer:
        """Begin to teach a box."""
        desk.host_only(token)
        name, game = request.form.get("name", "").strip(), desk.context.host.game
        try:
            sizes = _sizes(request.form)
            layout = (
                bare_layout(sizes) if request.form.get("start") == NOTHING else shipped_layout(game, sizes)
            )
            begin(name, layout, game=game.name)
        except LessonsUnusable as fault:
            return _shelf(desk, token, Sentence("teach.plainly", {"text": str(fault)}), 409)
        except ValueError:
            return _shelf(
                desk, token, Sentence("teach.begin.sizes", {"least": LEAST_MM, "most": MOST_MM}), 409
            )
        return redirect(url_for(".overview", token=token, box=name), 303)

    @pages.get("/<token>/<box>/box.zip")
    def export(token: str, box: str) -> Answer:
        """A box as an archive."""
        desk.host_only(token)
        if box not in (*all_lessons(), *taught_boxes()):
            abort(404)
        file = tempfile.TemporaryFile()  # noqa: SIM115 (closed by what sends it)
        try:
            export_box(box_folder(box), file)
        except (ArchiveRefused, OSError):
            file.close()
            abort(404)
        file.seek(0)
        return send_file(file, mimetype="application/zip", as_attachment=True, download_name=f"{box}.zip")


def _shelf(desk: Desk, token: str, fault: Sentence | None = None, status: int = 200) -> Shown:
    boxes = sorted({*all_lessons(), *taught_boxes()})
    imported = request.args.get("imported", "")
    values: dict[str, Any] = {
        "boxes": boxes,
        "taught_only": set(boxes) - set(all_lessons()),
        "sizes": Sizes(),
        "fault": fault,
        "has_eyes": has_eyes,
        "imported": imported if imported in boxes else "",
    }
    return desk.shown("teach_shelf.html", token, status, **values)


def _sizes(form: Mapping[str, str]) -> Sizes:
    """Read the sizes of pieces. Raises ValueError for what is no size of a piece."""

    def mm(name: str, usual: float) -> float:
        value = float(form.get(name, "").replace(",", ".") or usual)
        if not LEAST_MM <= value <= MOST_MM:
            raise ValueError(name)
        return value

    usual = Sizes()
    card = (mm("card_wide", usual.card[0]), mm("card_high", usual.card[1]))
    return Sizes(mm("token", usual.token), card, mm("upgrade", usual.upgrade), mm("order", usual.order))
