"""The host's pages of what a box prints: see, search, enter, correct, as CSV down and up.

Every table and form here is made from the sheets that the game declares; no page knows a game.
All work without script.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response as AnyResponse

from companion.catalogue import (
    CatalogueRefused,
    Given,
    Row,
    Rows,
    changes,
    checked,
    is_complete,
    rows_of,
    sized,
    words_of,
)
from companion.game import Sentence, Wire
from companion.journal import Cause
from companion.settings import CannotStart
from companion.sheets import Column, Kind, Sheet
from companion.spreadsheet import MARK, MOST_BYTES, csv_in, csv_out
from companion.table.boxes import catalogue_of, merged, new_box, picture_of, taught_boxes
from companion.table.writer import Receipt
from web.desk import Guest, Role
from web.room import Room
from web.sections import Audience

STAND_IN = "stand-in"
"""The game's own invented deck where no box is meant; it is shown and copied, never changed."""

FORM_ROOM_BYTES = 64 * 1024
Answer = str | AnyResponse | tuple[str, int]


@dataclass(frozen=True, slots=True)
class Shelf:
    """One sheet of one box as a page shows it. ``box`` is empty for the stand-in."""

    name: str
    box: str
    catalogue: Wire
    sheet: Sheet
    rows: Rows

    def label(self, row: str) -> str:
        """Return what a row is called: its name if it has one."""
        name = next((self.rows[row].get(c.name) for c in self.sheet.columns if c.is_unique), None)
        return str(name or row)

    def open_rows(self) -> list[str]:
        """Return the rows of which something is not known."""
        return [row for row, values in self.rows.items() if not is_complete(self.sheet, values)]

    def has_picture(self, row: str) -> bool:
        return picture_of(self.box, self.sheet.name, row) is not None


def make_box_pages(room: Room) -> Blueprint:
    """Return the pages of boxes, under the host's own address, and the pictures that seats are shown."""
    pages = Blueprint("boxes", __name__)
    _list_pages(pages, room)
    _row_pages(pages, room)

    @pages.get("/picture/<row>")
    def picture_at_table(row: str) -> Answer:
        """Show a card of the box on the table: it lies there for all to see."""
        sheets = room.host.game.box.sheets
        found = (picture_of(room.host.row.box, sheet.name, row) for sheet in sheets)
        return _picture(next((one for one in found if one), None))

    return pages


