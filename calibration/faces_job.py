"""The job that lets a die learn its faces (entry point ``companion.jobs``): one face laid up at a time."""

from __future__ import annotations

from typing import Any

from companion.game import Wire
from companion.ports import DeviceLost, LearningDie, Lesson, Workbench


def faces(bench: Workbench, told: Wire, coded: bytes) -> Wire:
    """Let the die ``die`` do what ``do`` says: ``look``, ``begin``, ``lay`` or ``lean``.

    Answers with ``ok`` and, when not, ``why``; with the face that ``lies`` up (0: it leans, None: nobody
    knows), how many ``faces`` it has, and which it has ``left`` to learn.
    """
    try:
        die = bench.die(str(told["die"]))
    except DeviceLost:
        return _refusal("faces.not_there")
    if not isinstance(die, LearningDie):
        return _refusal("faces.cannot")
    lesson = _lesson(die, told)
    seen = {"lies": die.lies, "faces": die.faces, "left": list(lesson.left)}
    return seen | ({"ok": True} if not lesson.why else _refusal(f"lesson.{lesson.why}", about=lesson.about))


def _lesson(die: LearningDie, told: Wire) -> Lesson:
    match told["do"]:
        case "begin":
            return die.begin_faces(int(told["faces"]))
        case "lay":
            return die.learn_face(int(told["face"]))
        case "lean":
            return die.set_lean(int(told["deg"]))
    return Lesson()


def _refusal(key: str, **values: Any) -> dict[str, Any]:
    return {"ok": False, "why": {"key": key, "values": values}}
