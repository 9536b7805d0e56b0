"""The page of a box's dice: "throw these dice", a name for their colour, and what was seen of each so far."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import cv2
import numpy as np
from flask import Blueprint, abort, redirect, request, url_for
from numpy.typing import NDArray
from werkzeug.wrappers import Response as AnyResponse

from calibration.dice_job import KIND, kinds_of
from calibration.lessons import all_lessons
from calibration.page_desk import Desk, Shown
from companion.game import Sentence
from companion.table.boxes import taught_boxes
from vision.dice_colours import LEAST_THROWS, DiceSet

Answer = str | AnyResponse | Shown
WANTED = 4
"""Dice seen of a kind from which nothing more is asked for."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of dice as the page shows it; colours as ``#rrggbb``, of the body and of the pips."""

    name: str
    count: int
    body: str
    pips: str

    @property
    def wants_more(self) -> bool:
        return self.count < WANTED


def add_dice_pages(pages: Blueprint, desk: Desk) -> None:
    """Add the page of a box's dice."""

    @pages.get("/<token>/<box>/dice")
    def dice(token: str, box: str) -> Answer:
        """Show the dice of a box: which are taught, and what to throw next."""
        _box_only(desk, token, box)
        seen = request.args.get("seen", type=int)
        said = None if seen is None else Sentence("teach.dice.seen", {"count": seen})
        return _page(desk, token, box, said, last=request.args.get("kind", ""))

    @pages.post("/<token>/<box>/dice")
    def throw(token: str, box: str) -> Answer:
        """Take a photo of dice of one colour."""
        _box_only(desk, token, box)
        kind = request.form.get("kind", "").strip().lower()
        coded, camera = desk.photo(), request.form.get("camera", "")
        if not coded and camera not in desk.cameras:
            return _page(desk, token, box, Sentence("teach.no_file"), last=kind, status=409)
        told = {"do": "throw", "box": box, "kind": kind} | ({} if coded else {"camera": camera})
        answer = desk.do("dice", told, coded)
        why = desk.why(answer)
        if why is not None:
            return _page(desk, token, box, why, last=kind, status=409)
        _use(desk, box)
        return redirect(url_for(".dice", token=token, box=box, seen=answer["seen"], kind=kind), 303)

    @pages.post("/<token>/<box>/dice/<kind>/forget")
    def forget_dice(token: str, box: str, kind: str) -> Answer:
        """Forget a kind of dice."""
        _box_only(desk, token, box)
        why = desk.why(desk.do("dice", {"do": "forget", "box": box, "kind": kind}))
        if why is not None:
            return _page(desk, token, box, why, status=409)
        _use(desk, box)
        return redirect(url_for(".dice", token=token, box=box), 303)


def _box_only(desk: Desk, token: str, box: str) -> None:
    desk.host_only(token)
    if box not in (*all_lessons(), *taught_boxes()):
        abort(404)


def _page(
    desk: Desk, token: str, box: str, said: Sentence | None = None, *, last: str = "", status: int = 200
) -> Shown:
    known = kinds_of(box)
    return desk.shown(
        "teach_dice.html",
        token,
        status,
        box=box,
        said=said,
        is_refused=status != 200,
        kinds=[Kind(name, len(looks), *_colours(looks)) for name, looks in known.items()],
        alike=DiceSet(known).alike() if known else (),
        last=last if KIND.fullmatch(last) else "",
        least=LEAST_THROWS,
        is_lesson=box in all_lessons(),
    )


def _colours(looks: NDArray[np.float64]) -> tuple[str, str]:
    """Return the colours of body and pips, as they looked in the middle of all throws."""
    middle = np.median(looks, axis=0).astype(np.float32).reshape(1, 2, 3)
    shown = np.clip(cv2.cvtColor(middle, cv2.COLOR_LAB2RGB) * 255, 0, 255).astype(int)[0]
    body, pips = ("#" + "".join(f"{value:02x}" for value in colour) for colour in shown.tolist())
    return body, pips


def _use(desk: Desk, box: str) -> None:
    """Let the eyes of the table tell dice by what was taught."""
    house = desk.context.host
    if box == house.row.box:
        threading.Thread(target=house.reopen_eyes, name="eyes anew", daemon=True).start()