def _list_pages(pages: Blueprint, room: Room) -> None:
    @pages.get("/host/<token>/box/")
    def first_sheet(token: str) -> Answer:
        """What the box prints: its first table."""
        _host(room, token)
        sheets = room.host.game.box.sheets
        if not sheets:
            abort(404)
        box = request.args.get("box") or room.host.row.box or STAND_IN
        return redirect(url_for("boxes.rows", token=token, box=box, sheet=sheets[0].name), 303)

    @pages.get("/host/<token>/box/<box>/<sheet>/")
    def rows(token: str, box: str, sheet: str) -> Answer:
        """A table of what a box prints."""
        _host(room, token)
        return _rows_page(room, _shelf(room, box, sheet))

    @pages.post("/host/<token>/box/<box>/<sheet>/")
    def upload(token: str, box: str, sheet: str) -> Answer:
        """Take in a table from a spreadsheet."""
        guest = _host(room, token)
        shelf = _shelf(room, box, sheet)
        request.max_content_length = MOST_BYTES + FORM_ROOM_BYTES
        try:
            file = request.files.get("file")
            body = file.read(MOST_BYTES + 1) if file else b""
            if file:
                file.close()
            is_trial = bool(request.form.get("dry_run"))
        except RequestEntityTooLarge:
            too_large = Sentence("catalogue.too_large", {"most": MOST_BYTES // 1024})
            return _rows_page(room, shelf, faults=(too_large,)), 413
        return _uploaded(room, guest, shelf, body, is_trial=is_trial)

    @pages.get("/host/<token>/box/<box>/<sheet>/sheet.csv")
    def download(token: str, box: str, sheet: str) -> Answer:
        """A table of a box as a spreadsheet."""
        _host(room, token)
        shelf = _shelf(room, box, sheet)
        headers = {"Content-Disposition": f'attachment; filename="{shelf.name}-{sheet}.csv"'}
        text = MARK + csv_out(shelf.sheet, shelf.catalogue)
        return Response(text, content_type="text/csv; charset=utf-8", headers=headers)

    @pages.post("/host/<token>/box/new")
    def copy(token: str) -> Answer:
        """Begin a box of one's own as a copy of the stand-in."""
        _host(room, token)
        sheets, name = room.host.game.box.sheets, request.form.get("name", "").strip()
        try:
            new_box(name, room.host.game.stand_in)
        except CannotStart as error:
            shelf = _shelf(room, STAND_IN, sheets[0].name)
            return _rows_page(room, shelf, faults=(_said(error),)), 409
        return redirect(url_for("boxes.rows", token=token, box=name, sheet=sheets[0].name), 303)


def _row_pages(pages: Blueprint, room: Room) -> None:
    @pages.route("/host/<token>/box/<box>/<sheet>/row/<row>", methods=["GET", "POST"])
    def row(token: str, box: str, sheet: str, row: str) -> Answer:
        """Enter or correct a row."""
        guest = _host(room, token)
        shelf = _shelf(room, box, sheet)
        if row not in shelf.rows:
            abort(404)
        if request.method != "POST":
            return _row_page(room, shelf, row, shelf.rows[row])
        return _saved(room, guest, shelf, row)

    @pages.route("/host/<token>/box/<box>/<sheet>/row/", methods=["GET", "POST"])
    def add(token: str, box: str, sheet: str) -> Answer:
        """Enter a row that is not there yet."""
        guest = _host(room, token)
        shelf = _shelf(room, box, sheet)
        if not shelf.sheet.may_grow or not shelf.box:
            abort(404)
        return _row_page(room, shelf, "", {}) if request.method != "POST" else _saved(room, guest, shelf, "")

    @pages.get("/host/<token>/box/<box>/<sheet>/picture/<row>")
    def picture(token: str, box: str, sheet: str, row: str) -> Answer:
        """The taught picture of a card."""
        _host(room, token)
        return _picture(picture_of(_shelf(room, box, sheet).box, sheet, row))


def _host(room: Room, token: str) -> Guest:
    guest = room.guest_by_host_token(token)
    if guest is None:
        abort(redirect(url_for("pages.knock"), 303))
    return guest


def _shelf(room: Room, box: str, sheet: str) -> Shelf:
    """Return a sheet of a box; a page in plain words if there is none or it cannot be read."""
    game, taught = room.host.game, taught_boxes()
    found = next((one for one in game.box.sheets if one.name == sheet), None)
    is_own = box in taught
    if found is None or not (is_own or box == STAND_IN):
        abort(404)
    try:
        catalogue = catalogue_of(box) if is_own else game.stand_in
        return Shelf(box, box if is_own else "", catalogue, found, rows_of(found, catalogue))
    except (CannotStart, CatalogueRefused) as wrong:
        faults = wrong.faults if isinstance(wrong, CatalogueRefused) else (_said(wrong),)
        page = render_template("box_trouble.html", **_values(room), faults=faults, box=box)
        return abort(Response(page, 409))


def _values(room: Room) -> dict[str, Any]:
    values = room.sections.values(Audience(Role.HOST), room.host.table.look(None)) | room.page_facts()
    return values | {"heading": values["tell"]("web.box")}


def _rows_page(
    room: Room, shelf: Shelf, *, faults: tuple[Sentence, ...] = (), done: Sentence | None = None
) -> str:
    asked, only_open = request.args.get("q", "").strip()[:60], bool(request.args.get("open"))
    unknown = shelf.open_rows()
    shown = [row for row in (unknown if only_open else shelf.rows) if _is_meant(asked, row, shelf.rows[row])]
    ways = {"q": asked} if asked else {}
    return render_template(
        "box.html",
        **_values(room),
        shelf=shelf,
        shown=shown,
        unknown=unknown,
        asked=asked,
        only_open=only_open,
        boxes=[*taught_boxes(), *([] if STAND_IN in taught_boxes() else [STAND_IN])],
        sheets=room.host.game.box.sheets,
        is_played=shelf.box == room.host.row.box,
        filter_link=urlencode(ways if only_open else ways | {"open": "1"}),
        faults=faults,
        done=done,
    )


def _is_meant(asked: str, row: str, values: Row) -> bool:
    """Tell whether a search means a row: every word of it stands somewhere in the row."""
    text = plain_letters(
        " ".join([row, *(" ".join(v) if isinstance(v, tuple) else str(v) for v in values.values())])
    )
    return all(word in text for word in plain_letters(asked).split())


def plain_letters(text: str) -> str:
    """Return text in small letters without accents, as people type it."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign))


@dataclass(frozen=True, slots=True)
class Entry:
    """One column of a row's form: the column, how many words it asks for, what it holds now."""

    column: Column
    words: tuple[str, ...]
    value: str
    chosen: tuple[str, ...]


def _entries(shelf: Shelf, row: str, values: Mapping[str, Any]) -> list[Entry]:
    stored = (shelf.catalogue.get(shelf.sheet.stored) or {}).get(row) or {}
    entries = []
    for column in shelf.sheet.columns:
        size = stored.get(column.sized_by) if column.sized_by and isinstance(stored, Mapping) else None
        fitting, value = sized(column, size), values.get(column.name)
        chosen = tuple(value) if isinstance(value, tuple) else ()
        words = words_of(column, shelf.catalogue)
        entries.append(Entry(fitting, words, "" if value is None else str(value), chosen))
    return entries


def _row_page(
    room: Room, shelf: Shelf, row: str, values: Mapping[str, Any], faults: tuple[Sentence, ...] = ()
) -> str:
    order = list(shelf.rows)
    at = order.index(row) if row in order else -1
    around = (order[at - 1] if at > 0 else "", order[at + 1] if 0 <= at < len(order) - 1 else "")
    names = {one: str(stored.get("name") or one) for one, stored in _cards_of(shelf).items()}
    return render_template(
        "box_row.html",
        **_values(room),
        shelf=shelf,
        row=row,
        entries=_entries(shelf, row, values),
        around=around,
        called=names,
        faults=faults,
    )


def _cards_of(shelf: Shelf) -> Mapping[str, Mapping[str, Any]]:
    """Return the rows that choices of a sheet are ids of, to call them by their names."""
    found: dict[str, Mapping[str, Any]] = {}
    for column in shelf.sheet.columns:
        stored = shelf.catalogue.get(column.of) if column.of else None
        found |= {key: one for key, one in (stored or {}).items() if isinstance(one, Mapping)}
    return found


def _saved(room: Room, guest: Guest, shelf: Shelf, row: str) -> Answer:
    """Save a row's form and go on to the next row that is not complete; or say what is wrong."""
    if not shelf.box:
        abort(404)
    cells = {
        column.name: " ".join(text for text in request.form.getlist(f"cell.{column.name}") if text)
        for column in shelf.sheet.columns
    }
    key = row or request.form.get("key", "").strip() or _key_from(shelf, cells)

    def change(catalogue: Wire) -> Wire:
        given = [Given(key, cells)]
        read = checked(shelf.sheet, catalogue, given, adds=not row)
        return merged(shelf.sheet, catalogue, read)

    if not row and key in shelf.rows:
        twice = Sentence("web.box.there_already", {"row": key})
        return _row_page(room, shelf, row, _typed(shelf, cells), (twice,)), 409
    faults = _changed(room, guest, shelf, change)
    if faults:
        return _row_page(room, shelf, row, _typed(shelf, cells), faults), 409
    ways = {"token": request.view_args["token"], "box": shelf.name, "sheet": shelf.sheet.name}  # type: ignore[index]
    after = _after(_shelf(room, shelf.name, shelf.sheet.name), key)
    if after and request.form.get("next"):
        return redirect(url_for("boxes.row", row=after, **ways), 303)
    return redirect(url_for("boxes.rows", _anchor=f"row-{key}", **ways), 303)


def _typed(shelf: Shelf, cells: Mapping[str, str]) -> dict[str, Any]:
    """Return what was typed as values, so that a refused form comes back as it was."""
    several = {column.name for column in shelf.sheet.columns if column.kind is Kind.CHOICES}
    return {name: tuple(text.split()) if name in several else text for name, text in cells.items()}


def _key_from(shelf: Shelf, cells: Mapping[str, str]) -> str:
    """Return an id for a new row, made of its name and not yet taken."""
    name = next((cells[column.name] for column in shelf.sheet.columns if column.is_unique), "")
    key = re.sub(r"[^a-z0-9]+", "_", plain_letters(name)).strip("_")[:36] or "new"
    free = (f"{key}_{number}" for number in range(2, 10_000))
    return key if key not in shelf.rows else next(one for one in free if one not in shelf.rows)


def _after(shelf: Shelf, row: str) -> str:
    """Return the next row after this one that is not complete, else the first such; empty if none is."""
    order, unknown = list(shelf.rows), shelf.open_rows()
    at = order.index(row) if row in order else 0
    later = [one for one in unknown if order.index(one) > at]
    return next(iter([*later, *unknown]), "")


def _uploaded(room: Room, guest: Guest, shelf: Shelf, body: bytes, *, is_trial: bool) -> Answer:
    if not shelf.box:
        abort(404)
    found: dict[str, int] = {}

    def change(catalogue: Wire) -> Wire:
        ((name, after),) = csv_in([shelf.sheet], catalogue, body).items()
        # Once the table is told, the box may have learnt it before it is asked to change.
        found.setdefault(name, len(changes(shelf.sheet, catalogue, after)))
        return after

    if is_trial:
        try:
            change(shelf.catalogue)
        except CatalogueRefused as refused:
            return _rows_page(room, shelf, faults=refused.faults), 409
        said = Sentence("web.box.would", {"count": found[shelf.sheet.name]})
        return _rows_page(room, shelf, done=said)
    faults = _changed(room, guest, shelf, change)
    if faults:
        return _rows_page(room, shelf, faults=faults), 409
    fresh = _shelf(room, shelf.name, shelf.sheet.name)
    return _rows_page(room, fresh, done=Sentence("web.box.done", {"count": found[shelf.sheet.name]}))


def _changed(room: Room, guest: Guest, shelf: Shelf, change: Callable[[Wire], Wire]) -> tuple[Sentence, ...]:
    """Change the box and the table that is played with it; return what is wrong, empty if it is done."""
    mark = hashlib.sha256(request.url.encode() + repr(sorted(request.form.items(multi=True))).encode())
    seq = room.host.table.look(None).seq
    name = f"box-{seq}-{mark.hexdigest()[:16]}"
    try:
        cause = Cause("host", None, guest.client, name)
        receipt: Receipt = room.host.correct_box(shelf.box, change, request=name, cause=cause)
    except CatalogueRefused as refused:
        return refused.faults
    except CannotStart as error:
        return (_said(error),)
    if receipt.is_done:
        return ()
    return tuple(one for one in (receipt.why, receipt.instead) if one is not None)


def _said(error: Exception) -> Sentence:
    return Sentence("web.said", {"text": str(error)})


def _picture(picture: bytes | None) -> Answer:
    if picture is None:
        abort(404)
    headers = {"Cache-Control": "private, max-age=600"}
    return Response(picture, content_type="image/jpeg", headers=headers)
