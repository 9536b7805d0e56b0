"""The pages of single pieces: "lay the limb token in the ring", cards on a sheet, a board's photo."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, redirect, request, url_for
from PIL import Image
from werkzeug.wrappers import Response as AnyResponse

from calibration.lessons import Lessons, Piece
from calibration.page_desk import Desk, Shown
from calibration.teach_job import PHOTOS, findings_of
from companion.game import Sentence, Wire

Answer = str | AnyResponse | Shown
CORNERS = ("top_left", "top_right", "bottom_right", "bottom_left")
RIM = ("top", "right", "bottom", "left")
MOST_CARDS = 9
SHOWN_PX = 288
"""How wide a photo is shown to be pointed at: on the narrowest phone, too."""

MAGNIFIED = 0.14
"""The share of a photo's width that is shown enlarged to point exactly."""


def add_piece_pages(pages: Blueprint, desk: Desk) -> None:
    """Add the pages of single pieces."""
    _add_views(pages, desk)
    _add_cards(pages, desk)
    _add_boards(pages, desk)
    _add_pictures(pages, desk)


def _piece_page(
    desk: Desk, token: str, lessons: Lessons, piece: Piece, said: Sentence | None = None
) -> Shown:
    pieces = list(lessons.pieces())
    by_id = {one.id: one for one in pieces}
    at = [one.id for one in pieces].index(piece.id)
    found = findings_of(lessons)
    alike = [
        by_id[b if a == piece.id else a]
        for a, b, _ in found.get("alike", ())
        if piece.id in (a, b) and a in by_id and b in by_id
    ]
    return desk.shown(
        "teach_piece.html",
        token,
        409 if said else 200,
        lessons=lessons,
        piece=piece,
        numbers=[int(path.stem) for path in lessons.views(piece)],
        is_taught=lessons.picture(piece) is not None,
        alike=alike,
        odd={n: by_id[b] for a, n, b in found.get("odd", ()) if a == piece.id and b in by_id},
        said=said,
        after=pieces[at + 1] if at + 1 < len(pieces) else None,
        is_round=_is_round(lessons, piece),
    )


def _is_round(lessons: Lessons, piece: Piece) -> bool:
    if piece.kind != "board":
        return False
    return bool(lessons.layout["boards"][piece.names["board"]].get("shape") == "disc")


def _add_views(pages: Blueprint, desk: Desk) -> None:
    @pages.get("/<token>/<box>/piece/<piece_id>")
    def piece(token: str, box: str, piece_id: str) -> Answer:
        """Teach one piece."""
        desk.host_only(token)
        lessons = desk.lessons(box)
        return _piece_page(desk, token, lessons, desk.piece(lessons, piece_id))

    @pages.post("/<token>/<box>/piece/<piece_id>")
    def take(token: str, box: str, piece_id: str) -> Answer:
        """Take a picture of a piece."""
        desk.host_only(token)
        lessons = desk.lessons(box)
        one = desk.piece(lessons, piece_id)
        answer = _asked(desk, lessons, one)
        why = desk.why(answer)
        if why is not None:
            return _piece_page(desk, token, lessons, one, why)
        if answer.get("needs") == "corners":
            return redirect(url_for(".corners", token=token, box=box, piece_id=piece_id), 303)
        return redirect(url_for(".piece", token=token, box=box, piece_id=piece_id), 303)

    @pages.post("/<token>/<box>/piece/<piece_id>/drop/<int:number>")
    def drop(token: str, box: str, piece_id: str, number: int) -> Answer:
        """Take one view of a piece back."""
        desk.host_only(token)
        lessons = desk.lessons(box)
        lessons.drop_view(desk.piece(lessons, piece_id), number)
        desk.do("teach", {"do": "check", "box": box, "about": [piece_id]})
        return redirect(url_for(".piece", token=token, box=box, piece_id=piece_id), 303)

    @pages.post("/<token>/<box>/piece/<piece_id>/forget")
    def forget(token: str, box: str, piece_id: str) -> Answer:
        """Forget all views of a piece."""
        desk.host_only(token)
        lessons = desk.lessons(box)
        lessons.forget(desk.piece(lessons, piece_id))
        desk.do("teach", {"do": "check", "box": box, "about": [piece_id]})
        return redirect(url_for(".piece", token=token, box=box, piece_id=piece_id), 303)


