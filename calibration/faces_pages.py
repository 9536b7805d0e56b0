"""The pages that teach a die its faces (entry point ``companion.pages``), for the host only.

``/faces/<token>/<die>``: what it says lies up; then one face after the other is laid up. Complete forms,
no script. Which faces are left is the die's own word, carried from page to page in the address.
"""

from __future__ import annotations

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from calibration.page_desk import Context, Desk, Shown
from companion.game import Sentence, Wire

Answer = str | AnyResponse | Shown
LEAST_FACES, MOST_FACES = 2, 30
LEAST_LEAN_DEG, MOST_LEAN_DEG, USUAL_LEAN_DEG = 5, 45, 21


def page(context: Context) -> Blueprint:
    """Return the pages of teaching faces."""
    pages = Blueprint("faces", __name__, url_prefix="/faces", template_folder="templates")
    desk = Desk(context)

    def host_links(token: str) -> list[tuple[str, str]]:
        return [(desk.tell("faces.link"), f"/faces/{token}/")] if _dice(desk) else []

    pages.host_links = host_links  # type: ignore[attr-defined]  # the web asks every page for them

    @pages.get("/<token>/")
    def dice(token: str) -> Answer:
        """All dice that can learn their faces."""
        desk.host_only(token)
        found = _dice(desk)
        if len(found) == 1:
            return redirect(url_for(".die", token=token, die=found[0]), 303)
        return desk.shown("faces_shelf.html", token, dice=found)

    @pages.get("/<token>/<die>")
    def die(token: str, die: str) -> Answer:
        """What a die says of how it lies, and how to teach it its faces."""
        desk.host_only(token)
        return _shown(desk, token, _known(desk, die), _asked(desk, die, {"do": "look"}))

    @pages.post("/<token>/<die>")
    def step(token: str, die: str) -> Answer:
        """Lay the next face up, begin, or stop."""
        desk.host_only(token)
        do = request.form.get("do", "")
        told = _told(do)
        answer = _asked(desk, _known(desk, die), {"do": do, **told})
        if not answer.get("ok"):
            return _shown(desk, token, die, answer)
        if do == "lean":
            return redirect(url_for(".die", token=token, die=die, lean=told["deg"]), 303)
        left = ".".join(str(face) for face in answer["left"])
        return redirect(url_for(".die", token=token, die=die, left=left or "none"), 303)

    return pages


def _dice(desk: Desk) -> tuple[str, ...]:
    return tuple(device.name for device in desk.context.host.settings.dice)


def _known(desk: Desk, die: str) -> str:
    return die if die in _dice(desk) else abort(404)


def _asked(desk: Desk, die: str, told: Wire) -> Wire:
    return desk.do("faces", {"die": die, **told})


def _told(do: str) -> dict[str, int]:
    """Return what a step names, within its bounds; 400 for what no form of ours sends."""
    wanted = {
        "begin": ("faces", LEAST_FACES, MOST_FACES),
        "lay": ("face", 1, MOST_FACES),
        "lean": ("deg", LEAST_LEAN_DEG, MOST_LEAN_DEG),
    }
    name, least, most = wanted.get(do) or abort(400)
    given = request.form.get(name, "")
    if not given.isdecimal() or not least <= int(given) <= most:
        abort(400)
    return {name: int(given)}


def _left() -> tuple[int, ...] | None:
    """Return the faces that the address says are left, () when all are learnt, None before it began."""
    given = request.args.get("left") or request.form.get("left") or ""
    faces = [int(face) for face in given.split(".") if face.isdecimal() and len(face) <= 2]
    return tuple(faces) or (() if given == "none" else None)


def _shown(desk: Desk, token: str, die: str, answer: Wire) -> Shown:
    why = desk.why(answer)
    left = _left()
    lean = request.args.get("lean", "")
    return desk.shown(
        "faces_die.html",
        token,
        409 if why else 200,
        fault=why,
        die=die,
        says=_says(answer),
        count=answer.get("faces", 6),
        left=left,
        is_learnt=left == (),
        lean_deg=int(lean) if lean.isdecimal() and len(lean) <= 2 else USUAL_LEAN_DEG,
        is_lean_set=bool(lean),
        least=LEAST_LEAN_DEG,
        most=MOST_LEAN_DEG,
        least_faces=LEAST_FACES,
        most_faces=MOST_FACES,
    )


def _says(answer: Wire) -> Sentence | None:
    """Return what a die says of how it lies; nothing of one that is not there."""
    if "lies" not in answer:
        return None
    lies = answer["lies"]
    if lies is None:
        return Sentence("faces.says.moves")
    return Sentence("faces.says.up", {"face": lies}) if lies else Sentence("faces.says.leans")
