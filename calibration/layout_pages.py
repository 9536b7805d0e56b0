"""The layout editor: spaces drawn over the picture of a board or card.

Without script a space is moved by its numbers, or by tapping where it belongs; the module
``layout.js`` lets it be dragged. Every change is on the disk before it is answered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from calibration.layout_checks import problems
from calibration.layout_edits import (
    KINDS,
    EditRefused,
    Layout,
    Sheet,
    added,
    changed,
    copied,
    like,
    removed,
    sheet_of,
    spots_of,
    with_board,
    with_piece,
    with_tags,
)
from calibration.lessons import Lessons, Piece
from calibration.page_desk import Desk, Shown
from calibration.shipped_layout import Sizes, shipped_layout
from companion.game import Sentence

Answer = str | AnyResponse | Shown
SHOWN_PX = 340
"""How wide a board is shown to be tapped at; narrower screens move it sideways."""


def add_layout_pages(pages: Blueprint, desk: Desk) -> None:
    """Add the pages of layouts."""
    _add_contents(pages, desk)
    _add_editor(pages, desk)


def _add_contents(pages: Blueprint, desk: Desk) -> None:
    def contents_page(token: str, lessons: Lessons, said: Sentence | None = None) -> Shown:
        layout = lessons.layout
        return desk.shown(
            "teach_layout.html",
            token,
            409 if said else 200,
            lessons=lessons,
            boards=tuple(layout["boards"]),
            cards=[piece for piece in lessons.pieces() if piece.kind == "card"],
            said=said,
        )

    @pages.get("/<token>/<box>/layout/")
    def layout(token: str, box: str) -> Answer:
        """The boards and cards of a box, whose spaces can be drawn."""
        desk.host_only(token)
        return contents_page(token, desk.lessons(box))

    @pages.post("/<token>/<box>/layout/")
    def add_to_layout(token: str, box: str) -> Answer:
        """Add a board or a kind of card."""
        desk.host_only(token)
        lessons, form = desk.lessons(box), request.form
        name = form.get("name", "").strip().lower().replace(" ", "_")
        try:
            if form.get("kind") == "board":
                size = (_number(form.get("wide")), _number(form.get("high")))
                fresh = with_board(lessons.layout, name, size, is_round=bool(form.get("round")))
            else:
                fresh = with_piece(lessons.layout, form.get("kind", ""), name)
        except EditRefused as no:
            return contents_page(token, lessons, _refusal(no))
        lessons.change_layout(fresh)
        return redirect(url_for(".layout", token=token, box=box), 303)


def _add_editor(pages: Blueprint, desk: Desk) -> None:
    def editor_page(token: str, lessons: Lessons, sheet: Sheet, said: Sentence | None = None) -> Shown:
        layout = lessons.layout
        spots = spots_of(layout, sheet)
        chosen = request.values.get("chosen", "")
        shown_by = _picture_of(lessons, sheet)
        expected = _expected(desk, lessons, sheet)
        return desk.shown(
            "teach_editor.html",
            token,
            409 if said else 200,
            lessons=lessons,
            sheet=sheet,
            spots=spots,
            chosen=next((spot for spot in spots if spot.id == chosen), None),
            picture=shown_by,
            wide=SHOWN_PX,
            high=round(SHOWN_PX * sheet.size_mm[1] / sheet.size_mm[0]),
            kinds=KINDS,
            tokens=tuple(layout["token_outlines"]),
            problems=problems(sheet, spots, expected=expected, tokens=layout["token_outlines"]),
            tags=() if sheet.is_card else layout["boards"][sheet.name].get("tag_centers", ()),
            others=[name for name in layout["cards"] if name != sheet.name] if sheet.is_card else (),
            said=said,
        )

    def sheet_named(lessons: Lessons, on: str, name: str) -> Sheet:
        try:
            return sheet_of(lessons.layout, name, is_card=on == "card")
        except EditRefused:
            abort(404)

    @pages.get("/<token>/<box>/layout/<any(board, card):on>/<name>/")
    def editor(token: str, box: str, on: str, name: str) -> Answer:
        """Draw the spaces of a board or of a card."""
        desk.host_only(token)
        lessons = desk.lessons(box)
        return editor_page(token, lessons, sheet_named(lessons, on, name))

    @pages.post("/<token>/<box>/layout/<any(board, card):on>/<name>/")
    def edit(token: str, box: str, on: str, name: str) -> Answer:
        """Move, name, copy or remove a space."""
        desk.host_only(token)
        lessons = desk.lessons(box)
        sheet = sheet_named(lessons, on, name)
        try:
            fresh, chosen = _edited(lessons.layout, sheet)
        except EditRefused as no:
            return editor_page(token, lessons, sheet, _refusal(no))
        lessons.change_layout(fresh)
        ways: dict[str, Any] = {"token": token, "box": box, "on": on, "name": name}
        return redirect(url_for(".editor", chosen=chosen or None, **ways), 303)


def _edited(layout: Layout, sheet: Sheet) -> tuple[Layout, str]:
    """Return the layout as the form of the request in hand changes it, and which space is chosen then."""
    form = request.form
    spot_id, do = form.get("space", ""), form.get("do", "tap" if "at.x" in form else "save")
    steps: dict[str, Callable[[], tuple[Layout, str]]] = {
        "tap": lambda: _tapped(layout, sheet, spot_id),
        "move": lambda: (changed(layout, sheet, spot_id, centre_mm=_pair(form, "x", "y")), spot_id),
        "save": lambda: _saved(layout, sheet, spot_id),
        "copy": lambda: copied(layout, sheet, spot_id, (12.0, 12.0)),
        "remove": lambda: (removed(layout, sheet, spot_id), ""),
        "like": lambda: (like(layout, sheet, form.get("other", "")), ""),
        "tags": lambda: (with_tags(layout, sheet, _edge(form.get("edge"))), ""),
    }
    if do not in steps:
        raise EditRefused("kind", name=do[:40])
    return steps[do]()


def _tapped(layout: Layout, sheet: Sheet, spot_id: str) -> tuple[Layout, str]:
    """Move the chosen space to where the picture was tapped; without one, add a space there."""
    scale = sheet.size_mm[0] / SHOWN_PX
    centre = (_number(request.form.get("at.x")) * scale, _number(request.form.get("at.y")) * scale)
    if spot_id:
        return changed(layout, sheet, spot_id, centre_mm=centre), spot_id
    return added(layout, sheet, request.form.get("kind", "token"), centre)


def _saved(layout: Layout, sheet: Sheet, spot_id: str) -> tuple[Layout, str]:
    form = request.form
    wide = _number(form.get("wide"))
    values: dict[str, Any] = {"centre_mm": _pair(form, "x", "y")}
    if sheet.is_card:
        return changed(layout, sheet, spot_id, size_mm=(wide, wide), **values), spot_id
    name, kind = form.get("name", "").strip().lower().replace(" ", "_"), form.get("kind", "")
    high = wide if kind in ("token", "pile") else _number(form.get("high") or form.get("wide"))
    spot = next((one for one in spots_of(layout, sheet) if one.id == spot_id), None)
    more = dict(spot.more) if spot else {}
    if kind == "pile":
        more["token_kind"] = form.get("token_kind", "")
    if kind == "score" and form.get("value", "").strip():
        more["value"] = int(_number(form.get("value")))
    turn = _number(form.get("turn") or "0")
    values |= {"id": name, "kind": kind, "size_mm": (wide, high), "up_deg": turn, "more": more}
    return changed(layout, sheet, spot_id, **values), name


def _pair(form: Any, x: str, y: str) -> tuple[float, float]:
    return _number(form.get(x)), _number(form.get(y))


def _number(text: str | None) -> float:
    try:
        value = float((text or "").replace(",", "."))
    except ValueError as fault:
        raise EditRefused("number", text=(text or "")[:20]) from fault
    if not -5000 <= value <= 5000:
        raise EditRefused("number", text=(text or "")[:20])
    return value


def _edge(text: str | None) -> float | None:
    return _number(text) if text else None


def _refusal(no: EditRefused) -> Sentence:
    return Sentence(f"layout.refused.{no.reason}", no.values)


def _picture_of(lessons: Lessons, sheet: Sheet) -> Piece | None:
    """Return the piece whose picture shows a board or card, None while none was taken."""
    taught = lessons.taught()
    for piece in lessons.pieces():
        is_it = piece.id == f"card.{sheet.name}" if sheet.is_card else piece.names.get("board") == sheet.name
        if is_it and piece.id in taught:
            return piece
    return None


def _expected(desk: Desk, lessons: Lessons, sheet: Sheet) -> tuple[str, ...]:
    """Return the spaces that the game plays with on a board of that name; none if it has no such board."""
    game = desk.context.host.game
    if sheet.is_card or game.name != lessons.game:
        return ()
    row = shipped_layout(game, Sizes())["boards"].get(sheet.name)
    return () if row is None else tuple(slot["id"] for slot in row["slots"])