def _asked(desk: Desk, lessons: Lessons, piece: Piece) -> Wire:
    """Let a piece be taken from the photo or camera of the request in hand."""
    told: dict[str, Any] = {"box": lessons.box, "piece": piece.id}
    if piece.kind == "board":
        return _with_picture(desk, told | {"do": "board"})
    if piece.is_flat_card:
        return _with_picture(desk, told | {"do": "cards", "pieces": [piece.id]})
    return _with_picture(desk, told | {"do": "view"})


def _with_picture(desk: Desk, told: dict[str, Any]) -> Wire:
    coded = desk.photo()
    camera = request.form.get("camera", "")
    if not coded and camera not in desk.cameras:
        return {"ok": False, "why": {"key": "teach.no_file", "values": {}}}
    return desk.do("teach", told | ({} if coded else {"camera": camera}), coded)


def _add_cards(pages: Blueprint, desk: Desk) -> None:
    def cards_page(token: str, lessons: Lessons, said: Sentence | None = None, status: int = 200) -> Shown:
        taught = lessons.taught()
        cards = [piece for piece in lessons.pieces() if piece.is_flat_card]
        wanted = request.args.getlist("card")
        missing = [piece for piece in cards if piece.id not in taught]
        first = [piece for piece in cards if piece.id in wanted] or missing or cards
        return desk.shown(
            "teach_cards.html",
            token,
            status,
            lessons=lessons,
            cards=cards,
            chosen=first[:MOST_CARDS],
            taken=[p for one in request.args.getlist("taken") if (p := lessons.piece(one)) is not None],
            said=said,
        )

    @pages.get("/<token>/<box>/cards")
    def cards(token: str, box: str) -> Answer:
        """Lay up to nine cards on the sheet."""
        desk.host_only(token)
        return cards_page(token, desk.lessons(box))

    @pages.post("/<token>/<box>/cards")
    def take_cards(token: str, box: str) -> Answer:
        """Take a picture of the cards on the sheet."""
        desk.host_only(token)
        lessons = desk.lessons(box)
        named = [one for one in request.form.getlist("card") if one][:MOST_CARDS]
        if len(set(named)) < len(named):
            return cards_page(token, lessons, Sentence("teach.cards.twice"), 409)
        answer = _with_picture(desk, {"do": "cards", "box": box, "pieces": named})
        why = desk.why(answer)
        if why is not None:
            return cards_page(token, lessons, why, 409)
        return redirect(url_for(".cards", token=token, box=box, taken=answer["taken"]), 303)


def _add_boards(pages: Blueprint, desk: Desk) -> None:
    @pages.get("/<token>/<box>/piece/<piece_id>/corners")
    def corners(token: str, box: str, piece_id: str) -> Answer:
        """Point at the corners of a board in its photo."""
        desk.host_only(token)
        lessons = desk.lessons(box)
        return _corners_page(desk, token, lessons, desk.piece(lessons, piece_id))

    @pages.post("/<token>/<box>/piece/<piece_id>/corners")
    def point(token: str, box: str, piece_id: str) -> Answer:
        """Say where a corner is."""
        desk.host_only(token)
        lessons = desk.lessons(box)
        piece = desk.piece(lessons, piece_id)
        given = [one for one in request.form.getlist("corner") if _point(one) is not None][:4]
        near = request.form.get("near", "")
        ways: dict[str, Any] = {"token": token, "box": box, "piece_id": piece_id}
        path = lessons.folder / PHOTOS / f"{piece.name}.jpg"
        if not path.is_file():
            abort(404)
        high = SHOWN_PX if near else _shown_height(path)
        here = _pointed_at(high)
        if here is not None and not near and len(given) < 4:
            return redirect(
                url_for(".corners", corner=given, near=f"{here[0]:.4f},{here[1]:.4f}", **ways), 303
            )
        if here is not None and (spot := _point(near)) is not None:
            given.append(_within(spot, here, path))
        if len(given) < 4:
            return redirect(url_for(".corners", corner=given, **ways), 303)
        told = {"do": "corners", "box": box, "piece": piece_id, "corners": [_point(one) for one in given]}
        why = desk.why(desk.do("teach", told))
        if why is not None:
            return _corners_page(desk, token, lessons, piece, why)
        return redirect(url_for(".piece", **ways), 303)


