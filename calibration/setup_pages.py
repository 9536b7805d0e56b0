"""The page that sets the table up: what is seen, what is outside and where to move it, light and focus.

The picture itself is not shown: order tokens may lie in it. Boards are drawn where they lie.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from calibration.page_desk import Desk, Shown
from companion.board import PieceKind
from companion.game import Sentence, Wire
from companion.kept_setup import kept
from companion.settings import home

Answer = str | AnyResponse | Shown
WAIT_S = 60.0
DRAWN_WIDE = 320
WHOLE = 0.99
"""So much of a board in a picture is all of it."""

TRIES, PAUSE_S = 12, 5.0  # cameras and eyes need a moment after a start


class StartCheck:
    """Looks once after a start whether the table is still set up as it was kept."""

    def __init__(self, look: Callable[[], Wire], pause: Callable[[float], None] = time.sleep) -> None:
        self._look = look
        self._pause = pause
        self.changes: tuple[Mapping[str, Any], ...] = ()

    def begin(self) -> None:
        """Look on a thread of its own."""
        threading.Thread(target=self.run, name="set-up check", daemon=True).start()

    def run(self) -> None:
        """Look until all cameras answer or patience ends; keep what is otherwise."""
        for _ in range(TRIES):
            self._pause(PAUSE_S)
            answer = self._look()
            self.changes = tuple(answer.get("changes", ()))
            if answer.get("ok") and not self.changes:
                return


def add_setup_pages(pages: Blueprint, desk: Desk) -> StartCheck:
    """Add the page of the set-up; return the check that is to be made at the start."""
    check = StartCheck(lambda: desk.do("setup", {"do": "check"}, wait_s=WAIT_S))

    @pages.get("/<token>/setup")
    def setup(token: str) -> Answer:
        """Which boards the cameras see, and what to move."""
        desk.host_only(token)
        return _page(desk, token, desk.do("setup", {"do": "look"}, wait_s=WAIT_S))

    @pages.post("/<token>/setup")
    def keep_setup(token: str) -> Answer:
        """Remember the table as it is set up now."""
        desk.host_only(token)
        answer = desk.do("setup", {"do": "keep"}, wait_s=WAIT_S)
        if not answer.get("ok"):
            return _page(desk, token, answer)
        check.changes = ()
        return redirect(url_for(".setup", token=token), 303)

    return check


def _page(desk: Desk, token: str, answer: Wire) -> Shown:
    why = desk.why(answer)
    before = kept(home())
    cameras = () if why else answer["cameras"]
    whole = {b["board"] for camera in cameras for b in camera["boards"] if b["inside"] > WHOLE}
    told = [_camera(desk, camera, whole) for camera in cameras]
    return desk.shown(
        "teach_setup.html",
        token,
        409 if why else 200,
        fault=why,
        cameras=told,
        is_good=bool(told) and all(not camera["todo"] for camera in told),
        seen=_seen(desk, answer) if not why else None,
        missing=() if why else tuple(_board(desk, board) for board in answer["missing"]),
        changes=[] if why else [said_of(desk, change) for change in answer.get("changes", ())],
        kept_at=None if before is None else str(before["at_utc"])[:16].replace("T", " "),
    )


def _seen(desk: Desk, answer: Wire) -> Sentence | None:
    names = dict.fromkeys(board["board"] for camera in answer["cameras"] for board in camera["boards"])
    if not names:
        return None
    return Sentence("setup.seen", {"boards": tuple(_board(desk, name) for name in names)})


def _camera(desk: Desk, camera: Mapping[str, Any], whole: set[str]) -> dict[str, Any]:
    """Return what a page shows of one camera: a drawing, what is to be done, what is good.

    A board that some camera sees ``whole`` need not be moved for another one.
    """
    todo: list[Sentence] = []
    if "fault" in camera:
        todo.append(Sentence("teach.plainly", {"text": camera["fault"]}))
    if "obstacle" in camera:
        todo.append(Sentence(f"obstacle.{camera['obstacle']}"))
    partly = [board for board in camera["boards"] if board["board"] not in whole]
    todo += [one for board in partly for one in _to_move(desk, board)]
    todo += [
        Sentence(f"strain.{strain}", _strain_values(desk, camera, board, seen, needed))
        for strain, board, seen, needed in camera["cautions"]
    ]
    width, height = camera.get("size", (16, 9))
    high = round(DRAWN_WIDE * height / width)
    drawn = [
        {
            "name": desk.say(_board(desk, board["board"])),
            "points": " ".join(f"{x * DRAWN_WIDE:.1f},{y * high:.1f}" for x, y in board["corners"]),
            "x": min(max(sum(x for x, _ in board["corners"]) / 4, 0.2), 0.8) * DRAWN_WIDE,
            "y": min(max(sum(y for _, y in board["corners"]) / 4, 0.1), 0.9) * high,
            "is_good": board["inside"] > WHOLE,
        }
        for board in camera["boards"]
    ]
    strained = {strain for strain, *_ in camera["cautions"]}
    good = [] if "fault" in camera or not camera["boards"] else _good(camera, strained)
    shown = {"name": camera["camera"], "wide": DRAWN_WIDE, "high": high}
    return {**shown, "todo": todo, "good": good, "drawn": drawn}


def _good(camera: Mapping[str, Any], strained: set[str]) -> list[Sentence]:
    """Return what is good about a camera: its light, its focus, its size."""
    smallest = min(camera["boards"], key=lambda board: int(board["token_px"]))
    said = []
    if not strained & {"dim", "burnt_out", "glare", "tinted", "grey", "flicker"}:
        said.append(Sentence("setup.light_good"))
    if "blurred" not in strained:
        said.append(Sentence("setup.focus_good"))
    if "far" not in strained:
        values = {"seen": smallest["token_px"], "needed": smallest["needed_px"]}
        said.append(Sentence("setup.size_good", values))
    return said


def _to_move(desk: Desk, board: Mapping[str, Any]) -> list[Sentence]:
    """Return how to move a board that is not all in the picture."""
    name = _board(desk, board["board"])
    if board["rise"] > 1.0:
        return [Sentence("setup.too_large", {"board": name, "rise": round(100 * (board["rise"] - 1))})]
    x, y = board["move_cm"]
    ways = [Sentence("setup.right" if x > 0 else "setup.left", {"cm": abs(x)})] if x else []
    ways += [Sentence("setup.down" if y > 0 else "setup.up", {"cm": abs(y)})] if y else []
    outside = "setup.half_outside" if board["inside"] < 0.65 else "setup.bit_outside"
    return [Sentence(outside, {"board": name, "ways": tuple(ways)})]


def _strain_values(
    desk: Desk, camera: Mapping[str, Any], board: str, seen: int, needed: int
) -> dict[str, Any]:
    return {"camera": camera["camera"], "board": _board(desk, board), "seen": seen, "needed": needed}


def _board(desk: Desk, board: str) -> Sentence:
    return Sentence("setup.board", {"name": desk.context.piece(PieceKind(board))})


def said_of(desk: Desk, change: Mapping[str, Any]) -> Sentence:
    """Return in words what is otherwise than it was kept."""
    values: dict[str, Any] = {"camera": change["camera"]}
    if "board" in change:
        values["board"] = _board(desk, change["board"])
    return Sentence(f"setup.change.{change['what']}", values)