def _corners_page(
    desk: Desk, token: str, lessons: Lessons, piece: Piece, said: Sentence | None = None
) -> Shown:
    given = [one for one in request.values.getlist("corner") if _point(one) is not None][:4]
    near = request.args.get("near", "") if said is None else ""
    ways = RIM if _is_round(lessons, piece) else CORNERS
    path = lessons.folder / PHOTOS / f"{piece.name}.jpg"
    if not path.is_file():
        abort(404)
    if said is not None or len(given) == len(ways):
        given = []
    address = url_for(".photo", token=token, box=lessons.box, piece_id=piece.id, near=near or None)
    return desk.shown(
        "teach_corners.html",
        token,
        409 if said else 200,
        lessons=lessons,
        piece=piece,
        given=given,
        near=near,
        wanted=ways[len(given)],
        address=address,
        wide=SHOWN_PX,
        high=SHOWN_PX if near else _shown_height(path),
        said=said,
    )


def _pointed_at(high: int) -> tuple[float, float] | None:
    """Return where a picture was tapped, as shares of its width and height; None if it was not."""
    try:
        x, y = float(request.form["at.x"]) / SHOWN_PX, float(request.form["at.y"]) / high
    except (KeyError, ValueError):
        return None
    return (x, y) if 0 <= x <= 1 and 0 <= y <= 1 else None


def _shown_height(path: Path) -> int:
    """Return how high a photo is shown."""
    with Image.open(path) as photo:
        return max(1, round(SHOWN_PX * photo.height / photo.width))


def _magnified(path: Path, near: tuple[float, float]) -> tuple[int, int, int]:
    """Return the part of a photo that is shown enlarged: left, top and side, px."""
    with Image.open(path) as photo:
        side = round(MAGNIFIED * photo.width)
        return round(near[0] * photo.width - side / 2), round(near[1] * photo.height - side / 2), side


def _within(near: tuple[float, float], here: tuple[float, float], path: Path) -> str:
    """Return a corner that was pointed at in the enlarged part, as shares of the whole photo."""
    left, top, side = _magnified(path, near)
    with Image.open(path) as photo:
        x, y = (left + here[0] * side) / photo.width, (top + here[1] * side) / photo.height
    return f"{min(max(x, 0.0), 1.0):.5f},{min(max(y, 0.0), 1.0):.5f}"


def _point(text: str) -> tuple[float, float] | None:
    try:
        x, y = (float(one) for one in text.split(","))
    except ValueError:
        return None
    return (x, y) if 0 <= x <= 1 and 0 <= y <= 1 else None


def _add_pictures(pages: Blueprint, desk: Desk) -> None:
    @pages.get("/<token>/<box>/picture/<piece_id>")
    def picture(token: str, box: str, piece_id: str) -> Answer:
        """The learnt picture of a piece."""
        desk.host_only(token)
        lessons = desk.lessons(box)
        return _file(lessons.picture(desk.piece(lessons, piece_id)))

    @pages.get("/<token>/<box>/view/<piece_id>/<int:number>")
    def view(token: str, box: str, piece_id: str, number: int) -> Answer:
        """One view of a piece."""
        desk.host_only(token)
        lessons = desk.lessons(box)
        views = {int(path.stem): path for path in lessons.views(desk.piece(lessons, piece_id))}
        return _file(views.get(number))

    @pages.get("/<token>/<box>/photo/<piece_id>")
    def photo(token: str, box: str, piece_id: str) -> Answer:
        """The photo of a board as it was sent."""
        desk.host_only(token)
        lessons = desk.lessons(box)
        path = lessons.folder / PHOTOS / f"{desk.piece(lessons, piece_id).name}.jpg"
        near = _point(request.args.get("near", ""))
        if near is None or not path.is_file():
            return _file(path)
        left, top, side = _magnified(path, near)
        file = io.BytesIO()
        with Image.open(path) as whole:
            whole.crop((left, top, left + side, top + side)).resize((2 * SHOWN_PX, 2 * SHOWN_PX)).save(
                file, "JPEG"
            )
        return Response(file.getvalue(), content_type="image/jpeg")


def _file(path: Path | None) -> Response:
    if path is None or not path.is_file():
        abort(404)
    kind = "image/jpeg" if path.suffix == ".jpg" else "image/png"
    return Response(path.read_bytes(), content_type=kind)
